#include "trials.hpp"

#include "compose.hpp"
#include "newton_euler.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <vector>

namespace linkwork::test {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

const std::vector<Formulation> all_formulations = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// The kind of a message: what stands in quotes or is a number belongs to the case.
std::string kind_of(const std::string& message) {
  std::string out;
  bool quoted = false;
  const auto is_letter = [&](std::size_t i) {
    return i < message.size() && std::isalnum(static_cast<unsigned char>(message[i])) != 0;
  };
  for (std::size_t i = 0; i < message.size() && out.size() < 130; ++i) {
    const char c = message[i];
    const bool is_apostrophe = !quoted && i > 0 && is_letter(i - 1);
    if (c == '\'' && !is_apostrophe) {
      quoted = !quoted;
      continue;
    }
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (quoted || digit) {
      if (out.empty() || out.back() != '#') out += '#';
    } else if (!((c == '.' || c == '-' || c == 'e' || c == '+') && !out.empty() && out.back() == '#')) {
      out += c;
    }
  }
  return out;
}

template <class Function>
auto in_space(const Description& mechanism, Function&& function) {
  return mechanism.planar ? function(Planar{}) : function(Spatial{});
}

struct Values {
  Eigen::VectorXd accelerations, reactions;
  std::vector<bool> unique;
};

/// The numbers of the reference in the order of the observables; reactions in their own group.
Values reference_values(const Description& mechanism, const NewtonEuler& solution) {
  std::vector<double> a, r;
  Values out;
  const auto append = [&](std::vector<double>& to, const RealVector3& angular, const RealVector3& linear) {
    for (int i = mechanism.planar ? 2 : 0; i < 3; ++i) to.push_back(static_cast<double>(angular[i]));
    for (int i = 0; i < (mechanism.planar ? 2 : 3); ++i) to.push_back(static_cast<double>(linear[i]));
  };
  for (const NewtonEuler::BodyAcceleration& body : solution.bodies) append(a, body.angular, body.linear);
  for (const NewtonEuler::Reaction& joint : solution.joints) {
    append(r, joint.torque, joint.force);
    out.unique.resize(r.size(), joint.is_unique);
  }
  out.accelerations = Eigen::VectorXd::Map(a.data(), static_cast<Eigen::Index>(a.size()));
  out.reactions = Eigen::VectorXd::Map(r.data(), static_cast<Eigen::Index>(r.size()));
  return out;
}

/// The same of observables in a unit of length.
Values observed_values(const Description& mechanism, const Eigen::VectorXd& observables, double unit) {
  const int angular = mechanism.planar ? 1 : 3, linear = mechanism.planar ? 2 : 3;
  const int skipped = linear * linear + linear;
  Values out;
  out.accelerations.resize(static_cast<Eigen::Index>(mechanism.bodies.size()) * (angular + linear));
  out.reactions.resize(static_cast<Eigen::Index>(mechanism.joints.size()) * (angular + linear));
  Eigen::Index at = 0, to = 0;
  for (const Description::Body& body : mechanism.bodies) {
    const bool turns = Description::turns(body.kind);
    for (int i = 0; i < angular; ++i) out.accelerations[to++] = turns ? observables[at + i] : 0;
    for (int i = 0; i < linear; ++i) out.accelerations[to++] = observables[at + angular + i] / unit;
    at += angular + linear + skipped;
  }
  to = 0;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    for (int i = 0; i < angular; ++i) out.reactions[to++] = observables[at++] / (unit * unit);
    for (int i = 0; i < linear; ++i) out.reactions[to++] = observables[at++] / unit;
  }
  return out;
}

/// Largest difference relative to the largest value; not a number counts as infinite.
double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& reference, const std::vector<bool>& counts,
                  double least_size) {
  double largest = 0, size = least_size;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    size = std::max(size, std::abs(reference[i]));
    if (!counts.empty() && !counts[static_cast<std::size_t>(i)]) continue;
    const double d = std::abs(a[i] - reference[i]);
    if (!(d <= largest)) largest = std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
  }
  return largest / size;
}

/// Observables with the accelerations that a solver finds, or why it finds none.
struct Found {
  Eigen::VectorXd observables;
  std::string refusal;
};

template <class Space>
Found find(const Description& mechanism, const Composition& how, Formulation formulation, const std::string& solver) {
  Found out;
  try {
    const Model<Space> model = compose<Space>(mechanism, how);
    EquationsOptions options;
    options.formulation = formulation;
    const auto equations = make_equations(model, options);
    State state = equations->initial_state();
    equations->forget();
    equations->set(state);
    equations->remember(true, -1);
    const auto linear = make_linear_solver(solver, *equations);
    state.a.setZero(equations->dimensions().v);
    state.lambda.setZero(equations->dimensions().constraints());
    Outcome outcome = linear->analyze(*equations);
    if (outcome) {
      equations->set(state);
      outcome = linear->accelerations(state.a, state.lambda);
    }
    if (outcome)
      equations->observables(state, out.observables);
    else
      out.refusal = outcome.reason();
  } catch (const std::exception& error) {
    out.refusal = error.what();
  }
  return out;
}

void compare(Tally& tally, const Description& mechanism, const Composition& how, Formulation formulation,
             const std::string& solver, const NewtonEuler& solution) {
  const std::string who = concat(name_of(formulation), ", ", solver,
                                 how.unit != 1   ? concat(", unit ", how.unit)
                                 : how.order > 0 ? ", other order"
                                                 : "");
  ++tally.tried;
  const Found found =
      in_space(mechanism, [&]<class Space>(Space) { return find<Space>(mechanism, how, formulation, solver); });
  if (!found.refusal.empty()) {
    if (solver == "auto")
      tally.disagreed[concat("seed ", mechanism.seed, ", ", who)] = found.refusal;
    else
      tally.refuse(solver, found.refusal, mechanism.seed);
    return;
  }
  const Values expected = reference_values(mechanism, solution);
  const Values got = observed_values(mechanism, found.observables, how.unit);
  const double off_a =
                   difference(got.accelerations, expected.accelerations, {}, std::max(1.0, solution.held_acceleration)),
               off_r = difference(got.reactions, expected.reactions, expected.unique, 1);
  const double allowed = 1000 * epsilon * solution.condition;
  if (off_a <= allowed && off_r <= allowed)
    ++tally.agreed;
  else
    tally.disagreed[concat("seed ", mechanism.seed, ", ", who)] =
        concat("accelerations differ by ", off_a, ", reactions by ", off_r, ", allowed ", allowed);
}

/// All at 1e-8, lengths in metres: the same accuracy in every unit. Some hundred steps are usual; a run that creeps, as
/// bdf does at some singular positions, ends by its limit of steps.
/// @param unit  of length: states of elements are lengths and forces, which go with it, and torques, which go with its
///              square
IntegratorOptions integrator(const std::string& name, const Description& mechanism, double unit) {
  constexpr double tolerance = 1e-8;
  std::vector<double> of_states;
  for (const Description::Force& force : mechanism.forces) {
    using Kind = Description::ForceKind;
    if (force.kind == Kind::actuator_torque) of_states.push_back(unit * unit * tolerance);
    if (force.kind == Kind::actuator_force || force.kind == Kind::series_spring_damper)
      of_states.push_back(unit * tolerance);
  }
  const auto set = [&](auto options) -> IntegratorOptions {
    options.rtol = tolerance;
    options.atol = unit * tolerance;
    options.atol_angle = tolerance;
    options.components.r_atol = of_states;
    options.maximum_steps = 1500;
    return options;
  };
  if (name == "bdf") return set(BdfOptions());
  if (name == "radau") return set(RadauOptions());
  return set(ExtrapolationOptions());
}

struct Ran {
  Eigen::VectorXd observables;
  std::int64_t steps = 0;
  std::string refusal;
};

Ran run(const Description& mechanism, const Composition& how, Formulation formulation, const std::string& method) {
  return in_space(mechanism, [&]<class Space>(Space) {
    Ran out;
    try {
      Simulation simulation(compose<Space>(mechanism, how),
                            {.formulation = formulation, .integrator = integrator(method, mechanism, how.unit)});
      simulation.run(0, 0.1);
      simulation.equations().observables(simulation.trajectory().final_state(), out.observables);
      out.steps = simulation.statistics().integrator.steps;
    } catch (const std::exception& error) {
      out.refusal = error.what();
    }
    return out;
  });
}

/// Places of attitudes and positions among the observables.
std::vector<Eigen::Index> places_of_poses(const Description& mechanism) {
  const int angular = mechanism.planar ? 1 : 3, linear = mechanism.planar ? 2 : 3;
  std::vector<Eigen::Index> out;
  Eigen::Index at = 0;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    at += angular + linear;
    for (int i = 0; i < linear * linear + linear; ++i) out.push_back(at++);
  }
  return out;
}

const std::vector<std::string> all_integrators = {"extrapolation", "bdf", "radau"};

}  // namespace

void Tally::refuse(const std::string& who, const std::string& reason, unsigned seed) {
  const std::string own_name = who + ": ";
  const bool names_itself = reason.compare(0, own_name.size(), own_name) == 0;
  Refusals& of_reason = refused[kind_of(names_itself ? reason.substr(own_name.size()) : reason)];
  if (of_reason.count++ == 0) of_reason.seed = seed;
  of_reason.by.insert(who);
}

int Tally::refusals() const {
  int out = 0;
  for (const auto& [reason, refusals] : refused) out += refusals.count;
  return out;
}

Tally& Tally::operator+=(const Tally& other) {
  tried += other.tried;
  agreed += other.agreed;
  for (const auto& [reason, refusals] : other.refused) {
    Refusals& sum = refused[reason];
    if (sum.count == 0) sum.seed = refusals.seed;
    sum.count += refusals.count;
    sum.by.insert(refusals.by.begin(), refusals.by.end());
  }
  disagreed.insert(other.disagreed.begin(), other.disagreed.end());
  return *this;
}

Tally try_accelerations(const Description& mechanism) {
  Tally tally;
  const NewtonEuler solution = solve_newton_euler(mechanism);
  for (Formulation formulation : all_formulations) {
    for (const std::string& solver : linear_solver_names())
      compare(tally, mechanism, {}, formulation, solver, solution);
    for (const char* solver : {"auto", "recursive", "graph"})
      compare(tally, mechanism, {.order = mechanism.seed}, formulation, solver, solution);
    for (double unit : {1e-6, 1e6}) compare(tally, mechanism, {.unit = unit}, formulation, "auto", solution);
  }
  return tally;
}

Tally try_motion(const Description& mechanism) {
  constexpr double allowed = 1000 * 1e-8;
  Tally tally;
  const std::vector<Eigen::Index> places = places_of_poses(mechanism);
  Eigen::VectorXd first;
  std::string first_name;
  for (Formulation formulation : all_formulations)
    for (const std::string& method : all_integrators) {
      const std::string who = concat(name_of(formulation), ", ", method);
      ++tally.tried;
      const Ran ran = run(mechanism, {}, formulation, method);
      if (!ran.refusal.empty()) {
        tally.refuse(method, ran.refusal, mechanism.seed);
        continue;
      }
      const Eigen::VectorXd poses = ran.observables(places);
      if (first.size() == 0) {
        first = poses;
        first_name = who;
      }
      const double off = (poses - first).cwiseAbs().maxCoeff();
      if (off <= allowed * std::max(1.0, first.cwiseAbs().maxCoeff()))
        ++tally.agreed;
      else
        tally.disagreed[concat("seed ", mechanism.seed, ", ", who)] =
            concat("poses at 0.1 s are ", off, " from those of ", first_name);
    }
  return tally;
}

Tally try_units(const Description& mechanism, double unit) {
  Tally tally;
  for (Formulation formulation : all_formulations)
    for (const std::string& method : all_integrators) {
      const std::string who = concat(name_of(formulation), ", ", method, ", unit ", unit);
      ++tally.tried;
      const Ran ran = run(mechanism, {}, formulation, method);
      const Ran scaled = run(mechanism, {.unit = unit}, formulation, method);
      if (!ran.refusal.empty() && !scaled.refusal.empty())
        tally.refuse(method, ran.refusal, mechanism.seed);
      else if (ran.steps == scaled.steps)
        ++tally.agreed;
      else
        tally.disagreed[concat("seed ", mechanism.seed, ", ", who)] =
            concat(ran.steps, " steps in metres, ", scaled.steps, " in the other unit. ", ran.refusal, scaled.refusal);
    }
  return tally;
}

}  // namespace linkwork::test
