#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

namespace linkwork::test {

/// A particle on a line, m x'' = F(t, x, v). Observables: x, v, a.
class Particle : public EquationsOfMotion {
 public:
  using Force = std::function<double(double t, double x, double v)>;
  Particle(double x, double v, Force force, double mass = 1)
      : EquationsOfMotion({.p = 1, .v = 1}), mass_(mass), x_(x), v_(v), force_(std::move(force)) {
    element_force = force_;
    M_.add_block(0, 0, 1, 1);
  }
  std::string model_name() const override { return "particle"; }
  std::string position_name(int) const override { return "x"; }
  std::string velocity_name(int) const override { return "v"; }
  std::vector<std::string> observable_names() const override { return {"x", "v", "a"}; }
  void observables(const State& state, Eigen::VectorXd& values) override {
    values = Eigen::Vector3d(state.p[0], state.v[0], state.a[0]);
  }
  State initial_state() const override {
    State out = EquationsOfMotion::initial_state();
    out.p[0] = x_;
    out.v[0] = v_;
    return out;
  }
  /// Potential energy, of gravity or stored in elements.
  std::function<double(double x)> gravity_potential = [](double) { return 0.0; }, storage = [](double) { return 0.0; };
  /// Force of elements, whose power is reported; gravity is left out.
  Force element_force;
  Energies energies() override {
    Energies out;
    out.kinetic = 0.5 * mass_ * velocity()[0] * velocity()[0];
    out.element_storage = storage(position()[0]);
    out.potential = gravity_potential(position()[0]) + out.element_storage;
    return out;
  }
  double element_power() override { return element_force(time(), position()[0], velocity()[0]) * velocity()[0]; }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = mass_; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = force_(time(), position()[0], velocity()[0]); }
  void do_gamma(Eigen::VectorXd&) override {}

  double mass_, x_, v_;
  Force force_;
};

constexpr double gravity = 10;

inline std::unique_ptr<Particle> falling_ball(double height) {
  auto ball = std::make_unique<Particle>(height, 0, [](double, double, double) { return -gravity; });
  ball->gravity_potential = [](double x) { return gravity * x; };
  ball->element_force = [](double, double, double) { return 0.0; };
  return ball;
}

/// x = cos t.
inline std::unique_ptr<Particle> oscillator() {
  auto out = std::make_unique<Particle>(1, 0, [](double, double x, double) { return -x; });
  out->storage = [](double x) { return 0.5 * x * x; };
  return out;
}

inline std::unique_ptr<Particle> free_particle(double x, double v) {
  return std::make_unique<Particle>(x, v, [](double, double, double) { return 0.0; });
}

/// Pendulum of mass 1 and length 1 in Cartesian coordinates, let go at rest from the horizontal.
///   g = (x^2 + y^2 - 1) / 2;  at the angle phi from the vertical lambda = 3 gravity cos(phi)
class Pendulum : public EquationsOfMotion {
 public:
  explicit Pendulum(double x = 1) : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1}), x_(x) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }
  std::string model_name() const override { return "pendulum"; }
  State initial_state() const override {
    State out = EquationsOfMotion::initial_state();
    out.p[0] = x_;
    return out;
  }
  Energies energies() override {
    Energies out;
    out.kinetic = 0.5 * velocity().squaredNorm();
    out.potential = gravity * position()[1];
    return out;
  }
  double element_power() override { return 0; }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = M.values(0)[3] = 1; }
  void do_G(BlockMatrix& G, Eigen::VectorXd&) override { std::copy_n(position().data(), 2, G.values(0)); }
  void do_g(Eigen::VectorXd& g) override { g[0] = (position().squaredNorm() - 1) / 2; }
  void do_f(Eigen::VectorXd& f) override { f << 0, -gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = -velocity().squaredNorm(); }

  double x_;
};

/// An integrator whose steps are known: p' = v = constant, steps of a given size.
class StraightLine final : public Integrator {
 public:
  explicit StraightLine(double step, int* dense_calls = nullptr) : size_(step), dense_calls_(dense_calls) {}
  std::string_view name() const override { return "straight line"; }
  Outcome initialize(EquationsOfMotion&, LinearSolver&, const State& start) override {
    state_ = previous_ = start;
    return {};
  }
  Outcome step(double t_limit) override {
    previous_ = state_;
    state_.t = std::min(previous_.t + size_, t_limit);
    state_.p = previous_.p + (state_.t - previous_.t) * state_.v;
    ++statistics_.steps;
    return {};
  }
  const State& state() const override { return state_; }
  const State& previous_state() const override { return previous_; }
  const DensePolynomial& dense(bool) override {
    if (dense_calls_) ++*dense_calls_;
    const double length = state_.t - previous_.t;
    dense_.t_begin = previous_.t;
    dense_.t_end = state_.t;
    Eigen::MatrixXd left(1, 2), right(1, 2);
    left << previous_.p, length * state_.v;
    right << state_.p, length * state_.v;
    dense_.p = {{0}, 2, hermite_coefficients(left, right)};
    dense_.v = {{0}, 1, hermite_coefficients(state_.v, state_.v)};
    dense_.a = {{0}, 1, Eigen::MatrixXd::Zero(1, 2)};
    return dense_;
  }
  const IntegratorStatistics& statistics() const override { return statistics_; }
  const std::vector<StepRecord>& records() const override { return records_; }

 private:
  double size_;
  int* dense_calls_;
  State state_, previous_;
  DensePolynomial dense_;
  IntegratorStatistics statistics_;
  std::vector<StepRecord> records_;
};

inline SimulationOptions straight_line(double step, int* dense_calls = nullptr) {
  return {.integrator = IntegratorFactory([=] { return std::make_unique<StraightLine>(step, dense_calls); })};
}

inline SimulationOptions with_tolerance(double tolerance) {
  return {.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}};
}

inline Event position_event(std::string name, double x) {
  Event event;
  event.name = std::move(name);
  event.function = [x](const State& state, EquationsOfMotion&) { return state.p[0] - x; };
  return event;
}

}  // namespace linkwork::test
