#include <linkwork/joints/constraints/rack_and_pinion.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/joints/pieces.hpp>

#include <cmath>
#include <numbers>

namespace linkwork {

namespace {

constexpr const char* type_name = "RackAndPinion";

double checked_radius(double radius) {
  detail::check_not_zero(type_name, "radius", radius, "m");
  return radius;
}

const Axis& perpendicular(const Axis& axis, const Axis& direction) {
  const double cosine = axis.direction().dot(direction.direction());
  if (std::abs(cosine) > 1e-9)
    throw ModelError(concat(type_name, ": the pinion's axis (", axis.direction().transpose(),
                            ") and the rack's direction (", direction.direction().transpose(), ") make an angle of ",
                            std::acos(cosine), " rad; expected perpendicular ones such as Axis::z() and Axis::x()."));
  return axis;
}

}  // namespace

template <class Space>
RackAndPinion<Space>::RackAndPinion(const Frame<Space>& rack, const Frame<Space>& pinion, double radius,
                                    const Axis& direction) requires(Space::dimension == 2)
    : Constraint<Space>(detail::two_frames(type_name, rack, pinion)),
      radius_(checked_radius(radius)),
      travel_(pieces::direction_in_plane(direction, "RackAndPinion<Planar>")) {}

template <class Space>
RackAndPinion<Space>::RackAndPinion(const Frame<Space>& rack, const Frame<Space>& pinion, double radius,
                                    const Axis& direction, const Axis& axis) requires(Space::dimension == 3)
    : Constraint<Space>(detail::two_frames(type_name, rack, pinion)),
      radius_(checked_radius(radius)),
      travel_(direction.direction()),
      turn_(perpendicular(axis, direction).direction()) {}

template <class Space>
void RackAndPinion<Space>::do_residual(const Motion<Space>& m, double* g) const {
  const double rolled = (travel_.value(m, 0, 1) - m.memory(phase)) / radius_;
  g[0] = radius_ * std::remainder(rolled + turn_.value(m, 0, 1), 2 * std::numbers::pi);
}

template <class Space>
void RackAndPinion<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  travel_.add_rows(m, 0, 1, 1.0, 0, out);
  turn_.add_rows(m, 0, 1, radius_, 0, out);
}

template <class Space>
void RackAndPinion<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  bias[0] = -travel_.drift(m, 0, 1) - radius_ * turn_.drift(m, 0, 1);
}

template <class Space>
void RackAndPinion<Space>::do_remember(const Motion<Space>& m, bool, double* memory) const {
  if (memory[known] == 1) return;
  memory[phase] = travel_.value(m, 0, 1) + radius_ * turn_.value(m, 0, 1);
  memory[known] = 1;
}

template class RackAndPinion<Planar>;
template class RackAndPinion<Spatial>;

}  // namespace linkwork
