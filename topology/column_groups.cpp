// Their headers define macros and open namespace std for everybody: this is the only file that includes them.
#include <ColPack/ColPackHeaders.h>
#include <omp.h>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/topology/column_groups.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace linkwork {

namespace {

/// ColPack works on all threads and then gives other groups in every run; on one it repeats itself.
class OneThread {
 public:
  OneThread() { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(threads_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int threads_ = omp_get_max_threads();
};

/// Names of ColPack's orders, and ours.
struct Ordering {
  const char *theirs, *ours;
};
constexpr std::array orderings = {Ordering{"SMALLEST_LAST", "smallest last"},
                                  Ordering{"LARGEST_FIRST", "largest first"},
                                  Ordering{"INCIDENCE_DEGREE", "incidence degree"}, Ordering{"NATURAL", "natural"}};

void check(const SparsityPattern& pattern) {
  for (std::size_t i = 0; i < pattern.rows.size(); ++i) {
    int previous = -1;
    for (int column : pattern.rows[i]) {
      if (column <= previous || column >= pattern.columns)
        throw ModelError(concat("group_columns: row ", i, " has column ", column, " after column ", previous,
                                "; expected ascending columns below ", pattern.columns, "."));
      previous = column;
    }
  }
}

/// A pattern in the form of ADOL-C, which ColPack reads: each row starts with the number of its entries.
class CountedRows {
 public:
  explicit CountedRows(const SparsityPattern& pattern) {
    for (const std::vector<int>& row : pattern.rows) {
      if (row.empty()) continue;
      std::vector<unsigned>& counted = rows_.emplace_back(1, static_cast<unsigned>(row.size()));
      counted.insert(counted.end(), row.begin(), row.end());
    }
    for (std::vector<unsigned>& row : rows_) pointers_.push_back(row.data());
  }
  unsigned** data() { return pointers_.data(); }
  int size() const { return static_cast<int>(rows_.size()); }

 private:
  std::vector<std::vector<unsigned>> rows_;
  std::vector<unsigned*> pointers_;
};

/// Colours the columns in the best order. Stops at the lower bound: nothing is better.
void colour(const SparsityPattern& pattern, ColumnGroups& groups) {
  CountedRows rows(pattern);
  const OneThread one_thread;
  for (const Ordering& ordering : orderings) {
    ColPack::BipartiteGraphPartialColoringInterface graph(SRC_MEM_ADOLC, rows.data(), rows.size(), pattern.columns);
    graph.PartialDistanceTwoColoring(ordering.theirs, "COLUMN_PARTIAL_DISTANCE_TWO");
    const int count = graph.GetRightVertexColorCount();
    if (!groups.ordering.empty() && count >= groups.count) continue;
    groups.count = count;
    groups.ordering = ordering.ours;
    graph.GetRightVertexColors(groups.group_of_column);
    if (count == groups.lower_bound) return;
  }
}

/// One group per column with entries.
void separate(ColumnGroups& groups) {
  std::iota(groups.group_of_column.begin(), groups.group_of_column.end(), 0);
  groups.count = static_cast<int>(groups.group_of_column.size());
  groups.ordering = "natural";
}

/// Takes columns without entries out, and numbers the groups in the order of their first columns.
void renumber(const std::vector<char>& has_entries, ColumnGroups& groups) {
  std::vector<int> number(static_cast<std::size_t>(groups.count), -1);
  int count = 0;
  for (std::size_t column = 0; column < has_entries.size(); ++column) {
    int& group = groups.group_of_column[column];
    if (!has_entries[column]) {
      group = -1;
      continue;
    }
    int& renumbered = number[static_cast<std::size_t>(group)];
    if (renumbered < 0) renumbered = count++;
    group = renumbered;
  }
  groups.count = count;
}

}  // namespace

bool is_consistent(const SparsityPattern& pattern, const ColumnGroups& groups) {
  if (groups.group_of_column.size() != static_cast<std::size_t>(pattern.columns)) return false;
  std::vector<int> last_row(static_cast<std::size_t>(groups.count), -1);
  for (std::size_t row = 0; row < pattern.rows.size(); ++row)
    for (int column : pattern.rows[row]) {
      const int group = groups.group_of_column[static_cast<std::size_t>(column)];
      if (group < 0 || group >= groups.count) return false;
      if (last_row[static_cast<std::size_t>(group)] == static_cast<int>(row)) return false;
      last_row[static_cast<std::size_t>(group)] = static_cast<int>(row);
    }
  return true;
}

ColumnGroups group_columns(const SparsityPattern& pattern) {
  check(pattern);
  ColumnGroups groups;
  groups.group_of_column.assign(static_cast<std::size_t>(pattern.columns), -1);
  std::vector<char> has_entries(static_cast<std::size_t>(pattern.columns), 0);
  for (const std::vector<int>& row : pattern.rows) {
    groups.lower_bound = std::max(groups.lower_bound, static_cast<int>(row.size()));
    for (int column : row) has_entries[static_cast<std::size_t>(column)] = 1;
  }
  // A row with entries in all columns leaves nothing to colour, and would cost the square of their number.
  const auto used = std::count(has_entries.begin(), has_entries.end(), 1);
  if (used == groups.lower_bound)
    separate(groups);
  else
    colour(pattern, groups);
  renumber(has_entries, groups);
  if (!is_consistent(pattern, groups))
    throw std::logic_error(concat("group_columns: the colouring by the order '", groups.ordering,
                                  "' puts two columns of one row into one group."));
  return groups;
}

}  // namespace linkwork
