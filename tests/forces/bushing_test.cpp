#include "element_motion.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/bushing.hpp>

#include <cmath>

namespace linkwork {
namespace bushing_test {

using Rubber = Bushing<Spatial>;

/// Stiffness and damping of a bushing along its own axes.
Rubber::Options along_axes(const Components<Spatial>& stiffness, const Components<Spatial>& damping) {
  Rubber::Options options;
  options.stiffness = stiffness.asDiagonal();
  options.damping = damping.asDiagonal();
  return options;
}

TEST(Bushing, PushesBackAlongTheFirstFramesAxes) {
  Components<Spatial> stiffness, damping;
  stiffness << 1, 2, 3, 4, 5, 6;
  damping << 0, 0, 0, 0.1, 0.2, 0.3;
  const Rubber bushing(test::ground<Spatial>, test::body<Spatial>, along_axes(stiffness, damping));
  test::ElementMotion<Spatial> motion;
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  motion.frames[0].pose = {{1, 2, 3}, R};
  motion.frames[1].pose = {{1.1, 2.2, 3.3}, R};
  motion.frames[1].velocity.linear = {1, -1, 2};
  const std::vector<Wrench<Spatial>> wrenches = motion.wrenches(bushing);
  const Eigen::Vector3d stretch(0.1, 0.2, 0.3);
  const Eigen::Vector3d expected = -R * (stiffness.tail<3>().cwiseProduct(R.transpose() * stretch) +
                                         damping.tail<3>().cwiseProduct(R.transpose() * Eigen::Vector3d(1, -1, 2)));
  EXPECT_LT((wrenches[1].force - expected).norm(), 1e-14);
  EXPECT_LT((wrenches[0].force + expected).norm(), 1e-14);
  EXPECT_LT(wrenches[1].torque.norm(), 1e-14);
  EXPECT_LT((wrenches[0].torque + stretch.cross(expected)).norm(), 1e-14);  // the force acts at the second frame
}

TEST(Bushing, TurnsBackByItsStiffnessTimesTheRotationVector) {
  Components<Spatial> stiffness = Components<Spatial>::Zero();
  stiffness.head<3>().setConstant(7);
  const Rubber bushing(test::ground<Spatial>, test::body<Spatial>, along_axes(stiffness, Components<Spatial>::Zero()));
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 2) / 3;
  for (const double angle : {1e-5, 0.3, 2.0, 3.1}) {
    test::ElementMotion<Spatial> motion;
    motion.frames[1].pose.rotation = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    // The rotation vector is along the axis, where J = 1. Rounding of an angle near half a turn: 1e-16 / (pi - angle).
    EXPECT_LT((motion.wrenches(bushing)[1].torque + 7 * angle * axis).norm(), 1e-13) << angle;
    EXPECT_NEAR(bushing.potential_energy(motion.motion()), 3.5 * angle * angle, 1e-13) << angle;
  }
}

TEST(Bushing, PlanarCountsFullTurns) {
  Bushing<Planar>::Options options;
  options.stiffness.diagonal() << 2, 3, 4;
  options.damping(0, 0) = 0.5;
  options.preload << 0.1, 0.2, 0.3;
  const Bushing<Planar> bushing(test::ground<Planar>, test::body<Planar>, options);
  test::ElementMotion<Planar> motion;
  motion.frames[1].pose = {{0.1, 0.2}, rotation_matrix(7), 7};
  motion.frames[1].velocity.angular = 3;
  const std::vector<Wrench<Planar>> wrenches = motion.wrenches(bushing);
  EXPECT_NEAR(wrenches[1].torque, 0.1 - 2 * 7 - 0.5 * 3, 1e-14);
  EXPECT_LT((wrenches[1].force - Eigen::Vector2d(0.2 - 3 * 0.1, 0.3 - 4 * 0.2)).norm(), 1e-15);
}

TEST(Bushing, RefusesWhatMakesNoSense) {
  const auto refused = [](const Rubber::Options& options) {
    return test::model_error([&] { Rubber(test::ground<Spatial>, test::body<Spatial>, options); });
  };
  test::expect_contains(refused({}), "bushing: stiffness, damping and preload are all zero");
  Rubber::Options options;
  options.stiffness(0, 1) = 1;
  test::expect_contains(refused(options), "bushing: its stiffness is not symmetric (two entries differ by 1)");
  options.stiffness(1, 0) = 1;
  test::expect_contains(refused(options), "bushing: its stiffness has the eigenvalue -1");
  options = {};
  options.damping(2, 2) = NAN;
  test::expect_contains(refused(options), "bushing: its damping is not finite");
  options = {};
  options.preload[3] = HUGE_VAL;
  test::expect_contains(refused(options), "bushing: preload is");
}

}  // namespace bushing_test
}  // namespace linkwork
