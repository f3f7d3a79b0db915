#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/power_of_two.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#ifdef LINKWORK_HAS_UMFPACK
#include <linkwork/solvers/newton/umfpack_factors.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace linkwork {

namespace {

// Measured on the models of the zoo, in instructions and in time of whole runs: with fewer entries KLU is as fast at
// any size and up to 1.8 times as fast from 20 unknowns on, with more it is up to 1.2 times as slow.
constexpr double dense_share = 0.5;

// Each sweep takes the square root of the imbalance: 2^-10 of its logarithm is left, a ratio of 1e12 becomes 1.03.
constexpr int scaling_sweeps = 10;

/// Divides factors by the square roots of the largest entries.
void balance(const Eigen::VectorXd& largest, Eigen::VectorXd& factors) {
  for (Eigen::Index i = 0; i < factors.size(); ++i)
    if (largest[i] > 0) factors[i] /= std::sqrt(largest[i]);
}

/// Gives factors that are zero the power of two by which their largest entry comes near one.
/// @return whether there was one
bool find_from(const Eigen::VectorXd& largest, Eigen::VectorXd& factors) {
  bool found = false;
  for (Eigen::Index i = 0; i < factors.size(); ++i)
    if (factors[i] == 0 && largest[i] > 0 && std::isfinite(largest[i])) {
      factors[i] = detail::nearest_power_of_two(1 / largest[i]);
      found = true;
    }
  return found;
}

void round_to_powers_of_two(Eigen::VectorXd& factors) {
  for (double& factor : factors) factor = detail::nearest_power_of_two(factor);
}

void write_scaled(const SparseMatrix& J, const RowColumnScaling& scaling, Eigen::MatrixXd& A) {
  A.setZero();
  for (int column = 0; column < J.columns(); ++column)
    for (int k = J.begin(column); k < J.end(column); ++k) A(J.row(k), column) = scaling.scaled(J, k, column);
}

class DenseIterationMatrix final : public IterationMatrix {
 public:
  std::string_view name() const override { return "dense"; }
  std::int64_t entries() const override { return A_.size(); }
  double operations() override { return std::pow(static_cast<double>(A_.rows()), 3) / 3; }

 private:
  void do_analyze(const SparseMatrix& J) override {
    A_.resize(J.rows(), J.columns());
    solution_.resize(J.columns());
  }
  int do_factor(const SparseMatrix& J) override {
    equilibrate(J);
    write_scaled(J, scaling_, A_);
    lu_.compute(A_);
    const PivotSizes pivots = lu_.pivot_sizes();
    return pivots.are_above(singular_pivot) ? -1 : static_cast<int>(pivots.place);
  }
  void do_solve(Eigen::VectorXd& x) override {
    lu_.solve(x, solution_);
    x = solution_;
  }

  Eigen::MatrixXd A_;
  LuFactors lu_;
  Eigen::VectorXd solution_;
};

/// What the two sparse ones share: the scaled matrix.
class SparseIterationMatrix : public IterationMatrix {
 protected:
  void scale(const SparseMatrix& J) { scaling_.write_scaled(J, A_); }
  SparseMatrix A_;
};

class KluIterationMatrix final : public SparseIterationMatrix {
 public:
  std::string_view name() const override { return "klu"; }
  bool can_extract() const override { return true; }
  void extract(TriangularFactors& factors) override { factors_.extract(factors); }
  std::int64_t entries() const override { return factors_.entries(); }
  double operations() override { return factors_.operations(); }

 private:
  void do_analyze(const SparseMatrix& J) override {
    A_ = J;
    factors_.analyze(A_);
  }
  int do_factor(const SparseMatrix& J) override {
    if (factors_.has_pivots()) {
      scale(J);
      if (factors_.refactor(A_)) return -1;
    }
    ++statistics_.analyses;
    equilibrate(J);
    scale(J);
    return factors_.choose_pivots(A_);
  }
  void do_solve(Eigen::VectorXd& x) override { factors_.solve(x.data()); }

  KluFactors factors_{true};
};

#ifdef LINKWORK_HAS_UMFPACK
class UmfpackIterationMatrix final : public SparseIterationMatrix {
 public:
  std::string_view name() const override { return "umfpack"; }
  std::int64_t entries() const override { return factors_.entries(); }
  double operations() override { return factors_.operations(); }

 private:
  void do_analyze(const SparseMatrix& J) override {
    A_ = J;
    factors_.analyze(A_);
    ++statistics_.analyses;
  }
  int do_factor(const SparseMatrix& J) override {
    equilibrate(J);
    scale(J);
    return factors_.factor(A_);
  }
  void do_solve(Eigen::VectorXd& x) override { factors_.solve(x.data()); }

  UmfpackFactors factors_;
};
#endif

/// Names of the unknowns with a part in the null space of A.
template <class Name>
std::string null_space_names(const Eigen::MatrixXd& A, Name&& name) {
  FullyPivotedLu factors;
  factors.compute(A);
  std::vector<int> numbers = members_of_null_space(factors);
  std::sort(numbers.begin(), numbers.end());
  return listed_up_to(most_names, numbers, name);
}

std::string singular_by_pivot(int column, const ResidualFunction& function) {
  return concat("the iteration matrix is singular: nothing determines ", function.unknown_name(column),
                ", or it depends on others.");
}

}  // namespace

void RowColumnScaling::compute(const SparseMatrix& matrix) {
  compute(matrix, Eigen::VectorXd::Ones(matrix.rows()), Eigen::VectorXd::Ones(matrix.columns()));
}

void RowColumnScaling::begin(const SparseMatrix& matrix, const Eigen::VectorXd& first_rows,
                             const Eigen::VectorXd& first_columns) {
  rows_ = first_rows;
  columns_ = first_columns;
  largest_of_row_.resize(matrix.rows());
  largest_of_column_.resize(matrix.columns());
  find_unknown_factors(matrix);
}

void RowColumnScaling::compute(const SparseMatrix& matrix, const Eigen::VectorXd& first_rows,
                               const Eigen::VectorXd& first_columns) {
  begin(matrix, first_rows, first_columns);
  for (int sweep = 0; sweep < scaling_sweeps; ++sweep) {
    largest_of_row_.setZero();
    largest_of_column_.setZero();
    for (int column = 0; column < matrix.columns(); ++column)
      for (int k = matrix.begin(column); k < matrix.end(column); ++k) {
        const double entry = std::abs(scaled(matrix, k, column));
        double& largest = largest_of_row_[matrix.row(k)];
        largest = std::max(largest, entry);
        largest_of_column_[column] = std::max(largest_of_column_[column], entry);
      }
    balance(largest_of_row_, rows_);
    balance(largest_of_column_, columns_);
  }
  round_to_powers_of_two(rows_);
  round_to_powers_of_two(columns_);
}

/// From neighbour to neighbour: a state may act on others only.
void RowColumnScaling::write_scaled(const SparseMatrix& matrix, SparseMatrix& out) const {
  for (int column = 0; column < matrix.columns(); ++column)
    for (int k = matrix.begin(column); k < matrix.end(column); ++k) out.value(k) = scaled(matrix, k, column);
}

void RowColumnScaling::find_unknown_factors(const SparseMatrix& matrix) {
  for (bool found = true; found && ((rows_.array() == 0).any() || (columns_.array() == 0).any());) {
    largest_of_row_.setZero();
    largest_of_column_.setZero();
    for (int column = 0; column < matrix.columns(); ++column)
      for (int k = matrix.begin(column); k < matrix.end(column); ++k) {
        const int row = matrix.row(k);
        const double entry = std::abs(matrix.value(k));
        if (rows_[row] == 0) largest_of_row_[row] = std::max(largest_of_row_[row], entry * columns_[column]);
        if (columns_[column] == 0)
          largest_of_column_[column] = std::max(largest_of_column_[column], entry * rows_[row]);
      }
    const bool of_a_row = find_from(largest_of_row_, rows_);
    found = find_from(largest_of_column_, columns_) || of_a_row;
  }
  for (Eigen::VectorXd* factors : {&rows_, &columns_}) *factors = (factors->array() == 0).select(1.0, *factors);
}

Outcome IterationMatrix::factor(const SparseMatrix& J, double alpha, int pattern_version,
                                const ResidualFunction& function) {
  prepare(J, alpha, pattern_version, function);
  compute(J);
  return conclude(J, function);
}

void IterationMatrix::prepare(const SparseMatrix& J, double alpha, int pattern_version,
                              const ResidualFunction& function) {
  is_factored_ = J.rows() == 0;  // nothing is unknown where everything is driven
  if (is_factored_) return;
  if (pattern_version != pattern_version_) {
    do_analyze(J);
    pattern_version_ = pattern_version;
  }
  first_rows_.setZero(J.rows());
  first_columns_.setZero(J.columns());
  function.scale_by_coefficient(alpha, first_rows_, first_columns_);
  ++statistics_.factorizations;
}

void IterationMatrix::compute(const SparseMatrix& J) { vanished_ = J.rows() == 0 ? -1 : do_factor(J); }

Outcome IterationMatrix::conclude(const SparseMatrix& J, const ResidualFunction& function) {
  if (vanished_ >= 0) {
    singular_ = J;
    scaling_.write_scaled(J, singular_);
    singular_column_ = vanished_;
    return Outcome::failure(singular_by_pivot(vanished_, function), Failure::singular);
  }
  is_factored_ = true;
  return {};
}

std::string IterationMatrix::why_singular(const ResidualFunction& function) const {
  if (singular_column_ < 0) return "";
  if (singular_.columns() > largest_dense_diagnosis) return singular_by_pivot(singular_column_, function);
  const Eigen::MatrixXd A = singular_.dense();
  return concat("the iteration matrix is singular: nothing determines ",
                null_space_names(A, [&](int j) { return function.unknown_name(j); }),
                "; equations that depend on each other: ",
                null_space_names(A.transpose(), [&](int i) { return function.equation_name(i); }), ".");
}

void IterationMatrix::solve(Eigen::VectorXd& x) {
  if (!is_factored_) throw ModelError(concat(name(), ": solve was called without factors; call factor first."));
  if (x.size() == 0) return;
  ++statistics_.solves;
  x.array() *= scaling_.rows().array();
  do_solve(x);
  x.array() *= scaling_.columns().array();
}

void IterationMatrix::solve(DroppedFactors& factors, Eigen::VectorXd& x) {
  if (x.size() == 0) return;
  ++statistics_.solves;
  x.array() *= scaling_.rows().array();
  factors.solve(x.data());
  x.array() *= scaling_.columns().array();
}

std::unique_ptr<IterationMatrix> make_iteration_matrix(IterationSolver solver, const SparseMatrix& pattern_of) {
  if (solver == IterationSolver::automatic) {
    const double entries = static_cast<double>(pattern_of.rows()) * pattern_of.columns();
    solver = pattern_of.nonzeros() > dense_share * entries ? IterationSolver::dense : IterationSolver::klu;
  }
  if (solver == IterationSolver::dense) return std::make_unique<DenseIterationMatrix>();
  if (solver == IterationSolver::klu) return std::make_unique<KluIterationMatrix>();
#ifdef LINKWORK_HAS_UMFPACK
  return std::make_unique<UmfpackIterationMatrix>();
#else
  throw ModelError(
      "make_iteration_matrix: Linkwork was built without UMFPACK; take 'klu', or install it and build again.");
#endif
}

bool has_umfpack() {
#ifdef LINKWORK_HAS_UMFPACK
  return true;
#else
  return false;
#endif
}

}  // namespace linkwork
