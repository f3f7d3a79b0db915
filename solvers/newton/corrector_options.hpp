#pragma once

#include <linkwork/solvers/jacobian/jacobian_options.hpp>
#include <linkwork/solvers/newton/corrector.hpp>
#include <linkwork/solvers/newton/corrector_record.hpp>
#include <linkwork/solvers/newton/corrector_schedule.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <functional>
#include <memory>
#include <string>

namespace linkwork {

enum class CorrectorMethod {
  simplified,  ///< one factored matrix for many iterations and steps
  newton,      ///< a new matrix at every iterate
  dropped_lu,  ///< simplified, with small entries of the factors left out (SDLU, DASSL+ 3.2.2)
  krylov,      ///< some steps of GMRES that old factors precondition (DASSL+ 3.2.2)
  broyden,     ///< simplified, with updates of low rank from the residuals of the iteration (DASSL+ 5.2.2)
  cycle        ///< dropped_lu, simplified and krylov one after the other in each refresh cycle (DASSL+ 4.1)
};

/// How GMRES gets products of the present J with a vector.
enum class KrylovProducts {
  differences,  ///< one difference of F along it, one evaluation each
  jacobian      ///< from a Jacobian that is differenced at the first iterate of every solution
};

/// What GMRES makes small.
enum class KrylovNorm {
  by_unit,  ///< the preconditioned residual, each unknown in units of its size
  plain     ///< with metres, radians and newtons as they come
};

/// When Broyden's corrector adds an update, and of what kind.
enum class BroydenUpdates {
  when_dated,         ///< at each iterate, where the iteration contracts slowly
  at_last_iteration,  ///< from the last pair of residuals of a solution, for those that follow
  singular_values     ///< the best one of a rank, where slow: J - J~ by its largest singular values (cf. DASSL+ 5.16)
};

/// How a matrix of another leading coefficient serves (DASSL+ 5.2.1).
enum class StepSizeMatching {
  mean,  ///< by the factor of CORR (18) on rows without derivatives and on solutions
  rows,  ///< by the ratio of coefficients on rows with derivatives, as DASSL+ (5.12) does
  none
};

struct CorrectorOptions {
  CorrectorMethod method = CorrectorMethod::simplified;
  double drop_tolerance = 1e-8;  ///< in [0, 1): of dropped_lu, and where the cycle begins with it
  int krylov_steps = 2;          ///< 1 up to the number of unknowns
  KrylovProducts krylov_products = KrylovProducts::differences;
  KrylovNorm krylov_norm = KrylovNorm::by_unit;
  int broyden_rank = 4;        ///< 1 to 16: updates that are kept beside the factors; then all begin anew
  double broyden_damping = 1;  ///< beta, in (0, 1]: of each update
  BroydenUpdates broyden_updates = BroydenUpdates::when_dated;
  StepSizeMatching matching = StepSizeMatching::mean;
  CyclePhases phases = {};  ///< of the cycle
  /// Whether the cycle tunes drop tolerance, phases and Krylov steps on the way, by counted work (DASSL+ 4.3.1).
  bool adapts = true;
  /// What the cycle does when, from an analysis of an earlier run (DASSL+ 4.3.2); then nothing is tuned on the way.
  CorrectorSchedule schedule = {};
  CorrectorCosts costs = {};  ///< what counted work is made of, without a schedule
  /// Factorises on a second thread: new factors are taken so many solutions later, and the old ones serve until then.
  /// 0: at once, without a thread.
  int factor_delay = 0;

  // Instruments: they change no decision.
  std::function<void(const CorrectorRecord&)> observe = {};  ///< told after each solution
  bool measures_spectral_radius = false;                     ///< for the records; costs evaluations of F
  bool measures_times = false;                               ///< for the statistics

  /// "" when usable, else the reason.
  std::string why_invalid() const;
  /// Whether entries of factors may be dropped, by a fixed tolerance or one that is tried on the way.
  bool drops() const;
};

/// The name of a method, as on the command line: "dropped-lu".
std::string_view name_of(CorrectorMethod method);
std::string_view name_of(CorrectorPhase phase);

/// One of the library's correctors.
/// @param layout    of the system's first unknowns
/// @param jacobian  how the matrix is kept up to date
/// @param solver    of the iteration matrix; where entries are dropped, dense or KLU
/// @throws ModelError for options that are out of range or that the system can't serve, and for a schedule of another
///         system
std::unique_ptr<Corrector> make_corrector(ResidualFunction& system, const StateLayout& layout,
                                          const CorrectorOptions& options, const JacobianOptions& jacobian,
                                          IterationSolver solver);

}  // namespace linkwork
