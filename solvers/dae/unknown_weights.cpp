#include <linkwork/solvers/dae/unknown_weights.hpp>

#include <linkwork/solvers/dae/unit_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

constexpr double rounding_of_motion = 100 * std::numeric_limits<double>::epsilon();

}  // namespace

UnknownWeights::UnknownWeights(const EquationsOfMotion& equations, const MotionLayout& layout,
                               const Tolerances& tolerances, double least_share)
    : at_(layout),
      tolerances_(tolerances),
      least_share_(least_share),
      relative_(Eigen::VectorXd::Constant(layout.lambda, tolerances.rtol)),
      absolute_(Eigen::VectorXd::Constant(layout.lambda, tolerances.atol)),
      values_(Eigen::VectorXd::Zero(layout.size)),
      unit_(layout.r),
      metric_(velocity_metric(equations)),
      force_(Eigen::VectorXd::Zero(layout.r - layout.v)),
      multiplier_(Eigen::VectorXd::Ones(layout.end - layout.lambda)),
      row_rate_(Eigen::VectorXd::Ones(layout.end - layout.lambda)) {
  std::map<std::pair<char, Measure>, int> known;
  const auto add_kind = [&](char unknown, Measure measure) {
    kinds_.push_back(known.try_emplace({unknown, measure}, static_cast<int>(known.size())).first->second);
  };
  for (int i = at_.p; i < at_.v; ++i) add_kind('p', equations.position_measure(i - at_.p));
  for (int i = at_.v; i < at_.r; ++i) add_kind('v', equations.velocity_measure(i - at_.v));
  largest_.resize(known.size());
  unit_ << position_sizes(equations), velocity_sizes(equations);
  const auto set = [](Eigen::VectorXd& tolerance, int first, const std::vector<double>& given) {
    for (std::size_t i = 0; i < given.size(); ++i) tolerance[first + static_cast<int>(i)] = given[i];
  };
  const ComponentTolerances& by = tolerances.components;
  set(relative_, at_.p, by.p_rtol);
  set(relative_, at_.v, by.v_rtol);
  set(relative_, at_.r, by.r_rtol);
  set(absolute_, at_.p, by.p_atol);
  set(absolute_, at_.v, by.v_atol);
  set(absolute_, at_.r, by.r_atol);
  // A component that is exactly zero under a purely relative tolerance must not divide by zero.
  absolute_ = absolute_.cwiseMax(std::numeric_limits<double>::min());
}

void UnknownWeights::renew_forces(EquationsOfMotion& equations, const State& state) {
  equations.set(state);
  renew_forces_here(equations, state);
}

void UnknownWeights::renew_forces_here(EquationsOfMotion& equations, const State& state) {
  Eigen::VectorXd size = equations.f().cwiseAbs(), other(force_.size());
  equations.multiply_mass(state.a, other);
  size = size.cwiseMax(other.cwiseAbs());
  const BlockMatrix& G = equations.G();
  other.setZero();
  G.transpose_multiply_add(1.0, state.lambda, other);
  size = size.cwiseMax(other.cwiseAbs());
  force_ = size.cwiseMax(0.5 * force_);

  // lambda that holds these forces in the mean: the least-squares solution of G^T lambda = force, row by row, where
  // torques count by the characteristic length.
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(multiplier_.size()), products = squares, largest_entry = squares;
  row_rate_.setZero();
  for (std::size_t b = 0; b < G.blocks().size(); ++b) {
    const BlockMatrix::Block& block = G.blocks()[b];
    const double* value = G.values(static_cast<int>(b));
    for (int i = block.row; i < block.row + block.height; ++i)
      for (int j = block.column; j < block.column + block.width; ++j, ++value) {
        const double moved = metric_[j] * std::abs(*value);
        squares[i] += moved * std::abs(*value);
        products[i] += moved * force_[j];
        largest_entry[i] = std::max(largest_entry[i], std::sqrt(metric_[j]) * std::abs(*value));
        row_rate_[i] = std::max(row_rate_[i], moved / unit_[at_.v + j]);
      }
  }
  const double least = least_force(equations, state.v);
  for (Eigen::Index i = 0; i < multiplier_.size(); ++i) {
    if (!(row_rate_[i] > 0)) row_rate_[i] = 1;
    const double entry = largest_entry[i] > 0 ? largest_entry[i] : 1;
    multiplier_[i] = std::max(squares[i] > 0 ? products[i] / squares[i] : 0.0, least / entry);
  }
}

/// The largest force [N], torques over the characteristic length.
double UnknownWeights::characteristic(const Eigen::VectorXd& forces) const {
  return forces.size() > 0 ? forces.cwiseProduct(metric_.cwiseSqrt()).maxCoeff() : 0.0;
}

/// What a row whose bodies feel no force is measured by [N]: the forces elsewhere. Where they are none, of motions
/// without load, forces are the rounding of what turns momentum at the fastest rate, and are not asked to be better; at
/// rest, 1 N.
double UnknownWeights::least_force(EquationsOfMotion& equations, const Eigen::VectorXd& v) const {
  constexpr double no_force = 1e-150;  // vanishes in squares
  Eigen::VectorXd momentum(v.size());
  equations.multiply_mass(v, momentum);
  const double rate = v.size() > 0 ? v.cwiseAbs().cwiseQuotient(unit_.tail(v.size())).maxCoeff() : 0.0;
  const double turning = rounding_of_motion * rate * characteristic(momentum.cwiseAbs()) / tolerances_.of_ratios();
  const double least = std::max(least_share_ * characteristic(force_), turning);
  return least > no_force ? least : 1.0;
}

void UnknownWeights::find_largest(const Eigen::Ref<const Eigen::VectorXd>& y) {
  std::fill(largest_.begin(), largest_.end(), 0.0);
  for (int i = 0; i < at_.r; ++i) largest_[kind(i)] = std::max(largest_[kind(i)], std::abs(y[i]));
}

void UnknownWeights::renew(const Eigen::Ref<const Eigen::VectorXd>& y) {
  const int rows = at_.end - at_.lambda;
  const double unit = tolerances_.of_ratios();
  values_.head(at_.lambda) = relative_.cwiseProduct(y.head(at_.lambda).cwiseAbs()) + absolute_;
  find_largest(y);
  for (int i = 0; i < at_.r; ++i) values_[i] = std::max(values_[i], rounding_of_motion * largest_[kind(i)]);
  values_.segment(at_.lambda, rows) = tolerances_.rtol * y.segment(at_.lambda, rows).cwiseAbs() + unit * multiplier_;
  values_.segment(at_.a, at_.eta - at_.a).setConstant(std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < at_.eta_rows.size(); ++k)
    values_[at_.eta + static_cast<int>(k)] = unit / row_rate_[at_.eta_rows[k]];
  inverse_values_ = values_.cwiseInverse();
}

const Eigen::VectorXd& UnknownWeights::for_increments(const Eigen::Ref<const Eigen::VectorXd>& y) {
  constexpr double share = 0.01, smallest = 1e-3;
  increments_ = values_;
  find_largest(y);
  double fastest = 1;
  for (int i = 0; i < at_.r; ++i) {
    increments_[i] = std::max({increments_[i], share * largest_[kind(i)], smallest * unit_[i]});
    if (i >= at_.v) fastest = std::max(fastest, std::abs(y[i]) / unit_[i]);
  }
  increments_.segment(at_.lambda, multiplier_.size()) = multiplier_;
  increments_.segment(at_.a, at_.eta - at_.a) = unit_.segment(at_.v, at_.eta - at_.a);  // per s^2
  for (std::size_t k = 0; k < at_.eta_rows.size(); ++k)
    increments_[at_.eta + static_cast<int>(k)] = fastest / row_rate_[at_.eta_rows[k]];
  return increments_;
}

double UnknownWeights::norm(const Eigen::VectorXd& change, double h) const {
  const int multipliers = at_.size - at_.lambda;
  return std::hypot(norm_of_motion(change),
                    h * change.tail(multipliers).cwiseProduct(inverse_values_.tail(multipliers)).norm() /
                        std::sqrt(std::max(at_.differential(), 1)));
}

double UnknownWeights::norm_of_motion(const Eigen::VectorXd& change) const {
  const int direct = at_.lambda;
  return change.head(direct).cwiseProduct(inverse_values_.head(direct)).norm() /
         std::sqrt(std::max(at_.differential(), 1));
}

int UnknownWeights::worst(const Eigen::VectorXd& change, double h) const {
  Eigen::VectorXd size = (change.array() / values_.array()).abs();
  size.tail(at_.size - at_.lambda) *= h;
  int worst = 0;
  for (int i = 0; i < at_.size; ++i)
    if (!(size[i] <= size[worst])) worst = i;  // what is not finite is worst of all
  return worst;
}

}  // namespace linkwork
