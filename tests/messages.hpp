#pragma once

#include <exception>
#include <string>

namespace linkwork::test {

/// What the exception says that a function throws.
template <class Function>
std::string error_of(Function&& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace linkwork::test
