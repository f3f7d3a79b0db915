#include <linkwork/core/space.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>

namespace linkwork {

Axis::Axis(const Exact<3>& direction) : direction_(direction) {
  const double length = direction.norm();
  if (!(std::isfinite(length) && length > 0))
    throw ModelError(concat("Axis: the direction (", direction.transpose(),
                            ") has no finite length above zero; give a direction such as {0, 0, 1}."));
  direction_ /= length;
}

namespace {

/// The shortest turn of one unit vector into another, which is not its opposite.
Eigen::Matrix3d shortest_turn(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  double s = std::sqrt((1 + to.dot(from)) * 2);
  if (s < 0.1) s = (from + to).norm();  // the same without loss of digits, where they are nearly opposite
  Eigen::Quaterniond turn;
  turn.vec() = from.cross(to) * (1 / s);
  turn.w() = s * 0.5;
  return turn.toRotationMatrix();
}

}  // namespace

Eigen::Matrix3d Axis::frame() const {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  if (direction_.dot(z) >= -1 + 1e-12) return shortest_turn(z, direction_);
  return shortest_turn(-z, direction_) * Eigen::Vector3d(1, -1, -1).asDiagonal();  // half a turn about x, and the rest
}

}  // namespace linkwork
