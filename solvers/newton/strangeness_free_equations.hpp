#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/jacobian/residual_function.hpp>
#include <linkwork/solvers/newton/kinematic_matrix.hpp>
#include <linkwork/solvers/newton/state_layout.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Which equations stand for a mechanism (GEOMS 4.1 compares them). Names on the command line in brackets.
enum class EquationForm {
  strangeness_free,            ///< all hidden constraints, projected (psf; GEOMS 12): index 1
  without_acceleration_level,  ///< projected, constraints of positions and velocities only (pEoM1): index 2 in lambda
  index_3,     ///< constraints of positions, nonholonomic ones of velocities: the equations as they are given (index3)
  index_2,     ///< constraints of velocities only (index2)
  index_1,     ///< constraints of accelerations only (index1)
  stabilised,  ///< constraints of positions and velocities, p' = Z (v - D G^T eta) (ggl): index 2
  /// All hidden constraints and the solution invariants, 0 = e among the rows of the velocity level, with so many
  /// dynamic rows less (psfI; GEOMS, page 4). Singular where e_v depends on G or vanishes, as at turning points: the
  /// decomposition says so there, and a run from rest does not begin to move. To keep invariants at accepted points is
  /// the better way.
  strangeness_free_with_invariants
};

/// Where the parts of the unknowns y = (p, v, r, w, s, lambda, a, eta) begin. a = v' is an unknown of its own, so that
/// accelerations and multipliers follow from M a - f + G^T lambda = 0 and G a = gamma where M is singular, too.
struct StrangenessFreeLayout : StateLayout {
  /// @param eta_count  how many there are
  StrangenessFreeLayout(const Dimensions& n, int eta_count)
      : StateLayout(n), a(end), eta(a + n.v), size(eta + eta_count) {}
  int a, eta, size;
};

/// All equations of a form, before selectors choose among the first two parts:
///
///   0 = p' - Z (v - D G^T eta)          eta in the stabilised form only; D: see velocity_metric
///   0 = v' - a
///   0 = r' - b
///   0 = c,  0 = g,  0 = n                position level; n: norms of redundant coordinates
///   0 = G v + offset                     velocity level; holonomic and nonholonomic rows
///   0 = d,  0 = M a - f + G^T lambda,  0 = G a - gamma        acceleration level
///
/// With v' = a the dynamic selector S_v of GEOMS (12b) acts on accelerations: S_v M of the paper is S_v here, and no
/// inverse of M is needed, so that massless bodies are nothing special. Constraint rows that depend on others are left
/// out, with lambda_i = 0 in place of them.
class StrangenessFreeEquations final : public ResidualFunction {
 public:
  struct Options {
    EquationForm form = EquationForm::strangeness_free;
    std::vector<int> redundant_rows = {};  ///< constraint rows that depend on the others
  };
  /// Equations of one kind, one after another.
  struct Rows {
    int first = 0, count = 0;
    int last() const { return first + count; }
  };

  /// @param equations  at a point of the run, for the places of M and G; they outlive this object
  StrangenessFreeEquations(EquationsOfMotion& equations, const Options& options);

  const StrangenessFreeLayout& layout() const { return at_; }
  const EquationsOfMotion& equations_of_motion() const { return equations_; }
  /// Whether rows of the first and second part are chosen by selectors.
  bool selects_positions() const;
  bool selects_velocities() const;

  Rows position_rate() const { return position_rate_; }
  Rows velocity_rate() const { return velocity_rate_; }
  Rows state_rate() const { return state_rate_; }
  Rows contact() const { return contact_; }
  Rows position() const { return position_; }  ///< g and n
  Rows velocity() const { return velocity_; }  ///< constraints, then invariants where they are rows
  Rows auxiliary() const { return auxiliary_; }
  Rows acceleration() const { return acceleration_; }  ///< dynamics, G a - gamma, and lambda_i = 0

  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) override;
  Dependencies dependencies() const override { return dependencies_; }
  bool knows_rate_matrix() const override { return true; }
  SparsityPattern rate_pattern() const override { return rate_pattern_; }
  void rate_matrix(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, SparseMatrix& matrix) override;
  SparsityPattern known_pattern() const override { return known_pattern_; }
  void known_entries(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, SparseMatrix& matrix) override;

  /// In sizes that no unit decides (see unit_scaling), whatever alpha is.
  void scale_by_coefficient(double alpha, Eigen::VectorXd& rows, Eigen::VectorXd& columns) const override;
  /// Characteristic lengths of positions and velocities in metres.
  Eigen::VectorXd unknown_sizes() const override;

  std::string unknown_name(int j) const override;
  std::string equation_name(int i) const override;

  /// The state that y stands for. What y does not have is left as it is.
  void write(const Eigen::VectorXd& y, State& state) const;
  /// The other way; eta = 0.
  void read(const State& state, Eigen::VectorXd& y) const;

 private:
  void set_point(double t, const Eigen::VectorXd& y);
  void number_rows();
  void find_norms();
  Rows append(std::size_t count);
  int invariant_rows() const;
  int dynamics() const { return acceleration_.first; }
  int level_row(const Rows& rows, std::size_t k) const { return rows.first + static_cast<int>(k); }
  /// First row of G a - gamma, and of lambda_i = 0.
  int hidden() const { return dynamics() + n_.v; }
  int fixed() const { return hidden() + static_cast<int>(acceleration_rows_.size()); }

  /// Calls visit(row of F, column of y, value) for all known entries of dF/dy at the current point of the equations.
  template <class Visit>
  void visit_known(const Visit& visit);
  void add_part(EquationPart part, int first_row, Unknown unknown, int first_column);
  void add_rows(const std::vector<int>& rows, const Dependencies& some, int first_row, int first_column);
  void find_dependencies();
  void add_level_dependencies();
  void add_hidden_dependencies();

  EquationsOfMotion& equations_;
  Options options_;
  Dimensions n_;
  std::vector<char> redundant_;  // by constraint row
  // Constraint rows in the order in which they stand at each level, those that eta belongs to, and the redundant ones.
  std::vector<int> position_rows_, velocity_rows_, acceleration_rows_, eta_rows_;
  StrangenessFreeLayout at_;
  Rows position_rate_, velocity_rate_, state_rate_, contact_, position_, velocity_, auxiliary_, acceleration_;
  std::vector<std::vector<int>> norms_;  // positions that have a norm, together
  int row_count_ = 0;
  bool multiplier_columns_known_ = false;
  KinematicMatrix Z_;
  Eigen::VectorXd metric_;  // D
  Eigen::VectorXd position_sizes_;
  Dependencies dependencies_;
  SparsityPattern rate_pattern_, known_pattern_;
  State point_;
  Eigen::VectorXd eta_, motion_, p_rate_, dynamics_, normalised_, hidden_;
};

}  // namespace linkwork
