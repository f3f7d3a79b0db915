#pragma once

#include <linkwork/solvers/newton/corrector_statistics.hpp>

#include <cstdint>

namespace linkwork {

/// What an iteration told its corrector at the end of a solution.
struct CorrectorSolution {
  double t = 0, h = 0;     ///< the step ends at t
  double alpha = 0;        ///< its leading coefficient [1/s]
  int iterations = 0;      ///< those before a refresh within it included
  double contraction = 0;  ///< (|z_m| / |z_1|)^(1/(m-1)) of the corrections z (DASSL+ 3.16); 0: there was one only
  bool converged = false;
};

/// One solution, for those who study correctors.
struct CorrectorRecord {
  CorrectorSolution solution;
  CorrectorPhase phase = CorrectorPhase::simplified;  ///< in which it ended
  std::int64_t cycle = 0;                             ///< which refresh cycle, from 1
  double matrix_alpha = 0;                            ///< of the factors [1/s]
  /// Of I - G~^-1 G at the first iterate of the last matrix; for Krylov with the preconditioner; -1: not measured.
  double spectral_radius = -1;
  double drop_tolerance = 0;
  double work = 0;  ///< [multiply-adds] of this solution, a refresh included
};

}  // namespace linkwork
