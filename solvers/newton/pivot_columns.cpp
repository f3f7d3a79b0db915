#include <linkwork/solvers/newton/pivot_columns.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>
#include <cmath>
#include <queue>

namespace linkwork {

namespace {

// of the largest entry of the row at the start: below, the row is dependent
constexpr double smallest_row_pivot = 1e-11;
constexpr double kept_share = 0.3;  // a pivot is at least this share of the largest entry of its row

}  // namespace

PivotColumns::PivotColumns(std::vector<Row> rows, int leading, int leading_columns, int columns)
    : rows_(std::move(rows)),
      leading_(leading),
      leading_columns_(leading_columns),
      rows_of_column_(detail::at(columns)),
      is_done_(rows_.size(), 0),
      is_pivot_(detail::at(columns), 0) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double size = 0;
    for (const auto& [column, value] : rows_[i]) {
      size = std::max(size, std::abs(value));
      rows_of_column_[detail::at(column)].push_back(i);
    }
    row_sizes_.push_back(size);
  }
}

/// @return the column, or -1
int PivotColumns::pivot_of(std::size_t row, const std::vector<char>& preferred) const {
  const bool leading = row < detail::at(leading_);
  const auto is_allowed = [&](int column) { return (column < leading_columns_) == leading; };
  double largest = 0;
  for (const auto& [column, value] : rows_[row])
    if (is_allowed(column)) largest = std::max(largest, std::abs(value));
  if (!(largest > smallest_row_pivot * row_sizes_[row])) return -1;
  int best = -1;
  bool best_is_preferred = false;
  std::size_t fewest = 0;
  for (const auto& [column, value] : rows_[row]) {
    if (!is_allowed(column) || std::abs(value) < kept_share * largest) continue;
    const bool is_preferred = preferred[detail::at(column)] != 0;
    const std::size_t count = rows_of_column_[detail::at(column)].size();
    if (best >= 0 && (is_preferred != best_is_preferred ? best_is_preferred : count >= fewest)) continue;
    best = column;
    best_is_preferred = is_preferred;
    fewest = count;
  }
  return best;
}

/// Takes a column out of all rows that are left.
void PivotColumns::eliminate(std::size_t pivot_row, int column) {
  const auto entry = [column](const Row& row) {
    return std::lower_bound(row.begin(), row.end(), column,
                            [](const std::pair<int, double>& a, int b) { return a.first < b; });
  };
  const Row& source = rows_[pivot_row];
  const double pivot = entry(source)->second;
  Row merged;
  for (const std::size_t i : rows_of_column_[detail::at(column)]) {
    if (is_done_[i] != 0) continue;
    Row& target = rows_[i];
    const auto found = entry(target);
    if (found == target.end() || found->first != column) continue;
    const double factor = found->second / pivot;
    merged.clear();
    auto a = target.begin();
    for (const auto& [other, value] : source) {
      for (; a != target.end() && a->first < other; ++a) merged.push_back(*a);
      const bool meets = a != target.end() && a->first == other;
      if (other != column) merged.emplace_back(other, (meets ? a->second : 0.0) - factor * value);
      if (!meets) rows_of_column_[detail::at(other)].push_back(i);
      if (meets) ++a;
    }
    merged.insert(merged.end(), a, target.end());
    target.swap(merged);
  }
}

bool PivotColumns::choose(const std::vector<char>& preferred) {
  // Leading rows first, then the shortest; a row that has changed is put in again.
  using Entry = std::pair<std::size_t, std::size_t>;  // length, row
  const auto length = [&](std::size_t row) {
    return rows_[row].size() + (row < detail::at(leading_) ? 0 : rows_of_column_.size());
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
  for (std::size_t i = 0; i < rows_.size(); ++i) next.emplace(length(i), i);
  while (!next.empty()) {
    const auto [known_length, row] = next.top();
    next.pop();
    if (is_done_[row] != 0) continue;
    if (const std::size_t now = length(row); now != known_length) {
      next.emplace(now, row);
      continue;
    }
    const int column = pivot_of(row, preferred);
    if (column < 0) {
      dependent_row_ = static_cast<int>(row);
      return false;
    }
    is_done_[row] = 1;
    is_pivot_[detail::at(column)] = 1;
    eliminate(row, column);
  }
  return true;
}

}  // namespace linkwork
