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

/// Throws what is nested innermost in an exception, or nothing where nothing is.
inline void rethrow_innermost(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& nested) {
    rethrow_innermost(nested);
    throw;
  }
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace linkwork::test
