// Equations of motion of your own: a bead on a circular wire, in the coordinates x and y.
//
// To pose another system, copy the class: give the dimensions, M, G, f, g and gamma, and check_equations tells whether
// they fit each other: here it finds two mistakes that cost the sign of a term. A run looks at the same before it
// starts, at one point and along one direction.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

using namespace linkwork;

enum class Mistake { none, gamma_has_the_wrong_sign, one_derivative_is_forgotten };

///   m (x'', y'') = (0, -m g) - G^T lambda,   0 = x^2 + y^2 - R^2,   G = (2 x, 2 y),   gamma = -2 (x'^2 + y'^2)
class BeadOnCircle final : public EquationsOfMotion {
 public:
  static constexpr double mass = 0.2, radius = 0.5, gravity = 9.81;  // [kg], [m], [m/s^2]

  explicit BeadOnCircle(Mistake mistake = Mistake::none)
      : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1}), mistake_(mistake) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }

  std::string model_name() const override { return "bead on a circle"; }
  /// At rest, on the level of the centre.
  State initial_state() const override {
    State state = EquationsOfMotion::initial_state();
    state.p << radius, 0;
    return state;
  }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = M.values(0)[3] = mass; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.values(0)[0] = 2 * position()[0];
    G.values(0)[1] = mistake_ == Mistake::one_derivative_is_forgotten ? 0 : 2 * position()[1];
    offset.setZero();  // the wire stands still
  }
  void do_g(Eigen::VectorXd& g) override { g[0] = position().squaredNorm() - radius * radius; }
  void do_f(Eigen::VectorXd& f) override { f << 0, -mass * gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override {
    gamma[0] = (mistake_ == Mistake::gamma_has_the_wrong_sign ? 2 : -2) * velocity().squaredNorm();
  }

  Mistake mistake_;
};

/// Whether exactly the function is found wrong that is.
bool finds(Mistake mistake, const std::string& function) {
  BeadOnCircle bead(mistake);
  const ConformanceReport report = check_equations(bead);
  std::fputs(report.summary().c_str(), stdout);
  return !report && report.failures().front().function == function;
}

/// Whether a run with the mistake is refused before it starts.
bool is_refused(Mistake mistake) {
  try {
    Simulation(std::make_unique<BeadOnCircle>(mistake)).run(0, 1);
  } catch (const std::exception& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  }
  return false;
}

int main() {
  BeadOnCircle bead;
  const ConformanceReport conformance = check_equations(bead);
  std::fputs(conformance.summary().c_str(), stdout);

  bool mistakes_are_found = true;
  for (const auto& [mistake, function] :
       {std::pair{Mistake::gamma_has_the_wrong_sign, "do_gamma"}, {Mistake::one_derivative_is_forgotten, "do_G"}})
    mistakes_are_found = mistakes_are_found && finds(mistake, function) && is_refused(mistake);

  // What it has fallen by is found in its speed: v^2 = 2 g depth.
  Simulation simulation(std::make_unique<BeadOnCircle>(),
                        {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  const State end = simulation.run(0, 0.3).final_state();
  const double error = std::abs(end.v.norm() - std::sqrt(-2 * BeadOnCircle::gravity * end.p[1]));
  std::printf("bead after %.1f s: %.3f m deep, speed off by %.1e m/s\n", end.t, -end.p[1], error);

  const double bound = 1e-7;  // some twenty steps of 1e-9 each, at 3 m/s
  return conformance && mistakes_are_found && end.p[1] < 0 && error < bound ? 0 : 1;
}
