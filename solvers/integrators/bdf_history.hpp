#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>

namespace linkwork {

/// Backward differentiation of order k = 1 to 5 on unequal steps with a fixed leading coefficient: what is known of a
/// vector y at the last points, and what follows from it for the next one. The past is kept as scaled divided
/// differences
///
///   phi_i = psi_1 ... psi_(i-1) y[t_n, ..., t_(n-i+1)],   psi_i = t_n - t_(n-i),   i = 1, 2, ...
///
/// The polynomial through the last k + 1 points predicts y and y' at t = t_n + h; the corrected y has there
///
///   y' = predicted y' + alpha (y - predicted y),   alpha = (1 + 1/2 + ... + 1/k) / h
///
/// Differences of times are sums of steps, so that nothing depends on where time begins.
/// Source: K. Brenan, S. Campbell, L. Petzold, Numerical solution of initial-value problems in differential-algebraic
/// equations (1996), chapter 5.
class BdfHistory {
 public:
  static constexpr int highest_order = 5;

  /// Order 1, and no past but a derivative: as if the solution had been on its tangent one step before, whatever the
  /// size of the first step that is accepted.
  void start(const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate);

  int order() const { return order_; }
  /// From the next call of prepare on. At most one more than the order of the last accepted step.
  void set_order(int order) { order_ = order; }
  /// Of the last accepted step; 0 before it.
  int last_order() const { return last_order_; }
  /// From the point `back` accepted points ago, 0 to last_order(), to the last one.
  double span(int back) const { return spans_[at(back)]; }
  /// phi_(i + 1) at the last accepted point, i = 0 to last_order().
  auto difference(int i) const { return differences_.col(i); }

  /// Coefficients of a step from t_n to t_n + h with the present order. A step that fails leaves nothing behind.
  void prepare(double h);
  /// alpha of the prepared step.
  double leading_coefficient() const { return alpha_; }
  /// Only as many of the first components of y' as y_rate has room for.
  void predict(Eigen::VectorXd& y, Eigen::Ref<Eigen::VectorXd> y_rate) const;

  /// Estimates of the local error from y - predicted y, as factors: |error| = factor |y - predicted|.
  double error_factor() const { return error_factor_; }
  /// (k + 1) sigma_(k+1): with |y - predicted|, the size of the term of order k + 1, h^(k+1) y^(k+1).
  double term_factor() const { return (order_ + 1) * sigma_[at(order_)]; }
  /// The same of one order less (by = 1) or two (by = 2): the factor, and the difference that it goes with, to which
  /// y - predicted y is added.
  double lower_term_factor(int by) const { return (order_ + 1 - by) * sigma_[at(order_ - by)]; }
  auto lower_difference(int by) const { return beta_[at(order_ + 1 - by)] * differences_.col(order_ + 1 - by); }
  /// Whether as many steps of equal size and order are behind the last accepted point as one order more needs. Then
  /// y - predicted y less this difference, taken before `accept`, belongs to the term of order k + 2.
  bool allows_higher_order() const { return equal_steps_ > order_ + 1; }
  auto higher_difference() const { return differences_.col(order_ + 1); }

  /// Moves all points by the same, so that derivatives stay as they are.
  void shift(const Eigen::VectorXd& change) { differences_.col(0) += change; }

  /// Takes the prepared step with y = predicted y + correction.
  void accept(const Eigen::VectorXd& correction);

 private:
  static constexpr int points = highest_order + 2;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int order_ = 1;
  int equal_steps_ = 0;  // of the same size and order, the prepared one included
  int prepared_equal_steps_ = 0;
  double step_ = 0, last_step_ = 0;
  int last_order_ = 0;
  double alpha_ = 0, error_factor_ = 0;
  std::array<double, points> spans_{};                     // t_n - t_(n-i)
  std::array<double, points> beta_{}, gamma_{}, sigma_{};  // entry i belongs to phi_(i + 1)
  Eigen::MatrixXd differences_;                            // column i: phi_(i + 1)
  Eigen::VectorXd start_rate_;                             // y' at the start
};

}  // namespace linkwork
