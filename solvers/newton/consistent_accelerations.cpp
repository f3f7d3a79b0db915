#include <linkwork/solvers/newton/consistent_accelerations.hpp>

namespace linkwork {

Outcome settle_accelerations(EquationsOfMotion& e, LinearSolver& solver, State& state) {
  constexpr int maximum_repeats = 50;
  constexpr double settled = 1e-12;
  const Dimensions& n = e.dimensions();
  if (n.s > 0) state.s = e.contacts();  // the projection moved them
  e.set_states(state.r);
  e.set_multipliers(state.lambda);
  const bool implicit = e.forces_read_multipliers();
  Eigen::VectorXd force(n.v), before;
  for (int repeat = 0; repeat < maximum_repeats; ++repeat) {
    before = state.lambda;
    if (n.w > 0) {
      e.solve_auxiliary();
      state.w = e.auxiliary();
    }
    if (!implicit) {
      if (Outcome solved = solver.accelerations(state.a, state.lambda); !solved) return solved;
    } else {
      const BlockMatrix& F = e.force_jacobian();
      if (Outcome factored = solver.factor(MatrixKind::friction, &F); !factored) return factored;
      force = e.f();
      F.multiply_add(-1.0, before, force);
      solver.solve(force, e.gamma(), state.a, state.lambda);
    }
    if (!state.lambda.allFinite()) break;
    e.set_multipliers(state.lambda);
    const bool rests = (state.lambda - before).norm() <= settled * state.lambda.norm();
    if (rests || (!implicit && n.w == 0)) return {};
  }
  return {};
}

}  // namespace linkwork
