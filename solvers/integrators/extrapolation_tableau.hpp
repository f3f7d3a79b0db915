#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

namespace linkwork {

/// Numbers of sub-steps of the lines of an extrapolation tableau, and what extrapolation must know of the method that
/// makes them.
struct StepSequence {
  static constexpr int maximum_lines = 13;
  std::array<int, maximum_lines> numbers;
  int power;   ///< the error has an expansion in powers of h^power
  int shared;  ///< sub-steps that need no evaluation of their own, because all lines of a step share it
  double stable, stable_per_line;  ///< T(k, k) damps what decays by a rate of up to (stable + k stable_per_line) / H

  /// n_line; lines are counted from 1.
  constexpr int steps(int line) const { return numbers[static_cast<std::size_t>(line - 1)]; }
  constexpr int evaluations(int line) const { return steps(line) - shared; }
};

/// Half-explicit Euler method (MEXX 2.2).
inline constexpr StepSequence half_explicit_sequence = {{2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24}, 1, 0, 2.3, 0.34};
/// Midpoint rule: half of each number is odd, so that the middle of the step is reached by sub-steps of one kind.
inline constexpr StepSequence midpoint_sequence = {{2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50}, 2, 1, 1.0, 1.07};

/// Extrapolation to h = 0 of values whose error has an expansion in powers of h^power, h = H / n_line (Aitken and
/// Neville, MEXX 2.6). Lines are added one by one; only the entries of the last line are kept.
class ExtrapolationTableau {
 public:
  /// @param first_line  line of the first value; derivatives inside the step start later than line 1
  explicit ExtrapolationTableau(const StepSequence& sequence, int first_line = 1)
      : sequence_(&sequence), first_line_(first_line) {}

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
  const StepSequence* sequence_;
  int first_line_;
  int lines_ = 0;
  std::vector<Eigen::VectorXd> entries_, differences_;
};

}  // namespace linkwork
