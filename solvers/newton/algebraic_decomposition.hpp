#pragma once

namespace linkwork {

/// How the derivative of the algebraic equations is decomposed (GEOMS 3, option 11 of its manual).
enum class AlgebraicDecomposition {
  automatic,  ///< lu; svd where constraints are redundant
  lu,         ///< with full pivoting
  qr,         ///< with column pivoting
  svd         ///< singular values
};

/// Why one level of the algebraic equations can't be solved.
enum class AlgebraicDefect {
  none,
  leading_block,  ///< the block of contact coordinates or of auxiliary variables is singular
  rank            ///< rows depend on each other
};

}  // namespace linkwork
