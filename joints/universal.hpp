#pragma once

#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// Universal (Cardan) joint: two perpendicular axes through one point, the first fixed in the father, the second in the
/// son; q: the angles about them [rad]. 2 freedoms.
///   X(q) = Rot(first, q_0) Rot(second, q_1)
/// Rows: 3 of the common origin [m, ground axes], 1 of the perpendicular axes [rad].
class Universal final : public ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::PerpendicularAxes> {
 public:
  /// @throws ModelError if the axes are not perpendicular to within 1e-9
  Universal(const Axis& first, const Axis& second);
  std::string_view type() const override { return "universal"; }

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override;
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override;
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Spatial>& bias) const override;
  void do_locate(Instant time, const Pose<Spatial>& X, double* q) const override;
  /// Completes both axes to a right-handed frame.
  Eigen::Vector3d third() const;
  Axis first_, second_;
};

extern template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::PerpendicularAxes>;

}  // namespace linkwork
