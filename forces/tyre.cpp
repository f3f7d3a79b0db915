#include <linkwork/forces/tyre.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {
constexpr const char* tyre_type = "tyre";
}

Tyre::Tyre(const Frame<Spatial>& road, const Frame<Spatial>& wheel, const Options& options)
    : ForceElement<Spatial>(detail::two_frames(tyre_type, road, wheel)), options_(options) {
  detail::check_positive(tyre_type, "radius", options.radius, "m");
  detail::check_positive(tyre_type, "stiffness", options.stiffness, "N/m");
  detail::check_not_negative(tyre_type, "damping", options.damping, "N s/m");
  detail::check_not_negative(tyre_type, "friction", options.friction, "(a ratio)");
  if (!(options.shape >= 1 && options.shape <= 2))
    throw ModelError(concat(tyre_type, ": shape is ", options.shape, "; expected a number from 1 to 2."));
  detail::check_not_negative(tyre_type, "cornering stiffness", options.cornering, "N");
  detail::check_positive(tyre_type, "load of the largest cornering stiffness", options.cornering_load, "N");
  detail::check_positive(tyre_type, "relaxation length", options.relaxation, "m");
  detail::check_not_negative(tyre_type, "trail", options.trail, "m");
}

/// All in ground axes.
struct Tyre::Contact {
  Eigen::Vector3d normal, rolling, left;  ///< road's normal, t and l
  Eigen::Vector3d point, velocity;        ///< of the wheel at the road, against it
  double distance = 0;                    ///< rho [m]
  double cosine = 1;                      ///< of the camber
};

Tyre::Contact Tyre::contact(const FrameMotion<Spatial>& road, const FrameMotion<Spatial>& wheel) const {
  Contact out;
  out.normal = road.pose.rotation.col(2);
  const Eigen::Vector3d axle = wheel.pose.rotation.col(1);
  const Eigen::Vector3d across = axle.cross(out.normal);
  out.cosine = across.norm();
  if (!(out.cosine > 1e-6))
    throw RecoverableFailure(concat(tyre_type, ": the wheel lies flat on the road (its axle is along the road's ",
                                    "normal), so that it has no direction to roll in; keep it upright."));
  out.rolling = across / out.cosine;
  out.left = out.normal.cross(out.rolling);
  out.distance = out.normal.dot(wheel.pose.position - road.pose.position) / out.cosine;
  out.point = wheel.pose.position - out.distance * out.rolling.cross(axle);
  out.velocity = wheel.velocity.linear + wheel.velocity.angular.cross(out.point - wheel.pose.position) -
                 road.velocity.linear - road.velocity.angular.cross(out.point - road.pose.position);
  return out;
}

double Tyre::load(const FrameMotion<Spatial>& road, const FrameMotion<Spatial>& wheel) const {
  const Contact at = contact(road, wheel);
  const double deflection = options_.radius - at.distance;
  if (deflection <= 0) return 0;
  const double rate = at.normal.dot(at.velocity) / at.cosine;
  return std::max(0.0, (options_.stiffness * deflection - options_.damping * rate) / at.cosine);
}

double Tyre::side_force(double load, double slip) const {
  const double largest = options_.friction * load;
  if (largest <= 0) return 0;
  const double slope = options_.cornering * std::sin(2 * std::atan(load / options_.cornering_load));
  return largest * std::sin(options_.shape * std::atan(slope / (options_.shape * largest) * slip));
}

void Tyre::do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const {
  const Contact at = contact(m.frame(0), m.frame(1));
  const double normal = load(m.frame(0), m.frame(1)), side = side_force(normal, m.state(0));
  detail::add_opposite_forces<Spatial>(m, normal * at.normal + side * at.left, at.point, sums);
  detail::add_opposite_torques<Spatial>(-options_.trail * side * at.normal, sums);
}

void Tyre::do_state_rates(const Motion<Spatial>& m, double* rates) const {
  const Contact at = contact(m.frame(0), m.frame(1));
  rates[0] = -(at.left.dot(at.velocity) + std::abs(at.rolling.dot(at.velocity)) * m.state(0)) / options_.relaxation;
}

double Tyre::deflection(const Motion<Spatial>& m) const {
  return std::max(0.0, options_.radius - contact(m.frame(0), m.frame(1)).distance);
}

double Tyre::do_potential_energy(const Motion<Spatial>& m) const {
  const double d = deflection(m);
  return 0.5 * options_.stiffness * d * d;
}

void Tyre::do_report(const Motion<Spatial>& m, double* values) const {
  values[0] = deflection(m);
  values[1] = load(m.frame(0), m.frame(1));
  values[2] = side_force(values[1], m.state(0));
  values[3] = m.state(0);
}

}  // namespace linkwork
