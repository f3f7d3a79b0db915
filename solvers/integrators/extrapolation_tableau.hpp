#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace linkwork {

/// Step numbers of the lines of an extrapolation tableau, n_1 to n_13 (MEXX 2.2).
inline constexpr std::array<int, 13> step_numbers = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24};

/// n_line; lines are counted from 1.
inline int steps_of_line(int line) { return step_numbers[static_cast<std::size_t>(line - 1)]; }

/// Extrapolation to h = 0 of values whose error has an expansion in powers of h = H / n_line (Aitken and Neville, MEXX
/// 2.6). Lines are added one by one; only the entries of the last line are kept.
class ExtrapolationTableau {
 public:
  /// @param first_line  line of the first value; derivatives at an end of the step start later than line 1
  explicit ExtrapolationTableau(int first_line = 1) : first_line_(first_line) {}

  void clear() { lines_ = 0; }
  /// Number of values added so far.
  int lines() const { return lines_; }
  /// Adds T(line, 1) for the next line. Swaps storage with `value`.
  void add(Eigen::VectorXd& value);
  /// T(line, k) of the last line, k = 1 .. lines().
  const Eigen::VectorXd& entry(int k) const { return entries_[static_cast<std::size_t>(k - 1)]; }
  /// T(line, line): the extrapolated value.
  const Eigen::VectorXd& value() const { return entry(lines_); }
  /// T(line, k + 1) - T(line, k) of the last line, k = 1 .. lines() - 1: an estimate of the error of T(line, k).
  const Eigen::VectorXd& difference(int k) const { return differences_[static_cast<std::size_t>(k - 1)]; }

 private:
  int first_line_;
  int lines_ = 0;
  std::vector<Eigen::VectorXd> entries_, differences_;
};

}  // namespace linkwork
