#pragma once

#include <limits>

/// Where elements may write. One comparison of integers for each vector that is written.
namespace linkwork::detail {

inline constexpr int uncounted = std::numeric_limits<int>::max();

/// @throws std::out_of_range
[[noreturn]] void refuse_place(const char* element, const char* what, int place, int count);

/// @param place  counted from 0
inline void check_place(const char* element, const char* what, int place, int count) {
  if (static_cast<unsigned>(place) >= static_cast<unsigned>(count)) refuse_place(element, what, place, count);
}

}  // namespace linkwork::detail
