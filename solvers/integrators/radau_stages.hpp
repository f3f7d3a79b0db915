#pragma once

#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/integrators/collocation_polynomial.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>
#include <linkwork/solvers/newton/coupled_stages.hpp>
#include <linkwork/solvers/newton/stage_system.hpp>
#include <linkwork/solvers/newton/truncated_gmres.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>

namespace linkwork {

/// The three stages of a Radau IIA step, found by a simplified Newton iteration in transformed variables: one real and
/// one complex linear system each, with dropped factors and GMRES for all three stages at once where these are asked
/// for; or by Newton's method proper. Convergence is tested as in GEOMS 3 (page 16). Source: E. Hairer, G. Wanner,
/// Solving Ordinary Differential Equations II (1996), IV.8 (8.7) to (8.11).
class RadauStages {
 public:
  /// Columns: y_i - y_0 of the stages.
  using Increments = Eigen::Matrix<double, Eigen::Dynamic, 3>;
  struct Options {
    double tolerance = 1e-3;  ///< of the error that is left, in units of the tolerance of the step
    CorrectorOptions newton = {};
  };
  enum class Result {
    converged,
    slow,  ///< it would need too many iterations
    diverges
  };
  /// Where a step begins, and how changes are measured.
  struct Step {
    double t = 0, h = 0;
    const Eigen::VectorXd& y;
    const Eigen::VectorXd& scales;  ///< 1 / size of a change of y_j that counts as one; 0: does not count
    const Eigen::VectorXd& sizes;   ///< of y_j, by which increments of differences are chosen
  };

  RadauStages(MotionResidual& equations, const Options& options);

  /// Starting values: the polynomial of the step before, or the start itself where there is none.
  /// @param ratio  of the step to the one before
  void begin(const Step& step, const CollocationPolynomial* before, double ratio);
  /// Iterates from where it is, `most` times. @throws RecoverableFailure where the equations can't be evaluated
  Result iterate(const Step& step, StageSystem& system, int most);
  /// Newton's method proper, with matrices that are taken anew for each iteration.
  /// @param renew  factors the coupled stages at the increments of now; a failure of it ends the iteration
  Outcome iterate_together(const Step& step, CoupledStages& coupled, const std::function<Outcome()>& renew,
                           Result& result);

  /// y' of the last stage; zero for unknowns that have none.
  void last_rate(const Step& step, Eigen::VectorXd& rate) const;

  const Increments& increments() const { return Z_; }
  void set_end(const Eigen::VectorXd& end_increment) { Z_.col(2) = end_increment; }
  int iterations() const { return iterations_; }  ///< since begin
  /// Rate of convergence; 0 after a single iteration, and a usual one after Newton's method proper.
  double rate() const { return rate_; }
  /// After Result::slow: factor of the step with which it should converge.
  double step_factor() const { return step_factor_; }
  std::int64_t evaluations() const { return evaluations_; }
  /// There are other factors: a cycle begins.
  void begin_cycle();
  const CorrectorStatistics& statistics() const { return statistics_; }
  /// Changes of the last iteration, of the last stage, for messages.
  const Eigen::VectorXd& last_change() const { return change_; }

 private:
  void evaluate(const Step& step, const Increments& Z, Increments& transformed);
  double correct(const Step& step, StageSystem& system);
  double take_change(const Step& step);
  void solve(const Increments& transformed, StageSystem& system, Increments& change);
  void improve(const Step& step, StageSystem& system);
  bool multiply(const Step& step, StageSystem& system, const Eigen::VectorXd& direction, Eigen::VectorXd& product);
  bool moves_on(double ratio);

  MotionResidual& equations_;
  Options options_;
  Increments Z_, W_, transformed_change_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> F_of_stages_, transformed_F_;
  CorrectorPhase phase_ = CorrectorPhase::simplified;
  CorrectorStatistics statistics_;
  std::optional<TruncatedGmres> gmres_;          // where there is such a phase
  Increments moved_Z_, moved_F_, moved_change_;  // along a direction of it
  Eigen::VectorXd right_, solution_, sizes_;     // of all three stages
  Eigen::VectorXd y_, y_rate_, F_, F_real_, F_imaginary_, change_, change_imaginary_;
  int iterations_ = 0;
  double rate_ = 0, remainder_ = 1, step_factor_ = 1;
  std::int64_t evaluations_ = 0;
};

}  // namespace linkwork
