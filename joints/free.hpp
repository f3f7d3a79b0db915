#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/freely_turning.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

/// The joint of a body without a joint: the son moves freely in the father, n freedoms, no rows.
///   q: the attitude (angle, or quaternion w, x, y, z), then the son's origin in the father's axes [m]
///   v: the angular velocity in the son's axes, then the velocity of the son's origin in the father's axes, so that
///   free
///      flight is a straight line in q
/// (see FreelyTurning, with D = 1).
template <class Space>
class Free final : public FreelyTurning<Space, Space::dimension, Joint<Space>> {
  using Base = FreelyTurning<Space, Space::dimension, Joint<Space>>;

 public:
  Free() : Base(Rotation<Space>::Identity()) {}
  std::string_view type() const override { return "free"; }
  int freedoms() const override { return Space::n; }
  int memory_size() const override { return 0; }

 private:
  void do_residual(const Motion<Space>& /*m*/, double* /*g*/) const override {}
  void do_rows(const Motion<Space>& /*m*/, ConstraintRows<Space>& /*out*/) const override {}
  void do_bias(const Motion<Space>& /*m*/, double* /*bias*/) const override {}
  void do_remember(const Motion<Space>& /*m*/, bool /*restart*/, double* /*memory*/) const override {}
};

/// The joint of a free body that does not rotate: its axes stay parallel to the father's.
///   X(q) = Trans(q),  S = [0; 1]
/// Rows: the orientation [rad].
template <class Space>
class FreeTranslation final : public ComposedJoint<Space, pieces::SameOrientation<Space>> {
 public:
  FreeTranslation() : ComposedJoint<Space, pieces::SameOrientation<Space>>(pieces::SameOrientation<Space>()) {}
  std::string_view type() const override { return "free translation"; }
  std::optional<ConstantMotion<Space>> constant_motion() const override {
    ConstantMotion<Space> out;
    out.S.setZero(Space::n, Space::dimension);
    out.S.template bottomRows<Space::dimension>().setIdentity();
    return out;
  }

 private:
  void do_pose(Instant, const double* q, Pose<Space>& X) const override { X.position = Vector<Space>::Map(q); }
  void do_locate(Instant, const Pose<Space>& X, double* q) const override { Vector<Space>::Map(q) = X.position; }
};

extern template class FreelyTurning<Planar, 2, Joint<Planar>>;
extern template class FreelyTurning<Spatial, 3, Joint<Spatial>>;
extern template class ComposedJoint<Planar, pieces::SameOrientation<Planar>>;
extern template class ComposedJoint<Spatial, pieces::SameOrientation<Spatial>>;
extern template class Free<Planar>;
extern template class Free<Spatial>;
extern template class FreeTranslation<Planar>;
extern template class FreeTranslation<Spatial>;

}  // namespace linkwork
