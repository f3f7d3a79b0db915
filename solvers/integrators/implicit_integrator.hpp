#pragma once

// Internal: what the implicit methods have in common.

#include <linkwork/solvers/dae/independent_rows.hpp>
#include <linkwork/solvers/dae/unknown_weights.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>
#include <linkwork/solvers/jacobian/jacobian_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// The base of implicit methods, which pose a system F(t, y, y') = 0 and solve it by Newton's iteration. It owns which
/// constraint rows are independent, when a system is posed anew, and the accounts of all the systems of a run.
class ImplicitIntegrator : public SteppingIntegrator {
 public:
  bool carries_auxiliary() const final { return true; }
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) final;

 protected:
  using SteppingIntegrator::SteppingIntegrator;

  /// Poses the system of the present equations in which rows that depend on others are left out, with its Jacobian,
  /// Newton's iteration and weights.
  virtual Outcome make_system(const std::vector<int>& redundant_rows) = 0;
  /// A new run, or a restart after an event.
  virtual void begin_run() {}
  /// From state_ on, without a step before it.
  virtual void begin_from_state() = 0;
  /// Of the present system, its calls of F for derivatives among them.
  virtual const JacobianStatistics& jacobian_statistics() const = 0;
  virtual CorrectorStatistics corrector_statistics() const { return {}; }
  /// Adds what else the present system has counted to the sums of all.
  virtual void count_own(IntegratorStatistics& sums) const = 0;

  /// Sums the counts of this system and of those before it.
  void take_counts();
  /// Rows that are left out must stay closed beside the others; at the equations' state.
  Outcome rows_agree();
  /// Of the rows that are kept.
  int chosen_rank() const;
  /// A sentence about the last accepted state, where the constraints have nearly lost rank (see singular_position.hpp).
  std::string why_near_singular();
  std::string why_so_short() override { return SteppingIntegrator::why_so_short() + why_near_singular(); }
  /// Other rows are independent now, and their multipliers are others: the method begins anew at state_. Rows that
  /// nothing has kept so far are closed, or the first step would have an error of their size, however short it is.
  Outcome renew_rows();

  std::optional<IndependentRows> independent_;  ///< where constraints are redundant
  UnknownWeights unknown_weights_;
  std::int64_t own_function_calls_ = 0;  ///< of F of the present system, those of its parts left out

 private:
  Outcome pose_system();
  std::vector<int> redundant_rows() const;

  const EquationsOfMotion* posed_for_ = nullptr;
  IntegratorStatistics earlier_;  // counts of the systems before the present one
};

}  // namespace linkwork
