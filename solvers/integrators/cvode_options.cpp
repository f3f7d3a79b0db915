#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/integrators/cvode.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>
#include <linkwork/solvers/integrators/unconstrained_integrator.hpp>

namespace linkwork {

std::string CvodeOptions::why_invalid() const {
  if (std::string why = stepping_options(*this).why_invalid(); !why.empty()) return why;
  const int greatest = method == CvodeMethod::adams ? 12 : 5;
  if (maximum_order < 0 || maximum_order > greatest)
    return concat("maximum_order is ", maximum_order, "; expected 1 to ", greatest, " for ", name(),
                  ", or 0 for the greatest.");
  return why_invalid_first_step(first_step);
}

}  // namespace linkwork
