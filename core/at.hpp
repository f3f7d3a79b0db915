#pragma once

#include <cstddef>

namespace linkwork::detail {

/// A number of an element as the index of an array: bodies, rows and blocks are counted by signed integers.
constexpr std::size_t at(std::ptrdiff_t number) { return static_cast<std::size_t>(number); }

}  // namespace linkwork::detail
