#include <linkwork/solvers/linear/closure_iteration.hpp>

#include <linkwork/solvers/linear/joint_recursion.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

constexpr int refinements = 2;

template <class Space>
class RecursionInverse final : public TreeInverse {
 public:
  explicit RecursionInverse(const JointTree<Space>& tree) : tree_(tree), recursion_(tree) {}
  int factor() override {
    const int link = recursion_.factor();
    return link < 0 ? -1 : tree_.links[static_cast<std::size_t>(link)].column;
  }
  bool is_delicate() const override { return recursion_.is_delicate(); }
  void apply(const Eigen::VectorXd& f, Eigen::VectorXd& w) override {
    TreeLoad<Space> load;
    load.force = f.data();
    recursion_.solve(load, w.data());
  }

 private:
  const JointTree<Space>& tree_;
  JointRecursion<Space> recursion_;
};

}  // namespace

std::unique_ptr<TreeInverse> make_tree_inverse(const AnyJointTree& tree) {
  return with_tree(tree, []<class Space>(const JointTree<Space>& each) -> std::unique_ptr<TreeInverse> {
    return std::make_unique<RecursionInverse<Space>>(each);
  });
}

ClosureIteration::ClosureIteration(TreeInverse& tree, const BlockMatrix& G) : tree_(tree), G_(G) {
  const Eigen::Index rows = G.rows();
  S_.resize(rows, rows);
  force_.resize(G.columns());
  f_.resize(G.columns());
  for (Eigen::VectorXd* x : {&scale_, &g_, &size_}) x->resize(rows);
  gradients_.resize(rows);
}

void ClosureIteration::set_rows(const BlockMatrix& G) { std::copy_n(G.data(), G.size(), G_.data()); }

int ClosureIteration::renew() {
  has_factors_ = false;
  for (Eigen::Index i = 0; i < S_.cols(); ++i) {
    gradients_.direction = Eigen::VectorXd::Unit(S_.cols(), i);
    apply(gradients_.direction, gradients_.image);
    S_.col(i) = gradients_.image;
  }
  for (Eigen::Index i = 0; i < S_.cols(); ++i) {
    if (!(S_(i, i) > 0)) return static_cast<int>(i);
    scale_[i] = 1 / std::sqrt(S_(i, i));
  }
  S_ = scale_.asDiagonal() * S_ * scale_.asDiagonal();
  const bool is_definite = factors_.compute(S_);
  Eigen::Index smallest = 0;
  const double pivot = factors_.packed().diagonal().minCoeff(&smallest);
  if (!is_definite || !(pivot * pivot > singular_pivot)) return static_cast<int>(smallest);
  has_factors_ = true;
  is_delicate_ = pivot * pivot < delicate_pivot;
  return -1;
}

bool ClosureIteration::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                             Eigen::VectorXd& lambda) {
  f_ = f;  // f and w may be one vector, g and lambda too
  g_ = g;
  return solve_again(w, lambda);
}

bool ClosureIteration::solve_again(Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
  gradients_.iterations = 0;
  lambda.setZero();
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    accelerate(lambda, w);
    const double error = residual_of_rows(w);
    if (!(error < best) || error <= rounding_error || k > refinements) return error <= acceptable_error;
    best = error;
    improve(lambda);
    if (gradients_.iterations > GradientIteration::most_iterations) return false;
  }
}

void ClosureIteration::accelerate(const Eigen::VectorXd& lambda, Eigen::VectorXd& w) {
  w = f_;
  G_.transpose_multiply_add(-1, lambda, w);
  tree_.apply(w, w);
}

/// residual = G w - g. @return its largest entry relative to the terms that it is the sum of
double ClosureIteration::residual_of_rows(const Eigen::VectorXd& w) {
  gradients_.residual = -g_;
  size_ = g_.cwiseAbs();
  for (const BlockMatrix::Block& block : G_.blocks()) {
    const double* value = G_.data() + block.offset;
    for (int i = block.row; i < block.row + block.height; ++i)
      for (int j = block.column; j < block.column + block.width; ++j) {
        const double term = *value++ * w[j];
        gradients_.residual[i] += term;
        size_[i] += std::abs(term);
      }
  }
  return largest_relative(gradients_.residual, size_);
}

void ClosureIteration::apply(const Eigen::VectorXd& multipliers, Eigen::VectorXd& rows) {
  force_.setZero();
  G_.transpose_multiply_add(1, multipliers, force_);
  tree_.apply(force_, force_);
  rows.setZero();
  G_.multiply_add(1, force_, rows);
}

/// lambda += S^-1 residual
void ClosureIteration::improve(Eigen::VectorXd& lambda) {
  gradients_.improve(
      lambda, [this](const Eigen::VectorXd& direction, Eigen::VectorXd& image) { apply(direction, image); },
      [this](const Eigen::VectorXd& residual, Eigen::VectorXd& out) {
        out = residual.cwiseProduct(scale_);
        factors_.solve_in_place(out);
        out = out.cwiseProduct(scale_);
      });
}

}  // namespace linkwork
