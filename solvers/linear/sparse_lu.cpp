#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace linkwork {

namespace {

// Steps of the positions at which a second and a third look is taken for entries that are zero by chance: large against
// rounding, of the size of an angle or a length.
constexpr double probing_step = 0.3;
constexpr int probes = 2;

/// Which values of a block matrix are structural nonzeros.
class NonzeroMarks {
 public:
  void add(const BlockMatrix& matrix) {
    marks_.resize(matrix.size(), 0);
    for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i] |= matrix.data()[i] != 0;
  }
  bool operator[](std::size_t i) const { return marks_[i] != 0; }
  std::int64_t count() const { return std::count(marks_.begin(), marks_.end(), 1); }

 private:
  std::vector<char> marks_;
};

/// Where the values of a block matrix go in the compressed matrix, and the values that have no place there.
struct Places {
  struct Place {
    int from = 0, to = 0;
  };
  std::vector<Place> places;
  std::vector<int> omitted;

  bool omits_nonzeros(const BlockMatrix& matrix) const {
    return std::any_of(omitted.begin(), omitted.end(), [&](int i) { return matrix.data()[i] != 0; });
  }
};

/// The augmented matrix of one kind in compressed columns, and its factors.
class SparseFactors {
 public:
  bool is_analyzed() const { return factors_.is_analyzed(); }
  bool leaves_pattern(const AugmentedMatrix& matrix) const {
    return mass_.omits_nonzeros(*matrix.M) || rows_.omits_nonzeros(*matrix.G);
  }

  /// Places for the marked values, all values of F, and a symbolic analysis. `whole_blocks`: places for every value.
  void analyze(const AugmentedMatrix& matrix, const NonzeroMarks& mass_marks, const NonzeroMarks& row_marks,
               bool whole_blocks) {
    const int nv = matrix.M->rows();
    const int size = nv + matrix.G->rows();
    mass_ = rows_ = columns_ = friction_ = {};
    std::vector<Entry> entries;
    collect(*matrix.M, whole_blocks ? nullptr : &mass_marks, mass_, 0, 0, false, entries);
    collect(*matrix.G, whole_blocks ? nullptr : &row_marks, rows_, nv, 0, false, entries);
    collect(*matrix.G, whole_blocks ? nullptr : &row_marks, columns_, 0, nv, true, entries);
    if (matrix.F) collect(*matrix.F, nullptr, friction_, 0, nv, false, entries);
    place(entries, size);
    scaling_.resize(size);
    factors_.analyze(matrix_);
    x_.resize(size);
  }

  /// Factors with new pivots. @return the unknown whose pivot vanished, or -1
  int choose_pivots(const AugmentedMatrix& matrix, Equilibration::Start start) {
    scaling_.compute(matrix, start);
    for (int column = 0; column < matrix_.columns(); ++column)
      for (int i = matrix_.begin(column); i < matrix_.end(column); ++i)
        scale_[static_cast<std::size_t>(i)] = scaling_.factors()[matrix_.row(i)] * scaling_.factors()[column];
    write(matrix);
    return factors_.choose_pivots(matrix_);
  }

  /// Factors with the pivots chosen last. @return whether they are still good
  bool refactor(const AugmentedMatrix& matrix) {
    write(matrix);
    return factors_.refactor(matrix_);
  }

  bool is_delicate() const { return factors_.is_delicate(); }

  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    scaling_.scale(f, g, x_);
    factors_.solve(x_.data());
    scaling_.unscale(x_, w, lambda);
  }

 private:
  struct Entry {
    int row = 0, column = 0;
    Places* places = nullptr;
    int from = 0;
  };

  static void collect(const BlockMatrix& matrix, const NonzeroMarks* marks, Places& places, int row_shift,
                      int column_shift, bool transposed, std::vector<Entry>& entries) {
    for (const BlockMatrix::Block& block : matrix.blocks())
      for (int i = 0; i < block.height; ++i)
        for (int j = 0; j < block.width; ++j) {
          const std::size_t from = block.offset + static_cast<std::size_t>(i * block.width + j);
          const int row = transposed ? block.column + j : block.row + i;
          const int column = transposed ? block.row + i : block.column + j;
          if (!marks || (*marks)[from])
            entries.push_back({row + row_shift, column + column_shift, &places, static_cast<int>(from)});
          else
            places.omitted.push_back(static_cast<int>(from));
        }
  }

  void place(const std::vector<Entry>& entries, int size) {
    SparsityPattern pattern(size, size);
    for (const Entry& entry : entries) pattern.rows[static_cast<std::size_t>(entry.row)].push_back(entry.column);
    for (std::vector<int>& row : pattern.rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    matrix_ = SparseMatrix(pattern);
    for (const Entry& entry : entries)
      entry.places->places.push_back({entry.from, matrix_.place(entry.row, entry.column)});
    scale_.assign(matrix_.values().size(), 1.0);
  }

  void put(const BlockMatrix& matrix, const Places& places) {
    for (const Places::Place& place : places.places)
      matrix_.value(place.to) = matrix.data()[place.from] * scale_[static_cast<std::size_t>(place.to)];
  }

  void write(const AugmentedMatrix& matrix) {
    if (matrix.F) matrix_.set_zero();  // F has places outside those of G^T
    put(*matrix.M, mass_);
    put(*matrix.G, rows_);
    put(*matrix.G, columns_);
    if (!matrix.F) return;
    for (const Places::Place& place : friction_.places)
      matrix_.value(place.to) -= matrix.F->data()[place.from] * scale_[static_cast<std::size_t>(place.to)];
  }

  Places mass_, rows_, columns_, friction_;  // of M, G, G^T and -F
  SparseMatrix matrix_;
  std::vector<double> scale_;
  Equilibration scaling_;
  Eigen::VectorXd x_;
  KluFactors factors_{false};
};

class SparseLu final : public LinearSolver {
 public:
  std::string_view name() const override { return "sparse-lu"; }

 private:
  struct Kind {
    std::unique_ptr<SparseFactors> factors;
    NonzeroMarks mass, rows;
  };

  Outcome do_analyze() override {
    for (Kind& kind : kinds_) kind = {std::make_unique<SparseFactors>(), {}, {}};
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    Outcome outcome = factor_with_good_pivots(matrix);
    is_delicate_ = outcome && current_->is_delicate();
    return outcome;
  }

  Outcome factor_with_good_pivots(const AugmentedMatrix& matrix) {
    Kind& kind = kinds_[index_of(matrix.kind)];
    current_ = kind.factors.get();
    if (!current_->is_analyzed()) {
      mark_nonzeros(matrix, kind);
      current_->analyze(matrix, kind.mass, kind.rows, false);
      count_nonzeros(matrix.kind, kind);
    } else if (current_->leaves_pattern(matrix)) {
      // An entry that was zero at all points probed is not. Whole blocks have no more surprises: one analysis more,
      // once.
      kind.mass.add(*matrix.M);
      kind.rows.add(*matrix.G);
      current_->analyze(matrix, kind.mass, kind.rows, true);
      count_nonzeros(matrix.kind, kind);
    } else if (current_->refactor(matrix)) {
      return {};
    }
    ++statistics_.analyses;
    const int singular = by_either_start([&](auto start) { return current_->choose_pivots(matrix, start); });
    return singular < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, singular);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    current_->solve(f, g, w, lambda);
  }

  void count_nonzeros(MatrixKind kind, const Kind& marks) {
    if (kind == MatrixKind::velocity || statistics_.matrix_nonzeros < 0)
      statistics_.matrix_nonzeros = marks.mass.count() + 2 * marks.rows.count();
  }

  const BlockMatrix& constraint_matrix(MatrixKind kind) {
    return kind == MatrixKind::position ? equations_->C() : equations_->G();
  }

  /// Marks what is not zero here, and at random positions nearby if the matrix is that of the equations.
  void mark_nonzeros(const AugmentedMatrix& matrix, Kind& kind) {
    kind.mass.add(*matrix.M);
    kind.rows.add(*matrix.G);
    if (matrix.M != &equations_->M() || matrix.G != &constraint_matrix(matrix.kind)) return;
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
        kind.mass.add(equations_->M());
        kind.rows.add(constraint_matrix(matrix.kind));
      } catch (const std::exception&) {
        // An element that can't be evaluated there tells nothing; entries missed now are found when they appear.
      }
      equations_->set_position(time, here);
    }
    equations_->M();  // the values that `matrix` points to are those of this point again
    constraint_matrix(matrix.kind);
  }

  std::array<Kind, 3> kinds_;
  SparseFactors* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_sparse_lu() { return std::make_unique<SparseLu>(); }

}  // namespace linkwork
