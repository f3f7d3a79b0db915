#include <linkwork/forces/anti_roll_bar.hpp>

namespace linkwork {

namespace {
constexpr const char* bar_type = "anti-roll bar";
}

AntiRollBar::AntiRollBar(const Frame<Spatial>& car, const Frame<Spatial>& left, const Frame<Spatial>& right,
                         const Options& options)
    : ForceElement<Spatial>({car, left, right}), options_(options) {
  detail::two_frames(bar_type, car, left);
  detail::two_frames(bar_type, car, right);
  detail::two_frames(bar_type, left, right);
  detail::check_positive(bar_type, "stiffness", options.stiffness, "N/m");
  detail::check_not_negative(bar_type, "damping", options.damping, "N s/m");
}

/// How the bar is twisted.
struct AntiRollBar::Twisted {
  Eigen::Vector3d up, across;  ///< ground axes
  double difference = 0;       ///< h_left - h_right [m]
  double force = 0;            ///< F [N]
};

AntiRollBar::Twisted AntiRollBar::twisted(const Motion<Spatial>& m) const {
  const FrameMotion<Spatial>& car = m.frame(0);
  Twisted out;
  out.up = car.pose.rotation * options_.up.direction();
  out.across = m.frame(1).pose.position - m.frame(2).pose.position;
  out.difference = out.up.dot(out.across);
  const Eigen::Vector3d parting = m.frame(1).velocity.linear - m.frame(2).velocity.linear;
  const double rate = out.up.dot(parting - car.velocity.angular.cross(out.across));
  out.force = options_.stiffness * out.difference + options_.damping * rate;
  return out;
}

void AntiRollBar::do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const {
  const Twisted bar = twisted(m);
  const Eigen::Vector3d force = bar.force * bar.up;
  sums.add_force(1, -force);
  sums.add_force(2, force);
  sums.add_torque(0, bar.across.cross(force));
}

void AntiRollBar::do_report(const Motion<Spatial>& m, double* values) const {
  const Twisted bar = twisted(m);
  values[0] = bar.difference;
  values[1] = bar.force;
}

double AntiRollBar::do_potential_energy(const Motion<Spatial>& m) const {
  const Eigen::Vector3d up = m.frame(0).pose.rotation * options_.up.direction();
  const double difference = up.dot(m.frame(1).pose.position - m.frame(2).pose.position);
  return 0.5 * options_.stiffness * difference * difference;
}

}  // namespace linkwork
