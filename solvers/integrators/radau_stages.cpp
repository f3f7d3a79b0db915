#include <linkwork/solvers/integrators/radau_stages.hpp>

#include <linkwork/solvers/integrators/radau_coefficients.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr double diverging_rate = 0.99;
// An iteration that comes to rest above its own tolerance, but below this share of the step's, has met rounding errors:
// near singular positions multipliers have many of them.
constexpr double rounding_share = 0.03;

}  // namespace

RadauStages::RadauStages(MotionResidual& equations, const Options& options)
    : equations_(equations), options_(options), y_rate_(Eigen::VectorXd::Zero(equations.size())) {
  Z_.setZero(equations.size(), 3);
  W_ = transformed_change_ = Z_;
  F_of_stages_.setZero(equations.equations(), 3);
  transformed_F_ = F_of_stages_;
}

void RadauStages::begin(const Step& step, const CollocationPolynomial* before, double ratio) {
  const RadauCoefficients& radau = radau_coefficients();
  iterations_ = 0;
  rate_ = 0;
  step_factor_ = 1;
  if (!before) {
    Z_.setZero();
    W_.setZero();
    return;
  }
  for (int i = 0; i < 3; ++i) {
    before->evaluate(1 + radau.nodes[i] * ratio, y_);
    Z_.col(i) = y_ - step.y;
  }
  W_.noalias() = Z_ * radau.T_inverse.transpose();
}

void RadauStages::evaluate(const Step& step) {
  const RadauCoefficients& radau = radau_coefficients();
  const int differential = equations_.layout().differential();
  for (int i = 0; i < 3; ++i) {
    y_ = step.y + Z_.col(i);
    y_rate_.head(differential).noalias() = Z_.topRows(differential) * radau.inverse.row(i).transpose() / step.h;
    ++evaluations_;
    equations_.evaluate(step.t + radau.nodes[i] * step.h, y_, y_rate_, F_);
    F_of_stages_.col(i) = F_;
  }
  transformed_F_.noalias() = F_of_stages_ * radau.T_inverse.transpose();
}

/// @return the size of the change, root mean square over all stages (GEOMS 19)
double RadauStages::correct(const Step& step, StageSystem& system) {
  F_real_ = transformed_F_.col(0);
  system.solve(F_real_, change_);
  transformed_change_.col(0) = change_;
  F_real_ = transformed_F_.col(1);
  F_imaginary_ = transformed_F_.col(2);
  system.solve(F_real_, F_imaginary_, change_, change_imaginary_);
  transformed_change_.col(1) = change_;
  transformed_change_.col(2) = change_imaginary_;
  const double squares = (step.scales.asDiagonal() * transformed_change_).squaredNorm();
  const auto counted = static_cast<double>(std::max<Eigen::Index>((step.scales.array() > 0).count(), 1));
  W_ += transformed_change_;
  Z_.noalias() = W_ * radau_coefficients().T.transpose();
  change_ = transformed_change_ * radau_coefficients().T.row(2).transpose();
  return std::sqrt(squares / (3 * counted));
}

void RadauStages::last_rate(const Step& step, Eigen::VectorXd& rate) const {
  const int differential = equations_.layout().differential();
  rate.setZero(equations_.size());
  rate.head(differential).noalias() =
      Z_.topRows(differential) * radau_coefficients().inverse.row(2).transpose() / step.h;
}

RadauStages::Result RadauStages::iterate(const Step& step, StageSystem& system, int most) {
  // What is left over after a change, in units of it: as known from the step before, but more and more careful.
  remainder_ = std::pow(std::max(remainder_, std::numeric_limits<double>::epsilon()), 0.8);
  double size_before = 0, ratio_before = 0;
  for (int k = 1; k <= most; ++k) {
    evaluate(step);
    const double size = correct(step, system);
    ++iterations_;
    if (!std::isfinite(size)) return Result::diverges;
    if (k > 1 && k < most) {
      const double ratio = size / size_before;
      rate_ = k == 2 ? ratio : std::sqrt(ratio * ratio_before);
      ratio_before = ratio;
      if (rate_ >= diverging_rate) return size <= rounding_share ? Result::converged : Result::diverges;
      remainder_ = rate_ / (1 - rate_);
      const int left = most - 1 - k;
      const double at_the_end = remainder_ * size * std::pow(rate_, left) / options_.tolerance;
      if (at_the_end >= 1 && remainder_ * size <= rounding_share) return Result::converged;
      if (at_the_end >= 1) {
        step_factor_ = 0.8 * std::pow(std::clamp(at_the_end, 1e-4, 20.0), -1.0 / (4 + left));
        return Result::slow;
      }
    }
    size_before = std::max(size, std::numeric_limits<double>::epsilon());
    if (remainder_ * size <= options_.tolerance) return Result::converged;
  }
  step_factor_ = 0.5;
  return Result::slow;
}

}  // namespace linkwork
