// What elements leave implicit: the small Newton iteration, the checks of models, the conformance kit.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/conformance.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/small_system.hpp>
#include "../messages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace linkwork {
namespace implicit_unknowns_test {

using test::contains;
using test::error_of;

TEST(SmallSystem, SolvesWithRowExchangesAndAnyScale) {
  // Columns and rows of very different units; the first pivot is zero.
  std::array<double, 9> A = {0, 2e6, 1e-6, 3e9, 1e3, 0, 1e3, 0, 4e-12};
  const std::array<double, 6> X = {1e-3, -2e-3, 0.5, 0.25, 4e5, -7e5};
  std::array<double, 6> B{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 3; ++k) B[i * 2 + j] += A[i * 3 + k] * X[k * 2 + j];
  ASSERT_TRUE(detail::solve_in_place(A.data(), 3, B.data(), 2));
  // The right side rounds 2e6 x_1 = 1e6, of which the third unknown makes 0.4: eps 1e6 / 0.4 = 6e-10.
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(B[i] / X[i], 1, 1e-9) << i;
}

TEST(SmallSystem, KnowsSingularMatrices) {
  std::array<double, 4> dependent = {1, 2, 3, 6}, zero_row = {1, 2, 0, 0}, bad = {1, NAN, 0, 1};
  std::array<double, 2> B = {1, 1};
  EXPECT_FALSE(detail::solve_in_place(dependent.data(), 2, B.data(), 1));
  EXPECT_FALSE(detail::solve_in_place(zero_row.data(), 2, B.data(), 1));
  EXPECT_FALSE(detail::solve_in_place(bad.data(), 2, B.data(), 1));
}

constexpr auto unit_size = [](int) { return 1.0; };

TEST(SmallNewton, FindsSolutionsToRoundingFromAfar) {
  detail::SmallNewton newton;
  // A circle and a line, in units that differ by a million.
  std::array<double, 2> x = {3, 1e-6};
  const auto residual = [](const double* at, double* F) {
    const double y = 1e6 * at[1];
    F[0] = at[0] * at[0] + y * y - 25;
    F[1] = 1e3 * (at[0] - 3 - 0.5 * (y - 4));
  };
  const auto size = [](int i) { return i == 0 ? 1.0 : 1e-6; };
  const Outcome outcome = newton.solve(2, x.data(), size, residual);
  ASSERT_TRUE(outcome) << outcome.reason();
  EXPECT_NEAR(x[0], 3, 1e-14);
  EXPECT_NEAR(x[1], 4e-6, 1e-20);
  // Far on the flat side of an arctangent: full steps diverge, shorter ones don't.
  double far = 20;
  const Outcome shortened =
      newton.solve(1, &far, unit_size, [](const double* at, double* F) { F[0] = std::atan(*at); });
  ASSERT_TRUE(shortened) << shortened.reason();
  EXPECT_NEAR(far, 0, 1e-15);
}

TEST(SmallNewton, SaysWhyThereIsNoSolution) {
  detail::SmallNewton newton;
  double x = 1;
  const auto reason = [&](double start, auto residual) {
    x = start;
    return newton.solve(1, &x, unit_size, residual).reason();
  };
  EXPECT_TRUE(contains(reason(1, [](const double* at, double* F) { F[0] = *at * *at + 1; }), "no convergence in"));
  EXPECT_EQ(reason(0.5, [](const double*, double* F) { F[0] = 1; }), "the derivative is singular at (0.5)");
  EXPECT_EQ(reason(0.5, [](const double*, double* F) { F[0] = NAN; }), "the residual is (nan) at (0.5)");
}

// Elements with faults that can be chosen.

class Touch : public Constraint<Planar> {
 public:
  struct Faults {
    int contacts = 1;
    double start = 0.1;
    bool singular = false, reads_more = false;
  };
  Touch(const Frame<Planar>& frame, Faults faults) : Constraint<Planar>({frame}), faults_(faults) {}
  std::string_view type() const override { return "touch"; }
  int rows() const override { return 1; }
  int contacts() const override { return faults_.contacts; }
  double initial_contact(int) const override { return faults_.start; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const double s = m.contact(0);
    g[0] = m.frame(0).pose.position.y() - 0.3 * std::sin(s);
  }
  void do_contact_residual(const Motion<Planar>& m, double* c) const override {
    c[0] = m.frame(0).pose.position.x() - (faults_.singular ? 0 : 1) * m.contact(0);
    if (faults_.reads_more) c[0] += m.contact(1);
  }
  Faults faults_;
};

/// As if the contact point stood still.
class TouchWithWrongRows final : public Touch {
 public:
  using Touch::Touch;

 private:
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override { out.add_linear(0, 0, {0, 1}); }
};

/// F = w, 0 = w + w^3 - 10 x' for the velocity of a frame along x: an implicit damper.
class Implicit : public ForceElement<Planar> {
 public:
  struct Faults {
    int auxiliaries = 1;
    double start = 0, typical = 1;
    bool singular = false, reads_more = false, drives = false;
  };
  Implicit(const Frame<Planar>& frame, Faults faults, std::vector<ConstraintRef<Planar>> sources = {})
      : ForceElement<Planar>({frame}, {}, std::move(sources)), faults_(faults) {}
  std::string_view type() const override { return "implicit"; }
  int auxiliaries() const override { return faults_.auxiliaries; }
  double initial_auxiliary(int) const override { return faults_.start; }
  double typical_auxiliary(int) const override { return faults_.typical; }

 private:
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    const double w = faults_.singular ? 0 : m.auxiliary(0);
    d[0] = w + w * w * w - 10 * m.frame(0).velocity.linear.x() + (faults_.reads_more ? m.auxiliary(1) : 0);
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {faults_.drives ? m.auxiliary(0) : -m.auxiliary(0), -m.frame(0).pose.position.y()});
  }
  double do_potential_energy(const Motion<Planar>& m) const override {
    return 0.5 * m.frame(0).pose.position.y() * m.frame(0).pose.position.y();
  }
  Faults faults_;
};

struct OneBody {
  PlanarModel model;
  BodyRef<Planar> body = model.add_body("body", MassProperties::planar(1, 1));
};

TEST(ImplicitUnknowns, ModelRefusesWhatMakesNoSense) {
  OneBody m;
  const auto body = m.body.origin();
  const auto touch = [&](Touch::Faults faults) {
    return error_of([&] { m.model.add_constraint<Touch>("touch", body, faults); });
  };
  const auto force = [&](Implicit::Faults faults, std::vector<ConstraintRef<Planar>> sources = {}) {
    return error_of([&] { m.model.add_force<Implicit>("force", body, faults, sources); });
  };
  EXPECT_EQ(touch({.contacts = -1}),
            "add_constraint: constraint 'touch' (touch) has -1 contact-point coordinates; expected 0 or more.");
  EXPECT_TRUE(
      contains(touch({.start = NAN}),
               "add_constraint: constraint 'touch' (touch): the initial value of contact-point coordinate 0 is"))
      << touch({.start = NAN});
  EXPECT_EQ(force({.auxiliaries = -2}),
            "add_force: force 'force' (implicit) has -2 auxiliary variables; expected 0 or more.");
  EXPECT_TRUE(contains(force({.start = INFINITY}),
                       "add_force: force 'force' (implicit): the initial value of auxiliary variable 0 is"))
      << force({.start = INFINITY});
  EXPECT_EQ(force({.typical = 0}),
            "add_force: force 'force' (implicit) gives auxiliary variable 0 the typical size 0; expected a finite "
            "value > 0.");
  const auto plain = m.model.add_constraint<Touch>("no contact", body, Touch::Faults{.contacts = 0});
  EXPECT_EQ(force({}, {plain}),
            "add_force: force 'force' (implicit) reads the contact point of 'no contact' (touch), which has no "
            "contact-point coordinates; give a constraint that has.");
  OneBody other;
  const auto foreign = other.model.add_constraint<Touch>("touch", other.body.origin(), Touch::Faults{});
  EXPECT_EQ(force({}, {foreign}),
            "add_force: force 'force' (implicit) reads the contact point of a constraint that is not in model 'model'; "
            "add the constraint first and give the handle that add_constraint returned.");
}

class TouchingJoint final : public Joint<Planar> {
 public:
  std::string_view type() const override { return "touching"; }
  int freedoms() const override { return 1; }
  int contacts() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Planar>& X) const override { X.position.x() = q[0]; }
};

TEST(ImplicitUnknowns, JointsHaveNoContacts) {
  OneBody m;
  EXPECT_EQ(error_of([&] { m.model.add_joint<TouchingJoint>("joint", m.model.ground().origin(), m.body.origin()); }),
            "add_joint: joint 'joint' (touching) has 1 contact-point coordinates; a joint has none: make it a "
            "constraint.");
}

class Rowless final : public Constraint<Planar> {
 public:
  explicit Rowless(const Frame<Planar>& frame) : Constraint<Planar>({frame}) {}
  std::string_view type() const override { return "rowless"; }
  int rows() const override { return 1; }
  Level level() const override { return Level::nonholonomic; }
};

TEST(ImplicitUnknowns, NonholonomicConstraintsMustGiveRows) {
  OneBody m;
  const Rowless element(m.body.origin());
  FrameMotion<Planar> frame;
  double blocks[3] = {}, rate[1] = {};
  ConstraintRows<Planar> rows(1, blocks, rate);
  EXPECT_EQ(error_of([&] {
              element.velocity_rows({0, &frame, nullptr, nullptr, nullptr}, rows);
            }),
            "rowless: a nonholonomic constraint has no residual that its rows could be derived from; give do_rows.");
}

TEST(ImplicitUnknowns, SingularContactEquationsAreNamed) {
  OneBody m;
  const Touch element(m.body.origin(), {.singular = true});
  FrameMotion<Planar> frame;
  double blocks[3] = {}, rate[1] = {}, s = 0.25;
  ConstraintRows<Planar> rows(1, blocks, rate);
  const Motion<Planar> motion(0, &frame, nullptr, nullptr, nullptr, nullptr, &s);
  const std::string message =
      "its contact equations c = 0 are singular in s at s = (0.25): the contact point is not unique there";
  EXPECT_EQ(error_of([&] { element.velocity_rows(motion, rows); }), message);
  EXPECT_EQ(error_of([&] { element.contact_rates(motion, rate); }), message);
}

TEST(ImplicitUnknowns, ConformanceKitAcceptsWhatBelongsTogether) {
  OneBody m;
  const ConformanceReport constraint = check_constraint(Touch(m.body.at({0.1, 0.2}), {}));
  EXPECT_TRUE(constraint) << constraint.summary();
  const ConformanceReport force = check_force(Implicit(m.body.origin(), {}));
  EXPECT_TRUE(force) << force.summary();
}

TEST(ImplicitUnknowns, ConformanceKitFindsFaults) {
  OneBody m;
  const auto constraint = [&](Touch::Faults faults) {
    return check_constraint(Touch(m.body.at({0.1, 0.2}), faults)).summary();
  };
  const auto force = [&](Implicit::Faults faults) { return check_force(Implicit(m.body.origin(), faults)).summary(); };
  const std::string wrong_rows = check_constraint(TouchWithWrongRows(m.body.at({0.1, 0.2}), {})).summary();
  EXPECT_TRUE(contains(wrong_rows, "do_rows: rows times velocities plus rate, row 0")) << wrong_rows;
  EXPECT_TRUE(contains(constraint({.singular = true}), "no solution for s: the derivative is singular"))
      << constraint({.singular = true});
  EXPECT_TRUE(contains(constraint({.contacts = -1}), "contacts: is -1; expected 0 or more"))
      << constraint({.contacts = -1});
  EXPECT_TRUE(contains(constraint({.start = NAN}), "of contact coordinate 0 is nan; expected a finite number"))
      << constraint({.start = NAN});
  EXPECT_TRUE(contains(constraint({.reads_more = true}), "reads a contact coordinate beyond those that are declared"))
      << constraint({.reads_more = true});
  EXPECT_TRUE(contains(force({.singular = true}), "no solution for w: the derivative is singular"))
      << force({.singular = true});
  EXPECT_TRUE(contains(force({.reads_more = true}), "reads an auxiliary variable beyond those that auxiliaries()"))
      << force({.reads_more = true});
  EXPECT_TRUE(contains(force({.auxiliaries = -1}), "auxiliaries: is -1; expected 0 or more"));
  EXPECT_TRUE(contains(force({.start = NAN}), "of auxiliary variable 0 is nan; expected a finite number"));
  EXPECT_TRUE(contains(force({.typical = -1}), "of auxiliary variable 0 is -1; expected a finite number > 0"));
  EXPECT_TRUE(contains(force({.drives = true}), "do_potential_energy")) << force({.drives = true});
}

}  // namespace implicit_unknowns_test
}  // namespace linkwork
