#pragma once

#include <linkwork/joints/attitude.hpp>
#include <linkwork/joints/composed_joint.hpp>

namespace linkwork {

/// The joint of a body without a joint: the son moves freely in the father, n freedoms, no rows.
///   q: the attitude (angle, or quaternion w, x, y, z), then the son's origin in the father's axes [m]
///   v: the angular velocity in the son's axes, then the velocity of the son's origin in the father's axes, so that
///   free
///      flight is a straight line in q
///   S = [1 0; 0 R^T], bias = [0; -omega x R^T v_linear], R the rotation of the son in the father
/// A tangent step is a rotation vector in the son's axes, then a displacement in the father's.
template <class Space>
class Free final : public Joint<Space> {
 public:
  std::string_view type() const override { return "free"; }
  int freedoms() const override { return Space::n; }
  int coordinates() const override { return Attitude<Space>::coordinates + Space::dimension; }
  int memory_size() const override { return 0; }

 private:
  void do_residual(const Motion<Space>& /*m*/, double* /*g*/) const override {}
  void do_rows(const Motion<Space>& /*m*/, ConstraintRows<Space>& /*out*/) const override {}
  void do_bias(const Motion<Space>& /*m*/, double* /*bias*/) const override {}
  void do_remember(const Motion<Space>& /*m*/, bool /*restart*/, double* /*memory*/) const override {}
  void do_pose(double time, const double* q, Pose<Space>& X) const override;
  void do_home(double* q) const override;
  void do_retract(const double* q, const double* step, double* q_new) const override;
  void do_motion(double time, const double* q, JointMotion<Space>& out) const override;
  void do_motion_bias(double time, const double* q, const double* v, Components<Space>& bias) const override;
  void do_rate(const double* q, const double* v, double* q_rate) const override;
  void do_locate(double time, const Pose<Space>& X, double* q) const override;
};

/// The joint of a free body that does not rotate: its axes stay parallel to the father's.
///   X(q) = Trans(q)
/// Rows: the orientation [rad].
template <class Space>
class FreeTranslation final : public ComposedJoint<Space, pieces::SameOrientation<Space>> {
 public:
  FreeTranslation() : ComposedJoint<Space, pieces::SameOrientation<Space>>(pieces::SameOrientation<Space>()) {}
  std::string_view type() const override { return "free translation"; }
  std::optional<ConstantMotion<Space>> constant_motion() const override;

 private:
  void do_pose(double time, const double* q, Pose<Space>& X) const override;
  void do_locate(double time, const Pose<Space>& X, double* q) const override;
};

extern template class Free<Planar>;
extern template class Free<Spatial>;
extern template class FreeTranslation<Planar>;
extern template class FreeTranslation<Spatial>;

}  // namespace linkwork
