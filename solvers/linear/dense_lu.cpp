#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <array>

namespace linkwork {

namespace {

class DenseLu final : public LinearSolver {
 public:
  std::string_view name() const override { return "dense-lu"; }

 private:
  /// One per kind: kinds differ in size, and the scaling is found once.
  struct Factors {
    Equilibration scaling;
    Eigen::MatrixXd A;
    LuFactors lu;
    Eigen::VectorXd right, solution;
    bool is_delicate = false;

    void resize(int unknowns) {
      scaling.resize(unknowns);
      A.resize(unknowns, unknowns);
      right.resize(unknowns);
      solution.resize(unknowns);
    }
    /// Number of the unknown whose pivot vanished, or -1.
    int factor(const AugmentedMatrix& matrix, Equilibration::Start start) {
      scaling.compute(matrix, start);
      return factor(matrix);
    }
    int factor(const AugmentedMatrix& matrix) {
      scaling.write_scaled(matrix, A);
      lu.compute(A);
      const PivotSizes pivots = lu.pivot_sizes();
      is_delicate = pivots.smallest < delicate_pivot * pivots.largest;
      return pivots.are_above(singular_pivot) ? -1 : static_cast<int>(pivots.place);
    }
  };

  Outcome do_analyze() override {
    for (Factors& factors : factors_) factors.resize(0);
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    current_ = &factors_[index_of(matrix.kind)];
    const int unknowns = matrix.M->rows() + matrix.G->rows();
    if (current_->scaling.unknowns() != unknowns) current_->resize(unknowns);
    const bool keeps_scales = current_->scaling.is_computed() && current_->factor(matrix) < 0;
    const int singular =
        keeps_scales ? -1 : by_either_start([&](auto start) { return current_->factor(matrix, start); });
    is_delicate_ = current_->is_delicate;
    return singular < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, singular);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    current_->scaling.scale(f, g, current_->right);
    current_->lu.solve(current_->right, current_->solution);
    current_->scaling.unscale(current_->solution, w, lambda);
  }

  std::array<Factors, 3> factors_;
  Factors* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_dense_lu() { return std::make_unique<DenseLu>(); }

}  // namespace linkwork
