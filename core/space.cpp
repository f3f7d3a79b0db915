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

constexpr double opposite = -1 + 1e-12;  // the cosine from which on the way of the shortest turn is lost

/// The shortest turn of one unit vector into another, which is not its opposite.
Eigen::Quaterniond shortest_turn(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  double s = std::sqrt((1 + to.dot(from)) * 2);
  if (s < 0.1) s = (from + to).norm();  // the same without loss of digits, where they are nearly opposite
  Eigen::Quaterniond turn;
  turn.vec() = from.cross(to) * (1 / s);
  turn.w() = s * 0.5;
  return turn;
}

}  // namespace

Eigen::Matrix3d Axis::frame() const {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  if (direction_.dot(z) >= opposite) return shortest_turn(z, direction_).toRotationMatrix();
  // Half a turn about x, and the rest.
  return shortest_turn(-z, direction_).toRotationMatrix() * Eigen::Vector3d(1, -1, -1).asDiagonal();
}

Eigen::Quaterniond turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d a = from.normalized(), b = to.normalized();
  if (b.dot(a) >= opposite) return shortest_turn(a, b);
  const Eigen::Vector3d aside = std::abs(a.z()) < 0.9 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX();
  const Eigen::Vector3d across = (aside - aside.dot(a) * a).normalized();
  return shortest_turn(-a, b) * Eigen::Quaterniond(0, across.x(), across.y(), across.z());  // half a turn, and the rest
}

}  // namespace linkwork
