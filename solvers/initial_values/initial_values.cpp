#include <linkwork/solvers/initial_values/initial_values.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/initial_values/consistency.hpp>
#include <linkwork/solvers/initial_values/continuation.hpp>
#include <linkwork/solvers/initial_values/determination.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

constexpr double accuracy = 1e-9;  // of what is given, relative to the size of the values

/// The first of many names.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::ptrdiff_t most = 8;
  const auto rest = std::ssize(names) - most;
  if (rest <= 1) return listed(names);
  return concat(listed(std::vector<std::string>(names.begin(), names.begin() + most)), " and ", rest, " others");
}

const char* is_or_are(std::size_t count) { return count == 1 ? "is" : "are"; }

double largest_change(const Eigen::VectorXd& from, const Eigen::VectorXd& to, std::string& name,
                      std::string (EquationsOfMotion::*name_of)(int) const, const EquationsOfMotion& e) {
  if (from.size() == 0) return 0;
  Eigen::Index worst = 0;
  const double change = (to - from).cwiseAbs().maxCoeff(&worst);
  if (change > 0) name = (e.*name_of)(static_cast<int>(worst));
  return change;
}

/// Why a condition does not go together with others that hold at x: how far it can be moved while they do.
std::string contradiction(Consistency& problem, StartLevel level, const ChosenConditions& accepted,
                          const StartCondition& condition, const State& x) {
  Continuation way(problem, level, accepted, condition, x);
  way.go();
  const std::string others = way.obstacle();
  const std::string result = condition.is_function
                                 ? concat("the violation that was reached is ", way.reached_text())
                                 : concat("the nearest value that was reached is ", way.reached_text(),
                                          condition.unit.empty() ? "" : " ", condition.unit);
  if (others.empty())
    return concat("condition ", condition.text(),
                  " can't be met, because nothing that may move changes it further: ", result,
                  "; change it, drop it, or make it a guess.");
  return concat("condition ", condition.text(), " contradicts ", others, ": ", result,
                "; change it, drop one of them, or make one a guess.");
}

StartConditions all_conditions_of(const InitialConditions& given, const State& state, EquationsOfMotion& e) {
  StartConditions out = resolve(given.conditions(), false, state, e);
  const StartConditions invariants = given_invariants(e);
  out.insert(out.end(), invariants.begin(), invariants.end());
  return out;
}

class Search {
 public:
  Search(EquationsOfMotion& e, const State& guess, const InitialConditions& given)
      : e_(e), given_(given), problem_(checked(e), guess), start_(problem_.guess()), x_(start_) {
    conditions_ = all_conditions_of(given, start_, e);
    guesses_ = resolve(given.guesses(), true, start_, e);
  }

  InitialValues find() {
    out_.consistent = find_positions() && find_velocities() && find_accelerations();
    out_.state = x_;
    out_.position_change = largest_change(start_.p, x_.p, out_.position_name, &EquationsOfMotion::position_name, e_);
    out_.velocity_change = largest_change(start_.v, x_.v, out_.velocity_name, &EquationsOfMotion::velocity_name, e_);
    if (out_.consistent) count_free_values();
    if (out_.consistent && given_.expects_determined() && !out_.decided_by_guesses.empty()) {
      out_.consistent = false;
      out_.reason = concat("the initial values are not determined: ", out_.decided_by_guesses.size(), " of them ",
                           is_or_are(out_.decided_by_guesses.size()), " free, such as ",
                           some_of(out_.decided_by_guesses), "; fix these or others that they depend on.");
    }
    return std::move(out_);
  }

 private:
  static EquationsOfMotion& checked(EquationsOfMotion& e) {
    if (e.dimensions().v > largest_initial_value_problem)
      throw ModelError(concat("initial values: model '", e.model_name(), "' has ", e.dimensions().v,
                              " velocities, and they are searched for up to ", largest_initial_value_problem,
                              "; set a consistent initial state yourself (Simulation::set_initial_state)."));
    return e;
  }

  bool fail(std::string reason) {
    out_.reason = std::move(reason);
    return false;
  }

  /// Moves the point from which the change is least to where constraints and conditions hold and guesses are met best,
  /// looked for from a few places: guesses choose the branch.
  void follow_guesses(StartLevel level, const ChosenConditions& conditions, const ChosenConditions& guesses) {
    constexpr unsigned places = 9;
    if (guesses.empty()) return;
    ChosenConditions all = conditions, strict = conditions;
    StartConditions held;
    for (const StartCondition* guess : guesses) {
      all.push_back(guess);
      held.push_back(*guess);
      held.back().is_guess = false;
    }
    for (const StartCondition& guess : held) strict.push_back(&guess);
    double least = -1;
    State best;
    for (unsigned place = 0; place < places && !(least >= 0 && least <= accuracy); ++place) {
      try {
        State x = x_;
        if (place > 0) move_to_guesses(x, level, place % 2 == 1 ? all : strict, place % 2 == 0, place);
        problem_.choose(level, all);
        problem_.minimise_violation(x, true);
        problem_.choose(level, conditions);
        if (!problem_.solve(x, 1)) continue;
        State nearest = x;
        problem_.take_nearest_turns(start_, nearest);
        if (violation(guesses, nearest) <= violation(guesses, x) + accuracy) x = nearest;
        const double missed = violation(guesses, x);
        if (least >= 0 && !(missed < least)) continue;
        least = missed;
        best = x;
      } catch (const RecoverableFailure&) {  // elements can't be evaluated there
      }
    }
    if (least < 0) return;
    x_ = best;
    problem_.set_guess(best);
  }

  /// To where guesses hold, while constraints need not, or as far as these let them; from the third place on from or to
  /// somewhere around.
  void move_to_guesses(State& x, StartLevel level, const ChosenConditions& conditions, bool with_constraints,
                       unsigned place) {
    constexpr double around = 0.5;
    problem_.choose(level, conditions);
    if (place > 2 && with_constraints) x = problem_.disturbed(x, around, place);
    problem_.minimise_violation(x, with_constraints);
    if (place > 2 && !with_constraints) x = problem_.disturbed(x, around, place);
  }

  double violation(const ChosenConditions& conditions, const State& x) {
    double out = 0;
    for (const StartCondition* condition : conditions) out = std::hypot(out, problem_.violation(*condition, x));
    return out;
  }

  /// @return whether the equations of a level hold now
  bool reach(StartLevel level, const ChosenConditions& conditions) {
    problem_.choose(level, conditions);
    State x = x_;
    if (!problem_.solve(x)) return false;
    problem_.take_nearest_turns(problem_.guess(), x);
    problem_.approach_guess(x);
    problem_.restart_at(x);  // what joints remember has to fit the place
    problem_.refine(x);
    if (!problem_.holds(x)) return false;
    x_ = x;
    return true;
  }

  /// The same by a longer way, where all conditions at once lead nowhere: one is added after the other. Explains which
  /// is the first that does not go together with those before it.
  bool reach_one_by_one(StartLevel level, const ChosenConditions& conditions) {
    ChosenConditions accepted;
    State x = x_;
    problem_.choose(level, accepted);
    if (!problem_.solve(x)) return fail(problem_.why_unclosed(x));
    for (const StartCondition* condition : conditions) {
      ChosenConditions with = accepted;
      with.push_back(condition);
      problem_.choose(level, with);
      State from_accepted = x, from_start = x_;
      if (problem_.solve(from_accepted))
        x = from_accepted;
      else if (problem_.solve(from_start))
        x = from_start;
      else
        return fail(contradiction(problem_, level, accepted, *condition, x));
      accepted = std::move(with);
    }
    x_ = x;
    return reach(level, conditions) || fail(problem_.why_unclosed(x));
  }

  bool find_positions() {
    const ChosenConditions conditions = chosen(conditions_, false);
    follow_guesses(StartLevel::positions, conditions, chosen(guesses_, false));
    return reach(StartLevel::positions, conditions) || reach_one_by_one(StartLevel::positions, conditions);
  }

  bool find_velocities() {
    const ChosenConditions conditions = chosen(conditions_, true);
    follow_guesses(StartLevel::velocities, conditions, chosen(guesses_, true));
    if (reach(StartLevel::velocities, conditions)) return true;
    if (conditions.empty()) return reach_one_by_one(StartLevel::velocities, conditions);
    is_joint_ = reach(StartLevel::all, all_conditions()) || reach_one_by_one(StartLevel::all, all_conditions());
    return is_joint_;
  }

  bool find_accelerations() {
    const Outcome found = problem_.accelerate(x_);
    return found || fail(concat("there are no accelerations at the initial values: ", found.reason()));
  }

  /// Of a level, or of all together; what is free and what is redundant is kept.
  int count_free(StartLevel level, const ChosenConditions& conditions, bool report) {
    problem_.choose(level, conditions);
    const Determination found = determination(problem_, x_);
    if (report) {
      for (const int unknown : found.free) out_.decided_by_guesses.push_back(problem_.unknown_name(unknown, x_));
      out_.redundant_conditions.insert(out_.redundant_conditions.end(), found.redundant_conditions.begin(),
                                       found.redundant_conditions.end());
    }
    return static_cast<int>(found.free.size());
  }

  void count_free_values() {
    const ChosenConditions of_positions = chosen(conditions_, false), of_velocities = chosen(conditions_, true);
    if (is_joint_) {
      const int free = count_free(StartLevel::all, all_conditions(), true);
      out_.free_velocities = std::min(free, count_free(StartLevel::velocities, of_velocities, false));
      out_.free_positions = free - out_.free_velocities;
    } else {
      out_.free_positions = count_free(StartLevel::positions, of_positions, true);
      out_.free_velocities = count_free(StartLevel::velocities, of_velocities, true);
    }
    e_.set(x_);
  }

  /// Those of positions first.
  ChosenConditions all_conditions() const {
    ChosenConditions all = chosen(conditions_, false);
    const ChosenConditions of_velocities = chosen(conditions_, true);
    all.insert(all.end(), of_velocities.begin(), of_velocities.end());
    return all;
  }

  EquationsOfMotion& e_;
  const InitialConditions& given_;
  Consistency problem_;
  State start_, x_;
  StartConditions conditions_, guesses_;
  bool is_joint_ = false;  // positions had to move for the sake of velocities
  InitialValues out_;
};

std::string off(const std::string& name, double by, const std::string& unit) {
  return concat(name, " is off by ", std::abs(by), unit.empty() ? "" : " ", unit);
}

/// The worst entry above the accuracy of its size; "" for none.
template <class Name, class Unit>
std::string worst(const Eigen::VectorXd& residual, const Eigen::VectorXd& sizes, Name&& name, Unit&& unit) {
  if (residual.size() == 0) return "";
  Eigen::Index row = 0;
  (residual.array().abs() - accuracy * sizes.array()).maxCoeff(&row);
  if (std::abs(residual[row]) <= accuracy * sizes[row]) return "";
  return off(name(static_cast<int>(row)), residual[row], unit(static_cast<int>(row)));
}
template <class Name, class Unit>
std::string worst(const Eigen::VectorXd& residual, double size, Name&& name, Unit&& unit) {
  return worst(residual, Eigen::VectorXd::Constant(residual.size(), size), name, unit);
}

double size_of(const Eigen::VectorXd& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

/// The worst violation of every level.
std::vector<std::string> violations(Consistency& problem, EquationsOfMotion& e, const State& state) {
  std::vector<std::string> out;
  const auto add = [&](std::string text) {
    if (!text.empty()) out.push_back(std::move(text));
  };
  const auto row_name = [&](int row) { return e.constraint_name(row); };
  const auto position_unit = [&](int row) { return unit_of(e.constraint_measure(row)); };
  const auto rate_unit = [&](int row) { return rate_unit_of(e.constraint_measure(row)); };
  const double length = problem.position_size(state), speed = problem.speed_size(state);
  const Eigen::VectorXd per_row = row_scales(e).cwiseInverse();  // a length as what each row measures
  Eigen::VectorXd p = state.p;
  e.normalise(state.p, p);
  add(worst(
      p - state.p, 1, [&](int i) { return e.position_name(i); }, [](int) { return ""; }));
  e.set(state);
  if (e.dimensions().s > 0)
    add(worst(
        e.c(), std::max(1.0, length), [&](int i) { return "the equation of " + e.contact_name(i); },
        [](int) { return ""; }));
  add(worst(e.g(), length * per_row.head(e.dimensions().lambda), row_name, position_unit));
  add(worst(
      e.velocity_residual(), speed * per_row, [&](int row) { return "the rate of " + row_name(row); }, rate_unit));
  if (state.a.isZero(0) && state.lambda.isZero(0)) return out;
  if (e.dimensions().w > 0)
    add(worst(
        e.d(), 1, [&](int i) { return "the equation of " + e.auxiliary_name(i); }, [](int) { return ""; }));
  Eigen::VectorXd force, inertial;
  e.dynamic_residual(state.a, state.lambda, force);
  e.multiply_mass(state.a, inertial);
  add(worst(
      force, std::max(size_of(e.f()), size_of(inertial)),
      [&](int i) { return "the equation of motion of " + e.velocity_name(i); }, [](int) { return "[N or N m]"; }));
  Eigen::VectorXd rows = e.gamma(), terms = rows.cwiseAbs();
  rows = -rows;
  e.G().multiply_add(1.0, state.a, rows);
  for (const BlockMatrix::Block& block : e.G().blocks()) {
    const double* value = e.G().data() + block.offset;
    for (int i = block.row; i < block.row + block.height; ++i)
      for (int j = block.column; j < block.column + block.width; ++j) terms[i] += std::abs(*value++ * state.a[j]);
  }
  const double largest = size_of(terms.cwiseQuotient(per_row));
  add(worst(
      rows, std::max({largest, speed, length}) * per_row,
      [&](int row) { return "the second derivative of " + row_name(row); },
      [&](int row) {
        const Measure measure = e.constraint_measure(row);
        return measure == Measure::unknown ? std::string() : concat(unit_of(measure), "/s^2");
      }));
  return out;
}

}  // namespace

std::vector<std::string> InitialValues::sentences() const {
  std::vector<std::string> out;
  if (!reason.empty()) out.push_back(reason);
  if (position_change > 0)
    out.push_back(concat("positions changed by up to ", position_change, " (", position_name, ")."));
  if (velocity_change > 0)
    out.push_back(concat("velocities changed by up to ", velocity_change, " (", velocity_name, ")."));
  if (!decided_by_guesses.empty())
    out.push_back(concat("constraints and conditions leave ", free_positions, " positions and ", free_velocities,
                         " velocities or states to the guesses, such as ", some_of(decided_by_guesses), "."));
  out.insert(out.end(), redundant_conditions.begin(), redundant_conditions.end());
  return out;
}

InitialValues find_initial_values(EquationsOfMotion& equations, const State& guess,
                                  const InitialConditions& conditions) {
  return Search(equations, guess, conditions).find();
}

InitialValues check_initial_values(EquationsOfMotion& equations, const State& state,
                                   const InitialConditions& conditions) {
  InitialValues out;
  out.state = state;
  Consistency problem(equations, state);
  std::vector<std::string> found = violations(problem, equations, state);
  for (const StartCondition& condition : all_conditions_of(conditions, state, equations))
    if (!problem.holds(condition, state))
      found.push_back(off("condition " + condition.text(), problem.violation(condition, state), condition.unit));
  equations.set(state);
  out.consistent = found.empty();
  if (!out.consistent) out.reason = concat("the initial values are not consistent: ", listed(found), ".");
  return out;
}

}  // namespace linkwork
