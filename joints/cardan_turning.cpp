#include <linkwork/joints/cardan_turning.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/joints/angles.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace linkwork {

CardanAxes::CardanAxes(const Axis& first, const Axis& second, const Axis& third) {
  axes_ << first.direction(), second.direction(), third.direction();
  const double deviation = (axes_.transpose() * axes_ - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (deviation > 1e-9)
    throw ModelError(concat("CardanAxes: the cosine between two of the axes (", first.direction().transpose(), "), (",
                            second.direction().transpose(), ") and (", third.direction().transpose(), ") is ",
                            deviation, "; expected axes that are perpendicular to each other, such as Axis::y(), ",
                            "Axis::z() and Axis::x()."));
  handedness_ = axes_.determinant() > 0 ? 1 : -1;
}

Eigen::Matrix3d CardanAxes::rotation(const double* q) const {
  return (Eigen::AngleAxisd(q[0], axes_.col(0)) * Eigen::AngleAxisd(q[1], axes_.col(1)) *
          Eigen::AngleAxisd(q[2], axes_.col(2)))
      .toRotationMatrix();
}

Eigen::Matrix3d CardanAxes::rates(const double* q) const {
  const double c_1 = std::cos(q[1]), s_1 = std::sin(q[1]), c_2 = std::cos(q[2]), s_2 = handedness_ * std::sin(q[2]);
  const auto first = axes_.col(0), second = axes_.col(1), third = axes_.col(2);
  Eigen::Matrix3d W;
  // Turned back about the third axis: first -> c first - s second, second -> s first + c second.
  W.col(0) = c_1 * (c_2 * first - s_2 * second) + handedness_ * s_1 * third;
  W.col(1) = s_2 * first + c_2 * second;
  W.col(2) = third;
  return W;
}

/// A column that is turned back by the angles after its own changes by the rates of these.
Eigen::Vector3d CardanAxes::rates_bias(const double* q, const double* q_rate) const {
  const Eigen::Matrix3d W = rates(q);
  return -q_rate[0] * (q_rate[1] * W.col(1) + q_rate[2] * W.col(2)).cross(W.col(0)) -
         q_rate[1] * q_rate[2] * W.col(2).cross(W.col(1));
}

void CardanAxes::locate(const Eigen::Matrix3d& rotation, double* q) const {
  // In axes of their own, a left-handed triple turns the other way.
  const Eigen::Matrix3d R = axes_.transpose() * rotation * axes_;
  q[0] = nearest_turn(handedness_ * std::atan2(-R(1, 2), R(2, 2)), q[0]);
  q[1] = handedness_ * std::asin(std::clamp(R(0, 2), -1.0, 1.0));
  q[2] = nearest_turn(handedness_ * std::atan2(-R(0, 1), R(0, 0)), q[2]);
}

}  // namespace linkwork
