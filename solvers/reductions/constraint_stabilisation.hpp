#pragma once

#include <linkwork/solvers/reductions/reduced_equations.hpp>

#include <string>

namespace linkwork {

/// All coordinates, and violations of the constraints damped as a controller would (Baumgarte; REDUCE 3):
///
///   G v' = gamma - 2 alpha (G v + offset) - beta^2 g        nonholonomic rows: gamma - alpha (H v + offset)
///
/// With beta = alpha a violation g0 at rest dies as (1 + alpha t) exp(-alpha t) g0.
class ConstraintStabilisation : public ReducedEquations {
 public:
  ConstraintStabilisation(EquationsOfMotion& full, LinearSolver& solver, const ReductionOptions& options)
      : ReducedEquations(full, solver, options), alpha_(options.alpha) {}

  Outcome begin(const State& full) override;
  Outcome accept(State& full, double h, ReductionChange& change) override;
  std::string why_steps_are_short(double h) const override;

  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override { full_.normalise(near, p); }
  std::string position_name(int i) const override { return full_.position_name(i); }
  std::string velocity_name(int i) const override { return full_.velocity_name(i); }
  Measure position_measure(int i) const override { return full_.position_measure(i); }
  Measure velocity_measure(int i) const override { return full_.velocity_measure(i); }
  bool is_dependent_position(int i) const override { return full_.is_dependent_position(i); }
  bool is_dependent_velocity(int i) const override { return full_.is_dependent_velocity(i); }

 protected:
  void find_position(double, const Eigen::VectorXd& q, Eigen::VectorXd& p) override { p = q; }
  void find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const override { v = x; }
  void find_rest_velocity(Eigen::VectorXd& v) const override { v.setZero(full_.dimensions().v); }
  const Eigen::VectorXd* acceleration_correction() override;

 private:
  void adapt_damping(double h);
  void independent_position(const Eigen::VectorXd& p, Eigen::VectorXd& q) const final { q = p; }
  void independent_velocity(const Eigen::VectorXd& v, Eigen::VectorXd& w) const final { w = v; }
  void independent_rate(const Eigen::VectorXd& p_rate, Eigen::VectorXd& q_rate) const final { q_rate = p_rate; }
  void independent_acceleration(const Eigen::VectorXd& a, Eigen::VectorXd& rate) final { rate = a; }

  double alpha_, longest_step_ = 0;
  int steps_since_growth_ = 0;  // by a half
  Eigen::VectorXd correction_;
};

}  // namespace linkwork
