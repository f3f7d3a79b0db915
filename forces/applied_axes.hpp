#pragma once

#include <linkwork/core/handles.hpp>
#include <linkwork/core/usage.hpp>

#include <cstddef>
#include <optional>
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

/// Of a function that looks at nothing but the time. Frames that are not listed would be used wholly.
inline std::optional<ForceUse> reads_nothing() {
  return ForceUse{
      .frames = {FrameUse::nothing()}, .states = false, .auxiliary = false, .contacts = false, .reactions = false};
}

/// What an element uses whose function reads frames and that puts one wrench on the first of them.
/// @param reads    what the function reads; none: not declared
/// @param turning  whether the wrench turns with the frame
inline std::optional<ForceUse> applied_use(std::optional<ForceUse> reads, std::size_t frames, bool turning, bool force,
                                           bool torque) {
  if (!reads) return reads;
  reads->frames.resize(frames);
  for (FrameUse& frame : reads->frames) frame.force = frame.torque = false;
  FrameUse& loaded = reads->frames.front();
  loaded.rotation = loaded.rotation || turning;
  loaded.force = force;
  loaded.torque = torque;
  return reads;
}

}  // namespace detail
}  // namespace linkwork
