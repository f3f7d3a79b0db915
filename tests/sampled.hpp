#pragma once

namespace linkwork::test {

/// How many of many cases of one kind a test takes. Sanitizers, which make each of them some ten times as slow, see the
/// same code in a few.
template <class Count>
constexpr Count sampled([[maybe_unused]] Count all, [[maybe_unused]] Count with_sanitizers) {
#ifdef NDEBUG
  return all;
#else
  return with_sanitizers;
#endif
}

}  // namespace linkwork::test
