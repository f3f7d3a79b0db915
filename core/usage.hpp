#pragma once

#include <cstddef>
#include <vector>

namespace linkwork {

// What elements declare about themselves, so that the sparsity of the equations follows from the graph. All of it
// unless an element says less; a part that is declared unused must not be used, at any time and state.

/// How a function of a force element uses one of its frames: the parts of the frame's motion that it reads, and what it
/// puts on the frame.
struct FrameUse {
  bool position = true, rotation = true;          ///< of the pose
  bool velocity = true, angular_velocity = true;  ///< of the twist
  bool force = true, torque = true;               ///< put on it

  /// Of a frame that is there for something else.
  static FrameUse nothing() { return {false, false, false, false, false, false}; }
};

/// How a function of a force element uses its frames, and which numbers it reads besides.
struct ForceUse {
  std::vector<FrameUse> frames;  ///< by frame; those that are missing are used wholly
  bool states = true;            ///< the element's own r
  bool auxiliary = true;         ///< the element's own w
  bool contacts = true;          ///< the s that it asked for
  bool reactions = true;         ///< those that it asked for

  FrameUse frame(int k) const {
    const auto index = static_cast<std::size_t>(k);
    return index < frames.size() ? frames[index] : FrameUse{};
  }
};

/// How a row of a constraint uses one of its frames. The residual depends on the frame's position where the row acts on
/// its linear velocity, and on its rotation where the row acts on its angular velocity. Rows with contact points s use
/// frames wholly: they follow from where s is.
struct RowUse {
  bool linear = true, angular = true;     ///< parts of the frame's velocity that the row acts on
  bool position = true, rotation = true;  ///< parts of the frame's pose that the row's own numbers change with
};

}  // namespace linkwork
