#include <linkwork/solvers/analyses/declarations.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/conformance_equations.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/drives.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>

namespace linkwork {

namespace {

constexpr std::array all_parts{EquationPart::position_rate,       EquationPart::dynamics,
                               EquationPart::constraint_force,    EquationPart::state_rate,
                               EquationPart::auxiliary,           EquationPart::contact,
                               EquationPart::position_constraint, EquationPart::velocity_constraint};
constexpr std::array all_unknowns{Unknown::p, Unknown::v, Unknown::a,      Unknown::r,
                                  Unknown::w, Unknown::s, Unknown::lambda, Unknown::factor};

Eigen::VectorXd& entries(State& state, EquationPart part, Unknown unknown) {
  switch (unknown) {
    case Unknown::p:
      return state.p;
    case Unknown::v:
      return state.v;
    case Unknown::a:
      return state.a;
    case Unknown::r:
      return state.r;
    case Unknown::w:
      return state.w;
    case Unknown::s:
      return state.s;
    case Unknown::lambda:
      return state.lambda;
    case Unknown::factor:
      break;
  }
  return part == EquationPart::constraint_force ? state.lambda : state.v;
}

Eigen::VectorXd evaluate(EquationsOfMotion& equations, const State& state, EquationPart part) {
  equations.set(state);
  Eigen::VectorXd out;
  switch (part) {
    case EquationPart::position_rate:
      equations.position_rate(out);
      return out;
    case EquationPart::dynamics:
      equations.dynamic_residual(state.a, state.lambda, out);
      return out;
    case EquationPart::constraint_force: {
      Eigen::VectorXd factor = state.lambda;
      factor.tail(equations.dimensions().mu).setZero();
      out = Eigen::VectorXd::Zero(equations.dimensions().v);
      equations.G().transpose_multiply_add(1.0, factor, out);
      return out;
    }
    case EquationPart::state_rate:
      return equations.r_rate();
    case EquationPart::auxiliary:
      return equations.d();
    case EquationPart::contact:
      return equations.c();
    case EquationPart::position_constraint:
      return equations.g();
    case EquationPart::velocity_constraint:
      break;
  }
  return equations.velocity_residual();
}

const char* name_of(EquationPart part) {
  constexpr std::array names{"position rate",      "dynamics",         "constraint force",    "state rate",
                             "auxiliary equation", "contact equation", "position constraint", "velocity constraint"};
  return names[static_cast<std::size_t>(part)];
}

/// What equations of a graph, in either space, find about their elements.
template <class Find>
std::vector<std::string> findings(EquationsOfMotion& equations, Find&& find) {
  if (auto* planar = dynamic_cast<GraphEquations<Planar>*>(&equations)) return find(*planar);
  if (auto* spatial = dynamic_cast<GraphEquations<Spatial>*>(&equations)) return find(*spatial);
  return {};
}

}  // namespace

std::vector<std::string> undeclared_uses(EquationsOfMotion& equations) {
  return findings(equations, [](auto& graph) { return graph.undeclared_uses(); });
}

void check_declarations(EquationsOfMotion& equations) {
  constexpr double rate_tolerance = 1e-5;
  check_drives(equations, rate_tolerance);
  const std::vector<std::string> uses = undeclared_uses(equations);
  if (uses.empty()) return;
  throw ModelError(uses.size() == 1 ? uses.front()
                                    : concat(uses.front(), " (", uses.size() - 1, " more of such uses were found.)"));
}

void check_drives(EquationsOfMotion& equations, double tolerance) {
  for (const Drive& drive : drives_of(equations)) {
    const std::string found = false_rates(drive.input, equations.time(), tolerance, drive.asks_acceleration());
    if (!found.empty()) throw ModelError(concat("drive '", drive.name, "' (", drive.type, "): ", found));
  }
}

void check_functions(EquationsOfMotion& equations) {
  const bool is_graph = dynamic_cast<const GraphEquations<Planar>*>(&equations) ||
                        dynamic_cast<const GraphEquations<Spatial>*>(&equations);
  if (!is_graph) {
    State here = equations.initial_state();
    here.t = equations.time();
    here.p = equations.position();
    here.v = equations.velocity();
    here.r = equations.states();
    if (equations.dimensions().w > 0) here.w = equations.auxiliary();
    if (equations.dimensions().s > 0) here.s = equations.contacts();
    const std::string fault = conformance::first_fault(equations, here);
    if (!fault.empty())
      throw ModelError(
          concat("model '", equations.model_name(), "': ", fault, " check_equations (conformance.hpp) tells more."));
    return;
  }
  const std::vector<std::string> faults = findings(equations, [](auto& graph) { return graph.false_functions(); });
  if (!faults.empty()) throw ModelError(faults.front());
}

std::string jumping_inputs(EquationsOfMotion& equations) {
  const double t = equations.time(), second = std::max(1.0, std::abs(t));
  const Eigen::VectorXd p = equations.position();
  const auto input_at = [&](int i, double time) {
    equations.set_position(time, p);
    return equations.input(i);
  };
  constexpr JumpLimits rounding{1e-12, 1e-12};
  // Rates of forces may jump, and those of velocities.
  const std::vector<Drive> drives = drives_of(equations);
  std::vector<bool> with_rate(static_cast<std::size_t>(equations.inputs()), drives.empty());
  for (const Drive& drive : drives)
    if (drive.asks_acceleration()) with_rate[static_cast<std::size_t>(drive.number)] = true;
  std::string out;
  for (int i = 0; i < equations.inputs(); ++i) {
    try {
      for (const double around : {1e-9 * second, 1e-8 * second, 1e-7 * second, 1e-6 * second}) {
        const std::string found = jump_between(input_at(i, t - around), input_at(i, t + around), 2 * around,
                                               with_rate[static_cast<std::size_t>(i)], rounding);
        if (found.empty()) continue;
        out += concat(" The prescribed motion '", equations.input_name(i), "' jumps there, ", found,
                      "; give one that is smooth, or end the run there and start anew.");
        break;
      }
    } catch (const std::exception&) {  // beyond where the function is defined
    }
  }
  equations.set_position(t, p);
  return out;
}

Changes changes_of(EquationsOfMotion& equations, const State& state, EquationPart part, Unknown unknown) {
  Changes out;
  State moved = state;
  Eigen::VectorXd& x = entries(moved, part, unknown);
  const auto note_size = [&](const Eigen::VectorXd& value) {
    if (value.size() > 0) out.size = std::max(out.size, value.cwiseAbs().maxCoeff());
  };
  const Eigen::Index count =
      part == EquationPart::constraint_force && unknown == Unknown::factor ? equations.dimensions().lambda : x.size();
  for (Eigen::Index j = 0; j < count; ++j) {
    const double before = x[j], step = 1e-3 * std::max(1.0, std::abs(before));
    x[j] = before + step;
    const Eigen::VectorXd up = evaluate(equations, moved, part);
    x[j] = before - step;
    const Eigen::VectorXd down = evaluate(equations, moved, part);
    x[j] = before;
    note_size(up);
    note_size(down);
    const Eigen::VectorXd change = up - down;
    out.columns.emplace_back(change.begin(), change.end());
    out.steps.push_back(step);
  }
  equations.set(state);
  return out;
}

std::vector<UndeclaredDependence> changes_outside(const Changes& changes, EquationPart part, Unknown unknown,
                                                  const SparsityPattern& pattern) {
  constexpr double rounding = 1e-12;
  std::vector<UndeclaredDependence> out;
  for (std::size_t j = 0; j < changes.columns.size(); ++j)
    for (std::size_t i = 0; i < changes.columns[j].size(); ++i) {
      const double change = changes.columns[j][i];
      const std::vector<int>& row = pattern.rows[i];
      if (std::abs(change) <= rounding * changes.size ||
          std::binary_search(row.begin(), row.end(), static_cast<int>(j)))
        continue;
      out.push_back({part, unknown, static_cast<int>(i), static_cast<int>(j), change, changes.steps[j]});
    }
  return out;
}

std::vector<UndeclaredDependence> undeclared_dependences(EquationsOfMotion& equations, const State& state) {
  std::vector<UndeclaredDependence> out;
  for (const EquationPart part : all_parts)
    for (const Unknown unknown : all_unknowns) {
      const Dependencies declared = equations.dependencies(part, unknown);
      const bool has_factor = part == EquationPart::position_rate || part == EquationPart::constraint_force;
      // The factor of Z is v here, and that of G^T lambda: they are asked for as factors only.
      if (!declared.complete || (unknown == Unknown::factor) != (has_factor && unknown != Unknown::p)) continue;
      const std::vector<UndeclaredDependence> more =
          changes_outside(changes_of(equations, state, part, unknown), part, unknown, declared.pattern);
      out.insert(out.end(), more.begin(), more.end());
    }
  return out;
}

std::string describe(const EquationsOfMotion& equations, const UndeclaredDependence& dependence) {
  const auto row_name = [&](int i) {
    switch (dependence.part) {
      case EquationPart::position_rate:
        return equations.position_name(i);
      case EquationPart::dynamics:
      case EquationPart::constraint_force:
        return equations.velocity_name(i);
      case EquationPart::state_rate:
        return equations.state_name(i);
      case EquationPart::auxiliary:
        return equations.auxiliary_name(i);
      case EquationPart::contact:
        return equations.contact_name(i);
      case EquationPart::position_constraint:
      case EquationPart::velocity_constraint:
        break;
    }
    return equations.constraint_name(i);
  };
  const auto column_name = [&](int j) {
    switch (dependence.unknown) {
      case Unknown::p:
        return equations.position_name(j);
      case Unknown::v:
        return equations.velocity_name(j);
      case Unknown::a:
        return concat("acceleration of ", equations.velocity_name(j));
      case Unknown::r:
        return equations.state_name(j);
      case Unknown::w:
        return equations.auxiliary_name(j);
      case Unknown::s:
        return equations.contact_name(j);
      case Unknown::lambda:
        return concat("multiplier of ", equations.constraint_name(j));
      case Unknown::factor:
        break;
    }
    return concat("factor ", j);
  };
  return concat("model '", equations.model_name(), "': the ", name_of(dependence.part), " of '",
                row_name(dependence.row), "' changes by ", dependence.change, " when '", column_name(dependence.column),
                "' goes from ", -dependence.step, " to ", dependence.step,
                " of its value, a dependence outside the declared pattern; let the element say so in use() or "
                "row_use().");
}

}  // namespace linkwork
