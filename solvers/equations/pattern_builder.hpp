#pragma once

// Internal: entries of a sparsity pattern in the order in which they are found.

#include <linkwork/core/dependencies.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace linkwork {

class PatternBuilder {
 public:
  explicit PatternBuilder(SparsityPattern& pattern) : pattern_(pattern), sorted_(pattern.rows.size(), 0) {}

  void add(int row, int column) { add(row, std::vector<int>{column}); }
  void add(int row, const std::vector<int>& columns) {
    const auto index = static_cast<std::size_t>(row);
    std::vector<int>& entries = pattern_.rows[index];
    entries.insert(entries.end(), columns.begin(), columns.end());
    if (entries.size() > 2 * sorted_[index] + 32) tidy(index);  // so that repetitions need no memory
  }
  void add(const std::vector<int>& rows, const std::vector<int>& columns) {
    for (const int row : rows) add(row, columns);
  }
  /// Puts all rows in order.
  void finish() {
    for (std::size_t index = 0; index < sorted_.size(); ++index) tidy(index);
  }

 private:
  void tidy(std::size_t index) {
    std::vector<int>& entries = pattern_.rows[index];
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    sorted_[index] = entries.size();
  }

  SparsityPattern& pattern_;
  std::vector<std::size_t> sorted_;  ///< entries that each row had when it was put in order last
};

namespace detail {

inline void append(std::vector<int>& to, const std::vector<int>& more) {
  to.insert(to.end(), more.begin(), more.end());
}
/// first, first + 1, ...
inline std::vector<int> range(int first, int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = first + i;
  return out;
}

}  // namespace detail
}  // namespace linkwork
