// A constraint of your own: a wire in the shape of the parabola y = a x^2, on which a point of a body slides.
//
// To add another constraint, copy the class: give the frames that it couples and the residual g. The rows that take the
// frames' velocities to dg/dt, and the accelerations' right-hand side, follow by differences; override do_rows (as
// here) and do_bias where you know them in closed form. check_constraint tells whether they fit each other.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <cstdio>

using namespace linkwork;

/// g = y - a x^2 [m] for the origin (x, y) of a frame;  dg/dt = (-2 a x, 1) . (x', y').
class ParabolicWire final : public Constraint<Planar> {
 public:
  /// @param bead       frame that slides along the wire with its origin
  /// @param curvature  a [1/m], either sign
  /// @throws ModelError if it is not finite
  ParabolicWire(const Frame<Planar>& bead, double curvature) : Constraint<Planar>({bead}), curvature_(curvature) {
    if (!std::isfinite(curvature))
      throw ModelError(concat("parabolic wire: curvature is ", curvature, " 1/m; give a finite value."));
  }

  std::string_view type() const override { return "parabolic wire"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const Eigen::Vector2d& bead = m.frame(0).pose.position;
    g[0] = bead.y() - curvature_ * bead.x() * bead.x();
  }
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const override {
    out.add_linear(/*row*/ 0, /*frame*/ 0, {-2 * curvature_ * m.frame(0).pose.position.x(), 1});
  }

  double curvature_;
};

int main() {
  const double gravity = 9.81, curvature = 0.5, x_0 = 1;

  PlanarModel model("bead on a wire");
  model.set_gravity({0, -gravity});
  auto bead = model.add_body<PointMass>("bead", /*mass*/ 0.2);
  bead.place({x_0, curvature * x_0 * x_0});
  model.add_constraint<ParabolicWire>("wire", bead.origin(), curvature);

  const ConformanceReport conformance = check_constraint(ParabolicWire(bead.origin(), curvature));
  std::fputs(conformance.summary().c_str(), stdout);

  // The bead swings with the period 4 E(-n) / sqrt(2 g a), n = (2 a x_0)^2, E the complete elliptic integral of the
  // second kind; E(-n) = sqrt(1 + n) E(n / (1 + n)). After five quarters of it, the bead is at the lowest point.
  const double n = std::pow(2 * curvature * x_0, 2);
  const double period =
      4 * std::sqrt(1 + n) * std::comp_ellint_2(std::sqrt(n / (1 + n))) / std::sqrt(2 * gravity * curvature);

  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  const State end = simulation.run(0, 1.25 * period).final_state();

  // The tolerance per step is 1e-9; some fifty steps may add up to fifty times that, and the speed is 3 m/s.
  const double bound = 1e-7;
  const double position_error = end.p.norm();
  const double speed_error = std::abs(end.v.norm() - std::sqrt(2 * gravity * curvature) * x_0);
  std::printf("bead after %.3f s: position off by %.1e m, speed by %.1e m/s\n", end.t, position_error, speed_error);
  return conformance && position_error < bound && speed_error < bound ? 0 : 1;
}
