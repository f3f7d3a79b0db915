#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace linkwork {

/// Places of the entries of a sparse matrix that may differ from zero: for each row its columns, ascending.
struct SparsityPattern {
  int columns = 0;
  std::vector<std::vector<int>> rows;

  SparsityPattern() = default;
  SparsityPattern(int row_count, int column_count) : columns(column_count), rows(static_cast<std::size_t>(row_count)) {}

  /// Every entry may differ from zero.
  static SparsityPattern full(int row_count, int column_count) {
    SparsityPattern pattern(row_count, column_count);
    for (std::vector<int>& row : pattern.rows) {
      row.resize(static_cast<std::size_t>(column_count));
      std::iota(row.begin(), row.end(), 0);
    }
    return pattern;
  }
};

/// The parts of the general equations (see EquationsOfMotion) whose dependence on the unknowns is asked for.
enum class EquationPart {
  position_rate,        ///< Z(t,p) x; n_p rows
  dynamics,             ///< M a - f + G^T lambda; n_v rows
  constraint_force,     ///< G^T x with the holonomic rows of G; n_v rows
  state_rate,           ///< b; n_r rows
  auxiliary,            ///< d; n_w rows
  contact,              ///< c; n_s rows
  position_constraint,  ///< g; n_lambda rows
  velocity_constraint   ///< G v + offset, nonholonomic rows too; n_lambda + n_mu rows
};

/// What they may depend on. `factor` is x of Z x and G^T x: the pattern of Z and G^T themselves.
enum class Unknown { p, v, a, r, w, s, lambda, factor };

/// Which entries of an unknown each row of a part may depend on.
struct Dependencies {
  SparsityPattern pattern;
  /// False: some of the dependence is known only to the functions themselves (equations posed directly, elements that
  /// declare nothing), so that further entries must be found by differences.
  bool complete = false;
};

}  // namespace linkwork
