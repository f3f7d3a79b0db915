// Constraints of a model that become dependent on the way: implicit methods stop and name them.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include "../messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace linkwork {
namespace rank_change_test {

using test::contains;
using test::error_of;

/// Holds the distance of a body from the origin at 1 m, as a rod does, and the body's angle by a lever whose length
/// falls to zero at t = 1/2: g = |d|^2 - 1 + l(t) angle.
class Latch final : public Constraint<Planar> {
 public:
  Latch(const Frame<Planar>& ground, const Frame<Planar>& body) : Constraint<Planar>({ground, body}) {}
  std::string_view type() const override { return "latch"; }
  int rows() const override { return 1; }

 private:
  static double left(const Motion<Planar>& m) { return std::max(0.0, 0.5 - m.time()); }
  static double lever(double s) { return 100 * s * s * s; }
  static double lever_rate(double s) { return -300 * s * s; }
  static double lever_acceleration(double s) { return 600 * s; }

  void do_residual(const Motion<Planar>& m, double* g) const override {
    g[0] = m.frame(1).pose.position.squaredNorm() - 1 + lever(left(m)) * m.frame(1).pose.angle;
  }
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    out.add(0, 1, lever(left(m)), 2 * m.frame(1).pose.position);
    out.rate(0) = lever_rate(left(m)) * m.frame(1).pose.angle;
  }
  void do_bias(const Motion<Planar>& m, double* bias) const override {
    const FrameMotion<Planar>& body = m.frame(1);
    bias[0] = -2 * body.velocity.linear.squaredNorm() - 2 * lever_rate(left(m)) * body.velocity.angular -
              lever_acceleration(left(m)) * body.pose.angle;
  }
};

PlanarModel latched() {
  PlanarModel model("latched");
  model.set_gravity({0, -9.81});
  auto weight = model.add_body("weight", MassProperties::planar(1, 0.1));
  weight.place({1, 0});
  model.add_constraint<Rod>("strut", model.ground().origin(), weight.origin(), 1.0);
  model.add_constraint<Latch>("hook", model.ground().origin(), weight.origin());
  return model;
}

TEST(RankChange, DuringARunIsReportedWithTheNamesOfTheConstraints) {
  for (const IntegratorOptions& integrator : {IntegratorOptions(BdfOptions{}), IntegratorOptions(RadauOptions{})})
    for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
      SCOPED_TRACE(name_of(formulation));
      Simulation simulation(latched(),
                            {.formulation = formulation, .linear_solver = "dense-lu", .integrator = integrator});
      const std::string message = error_of([&] { simulation.run(0, 1); });
      EXPECT_TRUE(contains(message, "model 'latched': the run stopped at t = 0.")) << message;
      EXPECT_TRUE(contains(message, "singular")) << message;
      EXPECT_TRUE(contains(message, "strut")) << message;
      EXPECT_TRUE(contains(message, "hook")) << message;
      EXPECT_NEAR(simulation.trajectory().t_end(), 0.5, 0.1);  // nothing that was computed is lost
    }
}

}  // namespace rank_change_test
}  // namespace linkwork
