// Joints that hold nothing that other joints do not hold already: doors with several hinges, bodies that are fixed
// twice. In joint coordinates the rows of such closures are rounding errors and nothing else.

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../system/observed.hpp"

namespace linkwork::test {
namespace redundant_closures_test {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr Formulation all_formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// A bar that hangs on hinges along its y axis, placed in space.
struct Door {
  double size = 1;                         ///< length [m]
  Vector3d place{1, 2, 3};                 ///< of its middle [m]
  std::vector<double> hinges{0.1, -0.17};  ///< along the axis, in lengths
};

SpatialModel make(const Door& door) {
  SpatialModel model("door");
  model.set_gravity({0, 0, -9.81});
  const double size = door.size;
  auto bar = model.add_body("bar", MassProperties::box_of_density(1000, size * Vector3d(1, 0.1, 0.2)));
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized()));
  bar.place(door.place, turned);
  for (const double hinge : door.hinges) {
    const Vector3d offset = size * Vector3d(-0.5, hinge, 0.033);
    model.add_joint<Revolute>("hinge at " + std::to_string(hinge),
                              model.ground().at(door.place + turned * offset, turned), bar.at(offset), Axis::y());
  }
  return model;
}

/// Motion of the bar at the end of a run.
Observed<Spatial> swing(const Door& door, Formulation formulation, const std::string& solver = "auto") {
  SpatialModel model = make(door);
  const SimulationOptions options{.formulation = formulation,
                                  .linear_solver = solver,
                                  .integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10 * door.size}};
  Observed<Spatial> last = watch(model, options, {0.5 * std::sqrt(door.size)}).at.back();
  last.reactions.clear();  // of least norm where there are several hinges
  return last;
}

/// Where it stands to its place, in lengths, so that large doors compare.
double distance(const Observed<Spatial>& a, const Observed<Spatial>& b, const Door& door) {
  const auto &x = a.bodies.at("bar"), &y = b.bodies.at("bar");
  return std::max((x.pose.position - y.pose.position).norm() / door.size, (x.pose.rotation - y.pose.rotation).norm());
}

void expect_to_swing_as_on_one_hinge(const Door& door, double bound) {
  Door one = door;
  one.hinges = {door.hinges[0]};
  const Observed<Spatial> expected = swing(one, Formulation::absolute, "dense-lu");
  EXPECT_GT((expected.bodies.at("bar").pose.position - door.place).norm(), 0.3 * door.size);  // it moves
  for (const Formulation formulation : all_formulations)
    EXPECT_LE(distance(swing(door, formulation), expected, door), bound) << name_of(formulation);
}

// The tolerances are 1e-10; errors of a run of this length are some ten times that.
TEST(RedundantClosures, ADoorOnTwoHingesSwings) { expect_to_swing_as_on_one_hinge({}, 2e-9); }
TEST(RedundantClosures, ADoorOnThreeHingesAtTheOriginSwings) {
  expect_to_swing_as_on_one_hinge({.place = {0, 0, 0}, .hinges = {0, 0.2, -0.2}}, 2e-9);
}
// Positions of kilometres have rounding errors of 5e-13 m.
TEST(RedundantClosures, ADoorFarAwaySwings) { expect_to_swing_as_on_one_hinge({.place = {1000, 2000, 3000}}, 2e-9); }
// Angles have the tolerance of lengths too, 1e-7.
TEST(RedundantClosures, AGateOfAKilometreSwings) { expect_to_swing_as_on_one_hinge({.size = 1e3}, 1e-7); }

/// A body without freedoms in joint coordinates; its weight is the reaction.
PlanarModel fixed_bar(int times) {
  PlanarModel model("fixed");
  model.set_gravity({0, -9.81});
  auto bar = model.add_body("bar", MassProperties::rod(2, 1));
  bar.place({0.5, 0});
  for (int i = 0; i < times; ++i)
    model.add_joint<Fixed>("weld " + std::to_string(i), model.ground().at({1.0 * i, 0}), bar.at({i - 0.5, 0}));
  return model;
}

TEST(RedundantClosures, EveryLinearSolverTreatsABodyWithoutFreedoms) {
  for (const std::string& solver : linear_solver_names()) {
    SCOPED_TRACE(solver);
    PlanarModel model = fixed_bar(1);
    const SimulationOptions options{.formulation = Formulation::relative, .linear_solver = solver};
    const Wrench<Planar> weld = watch(model, options, {0.1}).at.back().reactions.at("weld 0");
    EXPECT_NEAR(weld.force[1], 2 * 9.81, 1e-12);  // rounding
    EXPECT_NEAR(weld.torque, 2 * 9.81 * 0.5, 1e-12);
  }
}

TEST(RedundantClosures, TwoWeldsShareTheWeight) {
  for (const Formulation formulation : all_formulations) {
    SCOPED_TRACE(name_of(formulation));
    PlanarModel model = fixed_bar(2);
    const auto reactions = watch(model, {.formulation = formulation}, {0.1}).at.back().reactions;
    const Wrench<Planar>&left = reactions.at("weld 0"), &right = reactions.at("weld 1");
    EXPECT_NEAR(left.force[1] + right.force[1], 2 * 9.81, 1e-12);  // rounding
    const double about_the_middle = left.torque + right.torque + 0.5 * (right.force[1] - left.force[1]);
    EXPECT_NEAR(about_the_middle, 0, 1e-12);
  }
}

}  // namespace redundant_closures_test
}  // namespace linkwork::test
