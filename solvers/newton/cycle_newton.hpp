#pragma once

#include <linkwork/solvers/newton/cycle_controller.hpp>
#include <linkwork/solvers/newton/dropped_solution.hpp>
#include <linkwork/solvers/newton/krylov_correction.hpp>
#include <linkwork/solvers/newton/simplified_newton.hpp>

#include <optional>

namespace linkwork {

/// Refresh cycles of three phases (DASSL+ 4.1): with new factors the iteration begins with those of which small entries
/// are dropped, goes on with the full ones, and then with GMRES that they precondition. It moves on where a phase
/// contracts too slowly, and only the last phase asks for a new matrix. Each phase can be left out; a cycle of one
/// phase is that corrector to the last bit.
///
/// With partitioned updates: a phase is moved on before an update is made, since it costs no factorisation, and any new
/// factors, those of an update too, begin a new cycle. A change of the leading coefficient, which asks for an update
/// else, sends a cycle with a Krylov phase there, as its products know the new coefficient; without one it is updated
/// as by simplified Newton. A Krylov phase whose factors are dated asks for an update.
///
/// Where it adapts, drop tolerance, phases and Krylov steps follow from counted work (CycleController), and a Krylov
/// phase ends as soon as a solution costs more than solutions do on the average, refreshes included: from there on
/// another matrix is cheaper, in whatever state the iteration is. A solution that does not converge ends what is more
/// than simplified Newton. With a schedule, they follow from that.
class CycleNewton final : public SimplifiedNewton {
 public:
  /// @throws ModelError as the correctors that it is made of
  CycleNewton(ResidualFunction& system, const StateLayout& layout, const JacobianOptions& jacobian,
              IterationSolver solver, const CorrectorOptions& options);

  std::string_view name() const override { return "cycle"; }
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override;
  bool can_improve(double t) const override {
    return has_next_phase() || can_take_all(t) || SimplifiedNewton::can_improve(t);
  }
  void begin(double t, double alpha) override;
  double leaves() const override;
  void observe(double contraction) override;
  void end(const CorrectorSolution& solution) override;
  bool renews(double alpha, bool has_changed) override;
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;
  const JacobianStatistics& jacobian_statistics() const override;
  CorrectorStatistics statistics() const override;

 private:
  void note_new_factors() override;
  void solve_in_phase(double alpha, Eigen::VectorXd& x) override;
  void solve_dropped(double alpha, Eigen::VectorXd& x);
  Outcome correct_by_krylov(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta);
  bool has(CorrectorPhase phase) const;
  CorrectorPhase phase_after(int phase) const;
  bool has_next_phase() const;
  bool can_take_all(double t) const;
  void move_on();
  CycleWork cycle_work() const { return {statistics_.work, refresh_work(), substitution_work()}; }
  bool is_plain() const { return !settings_.phases.dropped_lu && !settings_.phases.krylov; }

  CorrectorOptions options_;
  CycleSettings settings_;
  std::optional<CycleController> controller_;  // where it adapts
  DroppedSolution dropped_;
  std::optional<KrylovCorrection> krylov_;  // where there is such a phase
  double t_ = 0, factored_time_ = -1;       // of this solution, and of that in which the factors were made
  WorstContraction worst_contraction_;      // of dropped factors
  bool takes_all_ = false;                  // the full factors in their phase
  CycleWork work_at_begin_;                 // of this cycle
  double work_of_solution_ = 0;             // when it began
  std::int64_t converged_ = 0;              // solutions of this cycle
  bool wants_refresh_ = false, is_dated_ = false;
  mutable JacobianStatistics jacobian_statistics_;
};

}  // namespace linkwork
