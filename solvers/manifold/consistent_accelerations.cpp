#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <linkwork/core/concat.hpp>

namespace linkwork {

namespace {

constexpr int maximum_repeats = 50;

/// Whether a change of the multipliers is rounding: beside them or, where they pass through zero, beside the forces.
bool is_rounding(EquationsOfMotion& e, const Eigen::VectorXd& change) {
  constexpr double settled = 1e-12;
  if (change.norm() <= settled * e.multipliers().norm()) return true;
  Eigen::VectorXd force = Eigen::VectorXd::Zero(e.dimensions().v);
  e.G().transpose_multiply_add(1.0, change, force);
  return force.norm() <= settled * e.f().norm();
}

/// @param correction  of gamma
/// @param rests       whether the multipliers came to rest
Outcome iterate(EquationsOfMotion& e, LinearSolver& solver, State& state, const Eigen::VectorXd* correction,
                bool& rests) {
  const Dimensions& n = e.dimensions();
  rests = false;
  if (n.s > 0) state.s = e.contacts();  // the projection moved them
  e.set_states(state.r);
  e.set_multipliers(state.lambda);
  const bool implicit = e.forces_read_multipliers();
  Eigen::VectorXd force(n.v), gamma, before;
  for (int repeat = 0; repeat < maximum_repeats; ++repeat) {
    before = state.lambda;
    if (n.w > 0) {
      e.solve_auxiliary();
      state.w = e.auxiliary();
    }
    if (!implicit && !correction) {
      if (Outcome solved = solver.accelerations(state.a, state.lambda); !solved) return solved;
    } else {
      const BlockMatrix* F = implicit ? &e.force_jacobian() : nullptr;
      if (Outcome factored = solver.factor(implicit ? MatrixKind::friction : MatrixKind::velocity, F); !factored)
        return factored;
      force = e.f();
      if (F) F->multiply_add(-1.0, before, force);
      gamma = e.gamma();
      if (correction) gamma += *correction;
      solver.solve(force, gamma, state.a, state.lambda);
    }
    if (!state.lambda.allFinite()) return {};
    e.set_multipliers(state.lambda);
    rests = (!implicit && n.w == 0) || is_rounding(e, state.lambda - before);
    if (rests) return {};
  }
  return {};
}

}  // namespace

Outcome settle_accelerations(EquationsOfMotion& equations, LinearSolver& solver, State& state,
                             const Eigen::VectorXd* correction) {
  bool rests = false;
  return iterate(equations, solver, state, correction, rests);
}

Outcome find_accelerations(EquationsOfMotion& equations, LinearSolver& solver, State& state) {
  equations.set(state);
  bool rests = false;
  if (Outcome found = iterate(equations, solver, state, nullptr, rests); !found) return found;
  if (!rests)
    return Outcome::failure(concat("forces that read reactions do not settle: after ", maximum_repeats,
                                   " iterations the multipliers still change; give other initial values."),
                            Failure::no_convergence);
  state.w = equations.solved_auxiliary();
  state.s = equations.solved_contacts();
  return {};
}

Outcome find_accelerations(EquationsOfMotion& equations, State& state) {
  const auto solver = make_linear_solver("auto", equations, equations.forces_read_multipliers());
  if (Outcome analysed = solver->analyze(equations); !analysed) return analysed;
  return find_accelerations(equations, *solver, state);
}

}  // namespace linkwork
