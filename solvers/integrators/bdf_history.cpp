#include <linkwork/solvers/integrators/bdf_history.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

void BdfHistory::start(const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate) {
  order_ = 1;
  last_order_ = equal_steps_ = 0;
  last_step_ = 0;
  differences_.setZero(y.size(), points);
  differences_.col(0) = y;
  start_rate_ = y_rate;
}

void BdfHistory::prepare(double h) {
  const bool equal = h == last_step_ && order_ == last_order_;
  equal_steps_ = equal ? prepared_equal_steps_ + 1 : 1;
  step_ = h;
  if (last_order_ == 0) {  // the tangent
    spans_.fill(h);
    spans_[0] = 0;
    differences_.col(1) = h * start_rate_;
  }
  // psi_i = h + (t_n - t_(n-i+1)) at the new point; (t_n - t_(n-i)) at the last one.
  beta_[0] = sigma_[0] = 1;
  gamma_[0] = 0;
  double fixed = 0, sum_of_ratios = 0, ratio = 1;  // ratio: h / psi_i
  for (int i = 1; i <= order_; ++i) {
    const double psi = h + spans_[at(i - 1)], psi_before = spans_[at(i)];
    ratio = h / psi;
    beta_[at(i)] = beta_[at(i - 1)] * psi / psi_before;
    gamma_[at(i)] = gamma_[at(i - 1)] + ratio / h;
    sum_of_ratios += ratio;
    fixed += 1.0 / i;
    const double next_ratio = h / (h + spans_[at(i)]);
    sigma_[at(i)] = i * sigma_[at(i - 1)] * next_ratio;
    ratio = next_ratio;
  }
  alpha_ = fixed / h;
  error_factor_ = std::max(std::abs(ratio - fixed + sum_of_ratios), ratio);
}

void BdfHistory::predict(Eigen::VectorXd& y, Eigen::Ref<Eigen::VectorXd> y_rate) const {
  std::array<double, points> rate_factor{};
  for (int i = 1; i <= order_; ++i) rate_factor[at(i)] = gamma_[at(i)] * beta_[at(i)];
  const Eigen::Index count = order_ + 1;
  y.resize(differences_.rows());
  y.noalias() = differences_.leftCols(count) * Eigen::VectorXd::Map(beta_.data(), count);
  y_rate.noalias() = differences_.topLeftCorner(y_rate.size(), count) * Eigen::VectorXd::Map(rate_factor.data(), count);
}

void BdfHistory::accept(const Eigen::VectorXd& correction) {
  differences_.col(order_ + 1) = correction;
  differences_.col(order_) = beta_[at(order_)] * differences_.col(order_) + correction;
  for (int i = order_ - 1; i >= 0; --i)
    differences_.col(i) = beta_[at(i)] * differences_.col(i) + differences_.col(i + 1);
  for (std::size_t i = spans_.size() - 1; i > 0; --i) spans_[i] = spans_[i - 1] + step_;
  last_step_ = step_;
  last_order_ = order_;
  prepared_equal_steps_ = equal_steps_;
}

}  // namespace linkwork
