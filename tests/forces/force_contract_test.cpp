// What holds for every force element between two frames, in both spaces, on random motions.

#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/air_spring.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/profile_contact.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>

#include "element_motion.hpp"

#include <memory>

namespace linkwork {
namespace force_contract_test {

template <class Space>
std::vector<std::unique_ptr<ForceElement<Space>>> elements() {
  const Frame<Space> a = test::ground<Space>, b = test::body<Space>;
  const ConstraintRef<Space> joint;
  const Vector<Space> x = Vector<Space>::Unit(0), y = Vector<Space>::Unit(1);
  std::vector<std::unique_ptr<ForceElement<Space>>> all;

  using Spring = SpringDamper<Space>;
  all.push_back(std::make_unique<Spring>(a, b, typename Spring::Options{.stiffness = 3, .free_length = 0.4}));
  all.push_back(std::make_unique<Spring>(a, b, typename Spring::Options{.stiffness = 3, .damping = 0.7}));
  all.push_back(std::make_unique<Spring>(a, b, typename Spring::Options{.stiffness = 3}));
  typename Spring::Options nonlinear;
  nonlinear.law = [](double length, double rate) { return length * length + 0.7 * rate; };
  nonlinear.energy = [](double length) { return length * length * length / 3; };
  all.push_back(std::make_unique<Spring>(a, b, nonlinear));

  all.push_back(std::make_unique<AirSpring<Space>>(
      a, b, typename AirSpring<Space>::Options{.force = 3, .length = 0.5, .gas_height = 1, .area = 0.1, .ambient = 2}));

  using Torsion = TorsionSpringDamper<Space>;
  const typename Torsion::Options torsion{.stiffness = 3, .damping = 0.7, .free_angle = 0.2};
  if constexpr (Space::dimension == 2)
    all.push_back(std::make_unique<Torsion>(a, b, torsion));
  else
    all.push_back(std::make_unique<Torsion>(a, b, Axis({1, -2, 0.5}), torsion));

  using Friction = DryFriction<Space>;
  for (const auto direction : {Friction::Direction::given, Friction::Direction::smoothed, Friction::Direction::frozen})
    all.push_back(std::make_unique<Friction>(
        joint, a, b,
        typename Friction::Options{
            .coefficient = 0.3, .normal = y, .tangent = x, .arm = 0.2 * y, .direction = direction, .speed = 0.1}));

  using Contact = ProfileContact<Space>;
  const auto hill = [](const Eigen::Vector2d& at) { return ProfileDepth{9 + at.x() - 0.5 * at.y(), {1., -0.5}}; };
  all.push_back(std::make_unique<Contact>(a, b, hill, typename Contact::Options{.stiffness = 3, .damping = 0.05}));

  using Motor = Actuator<Space>;
  const auto command = [](const Motion<Space>&) { return 1.0; };
  typename Motor::Options motor{.command = command, .time_constant = 0.1};
  if constexpr (Space::dimension == 3) motor.axis = x + 2 * y;
  all.push_back(std::make_unique<Motor>(a, b, motor));
  all.push_back(std::make_unique<Motor>(
      a, b,
      typename Motor::Options{
          .command = command, .time_constant = 0.1, .effort = Motor::Effort::force, .axis = x + 2 * y}));
  return all;
}

template <class Space>
test::ElementMotion<Space> random_motion(test::Random& random) {
  test::ElementMotion<Space> motion;
  for (FrameMotion<Space>& frame : motion.frames) frame = random.flight<Space>().at(0);
  motion.states = {random.number()};
  motion.memory[0] = 1;
  motion.reactions = {{random.angular<Space>(), random.vector<Space>()}};
  return motion;
}

template <class Space>
void expect_opposite_wrenches() {
  // Sums of a handful of products of numbers up to 10: rounding of some 1e-15. A missing arm gives 0.01 or more.
  constexpr double tolerance = 1e-13;
  test::Random random(1);
  for (const auto& element : elements<Space>())
    for (int sample = 0; sample < 50; ++sample) {
      const test::ElementMotion<Space> motion = random_motion<Space>(random);
      Vector<Space> force = Vector<Space>::Zero();
      Angular<Space> moment = zero_angular<Space>();
      double size = 0;
      const std::vector<Wrench<Space>> wrenches = motion.wrenches(*element);
      for (std::size_t k = 0; k < 2; ++k) {
        force += wrenches[k].force;
        moment += wrenches[k].torque + cross(motion.frames[k].pose.position, wrenches[k].force);
        size += wrenches[k].force.norm() + std::sqrt(dot(wrenches[k].torque, wrenches[k].torque));
      }
      EXPECT_GT(size, 0) << element->type();
      EXPECT_LT(force.norm(), tolerance * size) << element->type();
      EXPECT_LT(std::sqrt(dot(moment, moment)), 10 * tolerance * size) << element->type();
    }
}

TEST(ForceElements, PlanarPairsOfWrenchesAreOpposite) { expect_opposite_wrenches<Planar>(); }
TEST(ForceElements, SpatialPairsOfWrenchesAreOpposite) { expect_opposite_wrenches<Spatial>(); }

TEST(ForceElements, RefuseBothFramesOnOneBody) {
  const Frame<Planar> a = test::body<Planar>, b = test::body<Planar>;
  const auto command = [](const Motion<Planar>&) { return 1.0; };
  const std::string expected = ": both of its frames are on one body";
  test::expect_contains(test::model_error([&] { SpringDamper<Planar>(a, b, {.stiffness = 1}); }),
                        "spring-damper" + expected);
  test::expect_contains(test::model_error([&] { TorsionSpringDamper<Planar>(a, b, {.stiffness = 1}); }),
                        "torsion spring-damper" + expected);
  test::expect_contains(test::model_error([&] { Actuator<Planar>(a, b, {.command = command, .time_constant = 1}); }),
                        "actuator" + expected);
  test::expect_contains(test::model_error([&] {
                          DryFriction<Planar>({}, a, b, {.normal = {0, 1}, .tangent = {1, 0}});
                        }),
                        "dry friction" + expected);
}

// Central difference of V over a step of 1e-4 s. Truncation V''' step^2 / 6 with V''' up to 1e3 near a short length:
// 2e-6; rounding eps V / step: 1e-11. A wrong sign or factor gives 0.1 or more.
constexpr double step = 1e-4, power_tolerance = 1e-5;

/// Power + dV/dt of one element: minus its dissipation.
template <class Space>
double power_without_storage(const ForceElement<Space>& element, const test::Flight<Space>& a,
                             const test::Flight<Space>& b) {
  test::ElementMotion<Space> motion;
  motion.frames = {a.at(0), b.at(0)};
  motion.remember(element, true);
  const double power = motion.power(element);
  const auto energy = [&](double t) {
    motion.frames = {a.at(t), b.at(t)};
    return element.potential_energy(motion.motion());
  };
  return power + (energy(step) - energy(-step)) / (2 * step);
}

template <class Space>
void expect_spring_power() {
  const Frame<Space> a_frame = test::ground<Space>, b_frame = test::body<Space>;
  using Spring = SpringDamper<Space>;
  typename Spring::Options cubic;
  cubic.law = [](double length, double rate) { return length * length + 0.7 * rate; };
  cubic.energy = [](double length) { return length * length * length / 3; };
  const Spring spring(a_frame, b_frame, {.stiffness = 3, .damping = 0.7, .free_length = 0.4}),
      nonlinear(a_frame, b_frame, cubic);
  test::Random random(2);
  for (int sample = 0; sample < 100; ++sample) {
    const test::Flight<Space> a = random.flight<Space>();
    test::Flight<Space> b = random.flight<Space>();
    b.start.position.x() += 2.2;  // away from length zero, where V''' has no bound
    const Vector<Space> line = b.start.position - a.start.position;
    const double rate = line.normalized().dot(b.velocity.linear - a.velocity.linear);
    EXPECT_NEAR(power_without_storage<Space>(spring, a, b), -0.7 * rate * rate, power_tolerance);
    EXPECT_NEAR(power_without_storage<Space>(nonlinear, a, b), -0.7 * rate * rate, power_tolerance);
  }
}

TEST(SpringDamper, PlanarPowerIsLossOfEnergyLessDissipation) { expect_spring_power<Planar>(); }
TEST(SpringDamper, SpatialPowerIsLossOfEnergyLessDissipation) { expect_spring_power<Spatial>(); }

TEST(TorsionSpringDamper, PlanarPowerIsLossOfEnergyLessDissipation) {
  const TorsionSpringDamper<Planar> spring(test::ground<Planar>, test::body<Planar>,
                                           {.stiffness = 3, .damping = 0.7, .free_angle = 0.2});
  test::Random random(3);
  for (int sample = 0; sample < 100; ++sample) {
    const test::Flight<Planar> a = random.flight<Planar>(), b = random.flight<Planar>();
    const double rate = b.velocity.angular - a.velocity.angular;
    EXPECT_NEAR(power_without_storage<Planar>(spring, a, b), -0.7 * rate * rate, power_tolerance);
  }
}

TEST(TorsionSpringDamper, StoresItsEnergyAlsoWhereTheAxesAreNotParallel) {
  const TorsionSpringDamper<Spatial> spring(test::ground<Spatial>, test::body<Spatial>, Axis({1, -2, 0.5}),
                                            {.stiffness = 3, .free_angle = 0.2});
  test::Random random(4);
  int used = 0;
  for (int sample = 0; sample < 200; ++sample) {
    const test::Flight<Spatial> a = random.flight<Spatial>(), b = random.flight<Spatial>();
    const Eigen::Vector3d axis = Axis({1, -2, 0.5}).direction();
    if ((a.start.rotation * axis).dot(b.start.rotation * axis) < -0.5) continue;  // V''' grows near opposite axes
    ++used;
    EXPECT_NEAR(power_without_storage<Spatial>(spring, a, b), 0, power_tolerance);
  }
  EXPECT_GT(used, 100);
}

}  // namespace force_contract_test
}  // namespace linkwork
