#include <linkwork/joints/spherical.hpp>

namespace linkwork {

void Spherical::do_pose(double, const double* q, Pose<Spatial>& X) const {
  X.rotation = rotation_matrix(Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
}

void Spherical::do_home(double* q) const {
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
}

void Spherical::do_retract(const double* q, const double* step, double* q_new) const {
  const Eigen::Vector3d rotation(step[0], step[1], step[2]);
  const double angle = rotation.norm();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (angle > 0) turn = Eigen::AngleAxisd(angle, rotation / angle);
  const Eigen::Quaterniond turned = (Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * turn).normalized();
  q_new[0] = turned.w();
  for (int i = 0; i < 3; ++i) q_new[1 + i] = turned.vec()[i];
}

}  // namespace linkwork
