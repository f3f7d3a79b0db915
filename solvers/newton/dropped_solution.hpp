#pragma once

// Internal.

#include <linkwork/solvers/linear/triangular_factors.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <Eigen/Core>
#include <algorithm>

namespace linkwork {

/// Solutions with the factors of an iteration matrix of which small entries are dropped, beside the full factors
/// (DASSL+, definition 3.1). Copies them when they are first wanted after a factorisation.
class DroppedSolution {
 public:
  /// There are other factors.
  void forget() { has_copy_ = false; }
  /// @param tolerance  relative to the largest entry of a row; 0 drops nothing, and then the full factors solve
  void prepare(IterationMatrix& factors, double tolerance);
  void solve(IterationMatrix& factors, Eigen::VectorXd& x);
  bool drops_nothing() const { return dropped_.drops_nothing(); }
  std::int64_t entries() const { return dropped_.entries(); }
  std::int64_t dropped_entries() const { return dropped_.all_entries() - dropped_.entries(); }

 private:
  TriangularFactors all_;
  DroppedFactors dropped_;
  double tolerance_ = 0;
  bool has_copy_ = false, is_dropped_ = false;
};

/// The worst contraction by dropped factors since they were made: how much a correction leaves depends on its
/// direction, so that no better one is trusted. Of a step size that has changed it says nothing until another one is
/// measured.
class WorstContraction {
 public:
  /// There are other factors.
  void forget() { worst_ = -1; }
  /// A solution with this leading coefficient begins.
  void begin(double alpha) {
    is_dated_ = is_dated_ || alpha != alpha_;
    alpha_ = alpha;
  }
  void observe(double contraction) {
    worst_ = std::max(worst_, contraction);
    is_dated_ = false;
  }
  /// See Corrector::leaves.
  double leaves() const {
    if (worst_ < 0) return -1;
    return is_dated_ ? 1 : std::max(worst_, least_trusted);
  }

 private:
  // Better ones were those of directions that dropped factors solve well. `sprocket_chain` errs five times as much by
  // factors without entries of 1e-8 where they are trusted.
  static constexpr double least_trusted = 0.1;

  double worst_ = -1, alpha_ = 0;
  bool is_dated_ = false;
};

}  // namespace linkwork
