#pragma once

#include <linkwork/core/constraint.hpp>

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork::test {

/// How a joint's rows enter a model. With g, G the joint's residual and rows and T a regular matrix:
///   plain: the joint itself    mixed: T g and T G    changing: g, but c(x) T G, which is no derivative of g
enum class JointRows { plain, mixed, changing };

/// A joint as a user's constraint with rows of its own (MEXX: any G with the right row space).
template <class Space, class J>
class MixedRows final : public Constraint<Space> {
 public:
  MixedRows(const Frame<Space>& father, const Frame<Space>& son, JointRows rows, J joint)
      : Constraint<Space>({father, son}), kind_(rows), joint_(std::move(joint)), T_(joint_.rows(), joint_.rows()) {
    // Rows of sizes 0.1, 1 and 10; diagonally dominant, hence regular.
    for (int i = 0; i < T_.rows(); ++i)
      for (int j = 0; j < T_.cols(); ++j)
        T_(i, j) = std::pow(10, i % 3 - 1) * (0.15 * std::cos(i + 2 * j) + (i == j ? 1 : 0));
  }
  std::string_view type() const override { return "mixed rows"; }
  int rows() const override { return joint_.rows(); }
  bool has_position_rows() const override { return kind_ == JointRows::changing; }

 private:
  void do_residual(const Motion<Space>& m, double* g) const override {
    joint_.residual(m, g);
    if (kind_ == JointRows::mixed) Eigen::VectorXd::Map(g, rows()) = T_ * Eigen::VectorXd::Map(g, rows()).eval();
  }
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override {
    write(m, kind_ == JointRows::changing ? 2 + std::sin(3 * m.frame(0).pose.rotation(0, 0)) : 1, out);
  }
  void do_position_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override {
    if (kind_ == JointRows::changing)
      joint_.velocity_rows(m, out);
    else
      do_rows(m, out);
  }
  void write(const Motion<Space>& m, double factor, ConstraintRows<Space>& out) const {
    joint_.velocity_rows(m, out);
    Eigen::VectorXd rate(rows());
    for (int i = 0; i < rows(); ++i) rate[i] = out.rate(i);
    rate = (factor * T_ * rate).eval();
    for (int i = 0; i < rows(); ++i) out.rate(i) = rate[i];
    for (int k = 0; k < 2; ++k) out.block(k) = (factor * T_ * out.block(k)).eval();
  }

  JointRows kind_;
  J joint_;
  Eigen::MatrixXd T_;
};

}  // namespace linkwork::test
