#pragma once

// Internal: Boolean selectors of sparse equations.

#include <cstddef>
#include <utility>
#include <vector>

namespace linkwork {

/// Chooses as many columns of a sparse matrix as it has rows so that they are regular, by sparse elimination: the row
/// with the fewest entries first, and in it an entry that is large and stands in a column with few others.
class PivotColumns {
 public:
  using Row = std::vector<std::pair<int, double>>;  ///< columns, ascending, and values

  /// @param rows     the first `leading` of them are solved for columns below `leading_columns`, the others for the
  /// rest
  /// @param columns  how many there are
  PivotColumns(std::vector<Row> rows, int leading, int leading_columns, int columns);

  /// Columns of an earlier choice are taken again as long as their entries are not small.
  /// @return whether the rows are independent; if not, dependent_row() has none of its own
  bool choose(const std::vector<char>& preferred);
  /// One flag per column.
  const std::vector<char>& is_pivot() const { return is_pivot_; }
  int dependent_row() const { return dependent_row_; }
  bool is_leading(int row) const { return row < leading_; }

 private:
  int pivot_of(std::size_t row, const std::vector<char>& preferred) const;
  void eliminate(std::size_t row, int column);

  std::vector<Row> rows_;
  int leading_, leading_columns_;
  std::vector<double> row_sizes_;
  std::vector<std::vector<std::size_t>> rows_of_column_;  // may name rows that have lost the entry
  std::vector<char> is_done_, is_pivot_;
  int dependent_row_ = -1;
};

}  // namespace linkwork
