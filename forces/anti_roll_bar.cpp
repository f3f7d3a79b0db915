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

void AntiRollBar::do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const {
  const FrameMotion<Spatial>& car = m.frame(0);
  const Eigen::Vector3d up = car.pose.rotation * options_.up.direction();
  const Eigen::Vector3d across = m.frame(1).pose.position - m.frame(2).pose.position;
  const Eigen::Vector3d parting = m.frame(1).velocity.linear - m.frame(2).velocity.linear;
  const double rate = up.dot(parting - car.velocity.angular.cross(across));
  const Eigen::Vector3d force = (options_.stiffness * up.dot(across) + options_.damping * rate) * up;
  sums.add_force(1, -force);
  sums.add_force(2, force);
  sums.add_torque(0, across.cross(force));
}

double AntiRollBar::do_potential_energy(const Motion<Spatial>& m) const {
  const Eigen::Vector3d up = m.frame(0).pose.rotation * options_.up.direction();
  const double difference = up.dot(m.frame(1).pose.position - m.frame(2).pose.position);
  return 0.5 * options_.stiffness * difference * difference;
}

}  // namespace linkwork
