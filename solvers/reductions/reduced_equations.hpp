#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/reductions/reduction_options.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>

namespace linkwork {

/// What an accepted step has changed.
struct ReductionChange {
  bool state = false;        ///< the end of the step was corrected
  bool coordinates = false;  ///< independent coordinates are others from here on
  explicit operator bool() const { return state || coordinates; }
};

/// Equations without constraints that have the motions of full equations with constraints (REDUCE): q' = Z w + z0,
/// w' = acceleration, of independent coordinates q and velocities w. Accelerations and multipliers come from the linear
/// solver of the full equations, so that whatever these can have is there: massless bodies, redundant rows, forces that
/// read reactions. Mass matrix 1, no rows; states r are those of the full equations; auxiliary unknowns are eliminated.
///
/// The choice of coordinates changes at ends of steps only (accept): within a step dependent values are functions of
/// (t, q, w) alone, whatever was evaluated before.
class ReducedEquations : public EquationsOfMotion {
 public:
  /// @param full, solver  outlive this object; the solver has analysed the equations
  ReducedEquations(EquationsOfMotion& full, LinearSolver& solver, const ReductionOptions& options);
  ~ReducedEquations() override;

  /// Chooses independent coordinates at a full state that satisfies the constraints.
  /// Failure: there are none to choose; the message names what is wrong
  virtual Outcome begin(const State& full) = 0;
  /// The end of an accepted step: may be corrected, and other coordinates chosen there. Counts both.
  /// @param full  the end, with accelerations and multipliers; changed where it is corrected
  /// @param h     of the step [s]
  virtual Outcome accept(State& full, double h, ReductionChange& change) = 0;

  /// Where the reduction itself may have kept steps of explicit methods short: a sentence for the message of a run that
  /// failed, else "".
  /// @param h  of the last step [s]
  virtual std::string why_steps_are_short(double /*h*/) const { return ""; }

  /// t, p, v and r of the independent coordinates that a full state has.
  State reduced(const State& full);
  /// The full state of independent coordinates, without accelerations and multipliers. The full equations are at it.
  /// @throws RecoverableFailure where dependent coordinates can't be found
  void expand(const State& independent, State& full);
  /// Makes all that was computed stale: somebody else has used the full equations.
  void forget_point() { set_position(time(), Eigen::VectorXd(position())); }

  /// Velocities of the full equations for each independent one, n_v x n_w, at the current point: N of v = N w + v0.
  Eigen::MatrixXd directions();
  /// The masses of independent velocities N^T M N (REDUCE (2.2.9), (6.3.14)), at the current point. Accelerations don't
  /// need them here.
  Eigen::MatrixXd reduced_mass();
  /// N^T (f - M v'), v' the full acceleration at w' = 0: w' = reduced_mass()^-1 reduced_force().
  Eigen::VectorXd reduced_force();

  Energies energies() override;
  double element_power() override;
  ConstraintResidual constraint_residual() override;

  std::int64_t choices() const { return choices_; }          ///< of independent coordinates
  std::int64_t corrections() const { return corrections_; }  ///< iterations of Newton's method at ends of steps
  std::int64_t closures() const { return closures_; }        ///< and within steps, for dependent coordinates

  std::string model_name() const override { return full_.model_name(); }
  std::string space_name() const override { return full_.space_name(); }
  std::string formulation_name() const override { return full_.formulation_name(); }
  std::string state_name(int i) const override { return full_.state_name(i); }
  double characteristic_length() const override { return full_.characteristic_length(); }

 protected:
  /// Numbers of independent positions and velocities, and of norms among the positions.
  void set_independent(int positions, int velocities, int norms = 0);

  // What a method gives. What it reads of the full equations is at the full position, and where velocities are asked
  // for at the full velocity.
  /// p of q, from where the step began. @throws RecoverableFailure
  virtual void find_position(double t, const Eigen::VectorXd& q, Eigen::VectorXd& p) = 0;
  /// What the next two functions need at a new position. @throws RecoverableFailure
  virtual void prepare_velocities() {}
  /// N x
  virtual void find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const = 0;
  /// v0, the velocity at w = 0.
  virtual void find_rest_velocity(Eigen::VectorXd& v) const = 0;
  virtual void independent_position(const Eigen::VectorXd& p, Eigen::VectorXd& q) const = 0;
  virtual void independent_velocity(const Eigen::VectorXd& v, Eigen::VectorXd& w) const = 0;
  /// q' of p'.
  virtual void independent_rate(const Eigen::VectorXd& p_rate, Eigen::VectorXd& q_rate) const = 0;
  /// w' of v'.
  virtual void independent_acceleration(const Eigen::VectorXd& a, Eigen::VectorXd& rate) = 0;
  /// What is added to gamma, by row; null: nothing.
  virtual const Eigen::VectorXd* acceleration_correction() { return nullptr; }

  /// Has the linear solver look again which rows depend on others: it does so nowhere else where nothing is projected,
  /// and rows that were left out at the start may be the ones that matter here; the others would turn a violation into
  /// accelerations of any size.
  /// @param rows_changed  whether others are left out from now on
  Outcome renew_independent_rows(const State& full, bool& rows_changed);
  /// Whether a residual of the constraints at a full state is above ReductionOptions::correction_share of the absolute
  /// tolerance, of lengths or of angles; of velocities per second. The full equations are at it then.
  bool is_violated(const State& full, const Tolerances& tolerances);

  EquationsOfMotion& full_;
  LinearSolver& solver_;
  const ReductionOptions options_;
  State point_;  ///< the full one
  std::int64_t choices_ = 0, corrections_ = 0, closures_ = 0;

 private:
  void do_position() override;
  void do_velocity() override;
  void do_M(BlockMatrix& M) override;
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_gamma(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override;
  void do_r_rate(Eigen::VectorXd& rate) override;
  void do_add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& q) const override;
  void do_add_position_drift(double factor, Eigen::VectorXd& q) const override;
  void settle();
  bool has_rest_velocity() const;

  bool is_settled_ = false;  // a and lambda of point_
};

// One for each method. Full equations have constraints and are at the start of a run; the tolerances of the run say
// what hybrid and null_space correct.
std::unique_ptr<ReducedEquations> make_partitioned(EquationsOfMotion& full, LinearSolver& solver,
                                                   const ReductionOptions& options);
std::unique_ptr<ReducedEquations> make_orthogonal(EquationsOfMotion& full, LinearSolver& solver,
                                                  const ReductionOptions& options);
std::unique_ptr<ReducedEquations> make_stabilised(EquationsOfMotion& full, LinearSolver& solver,
                                                  const ReductionOptions& options);
std::unique_ptr<ReducedEquations> make_hybrid(EquationsOfMotion& full, LinearSolver& solver,
                                              const ReductionOptions& options, const Tolerances& tolerances);
std::unique_ptr<ReducedEquations> make_projected(EquationsOfMotion& full, LinearSolver& solver,
                                                 const ReductionOptions& options, const Tolerances& tolerances);
/// By ReductionOptions::method, which is not none.
std::unique_ptr<ReducedEquations> make_reduced_equations(EquationsOfMotion& full, LinearSolver& solver,
                                                         const ReductionOptions& options, const Tolerances& tolerances);

}  // namespace linkwork
