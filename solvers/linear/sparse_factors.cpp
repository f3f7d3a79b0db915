#include <linkwork/solvers/linear/sparse_factors.hpp>

#include <algorithm>
#include <cstddef>

namespace linkwork {

void SparseFactors::NonzeroMarks::add(const BlockMatrix& matrix) {
  marks_.resize(matrix.size(), 0);
  for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i] |= matrix.data()[i] != 0;
}

std::int64_t SparseFactors::NonzeroMarks::count() const { return std::count(marks_.begin(), marks_.end(), 1); }

bool SparseFactors::Places::omits_nonzeros(const BlockMatrix& matrix) const {
  return std::any_of(omitted.begin(), omitted.end(), [&](int i) { return matrix.data()[i] != 0; });
}

void SparseFactors::mark(const BlockMatrix& M, const BlockMatrix& G) {
  mass_marks_.add(M);
  row_marks_.add(G);
}

int SparseFactors::factor(const AugmentedMatrix& matrix) {
  if (!is_analyzed()) {
    mark(*matrix.M, *matrix.G);
    analyze(matrix, false);
  } else if (mass_.omits_nonzeros(*matrix.M) || rows_.omits_nonzeros(*matrix.G)) {
    // An entry that was zero at all points marked is not. Whole blocks have no more surprises: one analysis more, once.
    mark(*matrix.M, *matrix.G);
    analyze(matrix, true);
  } else {
    write(matrix);
    if (factors_.refactor(matrix_)) return -1;
  }
  ++analyses_;
  return by_either_start([&](auto start) { return choose_pivots(matrix, start); });
}

/// Places for the marked values, all values of F, and a symbolic analysis.
void SparseFactors::analyze(const AugmentedMatrix& matrix, bool whole_blocks) {
  const int nv = matrix.M->rows();
  const int size = nv + matrix.G->rows();
  mass_ = rows_ = columns_ = friction_ = {};
  std::vector<Entry> entries;
  collect(*matrix.M, whole_blocks ? nullptr : &mass_marks_, mass_, 0, 0, false, entries);
  collect(*matrix.G, whole_blocks ? nullptr : &row_marks_, rows_, nv, 0, false, entries);
  collect(*matrix.G, whole_blocks ? nullptr : &row_marks_, columns_, 0, nv, true, entries);
  if (matrix.F) collect(*matrix.F, nullptr, friction_, 0, nv, false, entries);
  place(entries, size);
  scaling_.resize(size);
  factors_.analyze(matrix_);
  x_.resize(size);
}

/// Factors with new pivots.
int SparseFactors::choose_pivots(const AugmentedMatrix& matrix, Equilibration::Start start) {
  scaling_.compute(matrix, start);
  for (int column = 0; column < matrix_.columns(); ++column)
    for (int i = matrix_.begin(column); i < matrix_.end(column); ++i)
      scale_[static_cast<std::size_t>(i)] = scaling_.factors()[matrix_.row(i)] * scaling_.factors()[column];
  write(matrix);
  return factors_.choose_pivots(matrix_);
}

void SparseFactors::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                          Eigen::VectorXd& lambda) {
  scaling_.scale(f, g, x_);
  factors_.solve(x_.data());
  scaling_.unscale(x_, w, lambda);
}

void SparseFactors::collect(const BlockMatrix& matrix, const NonzeroMarks* marks, Places& places, int row_shift,
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

void SparseFactors::place(const std::vector<Entry>& entries, int size) {
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

void SparseFactors::put(const BlockMatrix& matrix, const Places& places) {
  for (const Places::Place& place : places.places)
    matrix_.value(place.to) = matrix.data()[place.from] * scale_[static_cast<std::size_t>(place.to)];
}

void SparseFactors::write(const AugmentedMatrix& matrix) {
  if (matrix.F) matrix_.set_zero();  // F has places outside those of G^T
  put(*matrix.M, mass_);
  put(*matrix.G, rows_);
  put(*matrix.G, columns_);
  if (!matrix.F) return;
  for (const Places::Place& place : friction_.places)
    matrix_.value(place.to) -= matrix.F->data()[place.from] * scale_[static_cast<std::size_t>(place.to)];
}

}  // namespace linkwork
