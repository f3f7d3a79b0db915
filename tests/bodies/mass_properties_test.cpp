#include "../core/expect_error.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/errors.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace linkwork {
namespace mass_properties_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-14;  // a few operations on numbers of size 1

Eigen::Matrix3d diagonal(double x, double y, double z) { return Eigen::Vector3d(x, y, z).asDiagonal(); }

/// Inertia about the origin of the part of the box [-1, 1]^3 / 2 scaled by `lengths` that `inside` keeps, by the
/// midpoint rule with the given number of cells along each side; the mass is 1 for the part that is kept.
template <class Inside>
Eigen::Matrix3d summed_inertia(const Eigen::Vector3d& lengths, int cells, Inside inside) {
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  int kept = 0;
  const auto middle = [cells](int i) { return (i + 0.5) / cells - 0.5; };
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) {
        const Eigen::Vector3d x = Eigen::Vector3d(middle(i), middle(j), middle(k)).cwiseProduct(lengths);
        if (!inside(x)) continue;
        second += x * x.transpose();
        ++kept;
      }
  second /= kept;
  return second.trace() * Eigen::Matrix3d::Identity() - second;
}

// Independent route: sums over 60^3 cells. The midpoint rule errs by the square of the cell for the box, 1/3600 of a
// moment; on curved surfaces cells are in or out, which averages out to about 1e-3. Wrong factors give 0.1 or more.
constexpr int cells = 60;
constexpr double summation_error = 2e-3;

TEST(MassProperties, MomentsOfSolidsAgreeWithSums) {
  const Eigen::Vector3d lengths(0.5, 1, 2);
  const auto everything = [](const Eigen::Vector3d&) { return true; };
  const auto in_ball = [](const Eigen::Vector3d& x) { return x.norm() < 0.5; };
  const auto in_cylinder = [](const Eigen::Vector3d& x) { return x.head<2>().norm() < 0.5; };
  EXPECT_TRUE(MassProperties::box(3, lengths)
                  .inertia()
                  .isApprox(3 * summed_inertia(lengths, cells, everything), summation_error));
  EXPECT_TRUE(MassProperties::sphere(3, 0.5).inertia().isApprox(3 * summed_inertia({1, 1, 1}, cells, in_ball),
                                                                summation_error));
  EXPECT_TRUE(MassProperties::cylinder(3, 0.5, 2).inertia().isApprox(3 * summed_inertia({1, 1, 2}, cells, in_cylinder),
                                                                     summation_error));
}

TEST(MassProperties, ARodIsAThinBox) {
  EXPECT_TRUE(MassProperties::rod(1.2, 0.5).inertia().isApprox(diagonal(0, 0.025, 0.025), rounding));
  EXPECT_TRUE(MassProperties::rod(1.2, 0.5, Axis::z()).inertia().isApprox(diagonal(0.025, 0.025, 0), rounding));
}

TEST(MassProperties, AxesMayPointAnywhere) {
  const Axis axis(Eigen::Vector3d(1, 2, -2));
  const Eigen::Matrix3d turn = axis.frame();
  const Eigen::Matrix3d upright = MassProperties::cylinder(2, 0.3, 1).inertia();
  EXPECT_TRUE(
      MassProperties::cylinder(2, 0.3, 1, axis).inertia().isApprox(turn * upright * turn.transpose(), rounding));
}

TEST(MassProperties, DensityTimesVolumeIsTheMass) {
  const auto box = MassProperties::box_of_density(500, {0.1, 0.2, 0.3});
  EXPECT_NEAR(box.mass(), 3, rounding);
  EXPECT_TRUE(box.inertia().isApprox(MassProperties::box(3, {0.1, 0.2, 0.3}).inertia(), rounding));
  EXPECT_NEAR(MassProperties::sphere_of_density(3, 1).mass(), 4 * std::numbers::pi, rounding * 10);
  EXPECT_NEAR(MassProperties::cylinder_of_density(2, 0.5, 4).mass(), 2 * std::numbers::pi, rounding * 10);
}

TEST(MassProperties, ShiftingMovesTheCentreOfMassOnly) {
  const auto rod = MassProperties::rod(1.2, 0.5);
  const auto moved = rod.shifted({0.25, 0, 0}).shifted({0, 1, 0});
  EXPECT_EQ(moved.center_of_mass(), Eigen::Vector3d(0.25, 1, 0));
  EXPECT_EQ(moved.inertia(), rod.inertia());
  EXPECT_EQ(moved.mass(), rod.mass());
}

TEST(MassProperties, MakesBodiesOfBothSpaces) {
  const auto recipe = MassProperties::given(2, {0.1, 0.2, 0.3}, diagonal(1, 1.5, 2));
  const auto spatial = recipe.make_body<Spatial>();
  EXPECT_EQ(spatial->mass(), 2);
  EXPECT_EQ(spatial->inertia(), diagonal(1, 1.5, 2));
  EXPECT_EQ(spatial->center_of_mass(), Eigen::Vector3d(0.1, 0.2, 0.3));
  const auto planar = recipe.make_body<Planar>();
  EXPECT_EQ(planar->inertia()(0, 0), 2);
  EXPECT_EQ(planar->center_of_mass(), Eigen::Vector2d(0.1, 0.2));
  const auto plate = MassProperties::planar(3, 0.5, {1, 2}).make_body<Planar>();
  EXPECT_EQ(plate->mass(), 3);
  EXPECT_EQ(plate->inertia()(0, 0), 0.5);
  EXPECT_EQ(plate->center_of_mass(), Eigen::Vector2d(1, 2));
}

template <class Space>
void expect_refusal(const std::string& message, const MassProperties& recipe) {
  expect_error<ModelError>(message, [&] { recipe.make_body<Space>(); });
}

TEST(MassProperties, NamesTheNumberThatIsWrong) {
  const std::string in = "MassProperties::";
  expect_refusal<Spatial>(in + "rod: the mass is 0 kg; expected > 0.", MassProperties::rod(0, 1));
  expect_refusal<Spatial>(in + "rod: the length is -1 m; expected > 0.", MassProperties::rod(1, -1));
  expect_refusal<Spatial>(in + "box: the length is nan m; expected > 0.", MassProperties::box(1, {1, nan, 1}));
  expect_refusal<Spatial>(in + "box: the mass is -2 kg; expected > 0.", MassProperties::box(-2, {1, 1, 1}));
  expect_refusal<Planar>(in + "sphere: the radius is 0 m; expected > 0.", MassProperties::sphere(1, 0));
  expect_refusal<Planar>(in + "sphere: the mass is 0 kg; expected > 0.", MassProperties::sphere(0, 1));
  expect_refusal<Planar>(in + "cylinder: the radius is -1 m; expected > 0.", MassProperties::cylinder(1, -1, 1));
  expect_refusal<Planar>(in + "cylinder: the length is inf m; expected > 0.",
                         MassProperties::cylinder(1, 1, std::numeric_limits<double>::infinity()));
  expect_refusal<Planar>(in + "cylinder: the mass is -1 kg; expected > 0.", MassProperties::cylinder(-1, 1, 1));
}

TEST(MassProperties, NamesTheDensityAndNotTheMass) {
  const std::string in = "MassProperties::";
  const std::string what = ": the density is -7800 kg/m^3; expected > 0.";
  expect_refusal<Spatial>(in + "box_of_density" + what, MassProperties::box_of_density(-7800, {1, 1, 1}));
  expect_refusal<Spatial>(in + "sphere_of_density" + what, MassProperties::sphere_of_density(-7800, 1));
  expect_refusal<Spatial>(in + "cylinder_of_density" + what, MassProperties::cylinder_of_density(-7800, 1, 1));
  expect_refusal<Spatial>(in + "sphere_of_density: the radius is -1 m; expected > 0.",
                          MassProperties::sphere_of_density(7800, -1));
}

TEST(MassProperties, ChecksGivenNumbersAsARigidBodyDoes) {
  expect_refusal<Spatial>(
      "RigidBody: the mass is -1 kg; expected > 0 (a body without mass is a MasslessNode or a MasslessFrame).",
      MassProperties::given(-1, {0, 0, 0}, diagonal(1, 1, 1)));
  EXPECT_THROW(MassProperties::given(1, {0, 0, 0}, diagonal(1, 1, 3)).make_body<Spatial>(), ModelError);
  EXPECT_THROW(MassProperties::rod(1, 1).shifted({nan, 0, 0}).make_body<Spatial>(), ModelError);
  expect_refusal<Planar>(
      "RigidBody: the inertia about z is 0 kg m^2; expected > 0 (a mass that does not rotate is a PointMass).",
      MassProperties::rod(1, 1, Axis::z()));
}

TEST(MassProperties, PlanarRecipesAreForPlanarModels) {
  expect_refusal<Spatial>(
      "MassProperties::planar: has an inertia about z only, and the model is spatial; use MassProperties::given, rod, "
      "box, sphere or cylinder.",
      MassProperties::planar(1, 1));
}

}  // namespace mass_properties_test
}  // namespace linkwork
