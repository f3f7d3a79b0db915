#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
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

/// With a full stop at its end, where it has none of its own, as reasons of users' functions may.
inline std::string as_sentence(const std::string& reason) { return reason.ends_with('.') ? reason : reason + '.'; }

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

/// "a, b and 3 more": at most so many of them by name.
template <class Items, class Text = std::identity>
std::string listed_up_to(std::size_t most, const Items& items, Text text_of = {}) {
  const std::size_t count = std::size(items), named = std::min(count, most);
  const std::string names = listed(std::span(items).first(named), text_of);
  return count > named ? concat(names, " and ", count - named, " more") : names;
}

}  // namespace linkwork
