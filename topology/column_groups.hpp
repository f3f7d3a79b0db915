#pragma once

#include <linkwork/core/dependencies.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Columns of a Jacobian that one difference finds together, because no row has entries in two of them (CORR 3.1).
struct ColumnGroups {
  std::vector<int> group_of_column;  ///< 0 to count - 1; -1 for a column without entries, which needs no difference
  int count = 0;
  int lower_bound = 0;   ///< the largest number of entries in a row: no grouping has fewer groups
  std::string ordering;  ///< the order of the columns that gave the fewest groups
};

/// Groups by ColPack's distance-2 colouring of the columns, in the best of its orders: smallest last, largest first,
/// incidence degree, and as they stand. The same pattern always gives the same groups. Cost: some microseconds per
/// column, times the entries of a row.
/// @throws ModelError for a row whose columns are not ascending or out of range
/// @throws std::logic_error if the colouring turns out to be wrong
ColumnGroups group_columns(const SparsityPattern& pattern);

/// Whether no row has entries in two columns of one group, and each column with entries has a group.
bool is_consistent(const SparsityPattern& pattern, const ColumnGroups& groups);

}  // namespace linkwork
