#include <linkwork/solvers/newton/krylov_correction.hpp>

#include <linkwork/core/concat.hpp>

#include <cmath>

namespace linkwork {

namespace {

// Increment of a difference along a direction, relative to the size of the unknown that moves most. The others move by
// less, and what that does has to be seen above the rounding of F: the increment of single unknowns, 1.5e-8, is too
// small for that where a direction has unknowns of several kinds.
constexpr double directional_increment = 1.5e-6;

}  // namespace

KrylovCorrection::KrylovCorrection(ResidualFunction& system, int multipliers, int most, const CorrectorOptions& options,
                                   const JacobianOptions& jacobian)
    : system_(system), multipliers_(multipliers), norm_(options.krylov_norm), gmres_(system.size(), most) {
  const int n = system.size();
  if (most > n && n > 0)
    throw ModelError(concat("the corrector is to take ", most, " Krylov steps, and the system has ", n,
                            " unknowns, which as many steps determine; take 1 to ", n, "."));
  if (options.krylov_products == KrylovProducts::jacobian) jacobian_.emplace(system, jacobian);
  for (Eigen::VectorXd* vector : {&sizes_, &units_, &right_, &solution_, &direction_, &y_shifted_, &rate_shifted_})
    vector->setOnes(n);
  product_.setZero(system.equations());
}

/// Multipliers count by what they do in a step, as in the test of the iteration: in short steps they follow from
/// differences of large velocities over h, and rounding would fill the norm with them.
void find_sizes(const JacobianPoint& point, int multipliers, Eigen::VectorXd& sizes) {
  sizes = point.y.cwiseAbs().cwiseMax((point.step * point.y_rate).cwiseAbs()).cwiseMax(point.weights);
  if (point.step != 0) sizes.tail(sizes.size() - multipliers) /= std::abs(point.step);
  for (double& size : sizes)
    if (!(size > 0)) size = 1;
}

void KrylovCorrection::choose_sizes(const JacobianPoint& point) {
  find_sizes(point, multipliers_, sizes_);
  if (norm_ == KrylovNorm::by_unit) units_ = sizes_;
}

Outcome KrylovCorrection::correct(const JacobianPoint& point, const Eigen::VectorXd& F, int steps,
                                  const Precondition& precondition, Eigen::VectorXd& delta) {
  if (jacobian_ && !has_jacobian_) {
    if (Outcome differenced = jacobian_->difference(point, F); !differenced) return differenced;
    has_jacobian_ = true;
  }
  choose_sizes(point);
  delta = F;
  precondition(delta);
  right_ = delta.cwiseQuotient(units_);
  const auto apply = [&](const Eigen::VectorXd& direction, Eigen::VectorXd& product) {
    direction_ = direction.cwiseProduct(units_);
    if (!multiply(point, F)) return false;
    precondition(product_);
    product = product_.cwiseQuotient(units_);
    return true;
  };
  steps_done_ += gmres_.solve(right_, steps, std::ref(apply), solution_);
  delta = solution_.cwiseProduct(units_);
  return {};
}

/// product_ := G direction_. @return whether it could be evaluated
bool KrylovCorrection::multiply(const JacobianPoint& point, const Eigen::VectorXd& F) {
  if (!jacobian_) return difference(point, F, 1) || difference(point, F, -1);
  product_.setZero();
  jacobian_->matrix().multiply_add(1, direction_, product_);
  return true;
}

bool KrylovCorrection::difference(const JacobianPoint& point, const Eigen::VectorXd& F, double sign) {
  const double increment = sign * directional_increment / direction_.cwiseQuotient(sizes_).lpNorm<Eigen::Infinity>();
  y_shifted_ = point.y + increment * direction_;
  rate_shifted_ = point.y_rate + (point.alpha * increment) * direction_;
  ++function_calls_;
  try {
    system_.evaluate(point.t, y_shifted_, rate_shifted_, product_);
  } catch (const RecoverableFailure&) {
    return false;
  }
  product_ = (product_ - F) / increment;
  return true;
}

}  // namespace linkwork
