#pragma once

#include <linkwork/core/dependencies.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>

#include <Eigen/Core>
#include <string>

namespace linkwork {

/// A system of differential-algebraic equations F(t, y, y') = 0 (CORR 8), with what is known of its Jacobian
///   J = alpha dF/dy' + dF/dy                                                                        (CORR 15)
/// beside the function itself: its sparsity, dF/dy', and entries of dF/dy that need no differences. There may be more
/// equations than unknowns (GEOMS 12 before its selectors choose). Patterns are asked for once, before the first
/// evaluation of anything; they hold for the whole run.
class ResidualFunction {
 public:
  virtual ~ResidualFunction() = default;
  ResidualFunction(const ResidualFunction&) = delete;
  ResidualFunction& operator=(const ResidualFunction&) = delete;

  /// Number of unknowns.
  int size() const { return size_; }
  /// Number of equations.
  int equations() const { return equations_; }

  /// F at a point; `F` has equations() entries. @throws RecoverableFailure where it can't be evaluated
  virtual void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) = 0;

  /// The entries of dF/dy and dF/dy' together that may differ from zero at any point: equations() rows and
  /// size() columns. Not `complete`: there may be more, to be found by differences. Default: nothing is known.
  virtual Dependencies dependencies() const;

  /// Whether rate_matrix gives dF/dy': partitioned updates of the Jacobian (CORR 22 to 25) need it.
  virtual bool knows_rate_matrix() const { return false; }
  /// Where dF/dy' has entries.
  virtual SparsityPattern rate_pattern() const { return {equations_, size_}; }
  /// The values of dF/dy' at a point, the identity and M: `matrix` has the places of rate_pattern() and comes with
  /// zeros. @throws RecoverableFailure where it can't be evaluated
  virtual void rate_matrix(double /*t*/, const Eigen::VectorXd& /*y*/, const Eigen::VectorXd& /*y_rate*/,
                           SparseMatrix& /*matrix*/) {}

  /// Entries of dF/dy that are written by known_entries and never differenced: -Z where p' = Z v, and the columns of
  /// lambda, mu and eta and the velocity rows from G. A column all of whose entries are known costs no evaluation of F.
  /// Needs knows_rate_matrix(). Default: none.
  virtual SparsityPattern known_pattern() const { return {equations_, size_}; }
  /// Their values at a point: `matrix` has the places of known_pattern() and comes with zeros.
  /// @throws RecoverableFailure where they can't be evaluated
  virtual void known_entries(double /*t*/, const Eigen::VectorXd& /*y*/, const Eigen::VectorXd& /*y_rate*/,
                             SparseMatrix& /*matrix*/) {}

  /// Powers of two by which rows and columns of J are of sizes that hardly depend on alpha: an iteration matrix begins
  /// its equilibration there, and stays as well conditioned as alpha grows. A factor that the function does not know is
  /// left alone: callers give 0 for one to be found (see RowColumnScaling::begin), or 1.
  virtual void scale_by_coefficient(double /*alpha*/, Eigen::VectorXd& /*rows*/, Eigen::VectorXd& /*columns*/) const {}

  /// What counts as one of each unknown, size() numbers above 0: of positions in metres a length of the mechanism, say.
  /// Unknowns that are zero or small are moved and measured by it. Default: ones.
  virtual Eigen::VectorXd unknown_sizes() const { return Eigen::VectorXd::Ones(size_); }

  // Prescribed motions u(t) that F depends on beside t itself, for updates by CORR (26).
  virtual int inputs() const { return 0; }
  virtual std::string input_name(int i) const;
  /// u, u' and u'' at a time, without offset.
  virtual InputValue input(int /*i*/, double /*t*/) { return {}; }
  /// Adds constants to u, u' and u'' of an input in all evaluations from now on, in place of earlier ones.
  virtual void offset_input(int /*i*/, const InputValue& /*offset*/) {}

  // Names, for messages.
  virtual std::string unknown_name(int j) const;
  virtual std::string equation_name(int i) const;

 protected:
  /// As many equations as unknowns, unless set_equations gives another number.
  explicit ResidualFunction(int size) : size_(size), equations_(size) {}
  void set_equations(int count) { equations_ = count; }

 private:
  int size_, equations_;
};

}  // namespace linkwork
