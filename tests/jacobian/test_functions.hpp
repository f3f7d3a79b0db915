#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace linkwork {

/// F_i = m_i y'_i + sum over j of c_ij sin(y_j + i), with what it knows of its Jacobian as a test wants it.
class SparseSystem : public ResidualFunction {
 public:
  SparseSystem(int size, int entries, unsigned seed) : ResidualFunction(size), pattern_(size, size) {
    std::mt19937 generator(seed);
    std::uniform_int_distribution<int> column(0, std::max(size, 1) - 1);
    std::uniform_real_distribution<double> number(0.5, 2);
    C_ = Eigen::MatrixXd::Zero(size, size);
    mass_ = Eigen::VectorXd::Zero(size);
    for (int i = 0; i < size; ++i) {
      std::set<int> row = {i};
      while (static_cast<int>(row.size()) < entries) row.insert(column(generator));
      for (int j : row) C_(i, j) = number(generator);
      pattern_.rows[static_cast<std::size_t>(i)].assign(row.begin(), row.end());
      mass_[i] = number(generator);
    }
    known = SparsityPattern(size, size);
  }

  bool complete = true;       ///< whether the pattern is declared as complete
  bool knows_rates = true;    ///< whether it knows dF/dy'
  SparsityPattern known;      ///< entries of dF/dy that it knows
  double switch_time = -1e9;  ///< from which on the entry (0, size - 1) acts
  /// Called in each evaluation: may throw or spoil F.
  std::function<void(double t, const Eigen::VectorXd& y, Eigen::VectorXd& F)> disturb;
  int evaluations = 0;

  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override {
    ++evaluations;
    for (int i = 0; i < size(); ++i) {
      F[i] = mass_[i] * y_rate[i];
      for (int j : pattern_.rows[static_cast<std::size_t>(i)]) F[i] += C_(i, j) * std::sin(y[j] + i);
    }
    if (t >= switch_time && switch_time > -1e9) F[0] += 3 * std::sin(y[size() - 1]);
    if (disturb) disturb(t, y, F);
  }
  /// Without the entry that switches on where that is not declared.
  Dependencies dependencies() const override { return {pattern_, complete}; }
  bool knows_rate_matrix() const override { return knows_rates; }
  SparsityPattern rate_pattern() const override {
    SparsityPattern pattern(size(), size());
    for (int i = 0; i < size(); ++i) pattern.rows[static_cast<std::size_t>(i)] = {i};
    return pattern;
  }
  void rate_matrix(double, const Eigen::VectorXd&, const Eigen::VectorXd&, SparseMatrix& matrix) override {
    for (int i = 0; i < size(); ++i) matrix.value(matrix.place(i, i)) = mass_[i];
  }
  SparsityPattern known_pattern() const override { return known; }
  void known_entries(double, const Eigen::VectorXd& y, const Eigen::VectorXd&, SparseMatrix& matrix) override {
    for (int i = 0; i < size(); ++i)
      for (int j : known.rows[static_cast<std::size_t>(i)])
        matrix.value(matrix.place(i, j)) = C_(i, j) * std::cos(y[j] + i);
  }
  std::string unknown_name(int j) const override { return concat("angle ", j); }

  Eigen::MatrixXd exact(double t, const Eigen::VectorXd& y, double alpha) const {
    Eigen::MatrixXd J = alpha * mass_.asDiagonal().toDenseMatrix();
    for (int i = 0; i < size(); ++i)
      for (int j : pattern_.rows[static_cast<std::size_t>(i)]) J(i, j) += C_(i, j) * std::cos(y[j] + i);
    if (t >= switch_time && switch_time > -1e9) J(0, size() - 1) += 3 * std::cos(y[size() - 1]);
    return J;
  }
  const SparsityPattern& pattern() const { return pattern_; }

 private:
  SparsityPattern pattern_;
  Eigen::MatrixXd C_;
  Eigen::VectorXd mass_;
};

/// F = M(u) y' + K(u) y with K = A + k_0(u) B_0 + k_1(u') B_1 + k_2(u'') B_2 and one input u(t); M = I, or (1 + u) I.
class DrivenSystem : public ResidualFunction {
 public:
  explicit DrivenSystem(int size) : ResidualFunction(size), A_(Eigen::MatrixXd::Random(size, size)) {
    for (Eigen::MatrixXd& matrix : B_) matrix = Eigen::MatrixXd::Random(size, size);
  }

  Input motion = [](double t) { return InputValue{std::sin(t), std::cos(t), -std::sin(t)}; };
  std::function<double(double)> shape = [](double u) { return u; };
  bool moves_mass = false;
  bool declares_all = false;  ///< that all entries may differ from zero

  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override {
    const InputValue u = input_now(t);
    F = mass(u) * y_rate;
    F.noalias() += A_ * y;
    F.noalias() += shape(u.value) * B_[0] * y;
    F.noalias() += shape(u.rate) * B_[1] * y;
    F.noalias() += shape(u.acceleration) * B_[2] * y;
  }
  Dependencies dependencies() const override {
    SparsityPattern pattern(size(), size());
    if (declares_all)
      for (std::vector<int>& row : pattern.rows)
        for (int j = 0; j < size(); ++j) row.push_back(j);
    return {pattern, declares_all};
  }
  bool knows_rate_matrix() const override { return true; }
  SparsityPattern rate_pattern() const override {
    SparsityPattern pattern(size(), size());
    for (int i = 0; i < size(); ++i) pattern.rows[static_cast<std::size_t>(i)] = {i};
    return pattern;
  }
  void rate_matrix(double t, const Eigen::VectorXd&, const Eigen::VectorXd&, SparseMatrix& matrix) override {
    for (int i = 0; i < size(); ++i) matrix.value(matrix.place(i, i)) = mass(input_now(t));
  }
  int inputs() const override { return 1; }
  InputValue input(int, double t) override { return motion(t); }
  void offset_input(int, const InputValue& offset) override { offset_ = offset; }

  Eigen::MatrixXd exact(double t, double alpha) const {
    return stiffness(motion(t)) + alpha * mass(motion(t)) * Eigen::MatrixXd::Identity(size(), size());
  }

 private:
  InputValue input_now(double t) const {
    const InputValue u = motion(t);
    return {u.value + offset_.value, u.rate + offset_.rate, u.acceleration + offset_.acceleration};
  }
  Eigen::MatrixXd stiffness(const InputValue& u) const {
    return A_ + shape(u.value) * B_[0] + shape(u.rate) * B_[1] + shape(u.acceleration) * B_[2];
  }
  double mass(const InputValue& u) const { return moves_mass ? 2 + u.value : 1; }

  Eigen::MatrixXd A_;
  std::array<Eigen::MatrixXd, 3> B_;
  InputValue offset_;
};

}  // namespace linkwork
