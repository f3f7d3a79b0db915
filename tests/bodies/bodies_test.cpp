#include "../core/expect_error.hpp"

#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/bodies/rigid_body.hpp>
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace linkwork {
namespace bodies_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Eigen::Matrix3d unit = Eigen::Matrix3d::Identity();

TEST(RigidBody, AnswersWhatItWasGiven) {
  const RigidBody<Spatial> body(2, unit, {0.1, 0.2, 0.3});
  EXPECT_EQ(body.mass(), 2);
  EXPECT_EQ(body.inertia(), unit);
  EXPECT_EQ(body.center_of_mass(), Eigen::Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(body.freedoms(), 6);
  EXPECT_EQ(body.coordinates(), 7);
  const RigidBody<Planar> plate(2, 0.5, {0.1, 0.2});
  EXPECT_EQ(plate.inertia()(0, 0), 0.5);
  EXPECT_EQ(plate.freedoms(), 3);
  EXPECT_EQ(plate.coordinates(), 3);
}

TEST(RotorCarrier, AddsTheMomentumOfItsRotor) {
  const RotorCarrier body(MassProperties::given(1, {0.1, 0, 0}, Eigen::Vector3d(3, 4, 5).asDiagonal()), {0, 2, 0});
  EXPECT_EQ(body.mass(), 1);
  EXPECT_EQ(body.center_of_mass(), Eigen::Vector3d(0.1, 0, 0));
  // -(1, 2, -3) x (3, 8 + 2, -15) in whole numbers
  EXPECT_EQ(body.gyroscopic_torque({1, 2, -3}), Eigen::Vector3d(0, -6, -4));
  EXPECT_FALSE(body.is_plain());
  expect_error<ModelError>("RotorCarrier: momentum is (  0 nan   0) kg m^2/s; give finite values.", [] {
    RotorCarrier(MassProperties::sphere(1, 1), {0, nan, 0});
  });
}

// The torque of a body's own momentum does no work and leaves a rotation about a principal axis alone.
TEST(RigidBody, GyroscopicTorqueIsMinusOmegaCrossMomentum) {
  const RigidBody<Spatial> body(1, Eigen::Vector3d(3, 4, 5).asDiagonal().toDenseMatrix());
  const Eigen::Vector3d omega(1, 2, -3);
  // -(1, 2, -3) x (3, 8, -15) in whole numbers.
  EXPECT_EQ(body.gyroscopic_torque(omega), Eigen::Vector3d(6, -6, -2));
  EXPECT_EQ(body.gyroscopic_torque(omega).dot(omega), 0);
  EXPECT_EQ(body.gyroscopic_torque({0, 7, 0}), Eigen::Vector3d::Zero());
  EXPECT_EQ(RigidBody<Planar>(1, 3).gyroscopic_torque(7), 0);
}

TEST(RigidBody, RefusesAMassThatIsNotPositive) {
  for (const auto& [mass, shown] : {std::pair{0.0, "0"}, std::pair{-1.0, "-1"}, std::pair{nan, "nan"}})
    expect_error<ModelError>(std::string("RigidBody: the mass is ") + shown +
                                 " kg; expected > 0 (a body without mass is a MasslessNode or a MasslessFrame).",
                             [mass = mass] { RigidBody<Spatial>(mass, unit); });
}

TEST(RigidBody, RefusesAnInertiaThatIsNone) {
  const auto with = [](const Eigen::Matrix3d& inertia) { return [inertia] { RigidBody<Spatial>(1, inertia); }; };
  const auto moments = [](double x, double y, double z) {
    return Eigen::Matrix3d(Eigen::Vector3d(x, y, z).asDiagonal());
  };
  expect_error<ModelError>("RigidBody: the inertia has an entry that is not finite [kg m^2].", with(unit * nan));
  Eigen::Matrix3d half = unit;
  half(0, 1) = 0.1;
  expect_error<ModelError>("RigidBody: the inertia is not symmetric; give both halves of the matrix.", with(half));
  expect_error<ModelError>(
      "RigidBody: the principal moments of inertia are -1, 2 and 3 kg m^2; expected none below zero.",
      with(moments(2, -1, 3)));
  expect_error<ModelError>(
      "RigidBody: the principal moments of inertia are 1, 2 and 4 kg m^2; no distribution of mass has one larger than "
      "the sum of the other two; check units and signs.",
      with(moments(1, 2, 4)));
  expect_error<ModelError>(
      "RigidBody: the principal moments of inertia are 0, 0 and 0 kg m^2; expected a body with extension (a mass that "
      "does not rotate is a PointMass).",
      with(moments(0, 0, 0)));
  expect_error<ModelError>(
      "RigidBody: the inertia about z is -1 kg m^2; expected > 0 (a mass that does not rotate is a PointMass).",
      [] { RigidBody<Planar>(1, -1); });
}

// Both are at the edge of what the triangle inequality allows, where rounding decides.
TEST(RigidBody, AcceptsThinRodsAndThinPlates) {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  for (const Eigen::Vector3d& moments : {Eigen::Vector3d(0, 0.1, 0.1), Eigen::Vector3d(0.1, 0.2, 0.3)}) {
    Eigen::Matrix3d inertia = turn * moments.asDiagonal() * turn.transpose();
    EXPECT_NO_THROW(RigidBody<Spatial>(1, inertia));
  }
}

TEST(RigidBody, RefusesACentreOfMassThatIsNotFinite) {
  expect_error<ModelError>("RigidBody: the centre of mass has a coordinate that is not finite [m].", [] {
    RigidBody<Planar>(1, 1, {nan, 0});
  });
}

TEST(PointMass, HasPositionsOnly) {
  EXPECT_EQ(PointMass<Planar>(1).freedoms(), 2);
  EXPECT_EQ(PointMass<Spatial>(1).freedoms(), 3);
  EXPECT_EQ(PointMass<Spatial>(1).coordinates(), 3);
  EXPECT_FALSE(PointMass<Spatial>(1).rotates());
  EXPECT_EQ(PointMass<Spatial>(1.5).mass(), 1.5);
}

TEST(PointMass, RefusesAMassThatIsNotPositive) {
  expect_error<ModelError>("PointMass: the mass is 0 kg; expected > 0 (a point without mass is a MasslessNode).",
                           [] { PointMass<Planar>(0.0); });
  expect_error<ModelError>("PointMass: the mass is inf kg; expected > 0 (a point without mass is a MasslessNode).",
                           [] { PointMass<Spatial>(std::numeric_limits<double>::infinity()); });
}

TEST(MasslessNode, IsAPointAndAMasslessFrameRotates) {
  EXPECT_EQ(MasslessNode<Planar>().freedoms(), 2);
  EXPECT_EQ(MasslessNode<Spatial>().freedoms(), 3);
  EXPECT_EQ(MasslessNode<Spatial>().mass(), 0);
  EXPECT_EQ(MasslessFrame<Planar>().freedoms(), 3);
  EXPECT_EQ(MasslessFrame<Spatial>().freedoms(), 6);
  EXPECT_EQ(MasslessFrame<Spatial>().mass(), 0);
  EXPECT_TRUE(MasslessFrame<Spatial>().inertia().isZero(0));
  EXPECT_TRUE(MasslessFrame<Spatial>().gyroscopic_torque({1, 2, 3}).isZero(0));
}

}  // namespace bodies_test
}  // namespace linkwork
