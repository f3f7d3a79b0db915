#pragma once

#include <linkwork/joints/angles.hpp>
#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

/// Planar joint (the tag Planar names the space): the son moves in a plane of the father and turns about its normal;
/// q: the angle [rad] and two displacements [m] along the first two columns of Axis::frame() of the normal. 3 freedoms.
///   X(q) = Trans(q_1 b_1 + q_2 b_2) Rot(normal, q_0)
/// Rows: 1 along the normal [m], 2 of the parallel normals [rad].
class PlaneJoint final : public ComposedJoint<Spatial, pieces::NoTravel<Spatial, 1>, pieces::ParallelAxes> {
 public:
  explicit PlaneJoint(const Axis& normal = Axis::z())
      : ComposedJoint(pieces::NoTravel<Spatial, 1>({normal.direction()}), pieces::ParallelAxes(normal)),
        frame_(normal.frame()) {}
  std::string_view type() const override { return "planar joint"; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], frame_.col(2)).toRotationMatrix();
    X.position = frame_.leftCols<2>() * Eigen::Vector2d(q[1], q[2]);
  }
  void do_motion(Instant time, const double* q, JointMotion<Spatial>& out) const override {
    do_pose(time, q, out.X);  // writes all of it
    out.S.setZero(Spatial::n, 3);
    out.S.col(0).head<3>() = frame_.col(2);
    out.S.bottomRightCorner<3, 2>() = out.X.rotation.transpose() * frame_.leftCols<2>();
    out.drift.setZero();
  }
  void do_motion_bias(Instant, const double* q, const double* v, Components<Spatial>& bias) const override {
    const Eigen::Vector3d& normal = frame_.col(2);
    const Eigen::Vector3d velocity =
        Eigen::AngleAxisd(-q[0], normal) * (frame_.leftCols<2>() * Eigen::Vector2d(v[1], v[2]));
    bias = components<Spatial>(Eigen::Vector3d::Zero(), -v[0] * normal.cross(velocity));
  }
  void do_locate(Instant, const Pose<Spatial>& X, double* q) const override {
    q[0] = nearest_turn(turn_about(frame_.col(2), X.rotation), q[0]);
    Eigen::Vector2d::Map(q + 1) = frame_.leftCols<2>().transpose() * X.position;
  }
  Eigen::Matrix3d frame_;
};

}  // namespace linkwork
