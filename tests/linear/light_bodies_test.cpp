// Masses and lengths far from one another and from the units: no solver of bodies' coordinates may take them for zero.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace linkwork {
namespace light_bodies_test {

/// Hinged rods of the given masses, one hanging on the other.
PlanarModel planar_chain(const std::vector<double>& masses, double length) {
  PlanarModel model("planar chain");
  model.set_gravity({0, -9.81});
  Frame<Planar> support = model.ground().origin();
  Eigen::Vector2d position = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double angle = -0.4 - 0.3 * static_cast<double>(i);
    const Eigen::Vector2d along = length * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    auto rod = model.add_body(concat("rod ", i), MassProperties::rod(masses[i], length));
    rod.place(position + along / 2, angle);
    model.add_joint<Revolute>(concat("hinge ", i), support, rod.at({-length / 2, 0}));
    support = rod.at({length / 2, 0});
    position += along;
  }
  return model;
}

/// The same in space, on ball joints.
SpatialModel spatial_chain(const std::vector<double>& masses, double length) {
  SpatialModel model("spatial chain");
  model.set_gravity({0, 0, -9.81});
  Frame<Spatial> support = model.ground().origin();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double number = static_cast<double>(i);
    const Eigen::Quaterniond turned(
        Eigen::AngleAxisd(0.6 + 0.3 * number, Eigen::Vector3d(1, 2 - number, 0).normalized()));
    const Eigen::Vector3d half = turned * Eigen::Vector3d(0, 0, -length / 2);
    auto bar = model.add_body(concat("bar ", i), MassProperties::box(masses[i], {length / 3, length / 2, length}));
    bar.place(position + half, turned);
    model.add_joint<Spherical>(concat("ball ", i), support, bar.at({0, 0, length / 2}));
    support = bar.at({0, 0, -length / 2});
    position += 2 * half;
  }
  return model;
}

Eigen::VectorXd accelerations(EquationsOfMotion& equations, const std::string& name) {
  equations.set(equations.initial_state());
  const auto solver = make_linear_solver(name, equations);
  Outcome outcome = solver->analyze(equations);
  Eigen::VectorXd a, lambda;
  if (outcome) outcome = solver->accelerations(a, lambda);
  EXPECT_TRUE(outcome) << name << ", " << equations.formulation_name() << ": " << outcome.reason();
  return a;
}

/// The first body's angular acceleration, in which all others are felt, against the recursion in joint coordinates,
/// that never compares masses with one another.
template <class Space>
void expect_first_acceleration(const Model<Space>& model) {
  const auto joints = make_relative_equations(model);
  const int turns = Space::angular;
  const Eigen::VectorXd expected = accelerations(*joints, "recursive").head(turns);
  const auto expect_by = [&](EquationsOfMotion& equations, const std::vector<std::string>& solvers) {
    for (const std::string& name : solvers) {
      SCOPED_TRACE(concat(name, ", ", equations.formulation_name()));
      const Eigen::VectorXd a = accelerations(equations, name);
      // Rounding errors times condition numbers below 1e4 after scaling. Worst seen 3e-14.
      ASSERT_GT(a.size(), 0);
      EXPECT_LE((a.head(turns) - expected).norm(), 1e-11 * expected.norm());
    }
  };
  for (const auto& equations : {make_absolute_equations(model), make_mixed_equations(model)})
    expect_by(*equations,
              {"dense-lu", "ldlt", "minimal", "sparse-lu", "recursive", "graph", "cg", "redundant", "auto"});
}

TEST(LightBodies, MoveByThemselvesOnHeavyOnes) {
  for (double mass = 1e-9; mass > 1e-20; mass *= 1e-3) {
    SCOPED_TRACE(mass);
    expect_first_acceleration(planar_chain({1e3, 1e3, mass}, 1.0));
    expect_first_acceleration(spatial_chain({1e3, 1e3, mass}, 1.0));
  }
}

TEST(LightBodies, CarryHeavyOnes) {
  for (double mass = 1e-9; mass > 1e-20; mass *= 1e-3) {
    SCOPED_TRACE(mass);
    expect_first_acceleration(planar_chain({mass, 1e3}, 1.0));
  }
}

/// A spring that moves the heavy body would give the light one 1e7 m/s^2, if the drive let it.
TEST(LightBodies, KeepTheirDigitsWhereJointsHoldThem) {
  constexpr double driven = 0.3;  // [m/s^2]
  PlanarModel model("driven slider");
  auto light = model.add_body("light", MassProperties::planar(1e-3, 1e-5));
  auto heavy = model.add_body("heavy", MassProperties::planar(1e3, 10));
  light.place({0, 0.1});
  heavy.place({2, 0});
  const Input drive([](double t) { return InputValue{driven * t * t / 2, driven * t, driven}; });
  model.add_joint<DrivenPrismatic>("drive", model.ground().at({0, 0.1}), light.origin(), Axis::x(), drive);
  model.add_joint<Prismatic>("guide", model.ground().origin(), heavy.origin(), Axis::x());
  model.add_force<SpringDamper>("spring", light.at({0, 0.1}), heavy.origin(), {.stiffness = 1e4});
  const Frame<Planar> origin = light.origin();
  model.add_observable("acceleration", "m/s^2",
                       [origin](const Snapshot<Planar>& at) { return at.acceleration(origin).linear.x(); });
  for (const auto& equations :
       {make_absolute_equations(model), make_mixed_equations(model), make_relative_equations(model)})
    for (const std::string& name : linear_solver_names()) {
      if (name == "cholesky-qr") continue;  // joint coordinates of mixed equations have no mass
      SCOPED_TRACE(concat(name, ", ", equations->formulation_name()));
      State state = equations->initial_state();
      equations->set(state);
      const auto solver = make_linear_solver(name, *equations);
      Outcome outcome = solver->analyze(*equations);
      if (outcome) outcome = solver->accelerations(state.a, state.lambda);
      ASSERT_TRUE(outcome) << outcome.reason();
      Eigen::VectorXd values;
      equations->observables(state, values);
      // A few rounding errors. An elimination that takes away what the drive does not leave errs by 1e7 times as many.
      EXPECT_NEAR(values[0], driven, 1e-14);
    }
}

TEST(Units, DoNotMatterToMicroscopicMechanisms) {
  for (const double scale : {1e-3, 1e-6, 1e-9, 1e3}) {
    SCOPED_TRACE(scale);
    expect_first_acceleration(planar_chain({scale * scale, scale * scale, scale * scale}, scale));
    expect_first_acceleration(spatial_chain({scale * scale, scale * scale, scale * scale}, scale));
  }
}

}  // namespace light_bodies_test
}  // namespace linkwork
