#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/sparse_factors.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <random>

namespace linkwork {

namespace {

// Steps of the positions at which a second and a third look is taken for entries that are zero by chance: large against
// rounding, of the size of an angle or a length.
constexpr double probing_step = 0.3;
constexpr int probes = 2;

class SparseLu final : public LinearSolver {
 public:
  std::string_view name() const override { return "sparse-lu"; }

 private:
  Outcome do_analyze() override {
    for (auto& factors : factors_) factors = std::make_unique<SparseFactors>();
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    current_ = factors_[index_of(matrix.kind)].get();
    if (!current_->is_analyzed()) probe(matrix);
    const std::int64_t analyses = current_->analyses();
    const int singular = current_->factor(matrix);
    if (current_->analyses() > analyses) {
      ++statistics_.analyses;
      if (matrix.kind == MatrixKind::velocity || statistics_.matrix_nonzeros < 0)
        statistics_.matrix_nonzeros = current_->nonzeros();
      if (singular < 0) statistics_.factor_operations = current_->operations();
    }
    is_delicate_ = singular < 0 && current_->is_delicate();
    return singular < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, singular);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    current_->solve(f, g, w, lambda);
  }

  /// Marks what is not zero at random positions nearby, if the matrix is that of the equations.
  void probe(const AugmentedMatrix& matrix) {
    if (matrix.M != &equations_->M() || matrix.G != &constraint_matrix(*equations_, matrix.kind)) return;
    const double time = equations_->time();
    const Eigen::VectorXd here = equations_->position();
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-probing_step, probing_step);
    Eigen::VectorXd step(equations_->dimensions().v), there;
    for (int probe = 0; probe < probes; ++probe) {
      for (double& component : step) component = uniform(generator);
      try {
        equations_->position_step(step, there);
        equations_->set_position(time, there);
        current_->mark(equations_->M(), constraint_matrix(*equations_, matrix.kind));
      } catch (const std::exception&) {
        // An element that can't be evaluated there tells nothing; entries missed now are found when they appear.
      }
      equations_->set_position(time, here);
    }
    equations_->M();  // the values that `matrix` points to are those of this point again
    constraint_matrix(*equations_, matrix.kind);
  }

  std::array<std::unique_ptr<SparseFactors>, 3> factors_;  // by kind
  SparseFactors* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_sparse_lu() { return std::make_unique<SparseLu>(); }

}  // namespace linkwork
