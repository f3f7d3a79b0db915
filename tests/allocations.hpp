#pragma once

// Counts what a test program allocates, in the libraries too, by C and C++ alike: this replaces malloc, so one file of
// a program includes it. A sanitizer has an allocator of its own; there nothing is counted.

#include <cstddef>
#include <cstdlib>

namespace linkwork::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool allocations_are_counted = false;
#else
inline constexpr bool allocations_are_counted = true;
#endif
inline long allocations = 0;

}  // namespace linkwork::test

#if !defined(__SANITIZE_ADDRESS__)
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) noexcept {
  ++linkwork::test::allocations;
  return __libc_malloc(size);
}
#endif
