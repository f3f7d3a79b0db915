#include <linkwork/solvers/linear/closure_iteration.hpp>

#include <linkwork/solvers/linear/joint_recursion.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace linkwork {

namespace {

constexpr int most_iterations = 40, refinements = 2;
constexpr double rounding = 4e-15, acceptable = 1e-12;  // of rows, relative to the terms that they are sums of
constexpr double negligible = 1e-8;  // rows this much smaller than the largest one need not be relatively exact
constexpr double reduction = 1e-15;  // of the residual by the iterations

template <class Space>
class RecursionInverse final : public TreeInverse {
 public:
  explicit RecursionInverse(const JointTree<Space>& tree) : tree_(tree), recursion_(tree) {}
  int factor() override {
    const int link = recursion_.factor();
    return link < 0 ? -1 : tree_.links[static_cast<std::size_t>(link)].column;
  }
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
  return std::visit(
      [](auto each) -> std::unique_ptr<TreeInverse> {
        using Given = decltype(each);
        if constexpr (std::is_same_v<Given, const JointTree<Planar>*>)
          return std::make_unique<RecursionInverse<Planar>>(*each);
        else if constexpr (std::is_same_v<Given, const JointTree<Spatial>*>)
          return std::make_unique<RecursionInverse<Spatial>>(*each);
        else
          return nullptr;
      },
      tree);
}

ClosureIteration::ClosureIteration(TreeInverse& tree, const BlockMatrix& G) : tree_(tree), G_(G) {
  const Eigen::Index rows = G.rows();
  S_.resize(rows, rows);
  force_.resize(G.columns());
  f_.resize(G.columns());
  for (Eigen::VectorXd* x : {&scale_, &g_, &residual_, &size_, &direction_, &image_, &preconditioned_}) x->resize(rows);
}

void ClosureIteration::set_rows(const BlockMatrix& G) { std::copy_n(G.data(), G.size(), G_.data()); }

int ClosureIteration::renew() {
  has_factors_ = false;
  for (Eigen::Index i = 0; i < S_.cols(); ++i) {
    direction_.setZero();
    direction_[i] = 1;
    force_.setZero();
    G_.transpose_multiply_add(1, direction_, force_);
    tree_.apply(force_, force_);
    image_.setZero();
    G_.multiply_add(1, force_, image_);
    S_.col(i) = image_;
  }
  for (Eigen::Index i = 0; i < S_.cols(); ++i) {
    if (!(S_(i, i) > 0)) return static_cast<int>(i);
    scale_[i] = 1 / std::sqrt(S_(i, i));
  }
  S_ = scale_.asDiagonal() * S_ * scale_.asDiagonal();
  factors_.compute(S_);
  Eigen::Index smallest = 0;
  const double pivot = factors_.matrixLLT().diagonal().minCoeff(&smallest);
  if (factors_.info() != Eigen::Success || !(pivot * pivot > singular_pivot)) return static_cast<int>(smallest);
  has_factors_ = true;
  return -1;
}

bool ClosureIteration::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                             Eigen::VectorXd& lambda) {
  f_ = f;  // f and w may be one vector, g and lambda too
  g_ = g;
  return solve_again(w, lambda);
}

bool ClosureIteration::solve_again(Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
  iterations_ = 0;
  lambda.setZero();
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    accelerate(lambda, w);
    const double error = residual_of_rows(w);
    if (!(error < best) || error <= rounding || k > refinements) return error <= acceptable;
    best = error;
    improve(lambda);
    if (iterations_ > most_iterations) return false;
  }
}

void ClosureIteration::accelerate(const Eigen::VectorXd& lambda, Eigen::VectorXd& w) {
  w = f_;
  G_.transpose_multiply_add(-1, lambda, w);
  tree_.apply(w, w);
}

/// residual = G w - g. @return its largest entry relative to the terms that it is the sum of
double ClosureIteration::residual_of_rows(const Eigen::VectorXd& w) {
  residual_ = -g_;
  size_ = g_.cwiseAbs();
  for (const BlockMatrix::Block& block : G_.blocks()) {
    const double* value = G_.data() + block.offset;
    for (int i = block.row; i < block.row + block.height; ++i)
      for (int j = block.column; j < block.column + block.width; ++j) {
        const double term = *value++ * w[j];
        residual_[i] += term;
        size_[i] += std::abs(term);
      }
  }
  const double floor = std::max(negligible * size_.maxCoeff(), std::numeric_limits<double>::min());
  double largest = 0;
  for (Eigen::Index i = 0; i < residual_.size(); ++i) {
    const double ratio = std::abs(residual_[i]) / std::max(size_[i], floor);
    if (!(ratio <= largest)) largest = ratio;  // also if it is no number
  }
  return largest;
}

/// lambda += S^-1 residual
void ClosureIteration::improve(Eigen::VectorXd& lambda) {
  precondition();
  direction_ = preconditioned_;
  double product = residual_.dot(preconditioned_);
  const double enough = reduction * reduction * product;
  while (product > enough && iterations_ <= most_iterations) {
    force_.setZero();
    G_.transpose_multiply_add(1, direction_, force_);
    tree_.apply(force_, force_);
    image_.setZero();
    G_.multiply_add(1, force_, image_);
    const double step = product / direction_.dot(image_);
    lambda += step * direction_;
    residual_ -= step * image_;
    ++iterations_;
    precondition();
    const double next = residual_.dot(preconditioned_);
    direction_ = preconditioned_ + next / product * direction_;
    product = next;
  }
}

void ClosureIteration::precondition() {
  preconditioned_ = residual_.cwiseProduct(scale_);
  factors_.matrixLLT().triangularView<Eigen::Lower>().solveInPlace(preconditioned_);
  factors_.matrixLLT().triangularView<Eigen::Lower>().transpose().solveInPlace(preconditioned_);
  preconditioned_ = preconditioned_.cwiseProduct(scale_);
}

}  // namespace linkwork
