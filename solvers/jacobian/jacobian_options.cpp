#include <linkwork/solvers/jacobian/jacobian_options.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

std::string JacobianOptions::why_invalid() const {
  if (!(stale_share > 0 && stale_share < 1))
    return concat("stale_share is ", stale_share, "; expected a number between 0 and 1.");
  return "";
}

}  // namespace linkwork
