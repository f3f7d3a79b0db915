#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <klu.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace linkwork {

namespace {

// KLU's growth is the smallest ratio, over the columns, of the largest entry of the matrix to the largest entry of U.
// New pivots are chosen when old ones would cost more than four digits and two more than they did when they were new.
constexpr double smallest_growth = 1e-4;
constexpr double growth_lost = 1e-2;

// Steps of the positions at which a second and a third look is taken for entries that are zero by chance: large against
// rounding, of the size of an angle or a length.
constexpr double probing_step = 0.3;
constexpr int probes = 2;

struct FreeSymbolic {
  klu_common* common;
  void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
};
struct FreeNumeric {
  klu_common* common;
  void operator()(klu_numeric* numeric) const { klu_free_numeric(&numeric, common); }
};

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
  SparseFactors() {
    klu_defaults(&common_);
    common_.scale = -1;  // scaled here, rows and columns; no check of the pattern in every factorisation
    common_.btf = 0;     // a mechanism hangs together; a block triangular form would only spoil the symmetric order
  }
  SparseFactors(const SparseFactors&) = delete;  // the deleters point into this object
  SparseFactors& operator=(const SparseFactors&) = delete;

  bool is_analyzed() const { return symbolic_ != nullptr; }
  bool leaves_pattern(const AugmentedMatrix& matrix) const {
    return mass_.omits_nonzeros(*matrix.M) || rows_.omits_nonzeros(*matrix.G);
  }

  /// Places for the marked values, all values of F, and a symbolic analysis. `whole_blocks`: places for every value.
  void analyze(const AugmentedMatrix& matrix, const NonzeroMarks& mass_marks, const NonzeroMarks& row_marks,
               bool whole_blocks) {
    const int nv = matrix.M->rows();
    size_ = nv + matrix.G->rows();
    mass_ = rows_ = columns_ = friction_ = {};
    std::vector<Entry> entries;
    collect(*matrix.M, whole_blocks ? nullptr : &mass_marks, mass_, 0, 0, false, entries);
    collect(*matrix.G, whole_blocks ? nullptr : &row_marks, rows_, nv, 0, false, entries);
    collect(*matrix.G, whole_blocks ? nullptr : &row_marks, columns_, 0, nv, true, entries);
    if (matrix.F) collect(*matrix.F, nullptr, friction_, 0, nv, false, entries);
    compress(entries);
    scaling_.resize(size_);
    numeric_.reset();
    symbolic_.reset(klu_analyze(size_, column_start_.data(), row_.data(), &common_));
    x_.resize(size_);
  }

  /// Factors with new pivots. @return the unknown whose pivot vanished, or -1
  int choose_pivots(const AugmentedMatrix& matrix) {
    scaling_.compute(matrix);
    for (int column = 0; column < size_; ++column)
      for (int i = start(column); i < start(column + 1); ++i)
        scale_[static_cast<std::size_t>(i)] =
            scaling_.factors()[row_[static_cast<std::size_t>(i)]] * scaling_.factors()[column];
    write(matrix);
    if (!symbolic_) return 0;
    numeric_.reset(klu_factor(column_start_.data(), row_.data(), value_.data(), symbolic_.get(), &common_));
    if (!numeric_ || common_.status != KLU_OK) return std::clamp<int>(common_.singular_col, 0, size_ - 1);
    growth_when_new_ = growth();
    return is_regular() ? -1 : smallest_pivot();
  }

  /// Factors with the pivots chosen last. @return whether they are still good
  bool refactor(const AugmentedMatrix& matrix) {
    if (!numeric_) return false;
    write(matrix);
    if (!klu_refactor(column_start_.data(), row_.data(), value_.data(), symbolic_.get(), numeric_.get(), &common_) ||
        common_.status != KLU_OK)
      return false;
    return is_regular() && !(growth() < std::min(smallest_growth, growth_lost * growth_when_new_));
  }

  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    scaling_.scale(f, g, x_);
    klu_solve(symbolic_.get(), numeric_.get(), size_, 1, x_.data(), &common_);
    scaling_.unscale(x_, w, lambda);
  }

 private:
  struct Entry {
    int column = 0, row = 0;
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
            entries.push_back({column + column_shift, row + row_shift, &places, static_cast<int>(from)});
          else
            places.omitted.push_back(static_cast<int>(from));
        }
  }

  void compress(std::vector<Entry>& entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    column_start_.assign(static_cast<std::size_t>(size_) + 1, 0);
    row_.clear();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const Entry& entry = entries[k];
      if (k == 0 || entry.column != entries[k - 1].column || entry.row != entries[k - 1].row) {
        row_.push_back(entry.row);
        ++column_start_[static_cast<std::size_t>(entry.column) + 1];
      }
      entry.places->places.push_back({entry.from, static_cast<int>(row_.size()) - 1});
    }
    for (std::size_t column = 0; column < static_cast<std::size_t>(size_); ++column)
      column_start_[column + 1] += column_start_[column];
    value_.assign(row_.size(), 0.0);
    scale_.assign(row_.size(), 1.0);
  }

  int start(int column) const { return column_start_[static_cast<std::size_t>(column)]; }

  void put(const BlockMatrix& matrix, const Places& places) {
    for (const Places::Place& place : places.places)
      value_[static_cast<std::size_t>(place.to)] =
          matrix.data()[place.from] * scale_[static_cast<std::size_t>(place.to)];
  }

  void write(const AugmentedMatrix& matrix) {
    if (matrix.F) std::fill(value_.begin(), value_.end(), 0.0);  // F has places outside those of G^T
    put(*matrix.M, mass_);
    put(*matrix.G, rows_);
    put(*matrix.G, columns_);
    if (!matrix.F) return;
    for (const Places::Place& place : friction_.places)
      value_[static_cast<std::size_t>(place.to)] -=
          matrix.F->data()[place.from] * scale_[static_cast<std::size_t>(place.to)];
  }

  double growth() {
    klu_rgrowth(column_start_.data(), row_.data(), value_.data(), symbolic_.get(), numeric_.get(), &common_);
    return common_.rgrowth;
  }
  bool is_regular() {
    klu_rcond(symbolic_.get(), numeric_.get(), &common_);
    return common_.rcond >= singular_pivot;
  }
  int smallest_pivot() const {
    const double* pivots = static_cast<const double*>(numeric_->Udiag);
    const auto smallest =
        std::min_element(pivots, pivots + size_, [](double a, double b) { return std::abs(a) < std::abs(b); });
    return symbolic_->Q[smallest - pivots];
  }

  int size_ = 0;
  Places mass_, rows_, columns_, friction_;  // of M, G, G^T and -F
  std::vector<int> column_start_, row_;
  std::vector<double> value_, scale_;
  Equilibration scaling_;
  Eigen::VectorXd x_;
  double growth_when_new_ = 1;
  klu_common common_;
  std::unique_ptr<klu_symbolic, FreeSymbolic> symbolic_{nullptr, FreeSymbolic{&common_}};
  std::unique_ptr<klu_numeric, FreeNumeric> numeric_{nullptr, FreeNumeric{&common_}};
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
    const int singular = current_->choose_pivots(matrix);
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
