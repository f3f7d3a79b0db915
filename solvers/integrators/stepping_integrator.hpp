#pragma once

#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

class Projection;
class SolutionManifold;

/// The options that all such integrators have as members of their own and hand on as one value.
struct SteppingOptions {
  Tolerances tolerances = {};
  double maximum_step = 0;               ///< [s]; 0: none
  std::int64_t maximum_steps = 1000000;  ///< > 0
  bool consent_to_projection = false;    ///< accept initial values that are more than 100 atol off the constraints
  DenseSelection dense = {};
  bool dense_output = true;
  bool keep_invariants = true;       ///< move the end of every step onto the solution invariants
  bool start_is_consistent = false;  ///< initial values are taken as they are

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

template <class Options>
SteppingOptions stepping_options(const Options& options) {
  return {options.tolerances(), options.maximum_step, options.maximum_steps,  options.consent_to_projection,
          options.dense,        options.dense_output, options.keep_invariants};
}

/// How the attempts at a step follow each other.
struct StepRules {
  double stretch = 1 + 1e-6;       ///< a step that times this ends behind the limit ends at it
  bool halves_before_end = false;  ///< no step is left shorter than half of the one before: the last two are equal
  int most_errors = std::numeric_limits<int>::max();    ///< attempts in one step with errors too large
  int most_failures = std::numeric_limits<int>::max();  ///< attempts in one step that could not be computed
};

/// Where an attempt at a step leads to.
struct StepEnd {
  double t = 0, h = 0;   ///< [s]
  bool is_last = false;  ///< the limit that was asked for: it can end nowhere else
};

/// What an attempt has come to.
enum class Verdict {
  accepted,
  large_error,  ///< it was computed, and does not pass a test
  failure,      ///< it could not be computed
  hopeless      ///< nor can any other step from here: the reason in its record ends the run
};

/// p', v' and r' at a state.
struct StateRates {
  Eigen::VectorXd p, v, r;
};

/// The base of integrators that go step by step: it attempts a step, repeats it shorter where it fails, and keeps the
/// states, the accounts, the limits of steps, and dense output that is made when it is first asked for. A method gives
/// its attempt, what becomes of an accepted one, the next step, and what it interpolates.
class SteppingIntegrator : public Integrator {
 public:
  ~SteppingIntegrator() override;

  Tolerances tolerances() const final { return common_.tolerances; }
  double reach() const final;
  bool keeps_invariants() const final { return common_.keep_invariants; }
  void tighten(double share) final { share_of_tolerances_ = share; }
  void keep_dense_output(bool wanted) final { common_.dense_output = wanted; }

  void begin_with_step(double h) final { step_ = h; }
  Outcome step(double t_limit) final;
  const State& state() const final { return state_; }
  const State& previous_state() const final { return previous_; }
  const DensePolynomial& dense(bool all) final;
  const IntegratorStatistics& statistics() const final { return statistics_; }
  const std::vector<StepRecord>& records() const final { return records_; }

 protected:
  explicit SteppingIntegrator(const SteppingOptions& options, const StepRules& rules = {});
  /// Whether errors are controlled by a part of the tolerances: independent coordinates stand for others then.
  bool is_tightened() const { return share_of_tolerances_ != 1; }

  // -------------------------------------------------------------------------------------------- the start

  /// Takes over a system: spreads the tolerances over its components, projects the start and settles its accelerations
  /// and multipliers. What the start lacks is zero. state_ is the start then, and so is previous_.
  /// @param begin  what the method makes of state_
  /// @throws ModelError for tolerances and dense selections that don't fit the system
  Outcome start_consistently(EquationsOfMotion& equations, LinearSolver& solver, const State& start,
                             const std::function<Outcome()>& begin);
  /// The parts of it, for methods that settle accelerations by themselves.
  void take_over(EquationsOfMotion& equations, LinearSolver& solver, const State& start);
  /// Projects the positions and velocities of state_, which the equations are at, with a record of it. The solution
  /// invariants have the levels that were given or held, or those of this state.
  Outcome project_start();

  // -------------------------------------------------------------------------------------------- what a method gives

  /// Its options by name, for messages.
  virtual std::string_view options_name() const = 0;
  /// The first step where none was given [s].
  virtual double first_step(double t_limit) = 0;
  /// Before the first attempt of every step.
  virtual void begin_attempts() {}
  /// Computes and tests a step from state_ to an end, and writes into records_.back() what came of it: error, order,
  /// and the reason where it is not accepted. A RecoverableFailure that it throws is a Verdict::failure.
  virtual Verdict attempt(const StepEnd& end) = 0;
  /// Makes the accepted attempt the last step, state_ its end and previous_ its start, and chooses step_.
  virtual Outcome accept(double h) = 0;
  /// Chooses step_ after an attempt that was not accepted. Default: a quarter of it where it could not be computed,
  /// else what its error and order ask for.
  /// @param attempts  of this step that failed so far
  virtual void reject(double h, Verdict verdict, int attempts);
  /// dense_ of the last step.
  virtual void build_dense(bool all) = 0;
  /// Whether there has been a step since the start.
  virtual bool has_stepped() const = 0;

  // For messages: what limits the last steps, sentences that begin with a space; "" for nothing.
  virtual std::string limiting_component() const { return "no component"; }
  /// What happens where the attempts fail, and what to do.
  virtual std::string explanation() { return ""; }
  /// Why the last attempt failed.
  virtual std::string last_reason();
  /// What has kept the last steps so short.
  virtual std::string why_so_short();

  // -------------------------------------------------------------------------------------------- what it has at hand

  /// A step below this is lost in the rounding of time.
  double smallest_step(double t_limit) const;
  /// A share of the time that is left, for a first step; where that is lost in rounding, one that time can tell.
  double first_share(double share, double t_limit) const;
  /// A wish for a step, cut to the longest that is allowed.
  double limited(double wish) const;
  /// The step that should have an error of 0.9 tolerances, at most `largest` times and at least a fifth of h.
  /// @param order  the power of h that the error goes with
  static double step_for(double h, double error, double order, double largest = 5);

  /// The rates at a state whose p, v and r are given, with w, a and lambda by the way: what an explicit method needs to
  /// know of a mechanism. The equations are at it then.
  /// Failure: a singular matrix. @throws RecoverableFailure where elements can't be evaluated
  Outcome find_rates(State& state, StateRates& rates);
  /// Root mean square of the differences of p, v and r of two states, in tolerances.
  double distance_in_tolerances(const State& a, const State& b);
  /// dense_ of all components by what is known at both ends of the last step: cubic for p, v and r, which is of order
  /// 3, and linear for a and lambda.
  void interpolate_by_rates(const StateRates& at_begin, const StateRates& at_end);

  /// Moves p and v (and s where it is an unknown) of the end of a step onto the constraints and the solution invariants
  /// that are kept, to rounding. Leaves the equations there.
  Outcome move_to_manifold(State& state);
  /// Whether there are invariants, and they are kept.
  bool has_kept_invariants() const;
  /// move_to_manifold where there are.
  Outcome keep_invariants(State& state) { return has_kept_invariants() ? move_to_manifold(state) : Outcome(); }
  /// At the state that was moved last: failure, for good, where an invariant is not conserved.
  Outcome invariants_conserved() const;

  /// Forgets dense output: the last step is another one.
  void drop_dense() { dense_state_ = DenseState::none; }
  /// Makes dense output of every component now, for a step whose history will not be there any more.
  void keep_dense();
  /// Whether values inside of steps are asked for.
  bool has_dense_output() const { return common_.dense_output; }
  /// The chosen components, or all of them.
  static std::vector<int> components(const std::optional<std::vector<int>>& chosen, bool all, Eigen::Index count);
  const DenseSelection& dense_selection() const { return common_.dense; }

  /// By component, once a system was taken over.
  const Tolerances& component_tolerances() const { return tolerances_; }

  EquationsOfMotion* equations_ = nullptr;
  LinearSolver* solver_ = nullptr;
  std::unique_ptr<Projection> projection_;
  ErrorWeights weights_;
  State state_, previous_;
  DensePolynomial dense_;
  IntegratorStatistics statistics_;
  std::vector<StepRecord> records_;
  double step_ = 0;        ///< the next one, a wish [s]; 0: not chosen yet
  double usual_step_ = 0;  ///< how long steps were before they were cut [s]; forgotten slowly

 private:
  Outcome begin_invariants();
  std::string why_too_small(double h, double smallest, double t_limit);
  Verdict try_attempt(const StepEnd& end);

  SteppingOptions common_;
  double share_of_tolerances_ = 1;
  StepRules rules_;
  Tolerances tolerances_;
  double t_start_ = 0;
  std::unique_ptr<SolutionManifold> manifold_;
  enum class DenseState { none, selected, full } dense_state_ = DenseState::none;
};

}  // namespace linkwork
