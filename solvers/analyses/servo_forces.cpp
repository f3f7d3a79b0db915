#include <linkwork/solvers/analyses/servo_forces.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace linkwork {

namespace {

/// Combinations of the rows that vanish, by columns; none where the matrix is regular.
Eigen::MatrixXd vanishing_combinations(const AugmentedMatrix& matrix, Equilibration::Start start) {
  const Equilibration scaling(matrix, start);
  Eigen::MatrixXd A(scaling.unknowns(), scaling.unknowns());
  scaling.write_scaled(matrix, A);
  FullyPivotedLu factors;
  factors.compute(A.transpose());
  constexpr double of_differences = 1e-6;  // what F may be off by
  const double least_ratio = matrix.F ? of_differences : singular_pivot;
  if (factors.pivot_ratio() >= least_ratio) return {};
  factors.set_threshold(least_ratio);
  return factors.kernel();
}

/// The part of a vanishing combination in one servo at least, and what else is in it.
struct UnmetServos {
  std::vector<std::string> servos, others;
  bool rows_depend = false;  ///< constraint rows alone: no force would do
};

UnmetServos unmet_servos(const EquationsOfMotion& equations, const Eigen::VectorXd& combination) {
  constexpr double share = 0.1, rounding = 1e-8;
  const Dimensions& n = equations.dimensions();
  const Eigen::VectorXd rows = combination.tail(n.constraints());
  const double largest = rows.cwiseAbs().maxCoeff();
  UnmetServos out;
  if (!(largest > rounding * combination.norm())) return out;
  out.rows_depend = combination.head(n.v).norm() < rounding * largest;
  for (int i = 0; i < n.constraints(); ++i) {
    if (!(std::abs(rows[i]) > share * largest)) continue;
    std::vector<std::string>& names = i >= n.constraints() - n.servo ? out.servos : out.others;
    const std::string name = concat("'", equations.constraint_element(i), "'");
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return out;
}

/// Why, and what to do.
std::string reason_of(const UnmetServos& unmet) {
  if (!unmet.rows_depend)
    return "the servo's forces do not change the accelerations that it prescribes; let them act on other frames or in "
           "other directions (do_force_rows).";
  const std::string holder = unmet.others.empty() ? "another servo prescribes" : listed(unmet.others) + " determines";
  return concat("it prescribes what ", holder, " already; take one of the two away.");
}

}  // namespace

void check_servos(EquationsOfMotion& equations) {
  const Dimensions& n = equations.dimensions();
  if (n.servo == 0) return;
  const bool unsymmetric = equations.forces_read_multipliers();
  const AugmentedMatrix matrix{unsymmetric ? MatrixKind::friction : MatrixKind::velocity, &equations.M(),
                               &equations.G(), unsymmetric ? &equations.force_jacobian() : nullptr};
  const Eigen::MatrixXd combinations = vanishing_combinations(matrix, Equilibration::Start::units);
  if (combinations.cols() == 0 || vanishing_combinations(matrix, Equilibration::Start::masses).cols() == 0) return;
  for (Eigen::Index k = 0; k < combinations.cols(); ++k) {
    const UnmetServos unmet = unmet_servos(equations, combinations.col(k));
    if (unmet.servos.empty()) continue;
    throw ModelError(concat("model '", equations.model_name(), "': no force of the model can meet servo ",
                            listed(unmet.servos), " at t = ", equations.time(), " s: ", reason_of(unmet)));
  }
}

}  // namespace linkwork
