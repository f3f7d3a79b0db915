#pragma once

#include "zoo_simulation.hpp"

#include <linkwork/solvers/integrators/bdf.hpp>
#include <linkwork/solvers/linear/triangular_factors.hpp>
#include <linkwork/solvers/newton/corrector_record.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// A model and how much of it is studied, by bdf, as a rule with a new differenced Jacobian for every matrix, as DASSL
/// has.
struct NewtonCase {
  std::string model;
  double drop_tolerance = 1e-6;  ///< of factors (DASSL+, definition 3.1)
  int solutions = 150;           ///< by Newton's iteration, from the start, that a study looks at
  int krylov_solutions = 50;     ///< where it takes a dense matrix for each
  double t_end = 1;              ///< of runs by a corrector [s]
  double tolerance = 1e-4;
  Formulation formulation = Formulation::absolute;  ///< that of the thesis
  PartitionedUpdates updates = PartitionedUpdates::off;
};

/// What a study measures beside the spectral radius of simplified Newton.
struct StudyOptions {
  std::vector<double> drop_tolerances = {};
  // A correction by the factors, improved by one step of GMRES; takes one dense matrix for each solution.
  bool krylov = false;         ///< with the present factors
  bool krylov_beyond = false;  ///< with those of the cycle before
  bool matching = false;       ///< other ways for a matrix of another step size
  double period = 0;  ///< of `sprocket_chain` in joint coordinates: each link then is where the next one was [s]
};

/// One solution by simplified Newton. Spectral radii are those of I - K G at its first iterate with the last matrix, G
/// being the present Jacobian and K what a method solves with; -1: not measured.
struct StudiedSolution {
  CorrectorRecord record;               ///< with the spectral radius of simplified Newton
  std::vector<double> dropped, kept;    ///< by drop tolerance: radius, and share of the factors' entries
  double krylov = -1;                   ///< each unknown in units of its size
  double krylov_plain = -1;             ///< with units as they come
  double krylov_of_last_cycle = -1;     ///< preconditioned by the factors of the cycle before
  double unmatched = -1, by_rows = -1;  ///< of simplified Newton with another StepSizeMatching
  double period_before = -1;            ///< with the matrix of one period ago, moved on by a link
  double as_long_ago = -1;              ///< with that matrix as it is
};

struct NewtonStudy {
  std::vector<StudiedSolution> solutions;
  SparseMatrix jacobian;      ///< the last one that was factored
  TriangularFactors factors;  ///< its factors, rows and columns scaled
  int positions = 0;          ///< among its unknowns, the first ones
};

/// Runs a case by simplified Newton and looks at each solution.
NewtonStudy study_newton(const NewtonCase& of, const StudyOptions& options);

/// What a run by a corrector took.
struct CorrectorRun {
  std::vector<CorrectorRecord> records;
  IntegratorStatistics counts;
  int unknowns = 0;
  State end;
};

/// The same case with a corrector of one's own choice, up to its t_end.
/// @throws RunError where that corrector does not get there
CorrectorRun run_corrector(const NewtonCase& of, const CorrectorOptions& corrector);

/// Options of both.
BdfOptions study_options(const NewtonCase& of);
/// The model of a case; steps and dense output are not kept.
Simulation simulation_of(const NewtonCase& of, const IntegratorOptions& integrator);

}  // namespace linkwork::apps
