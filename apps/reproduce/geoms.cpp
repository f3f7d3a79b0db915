#include "bench/cpu_clock.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/radau.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Published numbers: A. Steinbrecher, GEOMS, WIAS preprint 1259 (2007), section 4. Its step counts belong to tolerances
// transformed as those of RADAU5. Figures come as data, in comma-separated values.

namespace linkwork::apps {
namespace {

// ------------------------------------------------------------------------------------------------ tables 3 and 4

/// The counters of one printed run.
struct Printed {
  double tolerance;
  std::int64_t steps, error_rejections, failures, calls, algebraic, differential, solves, selector_updates;
};

/// Largest difference of observables from the reference, of those whose names begin with one of these letters.
double reference_error_of(Simulation& simulation, const ZooModel& model, const Parameters& parameters,
                          const std::string& letters) {
  const ReferencePoint* known = model.reference_at(parameters, simulation.trajectory().t_end());
  if (!known) return unknown;
  ReferencePoint chosen{known->t, {}};
  for (const auto& value : known->values)
    if (letters.find(value.first.front()) != std::string::npos) chosen.values.push_back(value);
  return reference_error(chosen, simulation.equations().observable_names(), final_observables(simulation));
}

void print_counters(std::ostream& out, double speed, const std::vector<Printed>& published) {
  const ZooModel& model = find_model("cartesian_pendulum");
  const Parameters parameters = model.parameters_with({{"v0", speed}});
  TextTable table({"TOL", "steps", "rejected", "failed", "calls", "algebraic", "differential", "solves", "selectors",
                   "error p, v", "error lambda"});
  for (const Printed& printed : published) {
    RadauOptions radau;
    radau.rtol = radau.atol = printed.tolerance;
    radau.first_step = 0.01;
    radau.keep_invariants = false;
    SimulationOptions options;
    options.integrator = radau;
    options.keep_dense_output = options.keep_steps = false;
    Simulation simulation = make_simulation(model, parameters, options);
    simulation.run(0, 5);
    const IntegratorStatistics& s = simulation.statistics().integrator;
    table.add({number(printed.tolerance, 1), beside(s.steps, printed.steps),
               beside(s.rejected_steps - s.convergence_failures, printed.error_rejections),
               beside(s.convergence_failures, printed.failures),
               beside(s.function_calls - s.jacobian_function_calls, printed.calls),
               beside(s.algebraic_decompositions, printed.algebraic), beside(s.factorizations, printed.differential),
               beside(s.stage_solves, printed.solves), beside(s.selector_updates, printed.selector_updates),
               number(reference_error_of(simulation, model, parameters, "pv"), 2),
               number(reference_error_of(simulation, model, parameters, "l"), 2)});
  }
  out << "cartesian_pendulum, psf, from the hanging position at " << speed << " m/s, [0, 5]\n";
  table.print(out);
  out << "In brackets: the printed numbers NACPT, NERJCT, NCRJCT, NEOM, NPDEC, NEDEC, NBSUB, NSEL. Calls do not count "
         "those for Jacobians; solves count the real and the complex system of each iteration, error estimates and "
         "the finish. Selectors less failures: one choice at the start, and one at each passage through 45 "
         "degrees.\n";
}

// ------------------------------------------------------------------------------------------------ figures

/// A code of the figures, in the names used there where it has one.
struct Code {
  std::string name;
  std::optional<EquationForm> form;  ///< of radau; none: another integrator
  bool invariants = false;           ///< moved onto the invariants after each step
};

std::vector<Code> forms_of_radau() {
  return {{"radau psf", EquationForm::strangeness_free, false},
          {"radau psf+I", EquationForm::strangeness_free, true},
          {"radau psfI as printed", EquationForm::strangeness_free_with_invariants, false},
          {"radau pEoM1", EquationForm::without_acceleration_level, false},
          {"radau index3", EquationForm::index_3, false},
          {"radau index2", EquationForm::index_2, false},
          {"radau index1", EquationForm::index_1, false},
          {"radau ggl", EquationForm::stabilised, false}};
}
std::vector<Code> all_codes() {
  std::vector<Code> codes = forms_of_radau();
  codes.push_back({"bdf ggl", {}, false});
  codes.push_back({"extrapolation", {}, false});
  return codes;
}

/// Without the finish: what the method itself leaves of the constraints.
SimulationOptions options_for(const Code& code, double tolerance, double first_step) {
  SimulationOptions options;
  options.keep_dense_output = options.keep_steps = false;
  if (code.form) {
    RadauOptions radau;
    radau.rtol = radau.atol = tolerance;
    radau.form = *code.form;
    radau.first_step = first_step;
    radau.finish = code.invariants;
    radau.keep_invariants = code.invariants;
    options.integrator = radau;
  } else if (code.name == "extrapolation") {
    options.integrator =
        ExtrapolationOptions{.rtol = tolerance, .atol = tolerance, .first_step = first_step, .keep_invariants = false};
  } else {
    options.integrator = BdfOptions{.rtol = tolerance, .atol = tolerance, .keep_invariants = false};
  }
  return options;
}

/// What is off at a state: energy [J] and the constraints on their three levels.
struct Residuals {
  double energy = 0, position = 0, velocity = 0, acceleration = 0;

  void take_larger(const Residuals& other) {
    energy = std::max(energy, other.energy);
    position = std::max(position, other.position);
    velocity = std::max(velocity, other.velocity);
    acceleration = std::max(acceleration, other.acceleration);
  }
};

Residuals residuals_at(EquationsOfMotion& e) {
  Eigen::VectorXd force = e.f(), acceleration = -e.gamma();
  e.G().transpose_multiply_add(-1.0, e.multipliers(), force);
  LdltFactors mass;
  mass.compute(e.M().dense());
  mass.solve_in_place(force);
  e.G().multiply_add(1.0, force, acceleration);
  return {e.holds_invariants() ? e.e().cwiseAbs().maxCoeff() : 0.0, e.g().cwiseAbs().maxCoeff(),
          e.velocity_residual().cwiseAbs().maxCoeff(), acceleration.cwiseAbs().maxCoeff()};
}

/// The largest residuals of every second of [0, 1000], from rest at the horizontal, at TOL = 1e-7.
void print_histories(std::ostream& out, const char* columns, void (*print)(std::ostream&, const Residuals&)) {
  const ZooModel& model = find_model("cartesian_pendulum");
  const Parameters parameters = model.parameters_with({{"start", 1}});
  out << "code,t," << columns << '\n';
  for (const Code& code : all_codes()) {
    Simulation simulation = make_simulation(model, parameters, options_for(code, 1e-7, model.first_step));
    Residuals largest;
    double second = 1;
    simulation.observe([&](const State& state, EquationsOfMotion& e) {
      if (state.lambda.size() > 0 && state.t > 0) largest.take_larger(residuals_at(e));
      if (state.t < second) return true;
      out << code.name << ',' << number(state.t, 8) << ',';
      print(out, largest);
      out << '\n';
      largest = {};
      second = std::floor(state.t) + 1;
      return true;
    });
    try {
      simulation.run(0, 1000);
    } catch (const RunError& error) {
      out << "# " << code.name << " ends at t = " << error.time_reached() << " s: " << error.what() << '\n';
    }
  }
}

/// One line for each code and tolerance. `errors` gives the last columns from a run that is done.
template <class Errors>
void print_efficiency(std::ostream& out, const ZooModel& model, const Parameters& parameters,
                      const std::vector<Code>& codes, const std::vector<double>& tolerances, double t_end,
                      const char* columns, const Errors& errors) {
  out << "code,tolerance,steps,calls,milliseconds," << columns << '\n';
  for (const Code& code : codes)
    for (const double tolerance : tolerances) {
      Simulation simulation = make_simulation(model, parameters, options_for(code, tolerance, model.first_step));
      const double start = cpu_seconds();
      try {
        simulation.run(0, t_end);
      } catch (const RunError& error) {
        out << "# " << code.name << " at " << tolerance << " ends at t = " << error.time_reached()
            << " s: " << error.what() << '\n';
        continue;
      }
      const double milliseconds = 1e3 * (cpu_seconds() - start);
      const SimulationStatistics& s = simulation.statistics();
      const std::int64_t calls = s.integrator.function_calls > 0 ? s.integrator.function_calls : s.evaluations.force;
      out << code.name << ',' << tolerance << ',' << s.integrator.steps << ',' << calls << ','
          << number(milliseconds, 4) << ',';
      errors(simulation);
      out << '\n' << std::flush;
    }
}

}  // namespace

void reproduce_geoms_slow_pendulum(std::ostream& out) {
  print_counters(out, 2.8,
                 {{1e-7, 187, 16, 1, 2167, 187, 204, 660, 2},
                  {1e-8, 270, 13, 1, 2961, 270, 284, 897, 2},
                  {1e-9, 391, 9, 1, 4141, 391, 401, 1250, 2}});
}

void reproduce_geoms_fast_pendulum(std::ostream& out) {
  print_counters(out, 2.9,
                 {{1e-7, 207, 7, 13, 2730, 207, 227, 841, 26},
                  {1e-8, 303, 12, 6, 3729, 303, 321, 1142, 19},
                  {1e-9, 441, 12, 6, 5208, 441, 459, 1589, 19}});
}

void reproduce_geoms_motion(std::ostream& out) {
  const ZooModel& model = find_model("cartesian_pendulum");
  out << "velocity,t,p2\n";
  for (const double speed : {2.8, 2.9}) {
    Simulation simulation = make_simulation(model, model.parameters_with({{"v0", speed}}),
                                            {.integrator = RadauOptions{.rtol = 1e-8, .atol = 1e-8}});
    simulation.run(0, 5).visit(OutputPoints::equidistant(499), [&](const State& state, EquationsOfMotion&) {
      out << speed << ',' << number(state.t, 6) << ',' << number(state.p[1], 8) << '\n';
    });
  }
}

void reproduce_geoms_energy(std::ostream& out) {
  print_histories(out, "energy_error", [](std::ostream& to, const Residuals& r) { to << number(r.energy, 4); });
}

void reproduce_geoms_residuals(std::ostream& out) {
  print_histories(out, "position,velocity,acceleration", [](std::ostream& to, const Residuals& r) {
    to << number(r.position, 4) << ',' << number(r.velocity, 4) << ',' << number(r.acceleration, 4);
  });
}

void reproduce_geoms_pendulum_efficiency(std::ostream& out) {
  const ZooModel& model = find_model("cartesian_pendulum");
  const Parameters parameters = model.parameters_with({{"start", 1}});
  print_efficiency(out, model, parameters, all_codes(), {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}, 1000,
                   "error_p,error_v,error_lambda", [&](Simulation& simulation) {
                     out << number(reference_error_of(simulation, model, parameters, "p"), 4) << ','
                         << number(reference_error_of(simulation, model, parameters, "v"), 4) << ','
                         << number(reference_error_of(simulation, model, parameters, "l"), 4);
                   });
}

/// On the road that goes on: on the other one all is at rest at the end, and nothing is left to err in.
void reproduce_geoms_truck_efficiency(std::ostream& out) {
  const ZooModel& model = find_model("truck");
  const Parameters parameters = model.parameters_with({{"road", 1}});
  const std::vector<Code> codes = {{"radau psf", EquationForm::strangeness_free},
                                   {"radau pEoM1", EquationForm::without_acceleration_level},
                                   {"radau ggl", EquationForm::stabilised},
                                   {"bdf ggl", {}},
                                   {"extrapolation", {}}};
  print_efficiency(
      out, model, parameters, codes, {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}, 20, "error",
      [&](Simulation& simulation) { out << number(final_reference_error(simulation, model, parameters), 4); });
}

}  // namespace linkwork::apps
