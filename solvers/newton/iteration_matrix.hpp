#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>
#include <linkwork/solvers/linear/triangular_factors.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

enum class IterationSolver {
  automatic,  ///< dense where more than half of the entries differ from zero, KLU otherwise
  dense,      ///< LU with partial pivoting
  klu,        ///< sparse LU, pivots kept from one matrix to the next for as long as they are good
  umfpack     ///< sparse LU, where Linkwork was built with UMFPACK
};

struct IterationMatrixStatistics {
  std::int64_t analyses = 0;  ///< patterns analysed, and pivots chosen anew
  std::int64_t factorizations = 0;
  std::int64_t solves = 0;
};

/// Scaling D J E of a matrix that brings the largest entry of each row and column near 1: rows of constraints and
/// columns of multipliers differ from the others by powers of the step size, and pivots are compared after scaling
/// only. The factors are powers of two, so that scaling commits no rounding error. Source: D. Ruiz, A scaling algorithm
/// to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
class RowColumnScaling {
 public:
  /// Begins at factors of one.
  void compute(const SparseMatrix& matrix);
  /// Takes the factors given, powers of two, without equilibration. Zero is a factor that nobody knows, as that of a
  /// state whose unit only its element knows: it is found from the entries beside known factors, so that it follows the
  /// unit of length as these do, and is one where there are none.
  void begin(const SparseMatrix& matrix, const Eigen::VectorXd& first_rows, const Eigen::VectorXd& first_columns);
  /// Equilibrates from these.
  void compute(const SparseMatrix& matrix, const Eigen::VectorXd& first_rows, const Eigen::VectorXd& first_columns);
  const Eigen::VectorXd& rows() const { return rows_; }
  const Eigen::VectorXd& columns() const { return columns_; }
  double scaled(const SparseMatrix& matrix, int place, int column) const {
    return matrix.value(place) * rows_[matrix.row(place)] * columns_[column];
  }
  /// @param out  has the places of the matrix, or is the matrix itself
  void write_scaled(const SparseMatrix& matrix, SparseMatrix& out) const;

 private:
  void find_unknown_factors(const SparseMatrix& matrix);

  Eigen::VectorXd rows_, columns_, largest_of_row_, largest_of_column_;
};

/// The factors of the matrix of Newton's iteration J dy = -F (CORR 14).
class IterationMatrix {
 public:
  virtual ~IterationMatrix() = default;
  virtual std::string_view name() const = 0;

  /// @param pattern_version  changes when the places of J do: see Jacobian::pattern_version()
  /// @param alpha            the leading coefficient of J
  /// @param function         says how J is scaled by alpha, and gives a name to the unknown of a pivot that vanishes
  /// Fails for a singular matrix, naming that unknown.
  Outcome factor(const SparseMatrix& J, double alpha, int pattern_version, const ResidualFunction& function);
  // The same in three parts, with one J: the second one asks the function nothing, so that another thread can do it.
  void prepare(const SparseMatrix& J, double alpha, int pattern_version, const ResidualFunction& function);
  void compute(const SparseMatrix& J);
  Outcome conclude(const SparseMatrix& J, const ResidualFunction& function);

  /// The whole truth about the last matrix that was singular: the unknowns that it does not determine and the equations
  /// that depend on each other, from its null spaces up to 300 unknowns; above, what factor said. Takes longer than
  /// many factorisations, and a step that is tried again may fail at many matrices: it is for the message that ends a
  /// run.
  std::string why_singular(const ResidualFunction& function) const;
  /// x := J^-1 x. @throws ModelError before a factorisation that succeeded
  void solve(Eigen::VectorXd& x);
  /// The same with factors of the scaled matrix of which entries were dropped.
  void solve(DroppedFactors& factors, Eigen::VectorXd& x);

  const RowColumnScaling& scaling() const { return scaling_; }
  /// Whether it can copy its factors, as KLU can.
  virtual bool can_extract() const { return false; }
  /// Of the scaled matrix. Needs can_extract() and a factorisation that succeeded.
  virtual void extract(TriangularFactors& /*factors*/) {}
  /// Multiply-adds of a solution and of a factorisation, with the pivots chosen last.
  virtual std::int64_t entries() const = 0;
  virtual double operations() = 0;

  const IterationMatrixStatistics& statistics() const { return statistics_; }

 protected:
  IterationMatrix() = default;
  /// Computes the scaling of a matrix that gets pivots of its own.
  void equilibrate(const SparseMatrix& J) { scaling_.compute(J, first_rows_, first_columns_); }

  RowColumnScaling scaling_;
  IterationMatrixStatistics statistics_;

 private:
  /// Room for a matrix with other places than before.
  virtual void do_analyze(const SparseMatrix& J) = 0;
  /// @return the column whose pivot vanished, or -1
  virtual int do_factor(const SparseMatrix& J) = 0;
  /// x := A^-1 x with the scaled matrix A.
  virtual void do_solve(Eigen::VectorXd& x) = 0;

  Eigen::VectorXd first_rows_, first_columns_;
  SparseMatrix singular_;     // the last matrix that was, scaled ...
  int singular_column_ = -1;  // ... and its pivot that vanished
  int pattern_version_ = -1;
  int vanished_ = -1;  // column whose pivot did in the last factorisation
  bool is_factored_ = false;
};

/// @throws ModelError for UMFPACK where Linkwork was built without it
/// @param pattern_of  the matrix whose size and places decide what `automatic` takes
std::unique_ptr<IterationMatrix> make_iteration_matrix(IterationSolver solver, const SparseMatrix& pattern_of);
/// Whether Linkwork was built with UMFPACK.
bool has_umfpack();

}  // namespace linkwork
