#pragma once

#include <linkwork/solvers/reductions/reduced_equations.hpp>

#include <Eigen/Core>
#include <string>
#include <vector>

namespace linkwork {

/// All positions, and velocities along a basis of the null space that moves with the positions (REDUCE 6):
///
///   v = V z' + v0,   V orthonormal by Gram-Schmidt's process from [G^T B^T],   v0 the shortest with G v0 + offset = 0
///   z'' = V^T v' - (V^T V') z' + V'^T v0
///
/// in velocities divided by what counts as one of each, so that no unit decides. B stays as long as [G^T B^T] is well
/// conditioned; it is V of the present position then: z' goes on, z'' jumps. Positions drift off the constraints unless
/// they are corrected; velocities don't.
class NullSpaceProjection final : public ReducedEquations {
 public:
  NullSpaceProjection(EquationsOfMotion& full, LinearSolver& solver, const ReductionOptions& options,
                      const Tolerances& tolerances);

  Outcome begin(const State& full) override;
  Outcome accept(State& full, double h, ReductionChange& change) override;

  /// V and V' at the current point, in the sizes above.
  const Eigen::MatrixXd& basis();
  Eigen::MatrixXd basis_rate();

  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override { full_.normalise(near, p); }
  std::string position_name(int i) const override { return full_.position_name(i); }
  std::string velocity_name(int i) const override;
  Measure position_measure(int i) const override { return full_.position_measure(i); }
  Measure velocity_measure(int) const override { return Measure::angle; }  // in sizes: no unit of length counts
  bool is_dependent_position(int i) const override { return full_.is_dependent_position(i); }

 private:
  Outcome choose_basis();
  /// Gram-Schmidt at the position of the full equations. @return whether [G^T B^T] is regular
  bool orthonormalise();
  Eigen::MatrixXd rows_at_position();
  /// The derivative of the rows along the motion of the point; the full equations are at the point again.
  Eigen::MatrixXd rows_rate();
  Eigen::MatrixXd skew_part(const Eigen::MatrixXd& rows_rate) const;
  void correct(State& full);
  void take_rows_of_solver();

  void find_position(double, const Eigen::VectorXd& q, Eigen::VectorXd& p) override { p = q; }
  void prepare_velocities() override;
  void find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const override;
  void find_rest_velocity(Eigen::VectorXd& v) const override;
  void independent_position(const Eigen::VectorXd& p, Eigen::VectorXd& q) const override { q = p; }
  void independent_velocity(const Eigen::VectorXd& v, Eigen::VectorXd& w) const override;
  void independent_rate(const Eigen::VectorXd& p_rate, Eigen::VectorXd& q_rate) const override { q_rate = p_rate; }
  void independent_acceleration(const Eigen::VectorXd& a, Eigen::VectorXd& rate) override;

  Tolerances tolerances_;
  std::vector<int> rows_;              // independent ones
  Eigen::VectorXd sizes_, row_sizes_;  // of velocities, and of the independent rows
  Eigen::MatrixXd B_;                  // columns
  Eigen::MatrixXd V_, R_;              // V R = (1 - Q^+ Q) B
  Eigen::MatrixXd V_rows_, R_rows_;    // Q^T = V_rows R_rows
};

}  // namespace linkwork
