#pragma once

// Internal: what integrators that go step by step have in common.

#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/jacobian/jacobian_options.hpp>
#include <linkwork/solvers/newton/error_weights.hpp>
#include <linkwork/solvers/newton/projection.hpp>
#include <linkwork/solvers/newton/solution_manifold.hpp>
#include <linkwork/solvers/newton/tolerances.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

/// The options that all such integrators have as members of their own and hand on as one value.
struct SteppingOptions {
  Tolerances tolerances;
  double maximum_step = 0;         ///< [s]; 0: none
  std::int64_t maximum_steps = 0;  ///< > 0
  bool consent_to_projection = false;
  DenseSelection dense = {};
  bool dense_output = true;
  bool keep_invariants = true;
  bool start_is_consistent = false;  ///< initial values are taken as they are

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

template <class Options>
SteppingOptions stepping_options(const Options& options) {
  return {options.tolerances(), options.maximum_step, options.maximum_steps,  options.consent_to_projection,
          options.dense,        options.dense_output, options.keep_invariants};
}

/// States, accounts, the projected start, the limits of steps, and dense output that is made when it is first asked
/// for.
class SteppingIntegrator : public Integrator {
 public:
  const State& state() const final { return state_; }
  const State& previous_state() const final { return previous_; }
  const DensePolynomial& dense(bool all) final;
  const IntegratorStatistics& statistics() const final { return statistics_; }
  const std::vector<StepRecord>& records() const final { return records_; }

 protected:
  explicit SteppingIntegrator(const SteppingOptions& options) : common_(options), tolerances_(options.tolerances) {}

  /// Spreads the tolerances over the components of a system.
  /// @param options  name of the options, for the messages
  /// @throws ModelError for tolerances and dense selections that don't fit the system
  void fit_to(const EquationsOfMotion& equations, std::string_view options);
  /// The start of an implicit method: takes over the system, projects the start and settles its accelerations and
  /// multipliers. What the start lacks is zero.
  /// @param begin  what the method makes of state_ then
  Outcome start_consistently(EquationsOfMotion& equations, LinearSolver& solver, const State& start,
                             const std::function<Outcome()>& begin);
  /// Projects the positions and velocities of state_, which the equations are at, with a record of it. The solution
  /// invariants have the levels that were given or held, or those of this state.
  Outcome project_start();
  /// Moves p and v (and s where it is an unknown) of the end of a step onto the constraints and the solution invariants
  /// that are kept, to rounding. Leaves the equations there.
  Outcome move_to_manifold(State& state);
  /// Whether there are invariants to be kept.
  bool keeps_invariants() const { return manifold_->has_invariants(); }
  /// move_to_manifold where there are.
  Outcome keep_invariants(State& state) { return keeps_invariants() ? move_to_manifold(state) : Outcome(); }
  /// At the state that was moved last: failure, for good, where an invariant is not conserved.
  Outcome invariants_conserved() const { return manifold_->conserved(); }

  /// Fails where the limit of steps is reached. Clears the records of the last step.
  Outcome begin_step();
  /// A step below this is lost in the rounding of time.
  double smallest_step(double t_limit) const;
  /// A share of the time that is left, for a first step; where that is lost in rounding, one that time can tell.
  double first_share(double share, double t_limit) const;
  /// A wish for a step, cut to the longest that is allowed.
  double limited(double wish) const;
  static std::string why_lost_in_rounding(double smallest);

  /// Counts of the present system's Jacobian, and all calls of F, `own` of them for the steps.
  void count_calls(const JacobianStatistics& jacobian, std::int64_t own);
  /// Forgets dense output: the last step is another one.
  void drop_dense() { dense_state_ = DenseState::none; }
  /// Makes dense output of every component now, for a step whose history will not be there any more.
  void keep_dense();
  /// The chosen components, or all of them.
  static std::vector<int> components(const std::optional<std::vector<int>>& chosen, bool all, Eigen::Index count);

  /// By component, once fit_to was called.
  const Tolerances& tolerances() const { return tolerances_; }
  const DenseSelection& dense_selection() const { return common_.dense; }

  EquationsOfMotion* equations_ = nullptr;
  LinearSolver* solver_ = nullptr;
  std::unique_ptr<Projection> projection_;
  ErrorWeights weights_;
  State state_, previous_;
  DensePolynomial dense_;
  IntegratorStatistics statistics_;
  IntegratorStatistics earlier_;  ///< of implicit methods: counts of the systems that were posed before the present one
  std::vector<StepRecord> records_;

 private:
  virtual bool has_stepped() const = 0;
  /// dense_ of the last step.
  virtual void build_dense(bool all) = 0;

  Outcome begin_invariants();

  SteppingOptions common_;
  Tolerances tolerances_;
  std::unique_ptr<SolutionManifold> manifold_;
  enum class DenseState { none, selected, full } dense_state_ = DenseState::none;
};

/// Reasons of users' functions may end with a full stop of their own.
inline std::string as_sentence(const std::string& reason) { return reason.ends_with('.') ? reason : reason + '.'; }

}  // namespace linkwork
