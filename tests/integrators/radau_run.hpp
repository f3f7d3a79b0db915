#pragma once

// How the tests of radau run equations, and the pendulum of GEOMS, example 2.8.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/radau.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

namespace linkwork::test {

/// Point mass 1 on a circle of radius 1 (GEOMS 13), gravity 13.75, hanging at the start with a horizontal velocity.
class PaperPendulum : public EquationsOfMotion {
 public:
  static constexpr double gravity = 13.75;
  explicit PaperPendulum(double v0) : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1}), v0_(v0) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 0, -1;
    s.v << v0_, 0;
    return s;
  }
  std::string constraint_name(int) const override { return "circle"; }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[3] = 1; }
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.data()[0] = 2 * position()[0];
    G.data()[1] = 2 * position()[1];
    offset[0] = 0;
  }
  void do_g(Eigen::VectorXd& g) override { g[0] = position().squaredNorm() - 1; }
  void do_f(Eigen::VectorXd& f) override { f << 0, -gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = -2 * velocity().squaredNorm(); }
  double v0_;
};

/// The same pendulum in its angle, by 80,000 steps of the classical Runge-Kutta method per second: error below 1e-13.
inline State paper_pendulum_at(double v0, double t) {
  const int n = static_cast<int>(std::ceil(80000 * t)) + 1;
  const double h = t / n, g = PaperPendulum::gravity;
  const auto acceleration = [g](double x) { return -g * std::sin(x); };
  double angle = 0, rate = v0;
  for (int i = 0; i < n; ++i) {
    const double k1 = rate, m1 = acceleration(angle);
    const double k2 = rate + h / 2 * m1, m2 = acceleration(angle + h / 2 * k1);
    const double k3 = rate + h / 2 * m2, m3 = acceleration(angle + h / 2 * k2);
    const double k4 = rate + h * m3, m4 = acceleration(angle + h * k3);
    angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (m1 + 2 * m2 + 2 * m3 + m4);
  }
  State out;
  out.t = t;
  out.p = Eigen::Vector2d(std::sin(angle), -std::cos(angle));
  out.v = Eigen::Vector2d(rate * std::cos(angle), rate * std::sin(angle));
  out.lambda = Eigen::VectorXd::Constant(1, (rate * rate + g * std::cos(angle)) / 2);
  return out;
}

struct RadauRun {
  State end;
  IntegratorStatistics statistics;
  std::string failure;  ///< "" where the run went through
};

/// Runs from the initial state of the equations to t_end.
/// @param watch  called at every accepted step
inline RadauRun run_radau(EquationsOfMotion& equations, const RadauOptions& options, double t_end,
                          const std::function<void(Integrator&)>& watch = {}) {
  const auto solver = make_linear_solver("auto", equations, equations.forces_read_multipliers());
  if (Outcome analysed = solver->analyze(equations); !analysed) return {{}, {}, analysed.reason()};
  const auto integrator = make_integrator(options);
  RadauRun run;
  Outcome outcome = integrator->initialize(equations, *solver, equations.initial_state());
  while (outcome && integrator->state().t < t_end) {
    outcome = integrator->step(t_end);
    if (outcome && watch) watch(*integrator);
  }
  if (!outcome) run.failure = outcome.reason();
  run.end = integrator->state();
  run.statistics = integrator->statistics();
  return run;
}

/// Largest residual of the three levels of constraints at the integrator's state.
inline double constraint_levels(EquationsOfMotion& e, const State& state) {
  e.set(state);
  Eigen::VectorXd hidden = -e.gamma();
  e.G().multiply_add(1.0, state.a, hidden);
  const auto largest = [](const Eigen::VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; };
  return std::max({largest(e.g()), largest(e.velocity_residual()), largest(hidden)});
}

}  // namespace linkwork::test
