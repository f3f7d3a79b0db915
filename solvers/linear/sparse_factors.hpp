#pragma once

#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace linkwork {

/// The augmented matrix of one kind in compressed columns, and its factors by KLU. Its pattern are the values that were
/// marked; where others turn out not to be zero, all values of the blocks.
class SparseFactors {
 public:
  /// @param smallest_pivot  as in KluFactors
  explicit SparseFactors(double smallest_pivot = singular_pivot) : factors_(false, smallest_pivot) {}

  bool is_analyzed() const { return factors_.is_analyzed(); }
  /// Marks what is not zero as part of the pattern, which later analyses take.
  void mark(const BlockMatrix& M, const BlockMatrix& G);
  /// @return the unknown whose pivot vanished, or -1
  int factor(const AugmentedMatrix& matrix);
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda);

  /// Whether solutions deserve a step of iterative refinement.
  bool is_delicate() const { return factors_.is_delicate(); }
  /// Multiply-adds of a factorisation.
  double operations() { return factors_.operations(); }
  /// Analyses, and choices of new pivots.
  std::int64_t analyses() const { return analyses_; }
  /// Marked values, those of G twice.
  std::int64_t nonzeros() const { return mass_marks_.count() + 2 * row_marks_.count(); }

 private:
  /// Which values of a block matrix are structural nonzeros.
  class NonzeroMarks {
   public:
    void add(const BlockMatrix& matrix);
    bool operator[](std::size_t i) const { return marks_[i] != 0; }
    std::int64_t count() const;

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

    bool omits_nonzeros(const BlockMatrix& matrix) const;
  };

  struct Entry {
    int row = 0, column = 0;
    Places* places = nullptr;
    int from = 0;
  };

  void analyze(const AugmentedMatrix& matrix, bool whole_blocks);
  int choose_pivots(const AugmentedMatrix& matrix, Equilibration::Start start);
  static void collect(const BlockMatrix& matrix, const NonzeroMarks* marks, Places& places, int row_shift,
                      int column_shift, bool transposed, std::vector<Entry>& entries);
  void place(const std::vector<Entry>& entries, int size);
  void put(const BlockMatrix& matrix, const Places& places);
  void write(const AugmentedMatrix& matrix);

  NonzeroMarks mass_marks_, row_marks_;
  Places mass_, rows_, columns_, friction_;  // of M, G, G^T and -F
  SparseMatrix matrix_;
  std::vector<double> scale_;
  Equilibration scaling_;
  Eigen::VectorXd x_;
  KluFactors factors_;
  std::int64_t analyses_ = 0;
};

}  // namespace linkwork
