// The forces that a motion needs, against forward dynamics and closed forms.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/analyses/inverse_dynamics.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include "../core/expect_error.hpp"
#include "../random_mechanism.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <random>

namespace linkwork::test {
namespace inverse_dynamics_test {

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::relative};

/// A random vector, entries between -1 and 1.
Eigen::VectorXd random_vector(std::mt19937& generator, Eigen::Index size) {
  std::uniform_real_distribution<double> number(-1, 1);
  return Eigen::VectorXd::NullaryExpr(size, [&] { return number(generator); });
}

/// Velocities that satisfy the constraints, near random ones.
void set_random_velocity(EquationsOfMotion& equations, LinearSolver& solver, std::mt19937& generator) {
  Eigen::VectorXd momentum, velocity, multipliers;
  equations.multiply_mass(random_vector(generator, equations.dimensions().v), momentum);
  ASSERT_TRUE(solver.factor(MatrixKind::velocity));
  solver.solve(momentum, -equations.velocity_offset(), velocity, multipliers);
  equations.set_velocity(velocity);
}

/// Drives a mechanism by as many random actuators as it has freedoms, and asks for the efforts again.
template <class Space>
void expect_efforts_of_forward_dynamics(const RandomMechanism& options, Formulation formulation) {
  SCOPED_TRACE(concat(options, " in ", name_of(formulation), " coordinates"));
  const Model<Space> model = random_mechanism<Space>(options);
  const auto equations = make_equations(model, {.formulation = formulation});
  equations->set(equations->initial_state());
  const auto solver = make_linear_solver("dense-lu", *equations);
  ASSERT_TRUE(solver->analyze(*equations));
  std::mt19937 generator(options.seed);
  set_random_velocity(*equations, *solver, generator);

  const int n = equations->dimensions().v, freedoms = n - equations->dimensions().constraints();
  Actuators actuators;
  actuators.B.resize(n, freedoms);
  for (int j = 0; j < freedoms; ++j) {
    actuators.names.push_back(concat("actuator ", j));
    actuators.B.col(j) = random_vector(generator, n);
  }
  const Eigen::VectorXd efforts = random_vector(generator, freedoms);
  equations->set_applied_force(actuators.B * efforts);
  Eigen::VectorXd a, lambda;
  ASSERT_TRUE(solver->accelerations(a, lambda));

  equations->set_applied_force(Eigen::VectorXd::Zero(n));
  InverseDynamicsResult result;
  const Outcome outcome = inverse_dynamics(*equations, actuators, a, result);
  ASSERT_TRUE(outcome) << outcome.reason();
  // Condition numbers of random mechanisms are below 1e6, and the forces of size 1e2.
  const double bound = 1e-8 * (1 + lambda.norm());
  EXPECT_LT((result.efforts - efforts).norm(), bound);
  EXPECT_LT((result.multipliers - lambda).norm(), bound);
}

TEST(InverseDynamics, ReturnsTheEffortsOfForwardDynamics) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const int loops : {0, 2})
      for (const Formulation formulation : formulations) {
        // Bodies at rest do not fit driven joints of a tree.
        const RandomMechanism options{
            .seed = seed, .loops = loops, .driven = seed % 2 == 0 && formulation == Formulation::absolute};
        expect_efforts_of_forward_dynamics<Planar>(options, formulation);
        expect_efforts_of_forward_dynamics<Spatial>(options, formulation);
      }
}

TEST(InverseDynamics, OfATreeIsItsDynamicResidual) {
  const SpatialModel model = random_mechanism<Spatial>({.seed = 3});
  const auto equations = make_equations(model, {.formulation = Formulation::relative});
  equations->set(equations->initial_state());
  std::mt19937 generator(1);
  const int n = equations->dimensions().v;
  ASSERT_EQ(equations->dimensions().constraints(), 0);
  equations->set_velocity(random_vector(generator, n));
  const Eigen::VectorXd a = random_vector(generator, n);
  InverseDynamicsResult result;
  ASSERT_TRUE(inverse_dynamics(*equations, all_velocities(*equations), a, result));
  const Eigen::VectorXd expected = equations->M().dense() * a - equations->f();
  // O(n) recursion against assembled matrices: rounding.
  EXPECT_LT((result.efforts - expected).norm(), 1e-11 * (1 + expected.norm()));
  // Some of the joints only: the motion is another one.
  const Outcome outcome =
      inverse_dynamics(*equations, actuators_along(*equations, {equations->velocity_name(0)}), a, result);
  EXPECT_FALSE(outcome);
  EXPECT_EQ(outcome.reason().rfind("inverse dynamics: the actuators can't make this motion: ", 0), 0u)
      << outcome.reason();
}

/// Slider-crank with its motion in closed form: theta(t) given, phi the rod's angle, sin phi = -(r / l) sin theta.
struct SliderCrank {
  static constexpr double r = 0.3, l = 0.7, gravity = 9.81;
  static constexpr double m_crank = 1.2, m_rod = 1.5, m_slider = 0.8;
  double theta = 0.7, omega = 3, alpha = -2;

  double phi() const { return std::asin(-r / l * std::sin(theta)); }
  double phi_1() const { return -r / l * std::cos(theta) / std::cos(phi()); }  // d phi / d theta
  double phi_2() const { return (r / l * std::sin(theta) + std::sin(phi()) * phi_1() * phi_1()) / std::cos(phi()); }
  double rod_omega() const { return phi_1() * omega; }
  double rod_alpha() const { return phi_2() * omega * omega + phi_1() * alpha; }
  static Eigen::Vector2d along(double angle) { return {std::cos(angle), std::sin(angle)}; }
  static Eigen::Vector2d across(double angle) { return {-std::sin(angle), std::cos(angle)}; }
  /// Of the point at a share of the crank and a share of the rod.
  Eigen::Vector2d position(double on_crank, double on_rod) const {
    return on_crank * r * along(theta) + on_rod * l * along(phi());
  }
  Eigen::Vector2d derivative(double on_crank, double on_rod) const {  // with respect to theta
    return on_crank * r * across(theta) + on_rod * l * phi_1() * across(phi());
  }
  Eigen::Vector2d acceleration(double on_crank, double on_rod) const {
    return on_crank * r * (alpha * across(theta) - omega * omega * along(theta)) +
           on_rod * l * (rod_alpha() * across(phi()) - rod_omega() * rod_omega() * along(phi()));
  }
  /// Torque at the crank by virtual power: sum m (a + g) . dr/dtheta + I phi'' dphi/dtheta.
  double torque() const {
    const auto share = [&](double mass, double on_crank, double on_rod) {
      return mass * (acceleration(on_crank, on_rod) + Eigen::Vector2d(0, gravity)).dot(derivative(on_crank, on_rod));
    };
    return share(m_crank, 0.5, 0) + share(m_rod, 1, 0.5) + share(m_slider, 1, 1) + m_crank * r * r / 12 * alpha +
           m_rod * l * l / 12 * rod_alpha() * phi_1();
  }

  PlanarModel model() const {
    PlanarModel out("slider-crank");
    out.set_gravity({0, -gravity});
    auto crank = out.add_body("crank", MassProperties::rod(m_crank, r));
    auto rod = out.add_body("rod", MassProperties::rod(m_rod, l));
    auto slider = out.add_body("slider", MassProperties::planar(m_slider, 1e-3));
    crank.place(position(0.5, 0), theta).move(omega * derivative(0.5, 0), omega);
    rod.place(position(1, 0.5), phi()).move(omega * derivative(1, 0.5), rod_omega());
    slider.place(position(1, 1)).move(omega * derivative(1, 1));
    out.add_joint<Revolute>("bearing", out.ground().origin(), crank.at({-r / 2, 0}));
    out.add_joint<Revolute>("big end", crank.at({r / 2, 0}), rod.at({-l / 2, 0}));
    out.add_joint<Revolute>("small end", rod.at({l / 2, 0}), slider.origin());
    out.add_joint<Prismatic>("guide", out.ground().origin(), slider.origin(), Axis::x());
    return out;
  }
  /// v' of the equations by the names of velocities.
  Eigen::VectorXd accelerations(const EquationsOfMotion& equations) const {
    const std::vector<std::pair<std::string, double>> known = {
        {"crank: angular velocity", alpha},
        {"crank: x velocity", acceleration(0.5, 0).x()},
        {"crank: y velocity", acceleration(0.5, 0).y()},
        {"rod: angular velocity", rod_alpha()},
        {"rod: x velocity", acceleration(1, 0.5).x()},
        {"rod: y velocity", acceleration(1, 0.5).y()},
        {"slider: angular velocity", 0.0},
        {"slider: x velocity", acceleration(1, 1).x()},
        {"slider: y velocity", 0.0},
        {"bearing: velocity 1", alpha},
        {"big end: velocity 1", rod_alpha() - alpha},
        {"small end: velocity 1", -rod_alpha()},
        {"guide: velocity 1", acceleration(1, 1).x()},
    };
    Eigen::VectorXd a = Eigen::VectorXd::Constant(equations.dimensions().v, std::nan(""));
    for (int i = 0; i < a.size(); ++i)
      for (const auto& [name, value] : known)
        if (equations.velocity_name(i) == name) a[i] = value;
    return a;
  }
  static std::string crank_actuator(Formulation formulation) {
    return formulation == Formulation::relative ? "bearing" : "crank: angular velocity";
  }
};

TEST(InverseDynamics, TorqueOfASliderCrank) {
  for (double theta = 0.1; theta < 6.3; theta += 0.7)
    for (const Formulation formulation : formulations) {
      const SliderCrank mechanism{.theta = theta};
      const PlanarModel model = mechanism.model();
      const auto equations = make_equations(model, {.formulation = formulation});
      equations->set(equations->initial_state());
      InverseDynamicsResult result;
      const Outcome outcome =
          inverse_dynamics(*equations, actuators_along(*equations, {SliderCrank::crank_actuator(formulation)}),
                           mechanism.accelerations(*equations), result);
      ASSERT_TRUE(outcome) << outcome.reason();
      // Forces of up to 50 N on arms of up to 0.7 m: rounding, through a dozen operations.
      EXPECT_NEAR(result.efforts[0], mechanism.torque(), 1e-11) << name_of(formulation) << ", theta = " << theta;
    }
}

TEST(InverseDynamics, SaysWhatIsWrongWithTheMotionOrTheActuators) {
  const SliderCrank mechanism;
  const PlanarModel model = mechanism.model();
  const auto equations = make_equations(model);
  equations->set(equations->initial_state());
  const Eigen::VectorXd a = mechanism.accelerations(*equations);
  InverseDynamicsResult result;
  const auto reason = [&](const std::vector<std::string>& along, const Eigen::VectorXd& accelerations) {
    const Outcome outcome = inverse_dynamics(*equations, actuators_along(*equations, along), accelerations, result);
    EXPECT_FALSE(outcome);
    return outcome.reason();
  };
  const auto expect_start = [](const std::string& text, const std::string& start) {
    EXPECT_EQ(text.substr(0, start.size()), start);
  };
  Eigen::VectorXd other = a;
  other[0] += 1;
  expect_start(reason({"crank: angular velocity"}, other),
               "inverse dynamics: the accelerations violate the constraints: G a - gamma is ");
  expect_start(reason({}, a), "inverse dynamics: the actuators can't make this motion: ");
  // Along the guide nothing can be pushed sideways.
  expect_start(reason({"slider: y velocity"}, a),
               "inverse dynamics: the efforts are not unique, because 1 actuators "
               "act on 0 independent freedoms; redundant with each other are "
               "'slider: y velocity'");
  EXPECT_EQ(
      reason({"crank: angular velocity", "slider: x velocity"}, a),
      "inverse dynamics: the efforts are not unique, because 2 actuators act on 1 independent freedoms; redundant "
      "with each other are 'crank: angular velocity', 'slider: x velocity'; choose fewer of them, or the efforts "
      "of least norm.");
  // Of least norm: torque and force make the same motion.
  const Actuators both = actuators_along(*equations, {"crank: angular velocity", "slider: x velocity"});
  ASSERT_TRUE(inverse_dynamics(*equations, both, a, result, {.least_norm = true}));
  EXPECT_NEAR(result.efforts[0] + result.efforts[1] * mechanism.derivative(1, 1).x(), mechanism.torque(), 1e-11);
  EXPECT_LT(std::abs(result.efforts[0]), std::abs(mechanism.torque()));
}

TEST(InverseDynamics, Misuse) {
  const PlanarModel model = SliderCrank().model();
  const auto equations = make_equations(model, {.formulation = Formulation::absolute});
  equations->set(equations->initial_state());
  InverseDynamicsResult result;
  expect_error<ModelError>("inverse_dynamics: model 'slider-crank': a has 2 entries; expected n_v, 9.", [&] {
    (void)inverse_dynamics(*equations, all_velocities(*equations), Eigen::VectorXd::Zero(2), result);
  });
  expect_error<ModelError>(
      "inverse_dynamics: model 'slider-crank': B is 3 x 1 for 1 names of actuators; expected 9 rows and one column for "
      "each name.",
      [&] {
        (void)inverse_dynamics(*equations, {{"motor"}, Eigen::MatrixXd::Ones(3, 1)}, Eigen::VectorXd::Zero(9), result);
      });
  const double nan = std::nan("");
  Eigen::VectorXd a = Eigen::VectorXd::Zero(9);
  a[6] = nan;
  expect_error<ModelError>(
      "inverse_dynamics: model 'slider-crank': a is nan at '" + equations->velocity_name(6) + "'; give finite values.",
      [&] { (void)inverse_dynamics(*equations, all_velocities(*equations), a, result); });
  expect_error<ModelError>("inverse_dynamics: model 'slider-crank': B of actuator 'motor' is nan at '" +
                               equations->velocity_name(0) + "'; give finite values.",
                           [&] {
                             (void)inverse_dynamics(*equations, {{"motor"}, Eigen::MatrixXd::Constant(9, 1, nan)},
                                                    Eigen::VectorXd::Zero(9), result);
                           });
  for (const auto& [tolerance, text] : {std::pair{nan, "nan"}, {0.0, "0"}, {-1.0, "-1"}})
    expect_error<ModelError>(std::string("inverse_dynamics: tolerance is ") + text + "; give a finite value > 0.",
                             [&, bound = tolerance] {
                               (void)inverse_dynamics(*equations, all_velocities(*equations), Eigen::VectorXd::Zero(9),
                                                      result, {.tolerance = bound});
                             });
  try {
    actuators_along(*equations, {"bearing"});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ModelError& error) {
    const std::string start =
        "actuators_along: model 'slider-crank' has no velocity 'bearing' in absolute coordinates; there are: ";
    EXPECT_EQ(std::string(error.what()).substr(0, start.size()), start);
  }
  EXPECT_EQ(actuators_along(*equations, {"crank"}).names.size(), 3u);
}

// A pendulum with a prescribed angle needs no actuator: the multiplier of the drive is the torque.
TEST(InverseDynamics, DrivesAnswerByTheirMultipliers) {
  const double mass = 2, length = 0.6, gravity = 9.81;
  const auto drive = [](double t) { return InputValue{0.3 + 2 * t + 0.5 * t * t, 2 + t, 1}; };
  PlanarModel model("driven pendulum");
  model.set_gravity({0, -gravity});
  auto rod = model.add_body("rod", MassProperties::rod(mass, length));
  const Eigen::Vector2d arm = length / 2 * Eigen::Vector2d(std::cos(0.3), std::sin(0.3));
  rod.place(arm, 0.3).move({-2 * arm.y(), 2 * arm.x()}, 2);
  model.add_joint<DrivenRevolute>("drive", model.ground().origin(), rod.at({-length / 2, 0}), drive);
  const auto equations = make_equations(model, {.formulation = Formulation::absolute});
  equations->set(equations->initial_state());
  Eigen::VectorXd a(3);
  a << 1, -arm.y() - 4 * arm.x(), arm.x() - 4 * arm.y();
  InverseDynamicsResult result;
  const Outcome outcome = inverse_dynamics(*equations, actuators_along(*equations, {}), a, result);
  ASSERT_TRUE(outcome) << outcome.reason();
  EXPECT_EQ(result.efforts.size(), 0);
  // The drive is the last row; the generalised force is -G^T lambda.
  EXPECT_NEAR(-result.multipliers[2], mass * length * length / 3 + mass * gravity * arm.x(), 1e-12);
}

// A block that slides on a rail with dry friction: f depends on the multipliers.
TEST(InverseDynamics, CountsFrictionThatReadsMultipliers) {
  const double mass = 2, gravity = 9.81, coefficient = 0.3, acceleration = 1.5;
  PlanarModel model("block");
  model.set_gravity({0, -gravity});
  auto block = model.add_body("block", MassProperties::planar(mass, 0.1));
  block.move({1, 0});
  const auto rail = model.add_joint<Prismatic>("rail", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<DryFriction<Planar>>(
      "friction", rail, model.ground().origin(), block.origin(),
      DryFriction<Planar>::Options{.coefficient = coefficient,
                                   .normal = {0, 1},
                                   .tangent = {1, 0},
                                   .direction = DryFriction<Planar>::Direction::frozen});
  const auto equations = make_equations(model, {.formulation = Formulation::absolute});
  equations->set(equations->initial_state());
  equations->remember(true, -1);
  InverseDynamicsResult result;
  const Outcome outcome = inverse_dynamics(*equations, actuators_along(*equations, {"block: x velocity"}),
                                           Eigen::Vector3d(0, acceleration, 0), result);
  ASSERT_TRUE(outcome) << outcome.reason();
  EXPECT_NEAR(result.efforts[0], mass * acceleration + coefficient * mass * gravity, 1e-11);
}

// Painleve's rod, its tip on a rough line that it slides along against its slope: N - k |N| = c > 0 with k above 1,
// which no normal force N satisfies. Nothing turns the rod but the contact.
TEST(InverseDynamics, SaysThatFrictionLeavesNoSolution) {
  const double half = 0.5, slope = std::numbers::pi / 3;
  PlanarModel model("rod");
  auto rod = model.add_body("rod", MassProperties::rod(1, 2 * half));
  rod.place({half * std::cos(slope), half * std::sin(slope)}, slope);
  rod.move({-1, 0});
  const auto tip = rod.at({-half, 0});
  const auto contact = model.add_joint<PointOnLine>("contact", model.ground().origin(), tip, Axis::x());
  model.add_force<DryFriction<Planar>>(
      "friction", contact, model.ground().origin(), tip,
      DryFriction<Planar>::Options{
          .coefficient = 1, .normal = {0, 1}, .tangent = {1, 0}, .direction = DryFriction<Planar>::Direction::frozen});
  const auto equations = make_equations(model, {.formulation = Formulation::absolute});
  equations->set(equations->initial_state());
  equations->remember(true, -1);
  InverseDynamicsResult result;
  const Outcome outcome =
      inverse_dynamics(*equations, actuators_along(*equations, {"rod: x velocity", "rod: y velocity"}),
                       Eigen::Vector3d(-1, 0, -half * std::cos(slope)), result);
  EXPECT_FALSE(outcome);
  EXPECT_EQ(outcome.reason(),
            "inverse dynamics: the multipliers that friction reads do not converge in 30 iterations; the friction may "
            "be too large for this motion.");
}

}  // namespace inverse_dynamics_test
}  // namespace linkwork::test
