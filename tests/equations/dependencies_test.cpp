#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>

#include "../consistent_velocities.hpp"
#include "../core/expect_error.hpp"
#include "../random_mechanism.hpp"
#include "../sampled.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <random>

namespace linkwork {
namespace dependencies_test {

using test::RandomMechanism;

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// Random numbers of size one in all unknowns; positions near the start, but off all constraints.
class RandomStates {
 public:
  explicit RandomStates(const EquationsOfMotion& equations, double reach = 0.1)
      : start_(equations.initial_state()), reach_(reach) {}
  State next() {
    State out = start_;
    out.t = 0.5 + 0.4 * number_(generator_);
    move(out.p, reach_);
    move(out.v, 1);
    move(out.a, 1);
    move(out.r, 1);
    move(out.lambda, 1);
    return out;
  }

 private:
  void move(Eigen::VectorXd& x, double reach) {
    for (double& each : x) each += reach * number_(generator_);
  }
  State start_;
  double reach_;
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> number_{-1, 1};
};

/// At random states; those where the teeth of a gear do not mesh are left out.
void expect_nothing_undeclared(EquationsOfMotion& equations, int states) {
  RandomStates random(equations);
  int checked = 0;
  for (int tries = 0; checked < states && tries < 20 * states; ++tries) {
    const State state = random.next();
    equations.set(state);
    try {
      for (const std::string& use : undeclared_uses(equations)) ADD_FAILURE() << use;
      const std::vector<UndeclaredDependence> undeclared = undeclared_dependences(equations, state);
      for (const UndeclaredDependence& each : undeclared)
        ADD_FAILURE() << describe(equations, each) << " (" << undeclared.size() << " in all)";
      if (!undeclared.empty()) return;
      ++checked;
    } catch (const RecoverableFailure&) {
    }
  }
  EXPECT_EQ(checked, states);
}

template <class Space>
void expect_nothing_undeclared(const RandomMechanism& options) {
  const std::vector<Twist<Space>> velocities = test::consistent_velocities<Space>(options);
  for (const Formulation formulation : formulations) {
    SCOPED_TRACE(testing::Message() << Space::name << ", " << name_of(formulation) << ": " << options);
    Model<Space> model = test::random_mechanism<Space>(options);
    for (std::size_t b = 0; b < velocities.size(); ++b)
      model.body(model.data().bodies[b].name).move(velocities[b].linear, velocities[b].angular);
    const auto equations = make_equations(model, {.formulation = formulation});
    expect_nothing_undeclared(*equations, 3);
  }
}

template <class Space>
void expect_nothing_undeclared_of_many() {
  constexpr unsigned seeds = test::sampled(2U, 1U);
  for (const RandomMechanism& options : test::random_mechanisms(seeds)) expect_nothing_undeclared<Space>(options);
  for (const RandomMechanism& options : test::mechanisms_of_all_joints(seeds))
    expect_nothing_undeclared<Space>(options);
}

TEST(Dependencies, OfRandomMechanismsInThePlaneAreAllDeclared) { expect_nothing_undeclared_of_many<Planar>(); }
TEST(Dependencies, OfRandomMechanismsInSpaceAreAllDeclared) { expect_nothing_undeclared_of_many<Spatial>(); }

/// A loop of three bodies with a fourth in the open, and every force element of the library on it.
template <class Space>
Model<Space> with_all_forces() {
  constexpr bool spatial = Space::dimension == 3;
  const auto at = [](double x, double y, double z) {
    Vector<Space> out;
    if constexpr (spatial)
      out << x, y, z;
    else
      out << x, y + 0 * z;
    return out;
  };
  Model<Space> model("all forces");
  model.set_gravity(at(0.3, -9.81, 0.2));
  const auto body = [&](const char* name, const Vector<Space>& position) {
    BodyRef<Space> out;
    if constexpr (spatial)
      out = model.add_body(name, MassProperties::box(2, {0.3, 0.5, 0.9}));
    else
      out = model.add_body(name, MassProperties::planar(2, 0.3));
    out.place(position);
    return out;
  };
  const auto a = body("a", at(0, -1, 0)), b = body("b", at(1, -1, 0.2)), c = body("c", at(1, 0, 0)),
             d = body("d", at(2, 0, 0));
  const auto ground = model.ground();
  ConstraintRef<Space> pin;
  if constexpr (spatial) {
    pin = model.template add_joint<Revolute>("pin", ground.at(at(0, -0.5, 0)), a.at(at(0, 0.5, 0)), Axis::z());
    model.template add_joint<Spherical>("ball", a.at(at(0.5, 0, 0)), b.at(at(-0.5, 0, -0.2)));
  } else {
    pin = model.template add_joint<Revolute>("pin", ground.at(at(0, -0.5, 0)), a.at(at(0, 0.5, 0)));
    model.template add_joint<Revolute>("ball", a.at(at(0.5, 0, 0)), b.at(at(-0.5, 0, 0)));
  }
  model.template add_joint<DrivenPrismatic>("drive", ground.at(at(1, 0, 0)), c.origin(), Axis::x(),
                                            Input([](double t) -> InputValue {
                                              return {t * t, 2 * t, 2};
                                            }));
  model.template add_constraint<Rod>("rod", b.at(at(0.1, 0.2, 0)), c.at(at(0, -0.2, 0)), 0.6);
  model.template add_constraint<KnifeEdge>("edge", d.at(at(0.3, 0.1, 0)));
  model.template add_force<SpringDamper>("spring", a.at(at(0.2, 0, 0)), d.at(at(0.1, 0.4, 0)),
                                         {.stiffness = 30, .damping = 2, .free_length = 0.4});
  model.template add_force<SpringDamper>("central", ground.origin(), d.origin(), {.stiffness = 3});
  using Torsion = TorsionSpringDamper<Space>;
  const typename Torsion::Options torsion{.stiffness = 5, .damping = 0.7};
  if constexpr (spatial)
    model.template add_force<Torsion>("torsion", b.origin(), c.origin(), Axis::z(), torsion);
  else
    model.template add_force<Torsion>("torsion", b.origin(), c.origin(), torsion);
  typename Bushing<Space>::Options bushing;
  bushing.stiffness.setIdentity();
  bushing.preload.setOnes();
  model.template add_force<Bushing>("bushing", c.at(at(0.1, 0, 0)), d.at(at(0, 0.3, 0)), bushing);
  using Friction = DryFriction<Space>;
  model.template add_force<Friction>("smoothed", pin, ground.at(at(0, -0.5, 0)), a.at(at(0, 0.5, 0)),
                                     typename Friction::Options{.coefficient = 0.2,
                                                                .normal = at(0, 1, 0),
                                                                .tangent = at(1, 0, 0),
                                                                .arm = at(0.1, 0.2, 0),
                                                                .direction = Friction::Direction::smoothed,
                                                                .speed = 0.5});
  model.template add_force<Friction>(
      "given", pin, ground.at(at(0, -0.5, 0)), a.at(at(0, 0.5, 0)),
      typename Friction::Options{
          .coefficient = 0.1, .normal = at(0, 1, 0), .tangent = at(1, 0, 0), .direction = Friction::Direction::given});
  using Motor = Actuator<Space>;
  typename Motor::Options motor{
      .command = [](const Motion<Space>& m) { return m.time() + m.frame(1).velocity.linear[0]; },
      .time_constant = 0.1,
      .effort = Motor::Effort::force};
  motor.axis = at(1, 2, 0);
  model.template add_force<Motor>("motor", c.at(at(0, 0.1, 0)), d.origin(), motor);
  model.template add_force<AppliedForce>("push", d.at(at(0.2, 0, 0)), at(1, 2, 1), AppliedAxes::frame);
  model.template add_force<AppliedForce>(
      "wind", d.at(at(0, 0.2, 0)), [](const Motion<Space>& m) { return Vector<Space>(-m.frame(1).velocity.linear); },
      AppliedAxes::ground, std::vector<Frame<Space>>{a.at(at(0, 0.1, 0))});
  return model;
}

TEST(Dependencies, OfAllForcesAreDeclared) {
  for (const Formulation formulation : formulations) {
    SCOPED_TRACE(name_of(formulation));
    expect_nothing_undeclared(*make_equations(with_all_forces<Planar>(), {.formulation = formulation}), 10);
    expect_nothing_undeclared(*make_equations(with_all_forces<Spatial>(), {.formulation = formulation}), 10);
  }
}

/// The entries of a pattern that differences do not show at any of 20 random states.
int unseen_entries(EquationsOfMotion& equations, EquationPart part, Unknown unknown) {
  const Dependencies declared = equations.dependencies(part, unknown);
  EXPECT_TRUE(declared.complete);
  const SparsityPattern nothing(static_cast<int>(declared.pattern.rows.size()), declared.pattern.columns);
  std::vector<std::vector<int>> unseen = declared.pattern.rows;
  RandomStates random(equations);
  for (int sample = 0; sample < 20; ++sample)
    for (const UndeclaredDependence& seen :
         changes_outside(changes_of(equations, random.next(), part, unknown), part, unknown, nothing))
      std::erase(unseen[static_cast<std::size_t>(seen.row)], seen.column);
  int count = 0;
  for (const std::vector<int>& row : unseen) count += static_cast<int>(row.size());
  return count;
}

std::size_t entries(const Dependencies& of) {
  std::size_t count = 0;
  for (const std::vector<int>& row : of.pattern.rows) count += row.size();
  return count;
}

struct PartOfUnknown {
  EquationPart part;
  Unknown unknown;
};
constexpr PartOfUnknown all_parts[] = {{EquationPart::position_rate, Unknown::p},
                                       {EquationPart::position_rate, Unknown::factor},
                                       {EquationPart::dynamics, Unknown::p},
                                       {EquationPart::dynamics, Unknown::v},
                                       {EquationPart::dynamics, Unknown::a},
                                       {EquationPart::dynamics, Unknown::r},
                                       {EquationPart::dynamics, Unknown::lambda},
                                       {EquationPart::constraint_force, Unknown::p},
                                       {EquationPart::constraint_force, Unknown::factor},
                                       {EquationPart::state_rate, Unknown::p},
                                       {EquationPart::state_rate, Unknown::v},
                                       {EquationPart::state_rate, Unknown::r},
                                       {EquationPart::position_constraint, Unknown::p},
                                       {EquationPart::velocity_constraint, Unknown::p},
                                       {EquationPart::velocity_constraint, Unknown::v}};

void expect_all_entries_true(EquationsOfMotion& equations) {
  expect_nothing_undeclared(equations, 20);
  for (const auto& [part, unknown] : all_parts)
    EXPECT_EQ(unseen_entries(equations, part, unknown), 0)
        << "part " << static_cast<int>(part) << ", unknown " << static_cast<int>(unknown);
}

PlanarModel pendulum(int links) {
  PlanarModel model("pendulum");
  model.set_gravity({0, -9.81});
  Frame<Planar> end = model.ground().origin();
  for (int i = 0; i < links; ++i) {
    auto rod = model.add_body("rod " + std::to_string(i + 1), MassProperties::planar(1, 0.1));
    rod.place({-0.1, -0.5 - i});
    model.add_joint<Revolute>("pin " + std::to_string(i + 1), end, rod.at({0.1, 0.5}));
    end = rod.at({0.1, -0.5});
  }
  return model;
}

TEST(Dependencies, OfAPendulumInJointCoordinatesAreExact) {
  for (const int links : {1, 2, 4})
    expect_all_entries_true(*make_equations(pendulum(links), {.formulation = Formulation::relative}));
}

// Bodies without rotation have three coordinates, and a spring that is stretched sees all of them.
TEST(Dependencies, OfPointMassesAreExact) {
  SpatialModel model("points");
  model.set_gravity({0, 0, -9.81});
  std::vector<BodyRef<Spatial>> points;
  for (int i = 0; i < 4; ++i) {
    points.push_back(model.add_body<PointMass>("point " + std::to_string(i + 1), 1.0 + i));
    points.back().place({0.3 * i, 0.5 * i, 1.0 * i * i});
  }
  model.add_force<SpringDamper>("first", points[1].origin(), points[2].origin(), {.stiffness = 5, .free_length = 1});
  model.add_force<SpringDamper>("second", points[2].origin(), points[3].origin(), {.stiffness = 3, .damping = 1});
  const auto equations = make_equations(model);
  expect_all_entries_true(*equations);
  // The second spring's damper: 6 x 6. Both by positions: 6 x 6 each, 3 x 3 in common.
  EXPECT_EQ(entries(equations->dependencies(EquationPart::dynamics, Unknown::v)), 36u);
  EXPECT_EQ(entries(equations->dependencies(EquationPart::dynamics, Unknown::p)), 2 * 36u - 9u);
  EXPECT_EQ(entries(equations->dependencies(EquationPart::dynamics, Unknown::a)), 12u);
}

// Free bodies in space between bushings: all of a rotation and a position, none beside it.
TEST(Dependencies, OfBushingsBetweenRigidBodiesAreExact) {
  SpatialModel model("bushings");
  auto a = model.add_body("a", MassProperties::box(2, {0.3, 0.5, 0.9})),
       b = model.add_body("b", MassProperties::box(1, {0.2, 0.5, 0.7}));
  b.place({1, 0.2, 0.1});
  Bushing<Spatial>::Options options;
  options.stiffness.setConstant(0.5);
  options.stiffness.diagonal().setConstant(4);
  options.damping = options.stiffness;
  model.add_force<Bushing>("bushing", a.at({0.4, 0.1, 0.2}), b.at({-0.5, 0.1, 0.1}), options);
  const auto equations = make_equations(model);
  expect_nothing_undeclared(*equations, 20);
  for (const auto& [part, unknown] : all_parts) {
    if (part != EquationPart::dynamics && part != EquationPart::position_rate) continue;
    EXPECT_EQ(unseen_entries(*equations, part, unknown), 0)
        << "part " << static_cast<int>(part) << ", unknown " << static_cast<int>(unknown);
  }
}

// Removing one entry is noticed, and by name.
TEST(Dependencies, AMissingEntryIsFoundAndNamed) {
  const auto equations = make_equations(pendulum(2), {.formulation = Formulation::relative});
  RandomStates random(*equations);
  const State state = random.next();
  Dependencies declared = equations->dependencies(EquationPart::dynamics, Unknown::p);
  const Changes changes = changes_of(*equations, state, EquationPart::dynamics, Unknown::p);
  EXPECT_TRUE(changes_outside(changes, EquationPart::dynamics, Unknown::p, declared.pattern).empty());
  std::erase(declared.pattern.rows[1], 0);
  const auto found = changes_outside(changes, EquationPart::dynamics, Unknown::p, declared.pattern);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].row, 1);
  EXPECT_EQ(found[0].column, 0);
  const std::string message = describe(*equations, found[0]);
  EXPECT_NE(message.find("model 'pendulum': the dynamics of 'pin 2: velocity 1' changes by "), std::string::npos);
  EXPECT_NE(message.find(" when 'pin 1: coordinate 1' goes from -0.001 to 0.001 of its value, a dependence outside the "
                         "declared pattern; let the element say so in use() or row_use()."),
            std::string::npos)
      << message;
}

/// A force that reads, and acts, as it is told, and declares nothing of it.
class Liar final : public ForceElement<Planar> {
 public:
  enum class Lie { position, rotation, velocity, angular_velocity, force, torque, state, rate };
  Liar(const Frame<Planar>& frame, Lie lie, bool declares)
      : ForceElement<Planar>({frame}), lie_(lie), declares_(declares) {}
  std::string_view type() const override { return "liar"; }
  int states() const override { return 1; }
  std::optional<ForceUse> use() const override {
    if (!declares_) return {};
    FrameUse frame = FrameUse::nothing();
    frame.force = lie_ != Lie::force && lie_ != Lie::torque;
    return ForceUse{.frames = {frame}, .states = false, .auxiliary = false, .contacts = false, .reactions = false};
  }
  std::optional<ForceUse> rate_use() const override { return use(); }

 private:
  double number(const Motion<Planar>& m) const {
    const FrameMotion<Planar>& frame = m.frame(0);
    switch (lie_) {
      case Lie::position:
        return frame.pose.position.x();
      case Lie::rotation:
        return frame.pose.angle;
      case Lie::velocity:
        return frame.velocity.linear.x();
      case Lie::angular_velocity:
        return frame.velocity.angular;
      case Lie::state:
        return m.state(0);
      default:
        return 1;
    }
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    if (lie_ == Lie::torque)
      sums.add_torque(0, 2);
    else
      sums.add_force(0, number(m) * Eigen::Vector2d(2, 0));
  }
  void do_state_rates(const Motion<Planar>& m, double* rates) const override {
    rates[0] = lie_ == Lie::rate ? m.frame(0).velocity.linear.x() : 0;
  }
  Lie lie_;
  bool declares_;
};

PlanarModel with_liar(Liar::Lie lie, bool declares = true) {
  PlanarModel model("lies");
  auto body = model.add_body("b", MassProperties::planar(1, 0.2));
  body.place({0.5, 0.2}, 0.3).move({0.1, 0.2}, 0.4);
  model.add_force<Liar>("x", body.origin(), lie, declares);
  return model;
}

TEST(Declarations, OfLyingForcesAreRefusedByName) {
  const std::string begin = "force 'x' (liar) ",
                    end = " at t = 0 s); declare it in its use functions, or return none there.";
  const std::string by_motion = " of frame 0 on body 'b' and does not declare it (its wrench changes by 0.02";
  const auto expect = [&](Liar::Lie lie, const std::string& middle) {
    const auto equations = make_equations(with_liar(lie));
    equations->set(equations->initial_state());
    expect_error<ModelError>(begin + middle + end, [&] { check_declarations(*equations); });
  };
  expect(Liar::Lie::rotation, "reads the rotation" + by_motion);
  expect(Liar::Lie::angular_velocity, "reads the angular velocity" + by_motion);
  expect(Liar::Lie::force,
         "puts a force on frame 0 on body 'b' and does not declare it (the force there changes by 2 N "
         "from zero");
  expect(Liar::Lie::torque,
         "puts a torque on frame 0 on body 'b' and does not declare it (the torque there changes by "
         "2 N m from zero");
  expect(Liar::Lie::state, "reads its states and does not declare it (its wrench changes by 0.02");
  for (const auto& [lie, what] : {std::pair{Liar::Lie::position, "reads the position of frame 0 on body 'b'"},
                                  std::pair{Liar::Lie::velocity, "reads the velocity of frame 0 on body 'b'"}}) {
    const auto equations = make_equations(with_liar(lie));
    equations->set(equations->initial_state());
    const std::vector<std::string> uses = undeclared_uses(*equations);
    ASSERT_EQ(uses.size(), 1u);
    EXPECT_EQ(uses[0].find(begin + what), 0u) << uses[0];
  }
  const auto equations = make_equations(with_liar(Liar::Lie::rate));
  const std::vector<std::string> uses = undeclared_uses(*equations);
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_NE(uses[0].find("reads the velocity of frame 0 on body 'b' and does not declare it (the rate of its states "),
            std::string::npos)
      << uses[0];
}

// The same lie shows in the equations too.
TEST(Declarations, LiesShowAsDependencesOutsideThePattern) {
  for (const Formulation formulation : formulations) {
    const auto equations = make_equations(with_liar(Liar::Lie::velocity), {.formulation = formulation});
    const State state = equations->initial_state();
    const std::vector<UndeclaredDependence> found = undeclared_dependences(*equations, state);
    ASSERT_FALSE(found.empty());
    for (const UndeclaredDependence& each : found) {
      EXPECT_EQ(each.part, EquationPart::dynamics);
      EXPECT_EQ(each.unknown, Unknown::v);
    }
  }
}

TEST(Declarations, OfNoneLeaveTheEntriesToDifferences) {
  for (const Formulation formulation : formulations) {
    const auto equations = make_equations(with_liar(Liar::Lie::velocity, false), {.formulation = formulation});
    equations->set(equations->initial_state());
    EXPECT_TRUE(undeclared_uses(*equations).empty());
    for (const Unknown unknown : {Unknown::p, Unknown::v, Unknown::r, Unknown::lambda})
      EXPECT_FALSE(equations->dependencies(EquationPart::dynamics, unknown).complete);
    EXPECT_TRUE(equations->dependencies(EquationPart::dynamics, Unknown::a).complete);
    EXPECT_TRUE(equations->dependencies(EquationPart::position_rate, Unknown::p).complete);
    EXPECT_FALSE(equations->dependencies(EquationPart::state_rate, Unknown::v).complete);
  }
}

/// A point on a circle about the ground's origin that says it lies on a line.
class LyingCircle final : public Constraint<Planar> {
 public:
  explicit LyingCircle(const Frame<Planar>& frame, const Frame<Planar>& ground) : Constraint<Planar>({ground, frame}) {}
  std::string_view type() const override { return "lying circle"; }
  int rows() const override { return 1; }
  bool is_invariant() const override { return true; }
  RowUse row_use(int, int) const override { return {.angular = false, .position = false, .rotation = false}; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    g[0] = 0.5 * (m.frame(1).pose.position.squaredNorm() - 1) + m.frame(1).pose.angle;
  }
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    out.add(0, 1, 1, m.frame(1).pose.position);
  }
};

TEST(Declarations, OfConstraintsAreChecked) {
  PlanarModel model("lies");
  auto body = model.add_body("b", MassProperties::planar(1, 0.2));
  body.place({0.6, 0.8}, 0.3);
  model.add_constraint<LyingCircle>("circle", body.origin(), model.ground().at({0.2, 0}));
  const auto equations = make_equations(model);
  equations->set(equations->initial_state());
  const std::vector<std::string> uses = undeclared_uses(*equations);
  // The position moves by 0.01 along (0.3, 0.5) / sqrt(0.34), the angle by 0.01, all frames by a turn of 0.1: the row
  // changes by 0.0085749 at most; the residual by 0.01, and by the angle.
  const std::string begin = "constraint 'circle' (lying circle) ", middle = " and does not declare it (",
                    row = " at t = 0 s); declare it in row_use().";
  const std::string expected[] = {
      "reads the position of frame 1 on body 'b' in row 1" + middle + "the row changes by 0.00857492925713" + row,
      "measures the rotation of frame 1 on body 'b' in row 1" + middle + "the residual changes by 0.01" + row,
      "acts on the rotation of frame 1 on body 'b' in row 1" + middle + "the row has an entry of 1" + row,
      "changes in row 1 when all of its frames are turned together" + middle +
          "the residual by 0.1, the row times the velocities by 0 at t = 0 s); declare it in is_invariant()."};
  for (const std::string& each : expected)
    EXPECT_EQ(std::count(uses.begin(), uses.end(), begin + each), 1) << each << " | " << testing::PrintToString(uses);
  expect_error<ModelError>(uses.front() + " (3 more of such uses were found.)",
                           [&] { check_declarations(*equations); });
}

}  // namespace dependencies_test
}  // namespace linkwork
