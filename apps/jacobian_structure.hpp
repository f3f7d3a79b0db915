#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/topology/column_groups.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace linkwork::apps {

/// The structure of the Jacobian of the stabilised index-2 form (CORR 9), residual formalism.
struct JacobianStructure {
  SparsityPattern pattern;
  ColumnGroups groups;
  /// Where the pattern comes from: "declared" by the elements; or, as some of them declare nothing, "detected" by
  /// differences at the initial state beside; or "partly declared", too large for that, and there may be more entries.
  std::string source;
  int with_eta_derivative = 0;  ///< nonzeros with those of Z D G^T eta by the positions; 0 where not all is declared
  std::vector<std::string> equations, unknowns;

  int rows() const { return static_cast<int>(pattern.rows.size()); }
  int nonzeros() const;
  /// One sentence, ended by a line feed.
  std::string summary() const;
};

/// Changes the equations' current point to the initial state.
/// @throws ModelError where the pattern can only be found by differences, and the initial state can't be evaluated
JacobianStructure jacobian_structure(EquationsOfMotion& equations);

/// For people: a line per equation, `*` where it has an entry, its name behind; and the columns of each group.
void draw(std::ostream& out, const JacobianStructure& structure);
/// For programs: the Matrix Market exchange format, a coordinate pattern.
void write_matrix_market(std::ostream& out, const JacobianStructure& structure);

}  // namespace linkwork::apps
