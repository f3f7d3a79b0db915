#include <linkwork/joints/attitude.hpp>

#include <linkwork/joints/angles.hpp>

namespace linkwork {

namespace {

Eigen::Quaterniond quaternion(const double* q) { return {q[0], q[1], q[2], q[3]}; }

void write(const Eigen::Quaterniond& quaternion, double* q) {
  q[0] = quaternion.w();
  for (int i = 0; i < 3; ++i) q[1 + i] = quaternion.vec()[i];
}

}  // namespace

void Attitude<Planar>::read(const double* q, Pose<Planar>& X) {
  X.angle = q[0];
  X.rotation = rotation_matrix(q[0]);
}
void Attitude<Planar>::locate(const Pose<Planar>& X, double* q) { q[0] = nearest_turn(turn_of(X.rotation), q[0]); }

void Attitude<Spatial>::home(double* q) { write(Eigen::Quaterniond::Identity(), q); }
void Attitude<Spatial>::read(const double* q, Pose<Spatial>& X) { X.rotation = rotation_matrix(quaternion(q)); }
void Attitude<Spatial>::retract(const double* q, const double* step, double* q_new) {
  const Eigen::Vector3d rotation(step[0], step[1], step[2]);
  const double angle = rotation.norm();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (angle > 0) turn = Eigen::AngleAxisd(angle, rotation / angle);
  write((quaternion(q) * turn).normalized(), q_new);
}
void Attitude<Spatial>::rate(const double* q, const double* angular_velocity, double* q_rate) {
  const Eigen::Quaterniond turning(0, angular_velocity[0], angular_velocity[1], angular_velocity[2]);
  write(quaternion(q) * turning, q_rate);
  for (int i = 0; i < 4; ++i) q_rate[i] *= 0.5;
}
void Attitude<Spatial>::locate(const Pose<Spatial>& X, double* q) {
  Eigen::Quaterniond found(X.rotation);
  if (found.dot(quaternion(q)) < 0) found.coeffs() *= -1;
  write(found, q);
}

}  // namespace linkwork
