#pragma once

#include <cstdint>
#include <string>

namespace linkwork {

enum class Differences {
  dense,   ///< one evaluation of F per column (CORR 16)
  grouped  ///< one per group of columns that share no row (CORR 20)
};

/// Size of the increment of an unknown y.
enum class Increments {
  weighted,  ///< sqrt(eps) max(|y|, |h y'|, weight), with the sign of h y': the unknown's own scale
  relative   ///< sqrt(eps) max(|y|, eps^(1/4)) (CORR 17): drowns in rounding where y is small and F is large
};

enum class PartitionedUpdates {
  off,      ///< a new Jacobian always costs differences
  on,       ///< alpha dF/dy', and the entries known without differences, are renewed alone (CORR 22 to 25)
  extended  ///< and the change of dF/dy with the inputs u, u' and u'' is added to first order (CORR 26)
};

enum class JacobianRefresh {
  whole,  ///< all columns are differenced
  blocks  ///< one evaluation per group of blocks tells which blocks have changed; only those are differenced
};

enum class JacobianPattern {
  exact,     ///< what the function declares; where that is not complete, united with what differences have shown
  estimated  ///< what dense differences have shown at the start and whenever convergence was slow (CORR 3.1)
};

struct JacobianOptions {
  Differences differences = Differences::grouped;
  Increments increments = Increments::weighted;
  PartitionedUpdates partitioned = PartitionedUpdates::on;
  JacobianRefresh refresh = JacobianRefresh::whole;
  JacobianPattern pattern = JacobianPattern::exact;
  bool known_entries = true;             ///< take the entries that the function knows; false: difference them too
  bool renew_input_derivatives = false;  ///< of `extended`: at each differenced evaluation, not only at the first one
  /// A block has changed, and an update is worth trying, from this error in a row on, relative to its largest term.
  double stale_share = 0.1;

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

struct JacobianStatistics {
  std::int64_t differenced = 0;      ///< evaluations of all columns by differences
  std::int64_t refreshed = 0;        ///< evaluations of the changed blocks only
  std::int64_t updates = 0;          ///< cheap updates without differences
  std::int64_t function_calls = 0;   ///< evaluations of F for Jacobians, retries and derivatives by inputs included
  std::int64_t pattern_updates = 0;  ///< dense evaluations that searched for entries, after the first
  std::int64_t retries = 0;          ///< increments that F could not be evaluated at
  int nonzeros = 0;                  ///< of the pattern in use
  int groups = 0;                    ///< evaluations of F for one evaluation of all columns; dense: columns
  int lower_bound = 0;               ///< the largest number of columns that differences shift in a row
  std::string ordering;              ///< of the columns that gave the groups
};

}  // namespace linkwork
