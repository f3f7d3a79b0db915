#include <linkwork/solvers/initial_values/reassembly.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/initial_values/consistency.hpp>
#include <linkwork/solvers/initial_values/continuation.hpp>
#include <linkwork/solvers/initial_values/determination.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

/// What is free keeps its place: no component of the displacement from x along a free unknown. An entry of p alone
/// would not hold a quaternion, in which two attitudes share it.
StartConditions held_values(Consistency& problem, const State& x) {
  EquationsOfMotion& e = problem.equations();
  StartConditions out;
  for (const int unknown : determination(problem, x).free) {
    const int i = problem.position_of(unknown, x);  // leaves the equations at x
    Eigen::VectorXd along;
    e.multiply_Z(Eigen::VectorXd::Unit(e.dimensions().v, unknown), along);
    along /= along.squaredNorm();
    StartCondition held = position_value(e, i, 0);
    held.quantity = [along, from = x.p](const State& state, EquationsOfMotion&) { return along.dot(state.p - from); };
    out.push_back(std::move(held));
  }
  return out;
}

/// Which entries of p tell branches apart: each one more than any other would, until all are told apart.
class TellingPositions {
 public:
  /// @param weights  of positions in characteristic lengths
  TellingPositions(const EquationsOfMotion& e, const Eigen::VectorXd& weights,
                   const std::vector<AssemblyBranch>& branches)
      : positions_(e.dimensions().p), groups_(branches.size(), 0), differences_(branches.size()) {
    for (std::size_t b = 0; b < branches.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        differences_[b].push_back(
            weights.cwiseProduct(difference_without_turns(e, branches[a].state.p, branches[b].state.p)));
  }

  std::vector<int> find() {
    std::vector<int> out;
    for (std::size_t known = 1; known < groups_.size();) {
      std::size_t most = known;
      int best = -1;
      for (int i = 0; i < positions_; ++i) {
        const std::size_t count = count_of(split_by(i));
        if (count <= most) continue;
        most = count;
        best = i;
      }
      if (best < 0) break;
      groups_ = split_by(best);
      known = most;
      out.push_back(best);
    }
    return out;
  }

 private:
  /// The number of each branch's group, where branches of one group that differ in p[i] go apart.
  std::vector<std::size_t> split_by(int i) const {
    constexpr double visible = 1e-6;
    std::vector<std::size_t> out(groups_.size());
    std::size_t groups = 0;
    for (std::size_t b = 0; b < out.size(); ++b) {
      const auto is_alike = [&](std::size_t a) {
        return groups_[a] == groups_[b] && std::abs(differences_[b][a][i]) <= visible;
      };
      std::size_t a = 0;
      while (a < b && !is_alike(a)) ++a;
      out[b] = a < b ? out[a] : groups++;
    }
    return out;
  }
  static std::size_t count_of(const std::vector<std::size_t>& groups) {
    return *std::max_element(groups.begin(), groups.end()) + 1;
  }

  int positions_;
  std::vector<std::size_t> groups_;
  std::vector<std::vector<Eigen::VectorXd>> differences_;  // of branch b from a < b
};

std::string values_at(const EquationsOfMotion& e, const std::vector<int>& positions, const State& state) {
  constexpr double digits = 1e10;
  return listed(positions, [&](int i) {
    const std::string unit = unit_of(e.position_measure(i));
    return concat(e.position_name(i), " = ", std::round(state.p[i] * digits) / digits + 0.0, unit.empty() ? "" : " ",
                  unit);
  });
}

/// Refuses what small steps would need too many of.
void expect_near(const StartCondition& target, double now, double length) {
  constexpr double farthest = 1e4;  // [rad, characteristic lengths]: 100000 steps
  const double unit_size = target.unit == "m" ? length : 1.0;
  if (std::abs(target.value - now) <= farthest * unit_size) return;
  const std::string unit = target.unit.empty() ? "" : " " + target.unit;
  const double turns = target.period > 0 ? std::trunc((target.value - now) / target.period) : 0.0;
  throw ModelError(concat(
      "move_and_reassemble: '", target.name, "' is ", now, unit, " and is to be ", target.value, unit,
      ", farther than the ", farthest * unit_size, unit, " that small steps go; give a nearer value",
      turns == 0 ? "" : concat(", such as ", target.value - turns * target.period, unit, " without full turns"), "."));
}

/// Why a quantity that was somewhere went no further than it did.
std::string why_stopped(Continuation& way, const StartCondition& target, double from) {
  const std::string unit = target.unit.empty() ? "" : " " + target.unit, holders = way.obstacle();
  constexpr double met = 1e-8;  // conditions hold to a tenth of it
  if (std::abs(way.reached() - from) <= met * std::max(1.0, std::abs(from)))
    return concat("'", target.name, "' can't move from ", way.reached_text(), unit, " towards ", target.value, unit,
                  ": ", holders.empty() ? "nothing that may move changes it" : concat(holders, " hold it"),
                  " there; move another quantity, or start elsewhere.");
  return concat("'", target.name, "' can't go on to ", target.value, unit, ": it meets a dead point at ",
                way.reached_text(), unit, holders.empty() ? "" : concat(" of ", holders),
                "; move another quantity past it, or start in another branch.");
}

}  // namespace

std::vector<AssemblyBranch> assembly_branches(EquationsOfMotion& equations, const State& state,
                                              const InitialConditions& conditions, unsigned attempts) {
  constexpr double distinct = 1e-5;  // [rad, characteristic lengths]: solutions are exact to 1e-9 away from dead points
  constexpr double everywhere = 1.5;  // [rad, characteristic lengths]
  Consistency problem(equations, state);
  const StartConditions given = resolve(conditions.conditions(), false, state, equations);
  ChosenConditions held = chosen(given, false);
  problem.choose(StartLevel::positions, held);
  const StartConditions free = held_values(problem, state);
  for (const StartCondition& value : free) held.push_back(&value);
  problem.choose(StartLevel::positions, held);

  const Eigen::VectorXd weights = problem.position_weights() / problem.length();
  std::vector<AssemblyBranch> out{{state, ""}};
  for (unsigned attempt = 1; attempt <= attempts; ++attempt) {
    try {
      State x = problem.disturbed(state, everywhere, attempt);
      problem.restart_at(state);  // teeth mesh in all branches as they do where the bodies are placed
      if (!problem.solve(x, 1)) continue;
      problem.take_nearest_turns(state, x);
      const bool is_known = std::any_of(out.begin(), out.end(), [&](const AssemblyBranch& branch) {
        const Eigen::VectorXd difference = difference_without_turns(equations, branch.state.p, x.p);
        return difference.cwiseProduct(weights).lpNorm<Eigen::Infinity>() <= distinct;
      });
      if (!is_known) out.push_back({x, ""});
    } catch (const RecoverableFailure&) {  // elements can't be evaluated there
    }
  }
  const std::vector<int> telling = TellingPositions(equations, weights, out).find();
  for (AssemblyBranch& branch : out) branch.text = values_at(equations, telling, branch.state);
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
  const double from = measure(equations, x, quantity.value);
  expect_near(target, from, problem.length());
  Continuation way(problem, StartLevel::positions, {}, target, x);
  Reassembly out;
  out.arrived = way.go();
  out.reached = way.reached();
  if (!out.arrived) out.reason = why_stopped(way, target, from);
  out.state = way.state();
  problem.choose(StartLevel::velocities, {});
  if (problem.solve(out.state))
    problem.approach_guess(out.state);
  else
    out.reason +=
        concat(out.reason.empty() ? "" : " ", "No velocities were found there: ", problem.why_unclosed(out.state));
  out.state.a.setZero();
  out.state.lambda.setZero();
  equations.set(out.state);
  return out;
}

template Reassembly move_and_reassemble(EquationsOfMotion&, const State&, const Quantity<Planar>&, double);
template Reassembly move_and_reassemble(EquationsOfMotion&, const State&, const Quantity<Spatial>&, double);

}  // namespace linkwork
