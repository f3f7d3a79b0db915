#include <linkwork/forces/profile_contact.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

ContactProfile toothed_wheel_profile(int teeth, double root_radius, double tooth_height) {
  constexpr const char* type = "toothed wheel";
  detail::check_positive(type, "number of teeth", teeth, "teeth");
  detail::check_positive(type, "root radius", root_radius, "m");
  detail::check_not_negative(type, "tooth height", tooth_height, "m");
  return [=](const Eigen::Vector2d& point) -> ProfileDepth {
    const double r = point.norm(), tip = root_radius + tooth_height;
    if (r >= tip) return {tip - r, {0., 0.}};  // beyond all teeth, whatever the angle
    if (!(r > 0.1 * root_radius))
      throw RecoverableFailure(concat(type, ": the roller's middle is ", r, " m from the wheel's, with a root radius ",
                                      "of ", root_radius, " m, so that its force has no direction; keep it outside."));
    const double angle = teeth * std::atan2(point.y(), point.x());
    const double slope = 0.5 * tooth_height * teeth * std::sin(angle) / r;  // of rho along the circle
    const Eigen::Vector2d outward = point / r;
    return {root_radius + 0.5 * tooth_height * (1 - std::cos(angle)) - r,
            Eigen::Vector2d(-outward.x() - slope * outward.y(), -outward.y() + slope * outward.x())};
  };
}

ContactProfile rail_profile(double begin, double end, double height, double ramp, double drop) {
  constexpr const char* type = "rail";
  detail::check_finite(type, "height", height, "m");
  detail::check_positive(type, "length", end - begin, "m");
  detail::check_positive(type, "length of its ramps", ramp, "m");
  detail::check_positive(type, "drop of its ramps", drop, "m");
  return [=](const Eigen::Vector2d& point) -> ProfileDepth {
    const double beyond = std::max({begin - point.x(), point.x() - end, 0.0}) / ramp;
    if (beyond >= 1 || point.y() >= height || point.y() <= height - drop) return {-drop, {0., 0.}};
    const double fall = drop * beyond * beyond * beyond * (10 + beyond * (-15 + beyond * 6));
    const double steepness = drop * 30 * beyond * beyond * (1 - beyond) * (1 - beyond) / ramp;
    return {height - fall - point.y(), Eigen::Vector2d(point.x() < begin ? steepness : -steepness, -1)};
  };
}

template <class Space>
ProfileContact<Space>::ProfileContact(const Frame<Space>& profile_frame, const Frame<Space>& roller,
                                      ContactProfile profile, Options options)
    : ForceElement<Space>(detail::two_frames(type_name, profile_frame, roller)),
      profile_(std::move(profile)),
      options_(std::move(options)) {
  detail::check_given(type_name, "profile", profile_);
  detail::check_positive(type_name, "stiffness", options_.stiffness, "N/m^exponent");
  detail::check_not_negative(type_name, "damping", options_.damping, "s/m");
  if (!(std::isfinite(options_.exponent) && options_.exponent >= 1))
    throw ModelError(concat(type_name, ": exponent is ", options_.exponent, "; give a finite number from 1 on."));
  if (options_.turning) detail::check_given(type_name, "turning", *options_.turning);
}

/// The second frame's rotation only counts where it moves that frame's origin, which is not the element's affair.
template <class Space>
std::optional<ForceUse> ProfileContact<Space>::use() const {
  const FrameUse roller{.rotation = false, .angular_velocity = false, .torque = false};
  return ForceUse{.frames = {FrameUse{}, roller}};
}

template <class Space>
std::vector<Input> ProfileContact<Space>::inputs() const {
  return options_.turning ? std::vector<Input>{*options_.turning} : std::vector<Input>{};
}

/// Where the profile gives no depth, as at a wheel's middle, is no boundary.
template <class Space>
std::vector<Outline> ProfileContact<Space>::outlines() const {
  Outline out;
  out.contains = [profile = profile_](const Eigen::Vector2d& point) {
    try {
      return profile(point).depth > 0;
    } catch (const RecoverableFailure&) {
      return true;
    }
  };
  out.turning = options_.turning;
  return {out};
}

/// Where the roller is in the profile.
template <class Space>
struct ProfileContact<Space>::Touch {
  double depth = -1;                             ///< d [m]
  Vector<Space> deeper = Vector<Space>::Zero();  ///< grad d, ground axes
  double rate = 0;                               ///< d' [m/s]

  explicit operator bool() const { return depth > 0; }
};

template <class Space>
typename ProfileContact<Space>::Touch ProfileContact<Space>::touch(Instant time, const FrameMotion<Space>& profile,
                                                                   const FrameMotion<Space>& roller) const {
  const Vector<Space> distance = roller.pose.position - profile.pose.position;
  const Eigen::Vector2d in_frame = (profile.pose.rotation.transpose() * distance).template head<2>();
  const InputValue turning = options_.turning ? (*options_.turning)(time) : InputValue{};
  const Eigen::Matrix2d turned = rotation_matrix(turning.value);
  const ProfileDepth at = profile_(turned.transpose() * in_frame);
  Touch out;
  out.depth = at.depth;
  if (!out) return out;
  const Eigen::Vector2d gradient = turned * at.gradient;  // in the frame's axes
  out.deeper = profile.pose.rotation.template leftCols<2>() * gradient;
  const Vector<Space> velocity =
      roller.velocity.linear - profile.velocity.linear - cross(profile.velocity.angular, distance);
  out.rate = out.deeper.dot(velocity) - turning.rate * gradient.dot(cross(1.0, in_frame));
  return out;
}

template <class Space>
Vector<Space> ProfileContact<Space>::force(Instant time, const FrameMotion<Space>& profile,
                                           const FrameMotion<Space>& roller) const {
  const Touch at = touch(time, profile, roller);
  if (!at) return Vector<Space>::Zero();
  const double elastic = options_.stiffness * std::pow(at.depth, options_.exponent);
  return -std::max(0.0, elastic * (1 + options_.damping * at.rate)) * at.deeper;
}

template <class Space>
void ProfileContact<Space>::do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const {
  const Vector<Space> force = this->force(m.time(), m.frame(0), m.frame(1)), opposite = -force;
  sums.add_force(0, opposite);
  sums.add_torque(0, cross(detail::line_between(m), opposite));
  sums.add_force(1, force);
}

template <class Space>
double ProfileContact<Space>::do_potential_energy(const Motion<Space>& m) const {
  const double power = options_.exponent + 1;
  return options_.stiffness / power * std::pow(std::max(0.0, touch(m.time(), m.frame(0), m.frame(1)).depth), power);
}

template <class Space>
void ProfileContact<Space>::do_report(const Motion<Space>& m, double* values) const {
  values[0] = std::max(0.0, touch(m.time(), m.frame(0), m.frame(1)).depth);
  values[1] = force(m.time(), m.frame(0), m.frame(1)).norm();
}

template class ProfileContact<Planar>;
template class ProfileContact<Spatial>;

}  // namespace linkwork
