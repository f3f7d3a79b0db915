#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>

#include "../core/expect_error.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace linkwork {
namespace inputs_test {

constexpr double now = 0.4;

/// u(t) = 2 + sin 2 t and its derivatives, moved by constants that hold at `now`.
Input moved_sine(const InputValue& by = {}) {
  return [by](double t) -> InputValue {
    const double dt = t - now;
    return {2 + std::sin(2 * t) + by.value + dt * by.rate + 0.5 * dt * dt * by.acceleration,
            2 * std::cos(2 * t) + by.rate + dt * by.acceleration, -4 * std::sin(2 * t) + by.acceleration};
  };
}

/// A revolute joint whose centre follows an input along x, given by its pose alone: all of its motion is derived.
class FollowingPin final : public Joint<Planar> {
 public:
  explicit FollowingPin(Input input) : input_(std::move(input)) {}
  std::string_view type() const override { return "following pin"; }
  int freedoms() const override { return 1; }
  std::vector<Input> inputs() const override { return {input_}; }

 private:
  void do_pose(Instant time, const double* q, Pose<Planar>& X) const override {
    X.rotation = rotation_matrix(q[0]);
    X.angle = q[0];
    X.position.x() = 0.3 * input_(time).value;
  }
  Input input_;
};

/// Everything that takes inputs: a driven carriage, a rod of prescribed length and a force share the first; a driven
/// joint and a pin of the user's own have the second.
PlanarModel make_model(const Input& shared, const Input& other) {
  PlanarModel model("inputs");
  model.set_gravity({0, -9.81});
  auto carriage = model.add_body("carriage", MassProperties::planar(2, 0.1));
  auto arm = model.add_body("arm", MassProperties::planar(1, 0.05));
  auto hand = model.add_body("hand", MassProperties::planar(0.5, 0.02));
  const InputValue u = shared(0), angle = other(0);
  const double x = u.value + 0.3 * angle.value, speed = u.rate + 0.3 * angle.rate;
  carriage.place({u.value, 0}).move({u.rate, 0});
  arm.place({x, 0}).move({speed, 0});
  hand.place({x, 1}, angle.value).move({speed, 0}, angle.rate);
  model.add_joint<DrivenPrismatic>("guide", model.ground().origin(), carriage.origin(), Axis::x(), shared);
  model.add_joint<FollowingPin>("pin", carriage.origin(), arm.origin(), other);
  model.add_joint<DrivenRevolute>("wrist", arm.at({0, 1}), hand.origin(), other);
  model.add_constraint<Rod>("winch", model.ground().at({0, 3}), hand.at({0.2, 0}), shared);
  model.add_force<AppliedForce>("push", hand.at({0.1, 0.2}), shared, Eigen::Vector2d(1, 2), AppliedAxes::frame);
  model.add_force<SpringDamper>("spring", model.ground().at({-2, 0}), carriage.at({0, 0.1}), {.stiffness = 30});
  return model;
}

/// A point off the constraints, with numbers of size one.
State point_of(const EquationsOfMotion& equations) {
  State state = equations.initial_state();
  state.t = now;
  const auto number = [](Eigen::Index i) { return std::cos(2.0 * static_cast<double>(i) + 1); };
  for (Eigen::Index i = 0; i < state.p.size(); ++i) state.p[i] += 0.05 * number(i);
  for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] = number(i);
  for (Eigen::Index i = 0; i < state.lambda.size(); ++i) state.lambda[i] = 1 + number(i);
  return state;
}

/// All that depends on inputs, one below another.
Eigen::VectorXd quantities(EquationsOfMotion& equations, const State& state) {
  equations.set(state);
  Eigen::VectorXd residual;
  equations.dynamic_residual(state.v, state.lambda, residual);
  const Eigen::VectorXd parts[] = {
      equations.g(), equations.velocity_residual(), equations.velocity_offset(), equations.gamma(), equations.f(),
      residual};
  Eigen::VectorXd out;
  for (const Eigen::VectorXd& part : parts) {
    out.conservativeResize(out.size() + part.size());
    out.tail(part.size()) = part;
  }
  return out;
}

class InputsOf : public testing::TestWithParam<Formulation> {};

// Two evaluations of the same functions, one with the offset inside. Where a joint's motion is derived by differences
// of X, they amplify rounding to 1e-11 (see Joint). Seen: no difference at all.
TEST_P(InputsOf, OffsetsActAsIfTheFunctionsThemselvesWereMoved) {
  const EquationsOptions options{.formulation = GetParam()};
  const auto equations = make_equations(make_model(moved_sine(), moved_sine()), options);
  ASSERT_EQ(equations->inputs(), 2);
  const State state = point_of(*equations);
  const Eigen::VectorXd unmoved = quantities(*equations, state);
  const InputValue none;
  for (const InputValue& by : {InputValue{0.02, 0, 0}, InputValue{0, -0.3, 0}, InputValue{0, 0, 0.7}})
    for (int input = 0; input < 2; ++input) {
      const auto moved =
          make_equations(make_model(moved_sine(input == 0 ? by : none), moved_sine(input == 1 ? by : none)), options);
      equations->offset_input(input, by);
      const Eigen::VectorXd expected = quantities(*moved, state), found = quantities(*equations, state);
      EXPECT_LT((expected - found).cwiseAbs().maxCoeff(), 1e-9) << "input " << input;
      EXPECT_GT((expected - unmoved).cwiseAbs().maxCoeff(), 1e-3) << "input " << input;
      equations->offset_input(input, none);
    }
  EXPECT_EQ(quantities(*equations, state), unmoved);
}

TEST_P(InputsOf, ValuesAreThoseAtThePresentTimeOffsetsIncluded) {
  const auto equations = make_equations(make_model(moved_sine(), moved_sine()), {.formulation = GetParam()});
  equations->set(point_of(*equations));
  equations->offset_input(1, {0.25, 2, -1});
  for (const double t : {now, now + 0.1}) {
    equations->set_position(t, equations->position());
    const InputValue first = equations->input(0), second = equations->input(1);
    EXPECT_EQ(first.value, 2 + std::sin(2 * t));
    EXPECT_EQ(first.rate, 2 * std::cos(2 * t));
    EXPECT_EQ(first.acceleration, -4 * std::sin(2 * t));
    EXPECT_EQ(second.value, 2 + std::sin(2 * t) + 0.25);
    EXPECT_EQ(second.rate, 2 * std::cos(2 * t) + 2);
    EXPECT_EQ(second.acceleration, -4 * std::sin(2 * t) - 1);
  }
}

TEST_P(InputsOf, WrongNumbersAreRefused) {
  const auto equations = make_equations(make_model(moved_sine(), moved_sine()), {.formulation = GetParam()});
  for (const int wrong : {-1, 2}) {
    const std::string number = std::to_string(wrong);
    expect_error<ModelError>(
        "EquationsOfMotion: there is no input " + number + "; model 'inputs' has 2 inputs, counted from 0.",
        [&] { equations->offset_input(wrong, {}); });
    for (const auto& ask : {std::function<void()>([&] { equations->input(wrong); }),
                            std::function<void()>([&] { equations->input_name(wrong); })})
      expect_error<ModelError>("model 'inputs': there is no input " + number + "; it has 2, counted from 0.", ask);
  }
}

TEST(Inputs, HaveTheNamesOfTheFirstElementThatAsksThemOrTheirOwn) {
  const Input own([](double) { return InputValue{}; }, "steering");
  const auto named = make_equations(make_model(moved_sine(), own));
  EXPECT_EQ(named->input_name(0), "guide.u");
  EXPECT_EQ(named->input_name(1), "steering");
}

// One function in two inputs counts twice, one input in all elements once.
TEST(Inputs, CountOnceHoweverManyElementsShareThem) {
  const Input one = moved_sine();
  EXPECT_EQ(make_equations(make_model(one, one))->inputs(), 1);
  EXPECT_EQ(make_equations(make_model(moved_sine(), moved_sine()))->inputs(), 2);
  PlanarModel without;
  without.add_body("body", MassProperties::planar(1, 1));
  EXPECT_EQ(make_equations(without)->inputs(), 0);
}

// g = (d^2 / L - L) / 2, rate -L' (d^2 / L^2 + 1) / 2, with d = 2 m and L = 1.5 m: closed forms of the derivatives.
// Central differences of step 1e-5: truncation 1e-10, rounding 1e-11.
TEST(Inputs, DerivativesOfARodAreThoseOfItsClosedForm) {
  PlanarModel model;
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  body.place({2, 0});
  const double d = 2, L = 1.5, L_rate = 0.4, step = 1e-5;
  model.add_constraint<Rod>("rod", model.ground().origin(), body.origin(), Input([=](double) -> InputValue {
                              return {L, L_rate, 0.1};
                            }));
  const auto equations = make_equations(model);
  equations->set(equations->initial_state());
  const auto derivative = [&](const InputValue& by, auto&& quantity) {
    equations->offset_input(0, by);
    const double right = quantity();
    equations->offset_input(0, {-by.value, -by.rate, -by.acceleration});
    const double left = quantity();
    equations->offset_input(0, {});
    return (right - left) / (2 * step);
  };
  const auto g = [&] { return equations->g()[0]; };
  const auto rate = [&] { return equations->velocity_residual()[0]; };
  const auto gamma = [&] { return equations->gamma()[0]; };
  const double ratio = d * d / (L * L);
  EXPECT_NEAR(derivative({step, 0, 0}, g), -(ratio + 1) / 2, 1e-9);
  EXPECT_NEAR(derivative({step, 0, 0}, rate), L_rate * ratio / L, 1e-9);
  EXPECT_NEAR(derivative({0, step, 0}, rate), -(ratio + 1) / 2, 1e-9);
  // gamma at rest = L'' (d^2/L^2 + 1)/2 - L'^2 d^2/L^3
  EXPECT_NEAR(derivative({0, 0, step}, gamma), (ratio + 1) / 2, 1e-9);
  EXPECT_NEAR(derivative({0, step, 0}, gamma), -2 * L_rate * ratio / L, 1e-9);
  EXPECT_EQ(derivative({0, step, 0}, g), 0);
  EXPECT_EQ(derivative({0, 0, step}, rate), 0);
}

// In joint coordinates a drive's u'' is in the forces: a mass on a drive along x with a slider on it that is inclined
// by 30 degrees feels -m u'' cos 30 along the slider.
TEST(Inputs, ForcesInJointCoordinatesDependOnTheAccelerationOfADrive) {
  PlanarModel model;
  auto carriage = model.add_body("carriage", MassProperties::planar(2, 0.1));
  const auto slider = model.add_body("slider", MassProperties::planar(3, 0.1));
  const double angle = 0.5;
  model.add_joint<DrivenPrismatic>("drive", model.ground().origin(), carriage.origin(), Axis::x(),
                                   Input([](double) { return InputValue{}; }));
  model.add_joint<Prismatic>("slope", carriage.origin(), slider.origin(),
                             Axis(Eigen::Vector3d(std::cos(angle), std::sin(angle), 0)));
  const auto equations = make_equations(model, {.formulation = Formulation::relative});
  equations->set(equations->initial_state());
  equations->offset_input(0, {0, 0, 2});
  EXPECT_NEAR(equations->f()[0], -3 * 2 * std::cos(angle), 1e-14);
}

TEST(Inputs, ForcesThatAskThemAreChecked) {
  PlanarModel model;
  const auto body = model.add_body("body", MassProperties::planar(1, 1));
  expect_error<ModelError>(
      "'push': applied force: the function of its size is empty; give one that can be called.",
      [&] { model.add_force<AppliedForce>("push", body.origin(), Input(), Eigen::Vector2d(1, 0)); });
  expect_error<ModelError>(
      "'push': applied force: the direction is zero, so that the element does nothing; give one.",
      [&] { model.add_force<AppliedForce>("push", body.origin(), moved_sine(), Eigen::Vector2d(0, 0)); });
  expect_error<ModelError>("'turn': applied torque: the direction is zero, so that the element does nothing; give one.",
                           [&] { model.add_force<AppliedTorque>("turn", body.origin(), moved_sine(), 0.0); });
}

TEST(Inputs, MadeFromNoFunctionAreEmpty) {
  EXPECT_FALSE(Input());
  EXPECT_FALSE(Input(std::function<InputValue(double)>()));
  EXPECT_TRUE(moved_sine());
}

// Of a sum of inputs the offsets of both count.
TEST(Inputs, MayAskFurtherInputs) {
  const Input inner([](double) { return InputValue{}; });
  const Input outer([inner](const Instant& t) { return InputValue{3 * inner(t).value, 0, 0}; });
  InputOffsets offsets;
  offsets.set(inner, {0.5, 0, 0});
  EXPECT_EQ(outer(Instant(0, &offsets)).value, 1.5);
  offsets.set(outer, {1, 0, 0});
  EXPECT_EQ(outer(Instant(0, &offsets)).value, 2.5);
  EXPECT_EQ(outer(Instant(0, &offsets) + 0.0).value, 2.5);
  EXPECT_EQ(outer(0).value, 0);
}

INSTANTIATE_TEST_SUITE_P(Formulations, InputsOf,
                         testing::Values(Formulation::absolute, Formulation::mixed, Formulation::relative),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace inputs_test
}  // namespace linkwork
