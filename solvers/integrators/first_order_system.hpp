#pragma once

// Internal: equations without constraint rows as integrators of other libraries take them.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <string>
#include <string_view>

namespace linkwork {

/// Equations without constraint rows as y' = f(t, y) with y = (p, v, r): p' is the position rate, v' the accelerations
/// of the linear solver, r' the rate of the states of elements. The solver must have analysed the equations.
class FirstOrderSystem {
 public:
  FirstOrderSystem(EquationsOfMotion& equations, LinearSolver& solver);

  /// Whether equations can be written so. @param method  for the message
  /// Failure: constraint rows, unknowns w or s.
  static Outcome takes(const EquationsOfMotion& equations, std::string_view method);

  Eigen::Index size() const { return size_of(equations_.dimensions()); }
  void copy_from_state(const State& state, Eigen::Ref<Eigen::VectorXd> y) const;
  /// p, v and r of the state, which get their sizes.
  void copy_to_state(const Eigen::Ref<const Eigen::VectorXd>& y, State& state) const;
  /// v' in y'.
  Eigen::Ref<const Eigen::VectorXd> accelerations(const Eigen::VectorXd& y_rate) const {
    return y_rate.segment(equations_.dimensions().p, equations_.dimensions().v);
  }

  /// y'. Allocates nothing after its first use.
  /// @throws RecoverableFailure where elements can't be evaluated, and for a singular mass matrix
  void rates(double t, const Eigen::Ref<const Eigen::VectorXd>& y, Eigen::Ref<Eigen::VectorXd> y_rate);

  /// An entry of y, for messages.
  std::string unknown_name(Eigen::Index i) const;

 private:
  static Eigen::Index size_of(const Dimensions& n) { return n.p + n.v + n.r; }

  EquationsOfMotion& equations_;
  LinearSolver& solver_;
  Eigen::VectorXd p_, v_, r_, p_rate_, v_rate_, lambda_;
};

}  // namespace linkwork
