#include <linkwork/solvers/dae/inverse_mass.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace linkwork {

class InverseMass::Method {
 public:
  virtual ~Method() = default;
  /// Brings the factors to the current position. Returns the velocity that meets no inertia, or -1.
  virtual int factor() = 0;
  virtual void solve(Eigen::VectorXd& x) = 0;
};

/// Articulated inertias (MEXX 3.17).
template <class Space>
class InverseMass::TreeOf final : public Method {
 public:
  TreeOf(EquationsOfMotion& equations, const JointTree<Space>& tree)
      : equations_(equations), tree_(tree), recursion_((equations.update_joint_tree(RowKind::velocity), tree)) {}
  int factor() override {
    equations_.update_joint_tree(RowKind::velocity);
    const int link = recursion_.factor();
    return link < 0 ? -1 : tree_.links[static_cast<std::size_t>(link)].column;
  }
  void solve(Eigen::VectorXd& x) override {
    TreeLoad<Space> load;
    load.force = x.data();
    recursion_.solve(load, x.data());
  }

 private:
  EquationsOfMotion& equations_;
  const JointTree<Space>& tree_;
  JointRecursion<Space> recursion_;
};

namespace {

using Values = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Factors a matrix. @return the column that makes it singular or indefinite, or -1: pivots are well above rounding
int factor_definite(const Eigen::MatrixXd& matrix, CholeskyFactors& factor) {
  constexpr double smallest_pivot = 1e-13;  // of the diagonal entry, which it came from
  if (!factor.compute(matrix)) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      if (!(matrix(i, i) > 0)) return static_cast<int>(i);
    return 0;
  }
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const double pivot = factor.packed()(i, i);
    if (!(pivot * pivot > smallest_pivot * matrix(i, i))) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

class InverseMass::Blocks final : public Method {
 public:
  explicit Blocks(EquationsOfMotion& equations) : equations_(equations) {}
  int factor() override {
    const BlockMatrix& M = equations_.M();
    if (std::equal(known_.begin(), known_.end(), M.data(), M.data() + M.size())) return -1;
    known_.clear();
    factors_.resize(M.blocks().size());
    for (std::size_t b = 0; b < M.blocks().size(); ++b) {
      const BlockMatrix::Block& block = M.blocks()[b];
      block_ = Eigen::Map<const Values>(M.values(static_cast<int>(b)), block.height, block.width);
      if (const int column = factor_definite(block_, factors_[b]); column >= 0) return block.column + column;
    }
    known_.assign(M.data(), M.data() + M.size());
    return -1;
  }
  void solve(Eigen::VectorXd& x) override {
    const BlockMatrix& M = equations_.M();
    for (std::size_t b = 0; b < factors_.size(); ++b)
      factors_[b].solve_in_place(x.segment(M.blocks()[b].row, M.blocks()[b].height));
  }

 private:
  EquationsOfMotion& equations_;
  std::vector<CholeskyFactors> factors_;
  std::vector<double> known_;  // the values of M that are factored
  Eigen::MatrixXd block_;
};

class InverseMass::Whole final : public Method {
 public:
  explicit Whole(EquationsOfMotion& equations) : equations_(equations) {}
  int factor() override { return factor_definite(equations_.M().dense(), factor_); }
  void solve(Eigen::VectorXd& x) override { factor_.solve_in_place(x); }

 private:
  EquationsOfMotion& equations_;
  CholeskyFactors factor_;
};

InverseMass::InverseMass(EquationsOfMotion& equations) {
  const AnyJointTree tree = equations.joint_tree();
  if (const auto* planar = std::get_if<const JointTree<Planar>*>(&tree)) {
    method_ = std::make_unique<TreeOf<Planar>>(equations, **planar);
  } else if (const auto* spatial = std::get_if<const JointTree<Spatial>*>(&tree)) {
    method_ = std::make_unique<TreeOf<Spatial>>(equations, **spatial);
  } else {
    const BlockMatrix& M = equations.M();
    std::vector<char> covered(static_cast<std::size_t>(M.rows()), 0);
    bool is_diagonal = true;
    for (const BlockMatrix::Block& block : M.blocks()) {
      is_diagonal = is_diagonal && block.row == block.column && block.height == block.width;
      std::fill_n(covered.begin() + block.row, block.height, 1);
    }
    // Rows without a block have no inertia: the whole matrix says so.
    is_diagonal = is_diagonal && std::find(covered.begin(), covered.end(), 0) == covered.end();
    if (is_diagonal)
      method_ = std::make_unique<Blocks>(equations);
    else
      method_ = std::make_unique<Whole>(equations);
  }
  if (const int column = method_->factor(); column >= 0)
    throw ModelError(concat("explicit formalism: model '", equations.model_name(), "': no inertia resists ",
                            equations.velocity_name(column), " in ", equations.formulation_name(),
                            " coordinates, so that v' is no function of forces and multipliers; use the residual "
                            "formalism."));
}

InverseMass::~InverseMass() = default;

void InverseMass::factor() {
  if (method_->factor() >= 0) throw RecoverableFailure("the mass matrix became singular");
}

void InverseMass::multiply(Eigen::VectorXd& x) { method_->solve(x); }

}  // namespace linkwork
