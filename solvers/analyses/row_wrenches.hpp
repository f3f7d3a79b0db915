#pragma once

// Internal: what constraint rows of a graph of bodies do where they act.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/analyses/directions.hpp>
#include <linkwork/solvers/analyses/row_groups.hpp>
#include <linkwork/topology/topology.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// The rows of elements as wrenches, at the position that the absolute equations are at.
template <class Space>
class RowWrenches {
 public:
  /// All of one model; they must outlive this.
  /// @param length  [m] that torques are divided by
  RowWrenches(const ModelData<Space>& data, const Topology& topology, EquationsOfMotion& equations,
              const RowGroups& groups, double length);

  /// Wrenches of combinations of an element's rows on its last frame that moves, at that frame, ground axes.
  /// @param combinations  one per column, of the element's rows
  Eigen::MatrixXd wrenches(int element, const Eigen::MatrixXd& combinations) const;
  /// The ground's axes, those of the first frame of an element and those of its last.
  std::vector<NamedAxes<Space>> axes_of(int element) const;

 private:
  /// Pose of a frame, and label and centre of mass of its body.
  struct FramePlace {
    int label = 0;
    Pose<Space> pose;
    Vector<Space> arm = Vector<Space>::Zero();  ///< from the centre of mass, ground axes
    Rotation<Space> body_axes = Rotation<Space>::Identity();
  };
  Pose<Space> body_pose(int label) const;
  FramePlace place(const Frame<Space>& frame) const;

  const ModelData<Space>& data_;
  const Topology& topology_;
  EquationsOfMotion& equations_;
  const RowGroups& groups_;
  double length_;
  std::vector<int> position_of_;  // by label
};

extern template class RowWrenches<Planar>;
extern template class RowWrenches<Spatial>;

}  // namespace linkwork
