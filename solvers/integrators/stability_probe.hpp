#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <cmath>

namespace linkwork {

/// The fastest rate of a system linearised along its motion, by the power method: one evaluation of the equations
/// beside an accepted state at a time. Explicit steps longer than a few of its inverses grow errors, whatever the
/// tolerance.
class StabilityProbe {
 public:
  StabilityProbe(EquationsOfMotion& equations, LinearSolver& solver) : equations_(equations), solver_(solver) {}

  /// @param state  with its a; the equations are left beside it
  void look(const State& state);
  /// [1/s]; 0 as long as it is not known
  double fastest_rate() const { return fastest_rate_; }

 private:
  /// Neighbours of a state differ in position, velocity and r along these; positions by Z times theirs.
  struct Direction {
    Eigen::VectorXd p, v, r;
    double size() const { return std::sqrt(p.squaredNorm() + v.squaredNorm() + r.squaredNorm()); }
    void divide(double by);
  };

  EquationsOfMotion& equations_;
  LinearSolver& solver_;
  Direction direction_, image_;
  State beside_;
  double last_growth_ = 0, fastest_rate_ = 0;
};

}  // namespace linkwork
