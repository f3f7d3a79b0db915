#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/pictures/drawing.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

// Internal: the forces and torques on bodies as pictures show them.

namespace linkwork {

/// What force elements put on bodies, and the reactions of joints and constraints on their last frames, over a run.
class ForceArrows {
 public:
  struct Arrow {
    std::string name;  ///< of the element
    bool is_reaction = false;
    int body = -1;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< where it acts, in the body [m]
    std::vector<float> forces = {};                   ///< x, y, z by frame of the picture, ground axes [N]
    std::vector<float> torques = {};                  ///< the same about the point [N m]
  };

  ForceArrows() = default;
  /// None of elements that the drawing hides, and none where the equations were never a graph of bodies.
  /// @param frame_count  of the picture
  ForceArrows(const EquationsOfMotion& equations, const Drawing& drawing, std::size_t frame_count);

  /// The forces and torques in the next frame, at a whole state; no numbers where they are not known.
  void read(EquationsOfMotion& equations, const State& state);
  /// After the last frame.
  void finish();
  const std::vector<Arrow>& arrows() const { return arrows_; }

 private:
  struct Source {
    int element = -1, frame = 0;  ///< index among the forces, or among the constraints
  };
  void look(EquationsOfMotion& equations, const State& state, bool at_reactions);
  bool has_reactions(std::size_t frame) const;

  std::vector<Arrow> arrows_;
  std::vector<Source> sources_;  // of the arrows
  std::size_t frame_count_ = 0;
  std::vector<double> times_;  // of the frames that were read
  std::size_t stride_ = 1;     // reactions are read in frames that are so many apart, and in the last one
};

}  // namespace linkwork
