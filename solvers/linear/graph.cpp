#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <string>

namespace linkwork {

Outcome graph_failure(std::string_view solver, EquationsOfMotion& equations, AugmentedMatrix matrix,
                      const JointSingularity& singularity) {
  if (singularity.row >= 0 && !singularity.is_of_order)
    return Outcome::failure(concat(solver, ": ", equations.constraint_name(singularity.row),
                                   " is redundant at t = ", equations.time(), " s: other constraints of model '",
                                   equations.model_name(), "' hold what it holds; use 'redundant', or take it away."));
  const int nv = equations.dimensions().v;
  // Only small matrices are assembled for the sake of a message.
  if (!matrix.M && nv + equations.dimensions().constraints() <= largest_dense_diagnosis)
    matrix = current_matrix(equations, matrix.kind);
  if (matrix.M && is_known_singular(matrix)) return singular_matrix(solver, equations, matrix, singularity.unknown(nv));
  const std::string what = singularity.velocity >= 0
                               ? concat("velocity of ", equations.velocity_name(singularity.velocity))
                               : concat("constraint ", equations.constraint_name(singularity.row));
  return Outcome::failure(concat(
      solver, ": the pivot of ", what, " is singular at t = ", equations.time(),
      " s after the elimination of what lies before it; use 'sparse-lu', or 'redundant' if constraints of model '",
      equations.model_name(), "' depend on each other."));
}

}  // namespace linkwork
