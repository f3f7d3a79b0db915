// Auxiliary variables w of force elements and contact coordinates s of constraints: eliminated and carried.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/equations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/simulation.hpp>

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

namespace linkwork {
namespace {

/// The constraint of the example own_constraint by its contact point: s is where on the parabola y = a x^2 + lift sin t
/// the bead is, c = 0 makes it the foot of the perpendicular. Gives g and c only.
class Wire : public Constraint<Planar> {
 public:
  Wire(const Frame<Planar>& bead, double curvature, double start, double lift = 0)
      : Constraint<Planar>({bead}), curvature_(curvature), start_(start), lift_(lift) {}
  std::string_view type() const override { return "wire"; }
  int rows() const override { return 1; }
  int contacts() const override { return 1; }
  double initial_contact(int) const override { return start_; }

 private:
  Eigen::Vector2d gap(const Motion<Planar>& m) const {
    const double s = m.contact(0);
    return m.frame(0).pose.position - Eigen::Vector2d(s, curvature_ * s * s + lift_ * std::sin(m.time()));
  }
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const double slope = 2 * curvature_ * m.contact(0);
    g[0] = Eigen::Vector2d(-slope, 1).dot(gap(m)) / std::hypot(slope, 1);
  }
  void do_contact_residual(const Motion<Planar>& m, double* c) const override {
    c[0] = Eigen::Vector2d(1, 2 * curvature_ * m.contact(0)).dot(gap(m));
  }
  double curvature_, start_, lift_;
};

/// The same without s, scaled alike: g = (y - a x^2 - lift sin t) / |(2 a x, 1)|.
class PlainWire final : public Constraint<Planar> {
 public:
  PlainWire(const Frame<Planar>& bead, double curvature, double lift = 0)
      : Constraint<Planar>({bead}), curvature_(curvature), lift_(lift) {}
  std::string_view type() const override { return "plain wire"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const Eigen::Vector2d& x = m.frame(0).pose.position;
    g[0] = (x.y() - curvature_ * x.x() * x.x() - lift_ * std::sin(m.time())) / std::hypot(2 * curvature_ * x.x(), 1);
  }
  double curvature_, lift_;
};

/// A linear spring, and in series to it one with the force k w + h w^3 for its stretch w.
class SeriesSpring final : public ForceElement<Planar> {
 public:
  SeriesSpring(const Frame<Planar>& first, const Frame<Planar>& second, double hardening)
      : ForceElement<Planar>({first, second}), hardening_(hardening) {}
  std::string_view type() const override { return "series spring"; }
  int auxiliaries() const override { return 1; }
  double typical_auxiliary(int) const override { return 0.1; }
  static constexpr double stiffness = 300, second_stiffness = 200;

 private:
  Eigen::Vector2d span(const Motion<Planar>& m) const { return m.frame(1).pose.position - m.frame(0).pose.position; }
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    const double w = m.auxiliary(0);
    d[0] = stiffness * (span(m).norm() - w) - second_stiffness * w - hardening_ * w * w * w;
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    const Eigen::Vector2d x = span(m);
    const Eigen::Vector2d pull = stiffness * (x.norm() - m.auxiliary(0)) * x.normalized();
    sums.add_force(0, pull);
    sums.add_force(1, -pull);
  }
  double do_potential_energy(const Motion<Planar>& m) const override {
    const double w = m.auxiliary(0), u = span(m).norm() - w;
    return stiffness * u * u / 2 + second_stiffness * w * w / 2 + hardening_ * w * w * w * w / 4;
  }
  double hardening_;
};

constexpr double gravity = 9.81, curvature = 0.5, lift = 0.2;

/// A bead on the wire, pulled by a series spring.
PlanarModel bead_on_wire(bool with_contact, double lift_of_wire = lift) {
  PlanarModel model("bead");
  model.set_gravity({0, -gravity});
  auto bead = model.add_body<PointMass>("bead", 0.2);
  bead.place({1, curvature}).move({0, lift_of_wire});
  ConstraintRef<Planar> wire;
  if (with_contact) {
    wire = model.add_constraint<Wire>("wire", bead.origin(), curvature, 0.7, lift_of_wire);
    model.add_observable("s", "m", [wire](const Snapshot<Planar>& now) { return now.contact(wire, 0); });
  } else {
    wire = model.add_constraint<PlainWire>("wire", bead.origin(), curvature, lift_of_wire);
  }
  const auto spring = model.add_force<SeriesSpring>("spring", model.ground().at({0, 2}), bead.origin(), 0.0);
  model.add_observable("w", "m", [spring](const Snapshot<Planar>& now) { return now.auxiliary(spring, 0); });
  model.add_observable("force", "N", [wire](const Snapshot<Planar>& now) { return now.reaction(wire).force.norm(); });
  return model;
}

// Rows by sixth-order differences with step 0.005: about 1e-13; the bias by differences of those: 1e-13 / 0.005.
constexpr double row_tolerance = 1e-11, bias_tolerance = 1e-9;

TEST(AuxiliaryUnknowns, ContactsGiveTheRowsOfTheConstraintWithoutThem) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto with = make_equations(bead_on_wire(true), {.formulation = formulation});
    const auto without = make_equations(bead_on_wire(false), {.formulation = formulation});
    EXPECT_EQ(with->dimensions().s, 0);
    EXPECT_EQ(with->dimensions().w, 0);
    for (const double x : {1.0, 0.3, -0.8}) {
      const double t = 0.4, slope = 2 * curvature * x;
      const Eigen::Vector2d p(x, curvature * x * x + lift * std::sin(t));
      // Along the wire, so that the derivative of the length of the normal plays no part.
      const Eigen::Vector2d v = 2.0 * Eigen::Vector2d(1, slope) + Eigen::Vector2d(0, lift * std::cos(t));
      for (EquationsOfMotion* each : {with.get(), without.get()}) {
        each->set_position(t, p);
        each->set_velocity(v);
      }
      EXPECT_NEAR(with->solved_contacts()[0], x, 1e-12);
      EXPECT_NEAR(with->g()[0], 0, 1e-14);
      EXPECT_LT((with->G().dense() - without->G().dense()).norm(), row_tolerance);
      EXPECT_NEAR(with->velocity_offset()[0], without->velocity_offset()[0], row_tolerance);
      EXPECT_NEAR(with->gamma()[0], without->gamma()[0], bias_tolerance);
      EXPECT_LT((with->f() - without->f()).norm(), 1e-12);
    }
  }
}

TEST(AuxiliaryUnknowns, SeriesSpringActsAsOneWithTheStiffnessOfBoth) {
  const auto equations = make_equations(bead_on_wire(true));
  const double k1 = SeriesSpring::stiffness, k2 = SeriesSpring::second_stiffness;
  const double length = std::hypot(1, 1.5), force = k1 * k2 / (k1 + k2) * length;
  EXPECT_NEAR(equations->f()[0], -force * 1 / length, 1e-11);
  EXPECT_NEAR(equations->f()[1], force * 1.5 / length - 0.2 * gravity, 1e-11);
  EXPECT_NEAR(equations->energies().element_storage, 0.5 * force * length, 1e-11);
}

TEST(AuxiliaryUnknowns, MotionAndReactionsAreThoseWithoutContacts) {
  State ends[2];
  Eigen::VectorXd observed[2];
  for (const bool with : {true, false}) {
    Simulation simulation(bead_on_wire(with),
                          {.integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}, .energy_balance = true});
    ends[with] = simulation.run(0, 2).final_state();
    simulation.equations().observables(ends[with], observed[with]);
    EXPECT_LT(simulation.energy().balance, 1e-7);
  }
  // Some hundred steps with 1e-10 each.
  EXPECT_LT((ends[0].p - ends[1].p).norm(), 1e-8);
  EXPECT_LT((ends[0].v - ends[1].v).norm(), 1e-7);
  EXPECT_NEAR(observed[1][0], ends[1].p[0], 1e-10);   // s
  EXPECT_NEAR(observed[1][1], observed[0][0], 1e-8);  // w
  EXPECT_NEAR(observed[1][2], observed[0][1], 1e-6);  // reaction
  EXPECT_NEAR(ends[1].s[0], ends[1].p[0], 1e-10);
}

TEST(AuxiliaryUnknowns, CarriedUnknownsHaveResidualsAndTheSameRows) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const PlanarModel model = bead_on_wire(true);
    const auto carried = make_equations(model, {.formulation = formulation, .auxiliary = AuxiliaryUnknowns::carried});
    const auto eliminated = make_equations(model, {.formulation = formulation});
    ASSERT_EQ(carried->dimensions().s, 1);
    ASSERT_EQ(carried->dimensions().w, 1);
    EXPECT_EQ(carried->auxiliary_name(0), "spring: auxiliary variable 1");
    EXPECT_EQ(carried->contact_name(0), "wire: contact coordinate 1");
    State state = carried->initial_state();
    EXPECT_EQ(state.s[0], 0.7);
    carried->set(state);
    EXPECT_GT(std::abs(carried->c()[0]), 0.1);
    EXPECT_GT(std::abs(carried->d()[0]), 0.1);
    carried->solve_contacts();
    carried->solve_auxiliary();
    EXPECT_NEAR(carried->contacts()[0], 1, 1e-12);
    EXPECT_NEAR(carried->c()[0], 0, 1e-14);
    EXPECT_NEAR(carried->d()[0], 0, 1e-10);
    eliminated->set(state);
    EXPECT_LT((carried->f() - eliminated->f()).norm(), 1e-10);
    EXPECT_LT((carried->G().dense() - eliminated->G().dense()).norm(), row_tolerance);
    EXPECT_NEAR(carried->gamma()[0], eliminated->gamma()[0], bias_tolerance);
  }
}

}  // namespace
}  // namespace linkwork
