#pragma once

#include <linkwork/core/handles.hpp>

#include <vector>

namespace linkwork {

/// Axes in which an applied force or torque is given: those of the ground, or those of the loaded frame.
enum class AppliedAxes { ground, frame };

namespace detail {

template <class Space>
std::vector<Frame<Space>> frame_list(const Frame<Space>& first, const std::vector<Frame<Space>>& others) {
  std::vector<Frame<Space>> frames{first};
  frames.insert(frames.end(), others.begin(), others.end());
  return frames;
}

}  // namespace detail
}  // namespace linkwork
