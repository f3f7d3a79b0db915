// No unit decides: with lengths, forces and gravity times s, torques and inertias times s^2, masses and times kept,
// a mechanism accelerates as before, lengths times s, in every formulation and by every solver.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/initial_values/initial_values.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../messages.hpp"
#include "../system/observed.hpp"

namespace linkwork::test {
namespace sizes_test {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr Formulation all_formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// A four-bar linkage of 0.5 s metres. @param gap  of the last pin, in parts of s
void four_bar(PlanarModel& model, double s, double gap = 0) {
  model.set_gravity({0, -9.81 * s});
  const Vector2d A = 0.3 * s * Vector2d(std::cos(1.1), std::sin(1.1)), C(0.5 * s, 0);
  const Vector2d e = (C - A).normalized(), n(-e.y(), e.x());
  const double d = (C - A).norm(), x = (d * d + (0.25 - 0.16) * s * s) / (2 * d);
  const Vector2d B = A + x * e + std::sqrt(0.25 * s * s - x * x) * n;
  const auto add = [&](const char* name, double mass, const Vector2d& from, const Vector2d& to) {
    auto bar = model.add_body(name, MassProperties::rod(mass, (to - from).norm()));
    bar.place(Vector2d(0.5 * (from + to)), std::atan2((to - from).y(), (to - from).x()));
    return bar;
  };
  const auto crank = add("crank", 1, Vector2d::Zero(), A), coupler = add("coupler", 1.4, A, B);
  const auto rocker = add("rocker", 2, B, C);
  model.add_joint<Revolute>("O", model.ground().origin(), crank.at(Vector2d(-0.15 * s, 0)));
  model.add_joint<Revolute>("A", crank.at(Vector2d(0.15 * s, 0)), coupler.at(Vector2d(-0.25 * s, 0)));
  model.add_joint<Revolute>("B", coupler.at(Vector2d(0.25 * s, 0)), rocker.at(Vector2d(-0.2 * s, 0)));
  model.add_joint<Revolute>("C", model.ground().at(Vector2d(C.x() + gap * s, 0)), rocker.at(Vector2d(0.2 * s, 0)));
}

/// Six boxes on joints of four kinds.
void chain(SpatialModel& model, double s) {
  model.set_gravity({0, s, -9.81 * s});
  Frame<Spatial> last = model.ground().origin();
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    auto box = model.add_body("box " + number, MassProperties::box(1 + i, s * Vector3d(0.5, 0.1, 0.2)));
    box.place(s * Vector3d(0.5 * i + 0.25, 0, 0));
    const Frame<Spatial> here = box.at(s * Vector3d(-0.25, 0, 0));
    if (i % 4 == 0) model.add_joint<Revolute>("joint " + number, last, here, Axis(Vector3d(0.1, 1, 0.3)));
    if (i % 4 == 1) model.add_joint<Prismatic>("joint " + number, last, here, Axis(Vector3d(0.3, 1, 0.3)));
    if (i % 4 == 2) model.add_joint<Spherical>("joint " + number, last, here);
    if (i % 4 == 3) model.add_joint<Universal>("joint " + number, last, here, Axis::y(), Axis::z());
    last = box.at(s * Vector3d(0.25, 0, 0));
  }
}

/// A door on two hinges, and a sign that hangs on it.
void door(SpatialModel& model, double s) {
  model.set_gravity({0, 9.81 * s, 0});
  auto leaf = model.add_body("leaf", MassProperties::box(20, s * Vector3d(0.8, 0.04, 2)));
  auto sign = model.add_body("sign", MassProperties::box(1, s * Vector3d(0.1, 0.1, 0.1)));
  leaf.place(s * Vector3d(0.4, 0, 1));
  sign.place(s * Vector3d(0.8, 0.03, 0.8));
  model.add_joint<Revolute>("lower", model.ground().at(s * Vector3d(0, 0, 0.2)), leaf.at(s * Vector3d(-0.4, 0, -0.8)),
                            Axis::z());
  model.add_joint<Revolute>("upper", model.ground().at(s * Vector3d(0, 0, 1.8)), leaf.at(s * Vector3d(-0.4, 0, 0.8)),
                            Axis::z());
  model.add_joint<Revolute>("hook", leaf.at(s * Vector3d(0.4, 0, 0)), sign.at(s * Vector3d(0, -0.03, 0.2)), Axis::x());
}

/// At the start, in units of s; nothing where the solver refuses the matrix.
template <class Space>
Observed<Space> at_start(void (*make)(Model<Space>&, double), double s, Formulation formulation,
                         const std::string& name, std::size_t& redundant) {
  Model<Space> model("sized");
  make(model, s);
  Observed<Space> seen;
  observe_everything(model, seen);
  const auto equations = make_equations(model, {formulation});
  const auto solver = make_linear_solver(name, *equations);
  State state = equations->initial_state();
  equations->set(state);
  if (!solver->analyze(*equations) || !find_accelerations(*equations, *solver, state)) return {};
  redundant = solver->redundant_rows().size();
  Eigen::VectorXd values;
  equations->observables(state, values);
  for (auto& [body, motion] : seen.bodies) motion.acceleration.linear /= s;
  for (auto& [joint, reaction] : seen.reactions) {
    reaction.force /= s;
    reaction.torque /= s * s;
  }
  return seen;
}

// Rounding times the condition numbers of matrices that are scaled differently: worst 2e-12 where numbers are of size
// 10. Refusals are the same at all sizes.
template <class Space>
void expect_no_unit_to_decide(void (*make)(Model<Space>&, double)) {
  constexpr double rounding = 1e-10;
  for (const Formulation formulation : all_formulations)
    for (const std::string& name : linear_solver_names()) {
      std::size_t redundant = 0;
      const Observed<Space> expected = at_start(make, 1.0, formulation, name, redundant);
      for (const int exponent : {-20, -10, 10, 20}) {
        std::size_t as_redundant = 0;
        const Observed<Space> seen = at_start(make, std::ldexp(1.0, exponent), formulation, name, as_redundant);
        const std::string where = concat(name_of(formulation), " ", name, " 2^", exponent);
        EXPECT_EQ(as_redundant, redundant) << where;
        ASSERT_EQ(seen.bodies.size(), expected.bodies.size()) << where;
        for (const auto& [body, motion] : seen.bodies) {
          const Twist<Space>&a = motion.acceleration, &b = expected.bodies.at(body).acceleration;
          const Angular<Space> turning = a.angular - b.angular;
          EXPECT_LE((a.linear - b.linear).norm(), rounding) << where;
          EXPECT_LE(std::sqrt(dot(turning, turning)), rounding) << where;
        }
        for (const auto& [joint, wrench] : seen.reactions) {
          const Wrench<Space>& other = expected.reactions.at(joint);
          const Angular<Space> torque = wrench.torque - other.torque;
          EXPECT_LE((wrench.force - other.force).norm(), 100 * rounding) << where;
          EXPECT_LE(std::sqrt(dot(torque, torque)), 100 * rounding) << where;
        }
      }
    }
}

TEST(Sizes, DoNotDecideAboutAFourBar) {
  expect_no_unit_to_decide<Planar>([](PlanarModel& model, double s) { four_bar(model, s); });
}
TEST(Sizes, DoNotDecideAboutAChain) { expect_no_unit_to_decide<Spatial>(chain); }
TEST(Sizes, DoNotDecideAboutReactionsThatAreNotUnique) { expect_no_unit_to_decide<Spatial>(door); }

// A pin that is 1e-4 of the mechanism off is no rounding of the user's numbers at any size, one that is 1e-8 off is.
TEST(Sizes, DoNotDecideWhetherBodiesFitTheirJointsOrAStartIsFound) {
  for (const int exponent : {-20, 0, 20}) {
    const double s = std::ldexp(1.0, exponent);
    for (const Formulation formulation : all_formulations)
      for (const double gap : {1e-4, 1e-3}) {
        PlanarModel model("four-bar");
        four_bar(model, s, gap);
        const auto equations = make_equations(model, {.formulation = formulation, .rough_placement = true});
        const State start = equations->initial_state();
        EXPECT_TRUE(contains(check_initial_values(*equations, start).reason, " is off by ")) << exponent;
        const InitialValues found = find_initial_values(*equations, start, {});
        ASSERT_TRUE(found.consistent) << found.reason;
        equations->set(found.state);
        EXPECT_LE(equations->constraint_residual().position_m, 1e-14 * s);
        EXPECT_TRUE(check_initial_values(*equations, found.state).consistent);
      }
  }
  for (const double s : {1e-6, 1.0, 1e6}) {
    const auto off_by = [&](double gap) {
      PlanarModel model("bar");
      auto bar = model.add_body("bar", MassProperties::rod(1, s));
      bar.place(Vector2d(0.5 * s + gap * s, 0));
      model.add_joint<Revolute>("pin", model.ground().origin(), bar.at(Vector2d(-0.5 * s, 0)));
      return error_of([&] { make_equations(model, {Formulation::relative}); });
    };
    EXPECT_TRUE(contains(off_by(1e-4), "joint 'pin' (revolute): the bodies are placed ")) << off_by(1e-4);
    EXPECT_EQ(off_by(1e-8), "nothing was thrown");
  }
}

}  // namespace sizes_test
}  // namespace linkwork::test
