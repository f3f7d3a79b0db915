#include <linkwork/solvers/initial_values/start_conditions.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>

#include <algorithm>
#include <numbers>
#include <random>

namespace linkwork {

namespace {

StateQuantity quantity_named(const EquationsOfMotion& e, const std::string& name) {
  const std::vector<std::string> observables = e.observable_names();
  const auto found = std::find(observables.begin(), observables.end(), name);
  if (found != observables.end())
    return {"", [i = found - observables.begin()](const State& state, EquationsOfMotion& equations) {
              Eigen::VectorXd values;
              equations.observables(state, values);
              return values[i];
            }};
  const Dimensions& n = e.dimensions();
  for (int i = 0; i < n.p; ++i)
    if (e.position_name(i) == name)
      return {unit_of(e.position_measure(i)), [i](const State& state, EquationsOfMotion&) { return state.p[i]; }};
  for (int i = 0; i < n.v; ++i)
    if (e.velocity_name(i) == name) return {"", [i](const State& state, EquationsOfMotion&) { return state.v[i]; }};
  for (int i = 0; i < n.r; ++i)
    if (e.state_name(i) == name) return {"", [i](const State& state, EquationsOfMotion&) { return state.r[i]; }};
  if (auto of_element = element_quantity_named(e, name)) return *of_element;
  throw ModelError(concat("initial conditions: model '", e.model_name(), "' (", e.formulation_name(),
                          " formulation) has nothing that is called '", name, "'; it has the observables ",
                          observables.empty() ? "(none)" : listed(observables), ", positions such as '",
                          n.p > 0 ? e.position_name(0) : "", "' and velocities such as '",
                          n.v > 0 ? e.velocity_name(0) : "", "'."));
}

StartCondition resolved(const InitialConditions::Condition& given, const State& guess, EquationsOfMotion& e) {
  StartCondition out{given.name, given.unit, given.quantity, given.value, given.is_function, given.period};
  if (!out.quantity) {
    const StateQuantity named = quantity_named(e, given.name);
    out.unit = named.unit;
    out.quantity = named.value;
    out.period = named.period;
  }
  if (given.as_guessed) out.value = out.quantity(guess, e);
  return out;
}

/// Random numbers in place of those of a vector, of size 1.
Eigen::VectorXd random_like(const Eigen::VectorXd& x, std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 1.5);
  Eigen::VectorXd out(x.size());
  for (double& entry : out) entry = number(random);
  return out;
}

void classify(StartCondition& condition, const State& x, EquationsOfMotion& e) {
  std::mt19937 random(1);
  condition.reads_accelerations = condition.reads_motion = false;
  State other = x;
  other.v = random_like(x.v, random);
  other.r = random_like(x.r, random);
  const auto differs = [](double a, double b) { return !(a == b); };
  const double here = condition.quantity(x, e);
  const double moving = condition.quantity(other, e);
  other.a = random_like(x.a, random);
  other.lambda = random_like(x.lambda, random);
  if (e.dimensions().w > 0) other.w = random_like(x.w, random);
  condition.reads_accelerations = differs(condition.quantity(other, e), moving);
  condition.reads_motion = condition.reads_accelerations || differs(moving, here);
}

}  // namespace

std::string StartCondition::text() const {
  if (is_function) return concat("'", name, "'");
  return concat("'", name, " = ", value, unit.empty() ? "" : " ", unit, "'");
}

StartCondition position_value(const EquationsOfMotion& e, int i, double value) {
  const Measure measure = e.position_measure(i);
  return {.name = e.position_name(i),
          .unit = unit_of(measure),
          .quantity = [i](const State& state, EquationsOfMotion&) { return state.p[i]; },
          .value = value,
          .period = measure == Measure::angle ? 2 * std::numbers::pi : 0.0};
}

StartConditions resolve(const std::vector<InitialConditions::Condition>& given, bool are_guesses, const State& guess,
                        EquationsOfMotion& equations) {
  StartConditions out;
  for (const InitialConditions::Condition& one : given) {
    out.push_back(resolved(one, guess, equations));
    out.back().is_guess = are_guesses;
    classify(out.back(), guess, equations);
    const bool is_known = !out.back().reads_accelerations || !guess.a.isZero(0) || !guess.lambda.isZero(0);
    if (one.as_guessed && !is_known)
      throw ModelError(
          concat("initial conditions: '", one.name, "' is to stay as it is among the initial values of model '",
                 equations.model_name(),
                 "', but reads accelerations, multipliers or auxiliary variables, which these do not have; "
                 "give it a value: fix(name, value)."));
  }
  return out;
}

StartConditions given_invariants(EquationsOfMotion& equations) {
  StartConditions out;
  equations.release_invariants();
  if (!equations.holds_invariants()) return out;
  for (int i = 0; i < equations.dimensions().e; ++i)
    out.push_back({.name = equations.invariant_name(i),
                   .unit = equations.invariant_unit(i),
                   .quantity =
                       [i](const State& state, EquationsOfMotion& at) {
                         at.set(state);
                         return at.invariants()[i];
                       },
                   .value = equations.invariants()[i] - equations.e()[i],
                   .reads_motion = true});
  return out;
}

ChosenConditions chosen(const StartConditions& conditions, bool reads_motion) {
  ChosenConditions out;
  for (const StartCondition& condition : conditions)
    if (condition.reads_motion == reads_motion) out.push_back(&condition);
  return out;
}

}  // namespace linkwork
