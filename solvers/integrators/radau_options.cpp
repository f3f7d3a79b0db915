#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/radau.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>

#include <cmath>

namespace linkwork {

namespace {

/// The iteration for the stages is not that of a multistep method.
std::string why_not_of_stages(const CorrectorOptions& newton, bool solver_is_dense) {
  if (std::string why = newton.why_invalid(); !why.empty()) return concat("newton: ", why);
  if (newton.method == CorrectorMethod::broyden)
    return "newton.method is 'broyden', whose updates couple the stages, and radau's real and complex systems keep "
           "them apart; take simplified, newton, dropped-lu, krylov or cycle, or integrator bdf.";
  if (!newton.schedule.empty())
    return "newton.schedule is that of a cycle of bdf; radau's cycle has no controller: set newton.phases, "
           "drop_tolerance and krylov_steps.";
  if (newton.factor_delay > 0)
    return concat("newton.factor_delay is ", newton.factor_delay,
                  ", and radau's error estimate needs the factors of the present step; leave it 0.");
  if (newton.krylov_products == KrylovProducts::jacobian)
    return "newton.krylov_products are those of a Jacobian, and radau would need one of each stage; take differences.";
  if (newton.observe || newton.measures_spectral_radius)
    return "newton.observe and newton.measures_spectral_radius are instruments of bdf; leave them out.";
  const bool drops = newton.drop_tolerance > 0 && newton.drops();
  if (drops && solver_is_dense)
    return concat("newton.method is '", name_of(newton.method),
                  "', which drops entries of sparse factors, and a dense solver or decomposition is asked for; leave "
                  "these automatic, or take a drop tolerance of 0.");
  return "";
}

}  // namespace

std::string RadauOptions::why_invalid() const {
  if (std::string why = stepping_options(*this).why_invalid(); !why.empty()) return why;
  if (std::string why = jacobian.why_invalid(); !why.empty()) return why;
  if (jacobian.partitioned == PartitionedUpdates::extended || jacobian.refresh == JacobianRefresh::blocks)
    return "jacobian asks for extended updates or for the refresh of blocks, which are bdf's: radau takes its Jacobian "
           "anew as a whole; leave jacobian.partitioned and jacobian.refresh as they are.";
  const bool is_dense = solver == StageSolver::dense || algebraic != AlgebraicDecomposition::automatic ||
                        differential != DifferentialDecomposition::lu;
  if (std::string why = why_not_of_stages(newton, is_dense); !why.empty()) return why;
  const auto is_positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!(std::isfinite(first_step) && first_step >= 0))
    return concat("first_step is ", first_step, " s; expected > 0, or 0 for a choice by the rates at the start.");
  if (maximum_iterations < 2) return concat("maximum_iterations is ", maximum_iterations, "; expected at least 2.");
  if (matrix_updates < 0) return concat("matrix_updates is ", matrix_updates, "; expected >= 0.");
  if (!(newton_tolerance == 0 || is_positive(newton_tolerance)))
    return concat("newton_tolerance is ", newton_tolerance, "; expected > 0, or 0 for a choice by rtol.");
  if (!(kept_matrix_rate < 1)) return concat("kept_matrix_rate is ", kept_matrix_rate, "; expected < 1.");
  if (!(is_positive(least_kept_ratio) && least_kept_ratio <= 1 && largest_kept_ratio >= 1))
    return concat("steps are kept for ratios from ", least_kept_ratio, " to ", largest_kept_ratio,
                  "; expected one between 0 and 1, and one above or equal to 1.");
  const StepControlOptions& c = step_control;
  if (!(is_positive(c.safety) && c.safety < 1))
    return concat("step_control.safety is ", c.safety, "; expected between 0 and 1.");
  if (!(is_positive(c.smallest_ratio) && c.smallest_ratio < 1 && std::isfinite(c.largest_ratio) && c.largest_ratio > 1))
    return concat("step_control allows ratios of steps from ", c.smallest_ratio, " to ", c.largest_ratio,
                  "; expected one between 0 and 1, and one above 1.");
  if (matrix_point != MatrixPoint::start && starting_values == StartingValues::constant)
    return "matrix_point is a stage, and starting_values are constant, so that stages are not known before; take "
           "MatrixPoint::start, or StartingValues::extrapolated.";
  if (solver == StageSolver::sparse &&
      (algebraic != AlgebraicDecomposition::automatic || differential != DifferentialDecomposition::lu))
    return "solver is sparse, which decomposes by KLU alone; leave algebraic automatic and differential lu, or take "
           "StageSolver::dense.";
  return "";
}

}  // namespace linkwork
