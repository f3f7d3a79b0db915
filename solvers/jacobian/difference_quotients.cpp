#include <linkwork/solvers/jacobian/difference_quotients.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

const double smallest_relative_size = std::sqrt(root_epsilon);  // CORR (17): the fourth root of epsilon

/// IDA's rule. A component without a weight of its own (one that follows from others) counts from 1 on.
double weighted_increment(double y, double change, double weight) {
  const double size = std::max({std::abs(y), std::abs(change), std::isfinite(weight) ? weight : 1.0});
  return root_epsilon * (change < 0 ? -size : size);
}

double relative_increment(double y) { return root_epsilon * std::max(std::abs(y), smallest_relative_size); }

}  // namespace

DifferenceQuotients::DifferenceQuotients(ResidualFunction& function, Increments increments, bool rate_follows)
    : function_(function), rule_(increments), rate_follows_(rate_follows) {
  for (Eigen::VectorXd* vector : {&y_, &y_rate_, &y_shifted_, &rate_shifted_, &increments_, &shifts_})
    vector->setZero(function.size());
  F_.setZero(function.equations());
}

void DifferenceQuotients::move_to(const JacobianPoint& point) {
  t_ = point.t;
  alpha_ = point.alpha;
  y_ = y_shifted_ = point.y;
  y_rate_ = rate_shifted_ = point.y_rate;
  for (int j = 0; j < function_.size(); ++j)
    increments_[j] = rule_ == Increments::relative
                         ? relative_increment(y_[j])
                         : weighted_increment(y_[j], point.step * y_rate_[j], point.weights[j]);
}

bool DifferenceQuotients::evaluate_shifted() {
  ++function_calls_;
  try {
    function_.evaluate(t_, y_shifted_, rate_shifted_, F_);
  } catch (const RecoverableFailure& failure) {
    reason_ = failure.what();
    return false;
  }
  if (F_.allFinite()) return true;
  reason_ = "the residual is not finite";
  return false;
}

double DifferenceQuotients::probing_factor(int unknown) {
  // Multiples of irrational numbers spread evenly over an interval, the same in every run.
  const auto fraction = [unknown](double irrational) { return std::fmod((unknown + 1) * irrational, 1.0); };
  const double size = 0.5 + 0.5 * fraction(1.4142135623730951);
  return fraction(1.618033988749895) < 0.5 ? -size : size;
}

Outcome DifferenceQuotients::failure(int unknown) const {
  return Outcome::failure(concat("the Jacobian's column of ", function_.unknown_name(unknown), " (value ", y_[unknown],
                                 ", increment ", increments_[unknown], ") can't be found at t = ", t_,
                                 " s, not with other signs and smaller increments either: ", reason_),
                          Failure::not_evaluated);
}

}  // namespace linkwork
