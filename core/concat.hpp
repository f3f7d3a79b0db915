#pragma once

#include <functional>
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

/// "a, b, c" of a range of texts, or of things whose text `text_of` gives (a function or a member).
template <class Items, class Text = std::identity>
std::string listed(const Items& items, Text text_of = {}) {
  std::string out;
  const char* separator = "";
  for (const auto& item : items) {
    out += separator;
    out += std::invoke(text_of, item);
    separator = ", ";
  }
  return out;
}

}  // namespace linkwork
