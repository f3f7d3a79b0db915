#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// Constraint rows that are kept where others depend on them, and what that means for multipliers: an integrator solves
/// with the independent rows only, the multipliers of the others being zero; reactions of least norm are reported.
class IndependentRows {
 public:
  /// Chooses rows at the equations' position, which satisfies the constraints, by the widest gap (find_redundancy).
  void choose(EquationsOfMotion& equations);
  /// Rows that depend on the others, of the last choice.
  const std::vector<int>& redundant_rows() const { return redundant_rows_; }

  /// The dependencies at another position. The choice stays.
  void follow(EquationsOfMotion& equations);
  /// Whether the rows last followed have another rank than those chosen.
  bool rank_has_changed() const { return rank_ != chosen_rank_; }
  /// Whether rows should be chosen anew: the rank is another one, or the chosen rows have nearly become dependent
  /// although all rows together have kept their rank.
  bool has_changed() const { return has_changed_; }
  /// How independent the chosen rows are beside the best choice, 1 to 0: the part of the dependencies that the
  /// redundant rows have, at the position last followed.
  double independence() const { return independence_; }

  /// What a run ends with where rows that were left out have stopped to agree with those that were kept: drives that
  /// contradict each other, loops that close on one branch only. "" as long as their residuals are within the
  /// tolerance, a millionth of the characteristic length, or a hundred times what the kept rows leave open, and their
  /// rates are so in proportion to the speeds. Looks at rows of positions at their positions and rates, at others at
  /// their rates.
  /// @param equations  at an accepted state
  /// @param tolerance  relative to the characteristic length
  std::string disagreement(EquationsOfMotion& equations, double tolerance) const;

  /// Multipliers with the same G^T lambda: those of redundant rows zero ...
  void reduce(Eigen::VectorXd& lambda) const;
  /// ... or the norm least, in units of force.
  void minimise_norm(Eigen::VectorXd& lambda) const;

 private:
  void find(EquationsOfMotion& equations, int known_rank);
  std::string contradiction(const EquationsOfMotion& equations, int row, double off, const char* unit_of_rate) const;

  std::vector<int> redundant_rows_;
  int rank_ = -1, chosen_rank_ = -1;
  bool has_changed_ = false;
  double independence_ = 1;
  Eigen::VectorXd scales_;
  Eigen::MatrixXd null_;  // of G^T, rows divided by scales_; orthonormal columns
};

/// Chooses rows anew at a state, where they were chosen before, the solver found constraints redundant, or there is no
/// velocity that they could constrain, and reduces its multipliers to them; leaves the equations there. Forces that
/// read multipliers have none that are redundant: the solver refuses them at the start.
/// @param rows  none as long as no constraint is redundant
void choose_independent_rows(std::optional<IndependentRows>& rows, EquationsOfMotion& equations,
                             const LinearSolver& solver, State& state);

}  // namespace linkwork
