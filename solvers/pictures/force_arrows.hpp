#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/pictures/drawing.hpp>

#include <Eigen/Core>
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
  ForceArrows(const EquationsOfMotion& equations, const Drawing& drawing);

  /// The forces and torques at a whole state; no numbers where they are not known.
  void read(EquationsOfMotion& equations, const State& state);
  const std::vector<Arrow>& arrows() const { return arrows_; }

 private:
  /// Where redundant rows leave reactions open, those of least norm cost a decomposition of all rows, frame after
  /// frame.
  void leave_out_costly_reactions(EquationsOfMotion& equations);

  struct Source {
    int element = -1, frame = 0;  ///< index among the forces, or among the constraints
  };
  std::vector<Arrow> arrows_;
  std::vector<Source> sources_;  // of the arrows
  bool has_begun_ = false;
};

}  // namespace linkwork
