#include "bench/cpu_clock.hpp"
#include "reproduce/mexx_runs.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

struct RunResult {
  double steps = unknown, evaluations = unknown, solves = unknown, operations = unknown;
  double error = unknown;  ///< against the zoo's reference
  double milliseconds = unknown;
  std::vector<EventRecord> events;
  std::string failure;
};

/// Runs a model with `prepare` done to the simulation; the smallest processor time of several runs.
RunResult run_model(const ZooModel& model, const Parameters& changes, double t_end, const SimulationOptions& options,
                    int repeats = 1, const std::function<void(Simulation&)>& prepare = {}) {
  RunResult result;
  const Parameters parameters = model.parameters_with(changes);
  for (int k = 0; k < repeats; ++k) {
    Simulation simulation = make_simulation(model, parameters, options);
    if (prepare) prepare(simulation);
    const double start = cpu_seconds();
    try {
      simulation.run(0, t_end);
    } catch (const RunError& error) {
      result.failure = concat("fails at t = ", error.time_reached());
    }
    const double milliseconds = 1e3 * (cpu_seconds() - start);
    result.milliseconds = k == 0 ? milliseconds : std::min(result.milliseconds, milliseconds);
    const SimulationStatistics& statistics = simulation.statistics();
    result.steps = static_cast<double>(statistics.integrator.steps);
    result.evaluations = static_cast<double>(statistics.evaluations.matrix);
    result.solves = static_cast<double>(statistics.linear.solves);
    result.operations = operations(simulation);
    result.error = final_reference_error(simulation, model, parameters);
    result.events = simulation.trajectory().events();
  }
  return result;
}

constexpr const char* medians_note =
    "Published numbers in brackets. Ours are medians over nine first steps from 0.25 to 4 ms, and the largest error.";

std::string percent(double with, double without) { return number(100 * (with / without - 1), 2) + " %"; }

}  // namespace

void reproduce_mexx_cable_drum(std::ostream& out) {
  TextTable table({"discretisation", "mu", "steps", "evaluations", "solves", "error", "largest", "outcome"});
  const ZooModel& model = find_model("cable_drum");
  for (const CableDrumRow& row : published_cable_drum()) {
    SimulationOptions options = mexx_options(1e-5, "auto");
    options.integrator.get_if<ExtrapolationOptions>()->discretisation = row.mode;
    const WorkAndError runs = over_first_steps(model, {{"mu", row.mu}}, options);
    table.add({row.mode == Discretisation::standard ? "standard" : "friction", number(row.mu),
               beside(runs.steps, row.steps), beside(runs.evaluations, row.evaluations),
               beside(runs.solves, row.solves), number(runs.error, 2), number(runs.worst_error, 2),
               runs.failure.empty() ? "done" : runs.failure});
  }
  table.print(out);
  out << "\n"
      << medians_note
      << " Tolerance 1e-5, consistent multipliers at the start. The published standard runs\n"
         "with mu = 1.25 and 1.5 failed with a step size that was too small.\n"
         "Error: max |x - x_ref| / max(1, |x_ref|) at t = 4.\n";
}

void reproduce_mexx_seven_body(std::ostream& out) {
  TextTable table({"tolerance", "steps", "evaluations", "solves", "angles", "largest", "dense-lu ms", "recursive ms",
                   "published s"});
  const ZooModel& model = find_model("andrews");
  for (const SevenBodyRow& row : published_seven_body()) {
    const auto options = [&](const char* solver) {
      SimulationOptions relative = mexx_options(row.tolerance, solver);
      relative.formulation = Formulation::relative;
      return relative;
    };
    const auto milliseconds = [&](const char* solver) {
      return number(run_model(model, {}, model.t_end, options(solver), 3).milliseconds, 3);
    };
    const WorkAndError runs = over_first_steps(model, {}, options("auto"), largest_angle_error);
    table.add({number(row.tolerance), beside(runs.steps, row.steps), beside(runs.evaluations, row.evaluations),
               beside(runs.solves, row.solves), number(runs.error, 2), number(runs.worst_error, 2),
               milliseconds("dense-lu"), milliseconds("recursive"), number(row.seconds)});
  }
  table.print(out);
  out << "\n"
      << medians_note
      << " Angles: largest relative error of the seven angles at t = 0.03 s, in relative\n"
         "coordinates as there (7 positions, 6 constraints).\n";
}

namespace {

/// As the published runs: eleven coordinates and one constraint, the half-explicit Euler method.
SimulationOptions truck_options(double tolerance, const std::string& linear_solver) {
  SimulationOptions options = mexx_options(tolerance, linear_solver);
  options.formulation = Formulation::relative;
  return options;
}
template <class Options>
SimulationOptions implicit_truck_options(double tolerance) {
  SimulationOptions options = truck_options(tolerance, "auto");
  options.integrator = Options{.rtol = tolerance, .atol = tolerance};
  return options;
}

void truck_table(std::ostream& out, const ZooModel& model) {
  struct Row {
    const char* road;
    double tolerance;
    std::string solver;
    double steps, evaluations, solves;
  };
  const std::vector<Row> rows = {
      {"fading", 1e-3, "dense-lu", 692, 9492, 10185},   {"fading", 1e-5, "dense-lu", 552, 16489, 17042},
      {"fading", 1e-5, "ldlt", 553, 16491, 17045},      {"fading", 1e-5, "sparse-lu", 551, 16387, 16939},
      {"fading", 1e-7, "dense-lu", 511, 32772, 33284},  {"fading", 1e-9, "dense-lu", 595, 53904, 54500},
      {"fading", 1e-11, "dense-lu", 766, 81473, 82240}, {"sine", 1e-3, "dense-lu", 301, 5749, 6051},
      {"sine", 1e-5, "dense-lu", 274, 13540, 13815},    {"sine", 1e-5, "ldlt", 274, 13540, 13815},
      {"sine", 1e-5, "sparse-lu", 277, 13341, 13619},   {"sine", 1e-7, "dense-lu", 304, 25200, 25505},
      {"sine", 1e-9, "dense-lu", 349, 38282, 38632},    {"sine", 1e-11, "dense-lu", 492, 54255, 54748}};
  TextTable table({"road", "tolerance", "solver", "steps", "evaluations", "solves", "error", "ms", "bdf steps", "error",
                   "ms", "radau steps", "error", "ms"});
  for (const Row& row : rows) {
    const Parameters road = {{"road", row.road == std::string("sine") ? 1.0 : 0.0}};
    const RunResult ours = run_model(model, road, model.t_end, truck_options(row.tolerance, row.solver));
    std::vector<std::string> cells = {row.road,
                                      number(row.tolerance),
                                      row.solver,
                                      beside(ours.steps, row.steps),
                                      beside(ours.evaluations, row.evaluations),
                                      beside(ours.solves, row.solves),
                                      number(ours.error, 2),
                                      number(ours.milliseconds, 3)};
    const auto add_implicit = [&]<class Options>(Options) {
      if (row.solver != "dense-lu") {  // its linear algebra is its own
        cells.insert(cells.end(), 3, "");
        return;
      }
      const RunResult run = run_model(model, road, model.t_end, implicit_truck_options<Options>(row.tolerance));
      cells.insert(cells.end(), {number(run.steps, 6), number(run.error, 2), number(run.milliseconds, 3)});
    };
    add_implicit(BdfOptions{});
    add_implicit(RadauOptions{});
    table.add(cells);
  }
  table.print(out);
  out << "\nPublished numbers of MEXX in brackets, for the data and roads of its own truck, which are not public; "
         "ours\n"
         "has the same topology. 'fading' stands for the measured road. Error: max |x - x_ref| / max(1, |x_ref|) at\n"
         "t = 20 over positions, velocities and the multiplier, against a run at 1e-13.\n\n";
}

/// Mean steps of a run on the road that fades out: while it is rough, and after it has vanished.
void truck_steps(std::ostream& out, const ZooModel& model) {
  TextTable table({"integrator", "tolerance", "step at 1 to 5 s", "step at 14 to 20 s", "growth"});
  const auto add = [&](const char* name, double tolerance, const SimulationOptions& options) {
    std::vector<double> times;
    run_model(model, {}, model.t_end, options, 1, [&times](Simulation& simulation) {
      simulation.observe([&times](const State& state, EquationsOfMotion&) {
        times.push_back(state.t);
        return true;
      });
    });
    const auto mean = [&times](double begin, double end) {
      const auto steps = std::count_if(times.begin(), times.end(), [&](double t) { return t >= begin && t < end; });
      return (end - begin) / std::max(1.0, static_cast<double>(steps));
    };
    const double rough = mean(1, 5), smooth = mean(14, 20);
    table.add({name, number(tolerance), number(rough, 3), number(smooth, 3), number(smooth / rough, 3)});
  };
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    add("extrapolation", tolerance, truck_options(tolerance, "auto"));
    add("bdf", tolerance, implicit_truck_options<BdfOptions>(tolerance));
    add("radau", tolerance, implicit_truck_options<RadauOptions>(tolerance));
  }
  out << "Mean steps [s] on the road that fades out: the explicit method stays at its limit of stability.\n";
  table.print(out);
}

}  // namespace

void reproduce_mexx_truck(std::ostream& out) {
  const ZooModel& model = find_model("truck");
  truck_table(out, model);
  truck_steps(out, model);
}

void reproduce_mexx_insulator_dimensions(std::ostream& out) {
  struct Row {
    int n, positions, constraints, dimension, nonzeros;
  };
  TextTable table({"insulators", "positions", "constraints", "dim(A)", "nonzeros of A"});
  for (const Row& row : {Row{16, 53, 36, 89, 327}, Row{32, 101, 68, 169, 631}, Row{64, 197, 132, 329, 1239}}) {
    const ZooModel& model = find_model("insulator_chain");
    Simulation simulation =
        make_simulation(model, model.parameters_with({{"n", row.n}}), mexx_options(1e-3, "sparse-lu"));
    simulation.run(0, 1e-3);  // the solver counts when it analyses
    const Dimensions& sizes = simulation.equations().dimensions();
    table.add({std::to_string(row.n), beside(sizes.p, row.positions), beside(sizes.constraints(), row.constraints),
               beside(sizes.v + sizes.constraints(), row.dimension),
               beside(static_cast<double>(simulation.statistics().linear.matrix_nonzeros), row.nonzeros)});
  }
  table.print(out);
  out << "\nPublished numbers in brackets. A = [M G^T; G 0].\n";
}

/// Where the bodies are, from the suspension down to the end of the cable, every hundredth of a second.
void reproduce_mexx_shapes(std::ostream& out) {
  constexpr int shapes = 16;
  const ZooModel& model = find_model("insulator_chain");
  Simulation simulation = make_simulation(model, model.parameters_with({{"n", 32}}),
                                          {.integrator = ExtrapolationOptions{.rtol = 1e-6, .atol = 1e-6}});
  const Trajectory& path = simulation.run(0, 0.15);
  out << "t,x,y\n";
  path.visit(OutputPoints::equidistant(shapes - 2), [&](const State& state, EquationsOfMotion& equations) {
    std::vector<BodyPose> poses;
    read_poses(equations, state, poses);
    out << number(state.t, 2) << ",0,0\n";
    for (auto pose = poses.rbegin(); pose != poses.rend(); ++pose)
      out << number(state.t, 2) << ',' << number(pose->position.x(), 6) << ',' << number(pose->position.y(), 6) << '\n';
  });
}

void reproduce_mexx_insulator_runs(std::ostream& out) {
  TextTable table({"insulators", "tolerance", "steps", "evaluations", "solves", "error", "largest", "recursive ms",
                   "sparse-lu ms", "dense-lu ms", "ldlt ms", "published sparse s"});
  const ZooModel& model = find_model("insulator_chain");
  for (const InsulatorRow& row : published_insulators()) {
    const Parameters size = {{"n", row.n}};
    const auto milliseconds = [&](const char* solver, int repeats) {
      return number(run_model(model, size, model.t_end, mexx_options(row.tolerance, solver), repeats).milliseconds, 3);
    };
    const WorkAndError runs = over_first_steps(model, size, mexx_options(row.tolerance, "sparse-lu"));
    table.add({std::to_string(row.n), number(row.tolerance), beside(runs.steps, row.steps),
               beside(runs.evaluations, row.evaluations), beside(runs.solves, row.solves), number(runs.error, 2),
               number(runs.worst_error, 2), milliseconds("recursive", 3), milliseconds("sparse-lu", 3),
               milliseconds("dense-lu", 1), milliseconds("ldlt", 1), number(row.seconds)});
  }
  table.print(out);
  out << "\n"
      << medians_note
      << " Error: max |x - x_ref| / max(1, |x_ref|) at t = 0.1 over positions, velocities\n"
         "and the force of the top joint.\n";
}

namespace {

struct SolverCost {
  double factor_microseconds = 0, solve_microseconds = 0;
};

/// Average processor time of one factorisation and of one solution at the start of a chain.
SolverCost solver_cost(int n, const std::string& name) {
  const ZooModel& model = find_model("insulator_chain");
  const std::unique_ptr<EquationsOfMotion> equations = std::visit(
      [](const auto& built) { return make_absolute_equations(built); }, model.build(model.parameters_with({{"n", n}})));
  const auto solver = make_linear_solver(name, *equations);
  equations->set(equations->initial_state());
  AugmentedMatrix matrix;
  matrix.M = &equations->M();
  matrix.G = &equations->G();
  const auto require = [](const Outcome& outcome) {
    if (!outcome) throw ModelError(outcome.reason());
  };
  require(solver->analyze(*equations));
  require(solver->factor(matrix));

  const Eigen::VectorXd &f = equations->f(), &gamma = equations->gamma();
  Eigen::VectorXd a, lambda;
  const auto average = [](const std::function<void()>& work) {
    constexpr double at_least = 0.02;  // seconds
    int calls = 0;
    const double start = cpu_seconds();
    double passed = 0;
    for (; passed < at_least; passed = cpu_seconds() - start, ++calls) work();
    return 1e6 * passed / calls;
  };
  return {average([&] { require(solver->factor(matrix)); }), average([&] { solver->solve(f, gamma, a, lambda); })};
}

}  // namespace

void reproduce_mexx_insulator_solvers(std::ostream& out) {
  struct Published {
    std::string solver;
    std::vector<double> factor, solve;  // seconds
  };
  const std::vector<double> none(3, unknown);
  const std::vector<Published> rows = {{"dense-lu", {0.131, 0.466, 1.800}, {0.019, 0.068, 0.248}},
                                       {"ldlt", {0.163, 0.582, 2.242}, {0.018, 0.060, 0.209}},
                                       {"sparse-lu", {0.022, 0.041, 0.086}, {0.0041, 0.0074, 0.016}},
                                       {"recursive", none, none}};
  TextTable table({"solver", "operation", "16 insulators", "32", "64"});
  for (const Published& row : rows) {
    std::vector<std::string> factor = {row.solver, "factorisation"}, solve = {"", "solution"};
    const int sizes[] = {16, 32, 64};
    for (std::size_t k = 0; k < 3; ++k) {
      const SolverCost cost = solver_cost(sizes[k], row.solver);
      factor.push_back(number(cost.factor_microseconds, 3) + " us (" + number(row.factor[k]) + " s)");
      solve.push_back(number(cost.solve_microseconds, 3) + " us (" + number(row.solve[k]) + " s)");
    }
    table.add(factor);
    table.add(solve);
  }
  table.print(out);
  out << "\nPublished numbers in brackets: DGEFA/DGESL, DSIFA/DSISL and MA28BD/CD. A first analysis with MA28AD took\n"
         "0.068, 0.132 and 0.287 s. No recursive solver was published here;\n"
         "cholesky-qr needs a definite M, which the massless point denies.\n";
}

namespace {

/// Roots of the crank's acceleration (MEXX 5.2); values of t in 0.01 s, as printed there.
void roots_of_seven_body(std::ostream& out) {
  constexpr double exact[] = {0.01124076445967710345, 0.01601703736554757161, 0.0214661437540630719,
                              0.02462377400381851398, 0.02997828445337241686};
  constexpr double published[] = {1.124, 1.602, 2.147, 2.462, 2.998};
  const ZooModel& model = find_model("andrews");
  TextTable table({"root of beta''", "reference", "published", "1e-5", "relative error", "1e-9", "relative error"});
  std::vector<std::vector<EventRecord>> found;
  for (double tolerance : {1e-5, 1e-9})
    found.push_back(run_model(model, {}, model.t_end, mexx_options(tolerance, "dense-lu"), 1, [&](Simulation& s) {
                      add_offered_events(s, model);
                    }).events);
  for (std::size_t k = 0; k < std::size(exact); ++k) {
    std::vector<std::string> row = {std::to_string(k + 1), number(100 * exact[k], 8), number(published[k])};
    for (const auto& events : found) {
      const double t = k < events.size() ? events[k].t : unknown;
      row.push_back(number(100 * t, 8));
      row.push_back(number(std::abs(t / exact[k] - 1), 2));
    }
    table.add(row);
  }
  out << "Seven-body mechanism, times in 0.01 s; the published maximum error at 1e-5 is 3e-4.\n";
  table.print(out);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k].size() != std::size(exact)) out << "expected 5 roots, found " << found[k].size() << '\n';
}

/// Stops at the zero of an observable.
std::function<void(Simulation&)> stop_at(const ZooModel& model) {
  return [&model](Simulation& simulation) {
    const EventOffer& offer = model.events.front();
    Event event;
    event.name = event.observable = offer.observable;
    event.residual_threshold = offer.residual_threshold;
    event.action = Event::Action::stop;
    simulation.add_event(std::move(event));
  };
}

constexpr double chain_event = 0.12829576670417521;  // [s]

void root_of_insulator_chain(std::ostream& out) {
  const ZooModel& model = find_model("insulator_chain");
  TextTable table({"tolerance", "stops at", "error s", "reference", "published"});
  for (double tolerance : {1e-3, 1e-5, 1e-7}) {
    const RunResult run = run_model(model, {}, 0.2, mexx_options(tolerance, "recursive"), 1, stop_at(model));
    const double t = run.events.empty() ? unknown : run.events.front().t;
    table.add({number(tolerance), number(t, 10), number(std::abs(t - chain_event), 2), number(chain_event, 10),
               number(0.1283)});
  }
  out << "\nInsulator chain with n = 32: first largest displacement of the top insulator.\n";
  table.print(out);
}

}  // namespace

void reproduce_mexx_roots(std::ostream& out) {
  roots_of_seven_body(out);
  root_of_insulator_chain(out);
}

void reproduce_mexx_dense(std::ostream& out) {
  constexpr double tolerance = 1e-5;
  TextTable table({"run at 1e-5", "steps", "operations", "more than plain", "published"});
  const auto add = [&table](const std::string& what, const RunResult& run, const RunResult* plain,
                            const std::string& published) {
    table.add({what, number(run.steps), number(run.operations, 6),
               plain ? percent(run.operations, plain->operations) : "", published});
  };

  const ZooModel& seven = find_model("andrews");
  for (const std::string solver : {"dense-lu", "recursive"}) {
    const SimulationOptions options = mexx_options(tolerance, solver);
    SimulationOptions keeping = options;
    keeping.keep_dense_output = keeping.keep_steps = true;
    const RunResult plain = run_model(seven, {}, seven.t_end, options);
    const RunResult dense = run_model(seven, {}, seven.t_end, keeping);
    const RunResult events =
        run_model(seven, {}, seven.t_end, options, 1, [&](Simulation& s) { add_offered_events(s, seven); });
    const bool published = solver == "dense-lu";
    const std::string what = "seven bodies, " + solver;
    add(what + ", plain", plain, nullptr, "");
    add(what + ", dense output of all components", dense, &plain, published ? "19 %" : "");
    add(what + ", five events", events, &plain, published ? "13 %" : "");
  }

  const ZooModel& chain = find_model("insulator_chain");
  const SimulationOptions sparse = mexx_options(tolerance, "sparse-lu");
  const RunResult plain = run_model(chain, {}, chain_event, sparse);
  SimulationOptions positions = sparse;
  auto& selection = positions.integrator.get_if<ExtrapolationOptions>()->dense;
  selection.v = selection.r = selection.a = selection.lambda = std::vector<int>{};
  const RunResult dense = run_model(chain, {}, 0.2, positions, 1, [&](Simulation& s) {
    s.on_output(OutputPoints::per_step(5), [](const State&) {});
    stop_at(chain)(s);
  });
  add("32 insulators, plain, to the event's time", plain, nullptr, "");
  add("32 insulators, positions at 5 points per step, stop at event", dense, &plain, "18 %");
  table.print(out);
  out << "\nOperations: evaluations of every kind, factorisations and solves. The arithmetic of the polynomials, "
         "which\n"
         "grows with the number of components alone, is not among them. Published percentages are of times.\n";
}

}  // namespace linkwork::apps
