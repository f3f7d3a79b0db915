#include <linkwork/joints/constraints/driven_speed.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/joints/pieces.hpp>

#include <utility>

namespace linkwork {

template <class Space>
DrivenSpeed<Space>::DrivenSpeed(const Frame<Space>& frame, const Axis& along, Input speed)
    : Constraint<Space>({frame}), speed_(pieces::checked(std::move(speed), "DrivenSpeed", "speed")) {
  if (frame.body < 0)
    throw ModelError("DrivenSpeed: the frame is on the ground, which does not move; give a frame of a body.");
  if constexpr (Space::dimension == 2)
    along_ = pieces::direction_in_plane(along, "DrivenSpeed<Planar>");
  else
    along_ = along.direction();
}

template <class Space>
void DrivenSpeed<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  out.add_linear(0, 0, m.frame(0).pose.rotation * along_);
  out.rate(0) = -speed_(m.time()).value;
}

template <class Space>
void DrivenSpeed<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  const Vector<Space> along = m.frame(0).pose.rotation * along_;
  bias[0] = speed_(m.time()).rate - cross(m.frame(0).velocity.angular, along).dot(m.frame(0).velocity.linear);
}

template class DrivenSpeed<Planar>;
template class DrivenSpeed<Spatial>;

}  // namespace linkwork
