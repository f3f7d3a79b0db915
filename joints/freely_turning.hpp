#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/joints/attitude.hpp>

#include <utility>

namespace linkwork {

/// The explicit side of a joint whose son turns freely and whose origin travels along directions fixed in the father
/// (columns of D, orthonormal), on a base that gives the rows.
///   q: the attitude (angle, or quaternion w, x, y, z), then the displacements s [m]
///   v: the angular velocity in the son's axes, then s'
///   X(q) = Trans(D s) Rot(attitude),  S = [1 0; 0 R^T D],  bias = [0; -omega x R^T D s']
/// A tangent step is a rotation vector in the son's axes, then a step of s.
template <class Space, int travels, class Base>
class FreelyTurning : public Base {
 public:
  int coordinates() const final { return turn + travels; }
  bool is_shift(int coordinate) const final { return coordinate >= turn; }

 protected:
  using Directions = Eigen::Matrix<double, Space::dimension, travels>;
  template <class... Arguments>
  explicit FreelyTurning(const Directions& directions, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), directions_(directions) {}

 private:
  using Travels = Eigen::Matrix<double, travels, 1>;
  static constexpr int turn = Attitude<Space>::coordinates;
  static constexpr int angular = Space::angular;

  void do_pose(Instant, const double* q, Pose<Space>& X) const final {
    Attitude<Space>::read(q, X);
    X.position = directions_ * Travels::Map(q + turn);
  }
  void do_home(double* q) const final {
    Attitude<Space>::home(q);
    Travels::Map(q + turn).setZero();
  }
  void do_retract(const double* q, const double* step, double* q_new) const final {
    Attitude<Space>::retract(q, step, q_new);
    Travels::Map(q_new + turn) = Travels::Map(q + turn) + Travels::Map(step + angular);
  }
  void do_motion(Instant time, const double* q, JointMotion<Space>& out) const final {
    do_pose(time, q, out.X);
    out.S.setIdentity(Space::n, angular + travels);
    out.S.template bottomRightCorner<Space::dimension, travels>() = out.X.rotation.transpose() * directions_;
    out.drift.setZero();
  }
  void do_motion_bias(Instant, const double* q, const double* v, Components<Space>& bias) const final {
    Pose<Space> X;
    Attitude<Space>::read(q, X);
    const Vector<Space> linear = X.rotation.transpose() * (directions_ * Travels::Map(v + angular));
    Angular<Space> omega;
    if constexpr (Space::dimension == 2)
      omega = v[0];
    else
      omega = Eigen::Vector3d::Map(v);
    bias.setZero();
    bias.template tail<Space::dimension>() = -cross(omega, linear);
  }
  void do_rate(const double* q, const double* v, double* q_rate) const final {
    Attitude<Space>::rate(q, v, q_rate);
    Travels::Map(q_rate + turn) = Travels::Map(v + angular);
  }
  void do_locate(Instant, const Pose<Space>& X, double* q) const final {
    Attitude<Space>::locate(X, q);
    Travels::Map(q + turn) = directions_.transpose() * X.position;
  }

  Directions directions_;
};

}  // namespace linkwork
