#pragma once

#include <sstream>
#include <string>

namespace linkwork {

/// Joins its arguments into one string as an output stream would; numbers keep 12 significant digits.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream out;
  out.precision(12);
  (out << ... << parts);
  return out.str();
}

}  // namespace linkwork
