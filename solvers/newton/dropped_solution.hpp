#pragma once

// Internal.

#include <linkwork/solvers/linear/triangular_factors.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <Eigen/Core>

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

}  // namespace linkwork
