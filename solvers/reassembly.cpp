#include <linkwork/solvers/reassembly.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/consistency.hpp>
#include <linkwork/solvers/newton/continuation.hpp>
#include <linkwork/solvers/newton/determination.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork {

namespace {

/// Differences of positions without full turns and signs of quaternions.
Eigen::VectorXd difference(const EquationsOfMotion& e, const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  Eigen::VectorXd near = to;
  e.normalise(from, near);
  Eigen::VectorXd out = near - from;
  for (int i = 0; i < out.size(); ++i)
    if (e.position_unit(i) == "rad") out[i] = std::remainder(out[i], 2 * std::numbers::pi);
  return out;
}

/// Free coordinates keep the values that they have at x.
StartConditions held_values(Consistency& problem, const State& x) {
  StartConditions out;
  for (const int unknown : determination(problem, x).free) {
    const int i = problem.position_of(unknown, x);
    out.push_back(position_value(problem.equations(), i, x.p[i]));
  }
  return out;
}

std::string values_that_differ(const EquationsOfMotion& e, const std::vector<AssemblyBranch>& branches,
                               const State& state) {
  constexpr std::size_t most = 6;
  constexpr double visible = 1e-6;
  std::vector<std::string> out;
  for (int i = 0; i < e.dimensions().p && out.size() < most; ++i) {
    const bool differs = std::any_of(branches.begin(), branches.end(), [&](const AssemblyBranch& other) {
      return std::abs(difference(e, branches.front().state.p, other.state.p)[i]) > visible;
    });
    if (differs) {
      const std::string unit = e.position_unit(i);
      out.push_back(concat(e.position_name(i), " = ", state.p[i], unit.empty() ? "" : " ", unit));
    }
  }
  return listed(out);
}

}  // namespace

std::vector<AssemblyBranch> assembly_branches(EquationsOfMotion& equations, const State& state,
                                              const InitialConditions& conditions, unsigned attempts) {
  constexpr double distinct = 1e-5;   // [m, rad]: solutions are exact to 1e-9 away from dead points
  constexpr double everywhere = 1.5;  // [rad, characteristic lengths]
  Consistency problem(equations, state);
  const StartConditions given = resolve(conditions.conditions(), false, state, equations);
  ChosenConditions held = chosen(given, false);
  problem.choose(StartLevel::positions, held);
  const StartConditions free = held_values(problem, state);
  for (const StartCondition& value : free) held.push_back(&value);
  problem.choose(StartLevel::positions, held);

  std::vector<AssemblyBranch> out{{state, ""}};
  for (unsigned attempt = 1; attempt <= attempts; ++attempt) {
    try {
      State x = problem.disturbed(state, everywhere, attempt);
      problem.restart_at(x);
      if (!problem.solve(x, 1)) continue;
      const bool is_known = std::any_of(out.begin(), out.end(), [&](const AssemblyBranch& branch) {
        return difference(equations, branch.state.p, x.p).lpNorm<Eigen::Infinity>() <= distinct;
      });
      if (!is_known) out.push_back({x, ""});
    } catch (const RecoverableFailure&) {  // elements can't be evaluated there
    }
  }
  for (AssemblyBranch& branch : out) branch.text = values_that_differ(equations, out, branch.state);
  problem.restart_at(state);
  return out;
}

template <class Space>
Reassembly move_and_reassemble(EquationsOfMotion& equations, const State& state, const Quantity<Space>& quantity,
                               double value) {
  if (!std::isfinite(value))
    throw ModelError(
        concat("move_and_reassemble: '", quantity.name, "' is to be ", value, "; expected a finite number."));
  Consistency problem(equations, state);
  State x = problem.guess();
  problem.choose(StartLevel::positions, {});
  if (!problem.solve(x)) throw ModelError(concat("move_and_reassemble: ", problem.why_unclosed(x)));
  const StartCondition target{
      .name = quantity.name,
      .unit = quantity.unit,
      .quantity = [function = quantity.value](const State& at,
                                              EquationsOfMotion& e) { return measure(e, at, function); },
      .value = value,
      .period = quantity.period};
  Continuation way(problem, StartLevel::positions, {}, target, x);
  Reassembly out;
  out.arrived = way.go();
  out.reached = way.reached();
  if (!out.arrived) {
    const std::string unit = quantity.unit.empty() ? "" : " " + quantity.unit, holders = way.obstacle();
    out.reason = concat("'", quantity.name, "' can't go on to ", value, unit, ": it meets a dead point at ",
                        way.reached_text(), unit, holders.empty() ? "" : concat(" of ", holders),
                        "; move another quantity past it, or start in another branch.");
  }
  out.state = way.state();
  problem.choose(StartLevel::velocities, {});
  if (problem.solve(out.state)) problem.approach_guess(out.state);
  out.state.a.setZero();
  out.state.lambda.setZero();
  equations.set(out.state);
  return out;
}

template Reassembly move_and_reassemble(EquationsOfMotion&, const State&, const Quantity<Planar>&, double);
template Reassembly move_and_reassemble(EquationsOfMotion&, const State&, const Quantity<Spatial>&, double);

}  // namespace linkwork
