#include <linkwork/solvers/linear/row_elimination.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace linkwork {

namespace {

using detail::at;

// A pivot is no smaller than this times the largest entry of its row.
constexpr double pivot_share = 0.1;
// Entries of this share of what their row was are rounding errors that cancelled: kept, they would fill the rows.
constexpr double cancelled = 1e-13;

class RowElimination {
 public:
  RowElimination(const BlockMatrix& G, const Eigen::VectorXd& row_scales, double length, const SparseRank* known)
      : rows_(at(G.rows())),
        columns_(at(G.columns())),
        column_count_(at(G.columns()), 0),
        order_(at(G.columns()), -1),
        pivot_row_(at(G.columns()), -1),
        row_is_known_(at(G.rows()), false),
        column_is_known_(at(G.columns()), false) {
    load(G, row_scales, negligible_column(length));
    if (!known) return;
    for (const int row : known->independent_rows) row_is_known_[at(row)] = true;
    for (const int column : known->independent_columns) column_is_known_[at(column)] = true;
  }

  /// Eliminates rows until those that are left have lost all but a share of what they were.
  void run(double share) {
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row) push(row);
    while (!queue_.empty()) {
      const auto [is_new, entries, row] = queue_.top();
      queue_.pop();
      if (rows_[at(row)].state != State::waiting || entries != size(rows_[at(row)].entries)) continue;
      if (remainder(row) > share)
        eliminate(row, choose_column(row, share));
      else
        put_aside(row);
    }
  }

  /// Eliminates more of the rows that were put aside, the largest first, as long as the pivots ask for it.
  template <class RankOf>
  SparseRank finish(RankOf&& rank_of) {
    std::make_heap(aside_.begin(), aside_.end());
    Eigen::VectorXd sizes = pivots();
    for (int rank = rank_of(sizes); eliminate_from_aside(rank); rank = rank_of(sizes)) sizes = pivots();
    SparseRank out;
    out.rank = static_cast<int>(pivots_.size());
    out.operations = operations_;
    out.pivots = std::move(sizes);
    out.gap = gap_of_pivots(out.pivots, out.rank);
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row)
      (rows_[at(row)].state == State::pivot ? out.independent_rows : out.redundant_rows).push_back(row);
    for (int column = 0; column < static_cast<int>(columns_.size()); ++column)
      if (order_[at(column)] >= 0) out.independent_columns.push_back(column);
    return out;
  }

 private:
  struct Entry {
    int column = 0;
    double value = 0;
  };
  enum class State { waiting, pivot, aside };
  struct Row {
    std::vector<Entry> entries;  ///< by column
    double largest = 1;          ///< entry that it ever had; at least what rows are like
    State state = State::waiting;
  };

  static int size(const std::vector<Entry>& entries) { return static_cast<int>(entries.size()); }

  void load(const BlockMatrix& G, const Eigen::VectorXd& row_scales, double negligible) {
    std::vector<double> column_size(columns_.size(), negligible);
    const auto for_each_entry = [&](auto&& visit) {
      for (const BlockMatrix::Block& block : G.blocks()) {
        const double* value = G.data() + block.offset;
        for (int i = 0; i < block.height; ++i)
          for (int j = 0; j < block.width; ++j, ++value)
            if (*value != 0) visit(block.row + i, block.column + j, *value * row_scales[block.row + i]);
      }
    };
    for_each_entry([&](int, int column, double value) {
      column_size[at(column)] = std::max(column_size[at(column)], std::abs(value));
    });
    for_each_entry([&](int row, int column, double value) {
      rows_[at(row)].entries.push_back({column, value / column_size[at(column)]});
    });
    double largest = 1;
    for (Row& row : rows_) {
      std::sort(row.entries.begin(), row.entries.end(), [](Entry a, Entry b) { return a.column < b.column; });
      double squares = 0;
      for (const Entry& entry : row.entries) squares += entry.value * entry.value;
      largest = std::max(largest, std::sqrt(squares));
    }
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row) {
      rows_[at(row)].largest = largest;
      for (const Entry& entry : rows_[at(row)].entries) enter(row, entry.column);
    }
  }

  void enter(int row, int column) {
    columns_[at(column)].push_back(row);
    ++column_count_[at(column)];
  }
  void leave(int row) {
    for (const Entry& entry : rows_[at(row)].entries) --column_count_[at(entry.column)];
  }
  void push(int row) { queue_.emplace(!row_is_known_[at(row)], size(rows_[at(row)].entries), row); }

  double largest_entry(int row, bool of_known_columns = false) const {
    double largest = 0;
    for (const Entry& entry : rows_[at(row)].entries)
      if (!of_known_columns || column_is_known_[at(entry.column)]) largest = std::max(largest, std::abs(entry.value));
    return largest;
  }
  /// What is left of a row, relative to what it was.
  double remainder(int row) const { return largest_entry(row) / rows_[at(row)].largest; }

  /// The column of fewest entries among those where the row is not small; known ones go first.
  int choose_column(int row, double share) const {
    const double largest_known = largest_entry(row, true);
    const bool take_known = row_is_known_[at(row)] && largest_known > share * rows_[at(row)].largest;
    const double least = pivot_share * (take_known ? largest_known : largest_entry(row));
    int best = -1;
    for (const Entry& entry : rows_[at(row)].entries) {
      if (std::abs(entry.value) < least || (take_known && !column_is_known_[at(entry.column)])) continue;
      if (best < 0 || column_count_[at(entry.column)] < column_count_[at(best)]) best = entry.column;
    }
    return best;
  }

  void put_aside(int row) {
    leave(row);
    rows_[at(row)].state = State::aside;
    aside_.emplace_back(remainder(row), row);
  }

  void eliminate(int row, int column) {
    leave(row);
    make_pivot(row, column);
    for (const int other : columns_[at(column)])
      if (rows_[at(other)].state == State::waiting && subtract(column, other)) push(other);
    columns_[at(column)].clear();
  }

  void make_pivot(int row, int column) {
    rows_[at(row)].state = State::pivot;
    order_[at(column)] = static_cast<int>(pivots_.size());
    pivot_row_[at(column)] = row;
    pivots_.push_back(remainder(row));
  }

  static auto find(const std::vector<Entry>& entries, int column) {
    const auto place = std::lower_bound(entries.begin(), entries.end(), column,
                                        [](const Entry& entry, int wanted) { return entry.column < wanted; });
    return place != entries.end() && place->column == column ? place : entries.end();
  }

  /// Takes the pivot row of a column from another row. @return whether that had an entry there
  bool subtract(int column, int other) {
    const std::vector<Entry>& pivot = rows_[at(pivot_row_[at(column)])].entries;
    Row& row = rows_[at(other)];
    const auto here = find(row.entries, column);
    if (here == row.entries.end()) return false;
    const double factor = here->value / find(pivot, column)->value;
    operations_ += size(pivot);
    const bool is_counted = row.state == State::waiting;
    sum_.clear();
    auto a = row.entries.cbegin();
    auto b = pivot.cbegin();
    while (a != row.entries.cend() || b != pivot.cend()) {
      const bool has_a = b == pivot.cend() || (a != row.entries.cend() && a->column <= b->column);
      const bool has_b = a == row.entries.cend() || (b != pivot.cend() && b->column <= a->column);
      const int at_column = has_a ? a->column : b->column;
      const double value = (has_a ? a->value : 0.0) - (has_b ? factor * b->value : 0.0);
      const bool stays = at_column != column && std::abs(value) > cancelled * row.largest;
      if (stays) sum_.push_back({at_column, value});
      if (is_counted && stays && !has_a) enter(other, at_column);
      if (is_counted && !stays && has_a) --column_count_[at(at_column)];
      if (has_a) ++a;
      if (has_b) ++b;
    }
    row.entries.assign(sum_.begin(), sum_.end());
    row.largest = std::max(row.largest, largest_entry(other));
    return true;
  }

  /// Takes all pivots from a row that was put aside before they were chosen.
  void reduce(int row) {
    const auto next_pivot = [&] {
      int first = -1;
      for (const Entry& entry : rows_[at(row)].entries)
        if (order_[at(entry.column)] >= 0 && (first < 0 || order_[at(entry.column)] < order_[at(first)]))
          first = entry.column;
      return first;
    };
    for (int column = next_pivot(); column >= 0; column = next_pivot()) subtract(column, row);
  }

  /// Until there are `rank` pivots. @return whether there are more than before
  bool eliminate_from_aside(int rank) {
    const std::size_t before = pivots_.size();
    while (static_cast<int>(pivots_.size()) < rank && !aside_.empty()) {
      std::pop_heap(aside_.begin(), aside_.end());
      const int row = aside_.back().second;
      reduce(row);
      aside_.back().first = remainder(row);
      // What was left of it may have gone since.
      if (aside_.size() > 1 && aside_.back().first < aside_.front().first) {
        std::push_heap(aside_.begin(), aside_.end());
        continue;
      }
      if (aside_.back().first == 0) break;
      aside_.pop_back();
      const auto& entries = rows_[at(row)].entries;
      const auto largest = std::max_element(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::abs(a.value) < std::abs(b.value);
      });
      make_pivot(row, largest->column);
    }
    return pivots_.size() > before;
  }

  Eigen::VectorXd pivots() const {
    Eigen::VectorXd out(static_cast<Eigen::Index>(rows_.size()));
    std::copy(pivots_.begin(), pivots_.end(), out.begin());
    Eigen::Index next = static_cast<Eigen::Index>(pivots_.size());
    for (const auto& [left, row] : aside_) out[next++] = left;
    std::sort(out.begin(), out.end(), std::greater<>());
    return out;
  }

  std::vector<Row> rows_;
  std::vector<std::vector<int>> columns_;  ///< rows that have an entry there, or had one
  std::vector<int> column_count_;          ///< of rows that wait
  std::vector<int> order_, pivot_row_;     ///< by column; -1: no pivot
  std::vector<char> row_is_known_, column_is_known_;
  std::vector<double> pivots_;                 ///< what was left of the rows when their turn came
  std::vector<std::pair<double, int>> aside_;  ///< what is left of the rows; a heap from finish() on
  std::vector<Entry> sum_;
  std::int64_t operations_ = 0;
  using Candidate = std::tuple<bool, int, int>;  ///< not known; entries; row
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

}  // namespace

SparseRank find_sparse_rank(const BlockMatrix& G, const Eigen::VectorXd& row_scales, double length, int known_rank,
                            bool force_known, const RankLimits& limits, const SparseRank* known) {
  RowElimination elimination(G, row_scales, length, known);
  elimination.run(limits.kept);
  return elimination.finish([&](const Eigen::VectorXd& pivots) {
    return force_known ? known_rank : rank_of_pivots(pivots, known_rank, limits);
  });
}

}  // namespace linkwork
