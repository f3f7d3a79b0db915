#pragma once

#include <linkwork/joints/composed_joint.hpp>

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
  void do_pose(double, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], frame_.col(2)).toRotationMatrix();
    X.position = frame_.leftCols<2>() * Eigen::Vector2d(q[1], q[2]);
  }
  Eigen::Matrix3d frame_;
};

}  // namespace linkwork
