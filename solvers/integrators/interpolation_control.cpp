#include <linkwork/solvers/integrators/interpolation_control.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr double inside = 0.4;  // in the widest gap between nodes; errors of p, v and r are all near their largest
constexpr int first_steps_not_seen = 4, most_steps_not_seen = 1 << 20;

}  // namespace

InterpolationControl::InterpolationControl(bool is_in_rounding)
    : least_steps_not_seen_(is_in_rounding ? most_steps_not_seen : first_steps_not_seen) {}

void InterpolationControl::serve(MotionResidual& equations, RadauInterpolation& interpolation) {
  equations_ = &equations;
  interpolation_ = &interpolation;
  y_rate_.setZero(equations.size());
  evaluations_ = 0;
}

void InterpolationControl::begin_run() {
  steps_not_seen_ = 0;
  steps_not_seen_next_ = least_steps_not_seen_;
}

void InterpolationControl::begin_attempts() {
  error_before_ = 0;
  in_vain_ = 0;
}

void InterpolationControl::look(const RadauInterpolation::End& start, const RadauInterpolation::End& end, double h,
                                const CollocationPolynomial& collocation, StageSystem& system) {
  // Newton's iteration does not care for accelerations, and the finish comes after the test.
  const MotionLayout& at = equations_->layout();
  const int accelerations = at.r - at.v;
  system.solve_algebraic(end.F, change_);
  y_ = end.y;
  y_.segment(at.a, accelerations) += change_.segment(at.a, accelerations);
  interpolation_->set(start, {end.t, y_, end.F}, h, collocation);
  collocation.evaluate(inside, y_);
  interpolation_->evaluate(inside, y_, y_rate_);
  ++evaluations_;
  equations_->evaluate(start.t + inside * h, y_, y_rate_, F_);
}

InterpolationControl::Change InterpolationControl::largest_change(StageSystem& system, const ErrorWeights& weights) {
  system.solve(F_, change_);
  Change largest;
  const auto compare = [&](int first, const Eigen::VectorXd& tolerances) {
    for (Eigen::Index i = 0; i < tolerances.size(); ++i) {
      const double size = std::abs(change_[first + i]) / tolerances[i];
      if (size > largest.tolerances) largest = {size, first + static_cast<int>(i), change_[first + i]};
    }
  };
  const MotionLayout& at = equations_->layout();
  compare(at.p, weights.p);
  compare(at.v, weights.v);
  compare(at.r, weights.r);
  return largest;
}

/// One attempt may meet the edge of a law at a worse place than the one before it.
bool InterpolationControl::shorter_steps_help(double error, double h) {
  constexpr double least_gain = 0.5;
  constexpr int most_in_vain = 2;
  if (error_before_ > 0 && !(error <= least_gain * error_before_) && ++in_vain_ == most_in_vain) {
    steps_not_seen_ = steps_not_seen_next_;
    steps_not_seen_next_ = std::min(2 * steps_not_seen_next_, most_steps_not_seen);
    return false;
  }
  if (error_before_ == 0) step_before_cuts_ = h;
  error_before_ = error;
  return true;
}

void InterpolationControl::pass() { steps_not_seen_next_ = std::max(steps_not_seen_next_ / 2, least_steps_not_seen_); }

void InterpolationControl::accept_step() {
  if (steps_not_seen_ > 0) --steps_not_seen_;
}

}  // namespace linkwork
