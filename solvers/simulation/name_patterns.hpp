#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Internal: names that people choose by patterns, in which * stands for any text and ? for any character.

namespace linkwork {

/// Where the names stand that fit patterns: each once, in the order of the patterns.
/// @param asked_by  for messages, "write_html" say      @param what  the names are of, "column" say
/// @throws ModelError for a pattern that no name fits, with the names most like it
std::vector<std::size_t> names_that_fit(const char* asked_by, const char* what, const std::vector<std::string>& names,
                                        const std::vector<std::string>& patterns);

}  // namespace linkwork
