#pragma once

#include <linkwork/core/joint.hpp>

#include <array>
#include <utility>

namespace linkwork {

/// Three axes, perpendicular to each other, that a body turns about one after another: the first is fixed in the
/// father, the last in the son.
class CardanAxes {
 public:
  /// @throws ModelError if two axes are not perpendicular to within 1e-9
  CardanAxes(const Axis& first, const Axis& second, const Axis& third);

  /// Rot(first, q_0) Rot(second, q_1) Rot(third, q_2)
  Eigen::Matrix3d rotation(const double* q) const;
  /// Columns: angular velocity per unit of each angle's rate, in the son's axes.
  Eigen::Matrix3d rates(const double* q) const;
  /// Derivative of rates(q) q' at q'' = 0.
  Eigen::Vector3d rates_bias(const double* q, const double* q_rate) const;
  /// The angles of a rotation, the second between -pi/2 and pi/2, the others at the turn nearest to q.
  void locate(const Eigen::Matrix3d& rotation, double* q) const;

 private:
  Eigen::Matrix3d axes_;  ///< columns
  double handedness_;     ///< 1 or -1
};

/// The explicit side of a joint whose son turns by three angles and whose origin travels along directions fixed in the
/// father (columns of D, orthonormal), on a base that gives the rows. There is no quaternion: q' = v.
///   q: the angles [rad] about the axes of CardanAxes, then the displacements s [m];   v = q'
///   X(q) = Trans(D s) Rot(q_0, q_1, q_2),  S = [W 0; 0 R^T D],  bias = [W' q'; -omega x R^T D s']
/// Singular where the second angle is a quarter turn: for bodies that do not tumble.
template <int travels, class Base>
class CardanTurning : public Base {
 public:
  bool is_shift(int coordinate) const final { return coordinate >= 3; }

 protected:
  using Directions = Eigen::Matrix<double, 3, travels>;
  template <class... Arguments>
  CardanTurning(const CardanAxes& axes, const Directions& directions, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), axes_(axes), directions_(directions) {}

 private:
  using Travels = Eigen::Matrix<double, travels, 1>;

  void do_pose(Instant, const double* q, Pose<Spatial>& X) const final {
    X.rotation = axes_.rotation(q);
    X.position = directions_ * Travels::Map(q + 3);
  }
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const final {
    do_pose(time, q, out.X);
    out.S.setZero(Spatial::n, 3 + travels);
    out.S.template topLeftCorner<3, 3>() = axes_.rates(q);
    out.S.template bottomRightCorner<3, travels>() = out.X.rotation.transpose() * directions_;
    out.drift.setZero();
  }
  void do_motion_bias(Instant, const double* q, const double* v, Components<Spatial>& bias) const final {
    const Eigen::Vector3d omega = axes_.rates(q) * Eigen::Vector3d::Map(v);
    const Eigen::Vector3d linear = axes_.rotation(q).transpose() * (directions_ * Travels::Map(v + 3));
    bias << axes_.rates_bias(q, v), -omega.cross(linear);
  }
  void do_locate(Instant, const Pose<Spatial>& X, double* q) const final {
    axes_.locate(X.rotation, q);
    Travels::Map(q + 3) = directions_.transpose() * X.position;
  }

  CardanAxes axes_;
  Directions directions_;
};

}  // namespace linkwork
