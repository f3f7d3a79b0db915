#include <linkwork/joints/driven_path.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/joints/pieces.hpp>

#include <utility>

namespace linkwork {

DrivenPath::DrivenPath(Path path, Input parameter)
    : path_(std::move(path)), parameter_(pieces::checked(std::move(parameter), "DrivenPath", "parameter")) {
  detail::check_given("DrivenPath", "path", path_);
}

void DrivenPath::do_pose(Instant time, const double*, Pose<Spatial>& X) const {
  X = path_(parameter_(time).value).pose;
}

void DrivenPath::do_motion(Instant time, const double*, JointMotion<Spatial>& out) const {
  const InputValue u = parameter_(time);
  const PathPoint at = path_(u.value);
  out.X = at.pose;
  out.S.resize(Spatial::n, 0);
  out.drift = u.rate * at.twist;
}

void DrivenPath::do_motion_bias(Instant time, const double*, const double*, Components<Spatial>& bias) const {
  const InputValue u = parameter_(time);
  const PathPoint at = path_(u.value);
  bias = u.acceleration * at.twist + u.rate * u.rate * at.twist_rate;
}

/// The rows act as R^T (omega, velocity of the son's origin against the father), R the son's axes. Their derivative is
/// that of X's twist, but for what R and the father's arm add while all velocities are held.
void DrivenPath::do_bias(const Motion<Spatial>& m, double* bias) const {
  const FrameMotion<Spatial>&father = m.frame(0), &son = m.frame(1);
  const Eigen::Vector3d arm = son.pose.position - father.pose.position;
  const Eigen::Vector3d turn = son.velocity.angular - father.velocity.angular;
  const Eigen::Vector3d parting = son.velocity.linear - father.velocity.linear;
  const Eigen::Vector3d travel = parting - father.velocity.angular.cross(arm);
  Components<Spatial> out;
  do_motion_bias(m.time(), nullptr, nullptr, out);
  out.head<3>() += son.pose.rotation.transpose() * son.velocity.angular.cross(turn);
  out.tail<3>() +=
      son.pose.rotation.transpose() * (father.velocity.angular.cross(parting) + son.velocity.angular.cross(travel));
  Components<Spatial>::Map(bias) = out;
}

}  // namespace linkwork
