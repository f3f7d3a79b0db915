#pragma once

#include <linkwork/solvers/dae/state_layout.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/corrector.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <cstdint>
#include <memory>

namespace linkwork {

class BackgroundWorker;
class CorrectorInstruments;

/// Simplified Newton: one factored matrix for many iterations and steps (CORR 14), kept up to date by the cheapest
/// means (Jacobian). The base of correctors that do something with these factors.
class SimplifiedNewton : public Corrector {
 public:
  /// @param layout  of the system's first unknowns
  /// @throws ModelError as Jacobian and make_iteration_matrix
  SimplifiedNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
                   IterationSolver solver, const CorrectorOptions& options = {});
  ~SimplifiedNewton() override;

  std::string_view name() const override { return "simplified"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override;
  std::string why_singular() const override { return factors_ ? factors_->why_singular(system_) : ""; }
  bool can_improve(double t) const override { return is_pending_ || jacobian_.can_improve(t); }
  double alpha() const override { return alpha_; }
  void forget() override;
  bool updates_in_parts() const override { return jacobian_.options().partitioned != PartitionedUpdates::off; }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;
  void observe(double contraction) override;
  void begin(double t, double alpha) override;
  void end(const CorrectorSolution& solution) override;
  bool renews(double alpha, bool has_changed) override;
  const SparseMatrix* matrix() const override { return &jacobian_.matrix(); }
  const JacobianStatistics& jacobian_statistics() const override { return jacobian_.statistics(); }
  std::int64_t factorizations() const override;
  CorrectorStatistics statistics() const override { return statistics_; }

 protected:
  /// x := J~^-1 x with the factors, for a leading coefficient that may be another one by now.
  void solve(double alpha, Eigen::VectorXd& x);
  /// The same by what solves with the factors: dropped ones, say.
  template <class Solve>
  void solve_by(double alpha, Eigen::VectorXd& x, Solve&& solve);
  /// x := J~^-1 x by what solves with a matrix of the coefficient `of_matrix`, in a step with another one.
  template <class Solve>
  static void solve_matched(StepSizeMatching matching, const StateLayout& at, double of_matrix, double alpha,
                            Eigen::VectorXd& x, Solve&& solve);
  /// Takes from a full matrix the one that `solve` solves with, whose factors are those of A.
  void subtract_matched(double alpha, const Eigen::MatrixXd& A, Eigen::MatrixXd& from) const;
  bool is_pending() const { return is_pending_; }
  /// x := x solved as the corrections of the present phase are, as far as they are linear: for the instruments.
  virtual void solve_in_phase(double alpha, Eigen::VectorXd& x) { solve(alpha, x); }
  /// Factors the present Jacobian, at once.
  Outcome factor_here(const JacobianPoint& point);
  /// There are other factors than before.
  virtual void note_new_factors() {}
  /// Each correction begins with this.
  void begin_correction(CorrectorPhase phase, const JacobianPoint& point, const Eigen::VectorXd& F);
  /// Work [multiply-adds] where somebody counts it.
  void add_work(double multiply_adds) { statistics_.work += multiply_adds; }
  void add_substitution(double multiply_adds);
  // Of this work: by refreshes and by substitutions.
  double refresh_work() const { return refresh_work_; }
  double substitution_work() const { return substitution_work_; }
  void count_work() { counts_work_ = true; }
  bool counts_work() const { return counts_work_; }
  double evaluation_work() const { return evaluation_work_; }
  double seconds_since(double start) const;
  double now() const;

  ResidualFunction& system_;
  StateLayout at_;
  Jacobian jacobian_;
  std::unique_ptr<IterationMatrix> factors_;  // made with the first matrix
  CorrectorStatistics statistics_;
  CorrectorPhase phase_ = CorrectorPhase::simplified;         // in which the next correction is made
  CorrectorPhase corrected_in_ = CorrectorPhase::simplified;  // and the last one was

 private:
  void factor_beside(const JacobianPoint& point);
  Outcome take_pending();
  void take_factors(double alpha);

  IterationSolver solver_;
  StepSizeMatching matching_;
  int delay_;
  bool measures_times_, counts_work_ = false;
  double evaluation_work_;  // of F
  double work_before_ = 0;  // at the begin of a solution
  double refresh_work_ = 0, substitution_work_ = 0;
  std::int64_t jacobian_calls_before_ = 0;
  std::unique_ptr<CorrectorInstruments> instruments_;  // where they are asked for
  double alpha_ = 0;
  // On the second thread.
  std::unique_ptr<BackgroundWorker> worker_;  // made with the first matrix that it gets
  std::unique_ptr<IterationMatrix> next_factors_;
  SparseMatrix next_matrix_;
  double next_alpha_ = 0;
  std::int64_t due_ = 0;  // by the count of solutions
  bool is_pending_ = false, wants_ahead_ = false;
};

template <class Solve>
void SimplifiedNewton::solve_by(double alpha, Eigen::VectorXd& x, Solve&& solve) {
  solve_matched(matching_, at_, alpha_, alpha, x, solve);
}

/// A matrix of another coefficient solves for other components than those that have derivatives as well as its own
/// does, when their equations are divided by the factor c of CORR (18) and the solutions of all but the multipliers are
/// multiplied by it: M alpha is then exact in the mean of the ratio, and constraints are closed at once.
template <class Solve>
void SimplifiedNewton::solve_matched(StepSizeMatching matching, const StateLayout& at, double of_matrix, double alpha,
                                     Eigen::VectorXd& x, Solve&& solve) {
  switch (matching) {
    case StepSizeMatching::mean: {
      const double c = 2 / (1 + alpha / of_matrix);
      x.tail(x.size() - at.differential()) /= c;
      solve(x);
      x.head(at.lambda) *= c;
      break;
    }
    case StepSizeMatching::rows:
      x.head(at.differential()) *= of_matrix / alpha;
      solve(x);
      break;
    case StepSizeMatching::none:
      solve(x);
      break;
  }
}

}  // namespace linkwork
