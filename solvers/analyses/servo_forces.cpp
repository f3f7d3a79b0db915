#include <linkwork/solvers/analyses/servo_forces.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace linkwork {

namespace {

/// Rows of the matrix that depend on other rows, by the start of the scaling.
std::vector<int> dependent_rows(const AugmentedMatrix& matrix, Equilibration::Start start) {
  const Equilibration scaling(matrix, start);
  Eigen::MatrixXd A(scaling.unknowns(), scaling.unknowns());
  scaling.write_scaled(matrix, A);
  FullyPivotedLu factors;
  factors.compute(A.transpose());
  constexpr double of_differences = 1e-6;  // what F may be off by
  if (factors.pivot_ratio() >= (matrix.F ? of_differences : singular_pivot)) return {};
  return members_of_null_space(factors);
}

}  // namespace

void check_servos(EquationsOfMotion& equations) {
  const Dimensions& n = equations.dimensions();
  if (n.servo == 0) return;
  const bool unsymmetric = equations.forces_read_multipliers();
  const AugmentedMatrix matrix{unsymmetric ? MatrixKind::friction : MatrixKind::velocity, &equations.M(),
                               &equations.G(), unsymmetric ? &equations.force_jacobian() : nullptr};
  const std::vector<int> rows = dependent_rows(matrix, Equilibration::Start::units);
  if (rows.empty() || dependent_rows(matrix, Equilibration::Start::masses).empty()) return;
  std::vector<std::string> servos, others;
  for (const int i : rows) {
    if (i < n.v) continue;
    std::vector<std::string>& names = i - n.v >= n.constraints() - n.servo ? servos : others;
    const std::string name = concat("'", equations.constraint_element(i - n.v), "'");
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (servos.empty()) return;
  throw ModelError(concat(
      "model '", equations.model_name(), "': no force of the model can meet servo ", listed(servos),
      " at t = ", equations.time(), " s: its own forces do not change the accelerations that it prescribes",
      others.empty() ? std::string() : concat(", which ", listed(others), others.size() > 1 ? " hold" : " holds"),
      "; let its forces act on other frames or in other directions (do_force_rows), or let go what holds the motion."));
}

}  // namespace linkwork
