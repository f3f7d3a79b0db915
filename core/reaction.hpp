#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/motion.hpp>

namespace linkwork {

/// The reaction of a joint or constraint as a frame sees it: the wrench on the constraint's last frame (a joint's son),
/// its torque about the origin of `frame` and both parts in the axes of `frame`. Snapshot::reaction gives the same
/// wrench at the constraint's own frame, in ground axes.
/// @throws ModelError if the constraint or the frame is of another model than the snapshot
template <class Space>
Wrench<Space> reaction_in_frame(const Snapshot<Space>& snapshot, const ConstraintRef<Space>& constraint,
                                const Frame<Space>& frame) {
  Wrench<Space> out = snapshot.reaction(constraint);
  const Frame<Space>& own = constraint.model->constraints[detail::at(constraint.index)].constraint->frames().back();
  const Pose<Space> seen_from = snapshot.pose(frame);
  out.torque += cross(Vector<Space>(snapshot.pose(own).position - seen_from.position), out.force);
  out.force = seen_from.rotation.transpose() * out.force;
  if constexpr (Space::dimension == 3) out.torque = seen_from.rotation.transpose() * out.torque;
  return out;
}

}  // namespace linkwork
