#include <linkwork/solvers/integrators/radau_step_control.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

double RadauStepControl::quotient(double error, int iterations, int most_iterations) const {
  const double safety =
      options_.safety * std::min(1.0, (1.0 + 2 * most_iterations) / (iterations + 2.0 * most_iterations));
  return std::clamp(std::pow(error, 0.25) / safety, 1 / options_.largest_ratio, 1 / options_.smallest_ratio);
}

double RadauStepControl::after_accepted(double h, double error, int iterations, int most_iterations) {
  constexpr double smallest_error = 1e-2;
  double divisor = quotient(error, iterations, most_iterations);
  if (options_.control == StepControl::predictive && error_before_ > 0) {
    const double predicted = h_before_ / h * std::pow(error * error / error_before_, 0.25) / options_.safety;
    divisor = std::max(divisor, std::clamp(predicted, 1 / options_.largest_ratio, 1 / options_.smallest_ratio));
  }
  h_before_ = h;
  error_before_ = std::max(smallest_error, error);
  return h / divisor;
}

double RadauStepControl::after_rejected(double h, double error, int iterations, int most_iterations) const {
  return h / quotient(error, iterations, most_iterations);
}

}  // namespace linkwork
