#include <linkwork/solvers/manifold/initial_projection.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/residual_text.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace linkwork {

namespace {

constexpr double consent_limit = 100;  // of the absolute tolerance

/// The row of the largest entry.
int worst_row(const Eigen::VectorXd& residual) {
  Eigen::Index row = 0;
  residual.cwiseAbs().maxCoeff(&row);
  return static_cast<int>(row);
}

double largest(const Eigen::VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; }

/// Whether a component changed by more than 100 times its absolute tolerance (the relative one where that is zero).
bool is_too_large(const Eigen::VectorXd& change, const Tolerances& tolerances,
                  const std::vector<double>& component_atol) {
  const double scalar = tolerances.atol > 0 ? tolerances.atol : tolerances.rtol;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    const double own = component_atol.empty() ? 0 : component_atol[static_cast<std::size_t>(i)];
    if (!(std::abs(change[i]) <= consent_limit * (own > 0 ? own : scalar))) return true;
  }
  return false;
}

Outcome refuse_positions(EquationsOfMotion& e, const State& given, bool converged, double moved) {
  Eigen::VectorXd p = given.p;
  e.normalise(given.p, p);
  if (e.dimensions().lambda == 0 || largest(p - given.p) > 0.5 * moved) {  // quaternions
    const int i = worst_row(p - given.p);
    return Outcome::failure(concat("the initial positions are not consistent: ", e.position_name(i), " is ", given.p[i],
                                   ", and ", p[i], " at the norm that it must have; give unit quaternions."));
  }
  e.set_position(given.t, p);
  const int row = worst_row(e.g());
  if (!converged)
    return Outcome::failure(
        concat("the initial positions are not consistent: ", e.constraint_name(row), " is off by ",
               residual_text(e, row, e.g()[row]),
               ", and the projection, which makes small changes, leads to no positions that satisfy all constraints; "
               "search for a start by set_initial_conditions({}), or give better positions."));
  return Outcome::failure(concat("the initial positions are not consistent: ", e.constraint_name(row), " is off by ",
                                 residual_text(e, row, e.g()[row]),
                                 "; closing the constraints moves positions by up to ", moved, ", more than ",
                                 consent_limit,
                                 " atol; give better positions, set consent_to_projection, or search for a start by "
                                 "set_initial_conditions({})."));
}

Outcome refuse_velocities(EquationsOfMotion& e, const State& given, double moved) {
  e.set_velocity(given.v);
  const Eigen::VectorXd& residual = e.velocity_residual();
  const int row = worst_row(residual);
  return Outcome::failure(concat("the initial velocities are not consistent: the rate of ", e.constraint_name(row),
                                 " is off by ", rate_text(e, row, residual[row]),
                                 "; projecting changes velocities by up to ", moved, ", more than ", consent_limit,
                                 " atol; give better velocities, set consent_to_projection, or search for a start by "
                                 "set_initial_conditions({})."));
}

}  // namespace

Outcome project_initial_values(EquationsOfMotion& equations, Projection& projection, const Tolerances& tolerances,
                               bool consent, const ErrorWeights& weights, State& state) {
  const State given = state;
  equations.normalise(given.p, state.p);
  for (Eigen::Index i = 0; i < state.p.size(); ++i)
    if (!std::isfinite(state.p[i]))
      return Outcome::failure(
          concat("the initial positions are not consistent: ", equations.position_name(static_cast<int>(i)), " is ",
                 given.p[i], " and belongs to a quaternion of norm 0; give a unit quaternion."));
  state.p = given.p;
  Outcome projected = projection.position(given.t, state.p, weights.p);
  if (!projected && (projection.iterations() == 0 || projection.has_converged()))
    return projected;  // a singular matrix or a contradiction, which has its own message
  const Eigen::VectorXd moved_p = state.p - given.p;
  if (!projected || (!consent && is_too_large(moved_p, tolerances, tolerances.components.p_atol)))
    return refuse_positions(equations, given, static_cast<bool>(projected), largest(moved_p));
  if (Outcome outcome = projection.velocity(state.v, weights.v); !outcome) return outcome;
  const Eigen::VectorXd moved_v = state.v - given.v;
  if (!consent && is_too_large(moved_v, tolerances, tolerances.components.v_atol))
    return refuse_velocities(equations, given, largest(moved_v));
  if (equations.dimensions().s > 0) state.s = equations.contacts();
  return {};
}

}  // namespace linkwork
