#include <linkwork/solvers/reductions/reduction_options.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

std::vector<std::string> reduction_names() {
  return {"none", "partitioning", "baumgarte", "hybrid", "svd", "null-space"};
}

std::string name_of(Reduction reduction) { return reduction_names()[static_cast<std::size_t>(reduction)]; }

Reduction reduction_named(const std::string& name) {
  const std::vector<std::string> names = reduction_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw ModelError(concat("unknown reduction '", name, "'; there are: ", listed(names), "."));
  return static_cast<Reduction>(found - names.begin());
}

std::string ReductionOptions::why_invalid() const {
  const auto bad = [](const char* what, double value, const char* expected) {
    return concat(what, " is ", value, "; expected ", expected, '.');
  };
  if (!(std::isfinite(alpha) && alpha >= 0)) return bad("alpha", alpha, "> 0 [1/s], or 0 for a choice by the step");
  if (!(std::isfinite(beta) && beta >= 0)) return bad("beta", beta, "> 0 [1/s], or 0 for alpha");
  if (beta > 0 && alpha == 0) return concat("beta is ", beta, " and alpha is not given; give both, or alpha alone.");
  if (!(correction_share > 0 && correction_share <= 1))
    return bad("correction_share", correction_share, "a number above 0 and at most 1");
  if (basis == NullSpaceBasis::given && given_basis.size() == 0)
    return "the basis of the null space is to be a given one, and given_basis is empty; give a matrix with a row for "
           "each independent velocity.";
  return "";
}

}  // namespace linkwork
