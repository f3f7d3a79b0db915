#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/jacobian/residual_function.hpp>
#include <linkwork/solvers/newton/inverse_mass.hpp>
#include <linkwork/solvers/newton/kinematic_matrix.hpp>
#include <linkwork/solvers/newton/state_layout.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace linkwork {

/// How the motion equations are posed: M v' - f + G^T lambda (CORR 9), or v' - M^-1 (f - G^T lambda) (CORR 10).
enum class Formalism { residual, explicit_inverse };

/// Where the parts of y = (p, v, r, w, s, lambda, eta) begin. The equations stand in the same order, each beside the
/// unknown that it belongs to: the velocity constraints beside lambda, the position constraints beside eta.
struct StabilisedLayout : StateLayout {
  explicit StabilisedLayout(const Dimensions& n) : StateLayout(n), eta(end), size(eta + n.lambda) {}
  int eta, size;
};

/// The stabilised index-2 form of the equations of motion (Gear, Gupta and Leimkuhler; CORR 7 to 10)
///
///   0 = p' - Z (v - D G^T eta)                 eta: as many as holonomic rows, which G here has only
///   0 = M v' - f + G^T lambda                  or, in the explicit formalism, v' - M^-1 (f - G^T lambda)
///   0 = r' - b
///   0 = d,  0 = c
///   0 = G v + offset                           holonomic and nonholonomic rows
///   0 = g
///
/// eta is of the size of the error tolerance. D, constant and diagonal, makes what it does the same in any unit of
/// length (see velocity_metric). Its columns of the Jacobian are Z D G^T; the derivative of Z D G^T eta with respect to
/// the positions counts only where it is asked for, else differences have to be taken at eta = 0.
/// Rows that depend on others are replaced by lambda_i = 0 and eta_i = 0.
class StabilisedEquations final : public ResidualFunction {
 public:
  struct Options {
    Formalism formalism = Formalism::residual;
    bool eta_derivative = false;      ///< the sparsity has the entries of the derivative of Z D G^T eta
    std::vector<int> redundant_rows;  ///< constraint rows that depend on the others
  };
  /// @param equations  at a point of the run, for the places of M and G; they outlive this object
  /// @throws ModelError for the explicit formalism where M is singular
  StabilisedEquations(EquationsOfMotion& equations, const Options& options);

  const StabilisedLayout& layout() const { return at_; }
  EquationsOfMotion& equations() { return equations_; }

  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override;
  Dependencies dependencies() const override { return dependencies_; }
  bool knows_rate_matrix() const override { return true; }
  SparsityPattern rate_pattern() const override { return rate_pattern_; }
  void rate_matrix(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, SparseMatrix& matrix) override;
  SparsityPattern known_pattern() const override { return known_pattern_; }
  void known_entries(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, SparseMatrix& matrix) override;

  /// Differential equations by 1/alpha, multipliers by alpha: forces of constraints stand beside alpha M. Without that,
  /// massless bodies beside others hide the size of the constraint rows, G M^-1 G^T / alpha. All in sizes that no unit
  /// decides (see unit_scaling).
  void scale_by_coefficient(double alpha, Eigen::VectorXd& rows, Eigen::VectorXd& columns) const override;
  /// Characteristic lengths of positions and velocities in metres.
  Eigen::VectorXd unknown_sizes() const override;

  int inputs() const override { return equations_.inputs(); }
  InputValue input(int i, double t) override;
  void offset_input(int i, const InputValue& offset) override;

  std::string unknown_name(int j) const override;
  std::string equation_name(int i) const override;

 private:
  void set_point(double t, const Eigen::VectorXd& y);
  bool is_redundant(int row) const { return redundant_[static_cast<std::size_t>(row)] != 0; }

  // Patterns, once.
  void add_part(Dependencies& all, EquationPart part, int first_row, Unknown unknown, int first_column) const;
  Dependencies find_dependencies() const;
  SparsityPattern find_rate_pattern() const;
  SparsityPattern find_known_pattern() const;
  /// Rows of v that M connects: M^-1 makes each depend on what any of them depends on.
  void spread_by_inverse_mass(SparsityPattern& pattern) const;
  /// Calls visit(row, column, value) for the entries of G that may differ from zero, redundant rows left out.
  template <class Visit>
  void visit_G(const Visit& visit) const;

  // Known entries at the equations' current point.
  void write_Z(SparseMatrix& matrix);
  void write_G(SparseMatrix& matrix);
  void write_inverse_mass_columns(SparseMatrix& matrix);

  EquationsOfMotion& equations_;
  Options options_;
  Dimensions n_;
  StabilisedLayout at_;
  std::vector<char> redundant_;  // by constraint row
  Eigen::VectorXd metric_;       // D
  Eigen::VectorXd position_sizes_;
  std::unique_ptr<InverseMass> inverse_mass_;
  Dependencies dependencies_;
  SparsityPattern rate_pattern_, known_pattern_;
  bool lambda_columns_known_ = false;
  KinematicMatrix Z_;
  std::vector<InputValue> offsets_;
  State point_;
  Eigen::VectorXd eta_, motion_, p_rate_, a_, dynamics_;
};

}  // namespace linkwork
