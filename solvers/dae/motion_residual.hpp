#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/inverse_mass.hpp>
#include <linkwork/solvers/dae/kinematic_matrix.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>
#include <linkwork/solvers/dae/state_layout.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork {

/// Which equations stand for a mechanism (GEOMS 4.1 compares them). Names on the command line in brackets.
enum class EquationForm {
  strangeness_free,            ///< all hidden constraints, projected (psf; GEOMS 12): index 1
  without_acceleration_level,  ///< projected, constraints of positions and velocities only (pEoM1): index 2 in lambda
  index_3,  ///< constraints of positions, nonholonomic ones of velocities: the equations as they are given (index3)
  /// Constraints of velocities only (index2). Positions drift, and where constraints lose rank such a motion may go on
  /// along another branch, which nothing notices; so with index_1.
  index_2,
  index_1,     ///< constraints of accelerations only (index1)
  stabilised,  ///< constraints of positions and velocities, p' = Z (v - D G^T eta) (ggl; CORR 7 to 10): index 2
  /// All hidden constraints and the solution invariants, 0 = e among the rows of the velocity level, with so many
  /// dynamic rows less (psfI; GEOMS, page 4). Singular where e_v depends on G or vanishes, as at turning points: the
  /// decomposition says so there, and a run from rest does not begin to move. To keep invariants at accepted points is
  /// the better way.
  strangeness_free_with_invariants
};

/// How the motion equations are posed: M v' - f + G^T lambda (CORR 9), or v' - M^-1 (f - G^T lambda) (CORR 10).
enum class Formalism { residual, explicit_inverse };

/// Where the parts of the unknowns y = (p, v, r, w, s, lambda, a, eta) begin. Where a is no unknown it is empty.
struct MotionLayout : StateLayout {
  /// @param eta_rows  holonomic constraint rows that have a stabilising multiplier eta, in its order
  MotionLayout(const Dimensions& n, bool acceleration_unknowns, std::vector<int> eta_rows);
  int a, eta, size;
  std::vector<int> eta_rows;
};

/// The equations of motion as one system F(t, y, y') = 0, in any of their forms:
///
///   0 = p' - Z (v - D G^T eta) - z           eta in the stabilised form only; D, see stabilising_metric
///   0 = v' - a                               where accelerations a are unknowns; else v' stands for a below
///   0 = r' - b
///   0 = c,  0 = g,  0 = n                    position level; n: norms of redundant coordinates, in projected forms
///   0 = G v + offset,  0 = e                 velocity level; holonomic and nonholonomic rows, then invariants
///   0 = d,  0 = M a - f + G^T lambda,  0 = G a - gamma      acceleration level
///
/// Servo constraints stand on the acceleration level in every form.
///
/// With a as unknown, accelerations and multipliers follow where M is singular, too, and the dynamic selector S_v of
/// GEOMS (12b) acts on v' = a: S_v M of the paper is S_v here, and no inverse of M is needed. Projected forms have more
/// equations than unknowns, and selectors choose among the first two parts. Without a, each equation stands beside the
/// unknown that it belongs to: the motion equations beside v, the velocity constraints beside lambda, the position
/// constraints beside eta.
///
/// eta is of the size of the error tolerance. D, constant and diagonal, makes what it does the same in any unit of
/// length. The derivative of Z D G^T eta with respect to the positions counts only where it is asked for, else
/// differences have to be taken at eta = 0. Constraint rows that depend on others are left out, with their eta and with
/// lambda_i = 0 in place of them.
class MotionResidual final : public ResidualFunction {
 public:
  /// By default the form that multistep methods solve.
  struct Options {
    EquationForm form = EquationForm::stabilised;
    bool acceleration_unknowns = false;
    Formalism formalism = Formalism::residual;  ///< of motion equations without these unknowns
    bool eta_derivative = false;                ///< the sparsity has the entries of the derivative of Z D G^T eta
    std::vector<int> redundant_rows = {};       ///< constraint rows that depend on the others
  };
  /// Equations of one kind, one after another.
  struct Rows {
    int first = 0, count = 0;
    int last() const { return first + count; }
    bool has(int row) const { return row >= first && row < last(); }
  };

  /// @param equations  at a point of the run, for the places of M and G; they outlive this object
  /// @throws ModelError for the explicit formalism where M is singular
  MotionResidual(EquationsOfMotion& equations, const Options& options);

  const MotionLayout& layout() const { return at_; }
  EquationsOfMotion& equations_of_motion() const { return equations_; }
  /// Whether rows of the first and second part are chosen by selectors.
  bool selects_positions() const;
  bool selects_velocities() const;

  Rows position_rate() const { return position_rate_; }
  Rows velocity_rate() const { return velocity_rate_; }
  Rows state_rate() const { return state_rate_; }
  Rows contact() const { return contact_; }
  Rows position() const { return {position_.first, position_.count + norm_.count}; }  ///< g and n
  /// Constraints, then invariants where they are rows.
  Rows velocity() const { return {velocity_.first, velocity_.count + invariant_.count}; }
  Rows auxiliary() const { return auxiliary_; }
  /// With accelerations as unknowns: dynamics, G a - gamma, and lambda_i = 0.
  Rows acceleration() const { return {dynamics_.first, fixed_.last() - dynamics_.first}; }

  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override;
  Dependencies dependencies() const override { return dependencies_; }
  bool knows_rate_matrix() const override { return true; }
  SparsityPattern rate_pattern() const override { return rate_pattern_; }
  void rate_matrix(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, SparseMatrix& matrix) override;
  SparsityPattern known_pattern() const override { return known_pattern_; }
  void known_entries(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, SparseMatrix& matrix) override;

  /// All in sizes that no unit decides (see unit_scaling). Where v' stands for a, differential equations by 1/alpha and
  /// multipliers by alpha besides: forces of constraints stand beside alpha M there, and massless bodies beside others
  /// would hide the size of the constraint rows, G M^-1 G^T / alpha.
  void scale_by_coefficient(double alpha, Eigen::VectorXd& rows, Eigen::VectorXd& columns) const override;
  /// Characteristic lengths of positions and velocities in metres.
  Eigen::VectorXd unknown_sizes() const override;

  int inputs() const override { return equations_.inputs(); }
  InputValue input(int i, double t) override;
  void offset_input(int i, const InputValue& offset) override;

  std::string unknown_name(int j) const override;
  std::string equation_name(int i) const override;

  /// The state that y stands for. What y does not have is left as it is.
  void write(const Eigen::VectorXd& y, State& state) const;
  /// The other way; eta = 0.
  void read(const State& state, Eigen::VectorXd& y) const;

 private:
  void set_point(double t, const Eigen::VectorXd& y);
  void evaluate_constraints(Eigen::VectorXd& F);
  void evaluate_accelerations(const Eigen::VectorXd& a, Eigen::VectorXd& F);

  // The rows, once.
  void number_rows();
  void find_norms();
  Rows append(std::size_t count);
  std::vector<int> independent(int first, int last) const;
  /// Column of the acceleration of velocity j: a, or v beside whose rate it stands.
  int acceleration_column(int j) const { return (options_.acceleration_unknowns ? at_.a : at_.v) + j; }

  // Known entries at the current point of the equations. visit(row of F, column of y, value)
  template <class Visit>
  void visit_known(const Visit& visit);
  /// Entries by accelerations, of dF/dy or, without these unknowns, of dF/dy'.
  template <class Visit>
  void visit_accelerations(const Visit& visit);
  void write_inverse_mass_columns(SparseMatrix& matrix);

  // Patterns, once (motion_dependencies.cpp).
  void find_patterns();
  void add_part(EquationPart part, const Rows& rows, Unknown unknown, int first_column);
  /// Only some rows of a part.
  void add_part(EquationPart part, const std::vector<int>& chosen, const Rows& rows, Unknown unknown, int first_column);
  void add_motion_dependencies();
  void add_constraint_dependencies();
  void add_hidden_dependencies();
  void add_stabiliser_dependencies();
  void add_what_matrices_show();
  /// Rows of v that M connects: M^-1 makes each depend on what any of them depends on.
  void spread_by_inverse_mass(SparsityPattern& pattern) const;

  EquationsOfMotion& equations_;
  Options options_;
  Dimensions n_;
  std::vector<char> redundant_;  // by constraint row
  // Constraint rows in the order in which they stand at each level.
  std::vector<int> position_rows_, velocity_rows_, acceleration_rows_;
  MotionLayout at_;
  Rows position_rate_, velocity_rate_, state_rate_, contact_, position_, norm_, velocity_, invariant_, auxiliary_,
      dynamics_, hidden_, fixed_;
  // By constraint row, -1: none. Its equations of velocities and accelerations, and its column of eta.
  std::vector<int> velocity_equation_, hidden_equation_, eta_column_;
  std::vector<std::vector<int>> norms_;  // positions that have a norm, together
  int row_count_ = 0;
  bool multiplier_columns_known_ = false;
  KinematicMatrix Z_;
  std::unique_ptr<InverseMass> inverse_mass_;
  Eigen::VectorXd metric_;  // D
  Eigen::VectorXd position_sizes_;
  Dependencies dependencies_;
  SparsityPattern rate_pattern_, known_pattern_;
  std::vector<InputValue> offsets_;
  State point_;
  Eigen::VectorXd eta_, motion_, p_rate_, a_, dynamic_residual_, normalised_, hidden_residual_;
};

}  // namespace linkwork
