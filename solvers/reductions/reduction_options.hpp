#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace linkwork {

/// How equations with constraints become ordinary differential equations before an integrator sees them (REDUCE). Names
/// on the command line in brackets.
enum class Reduction {
  none,          ///< the integrator treats the constraints (none)
  partitioning,  ///< independent coordinates are some of the coordinates (partitioning; REDUCE 2)
  baumgarte,     ///< all coordinates, violations of constraints are damped (baumgarte; REDUCE 3)
  hybrid,        ///< baumgarte, with corrections as partitioning makes them (hybrid; REDUCE 4)
  svd,           ///< independent coordinates are orthogonal combinations of all (svd; REDUCE 5)
  null_space     ///< all positions, velocities along a basis that moves with them (null-space; REDUCE 6)
};

/// How independent columns of the constraint rows are found (REDUCE 2.3).
enum class PartitionPivoting {
  full,     ///< LU, the largest of all entries that are left
  columns,  ///< QR, the longest column that is left
  partial   ///< LU row after row, the largest entry of the row: depends on the order of constraints
};

/// Where the basis B of the null space comes from (REDUCE 6.4, step 1).
enum class NullSpaceBasis {
  svd,   ///< right singular vectors of the constraint rows
  lu,    ///< unit vectors of the independent columns
  given  ///< ReductionOptions::given_basis
};

struct ReductionOptions {
  Reduction method = Reduction::none;
  PartitionPivoting pivoting = PartitionPivoting::full;  ///< partitioning, hybrid
  /// Rows and columns in sizes that no unit decides, before pivots are chosen. false: as they come (REDUCE 2.3).
  bool scaled = true;
  /// Damping of violations, gamma - 2 alpha g' - beta^2 g [1/s]; baumgarte, hybrid. alpha 0: a tenth of the inverse of
  /// the longest step so far, once steps don't grow any more. beta 0: alpha, the critical one.
  double alpha = 0, beta = 0;
  NullSpaceBasis basis = NullSpaceBasis::svd;
  Eigen::MatrixXd given_basis = {};         ///< independent velocities x velocities; NullSpaceBasis::given only
  bool renews_basis_at_every_step = false;  ///< as REDUCE 6.4 has it: z'' jumps, multistep methods begin anew
  bool corrects_positions = false;          ///< null_space: ends of steps are moved onto the constraints
  /// Of the tolerance: violations above it are corrected at the ends of steps; hybrid, and null_space where it corrects
  /// positions. A thousand times as much with integrators that would have to begin anew (cvode).
  double correction_share = 0.1;
  bool project_start = true;           ///< false: initial values are taken as they are given
  bool consent_to_projection = false;  ///< accept initial values that are more than 100 atol off the constraints

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// The name of a reduction on the command line, and all of them in the order of the enumerators.
std::string name_of(Reduction reduction);
std::vector<std::string> reduction_names();
/// @throws ModelError for an unknown name, listing the known ones
Reduction reduction_named(const std::string& name);

}  // namespace linkwork
