#include <linkwork/solvers/linear/linear_solver_choice.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

std::unique_ptr<LinearSolver> LinearSolverChoice::make(EquationsOfMotion& equations, bool friction) const {
  if (is_own_ && !factory_)
    throw ModelError(concat("the factory of linear solver '", name_, "' is empty; give a function that makes one."));
  std::unique_ptr<LinearSolver> solver = is_own_ ? factory_() : make_linear_solver(name_, equations, friction);
  if (!solver) throw ModelError(concat("the factory of linear solver '", name_, "' gave none; return one."));
  if (const Outcome analysed = solver->analyze(equations); !analysed) throw ModelError(analysed.reason());
  return solver;
}

}  // namespace linkwork
