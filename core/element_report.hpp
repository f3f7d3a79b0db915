#pragma once

#include <string>

namespace linkwork {

/// A number that an element tells of itself at a state, such as its length or its load. It is found by the names of
/// both, "buffer: length", among the columns of outputs and the curves of pages, and by Snapshot::reported.
struct ElementReport {
  std::string name;
  std::string unit = {};  ///< for people, "" if it has none
};

}  // namespace linkwork
