// Work and precision beside SUNDIALS IDA, measured in the same minutes; processor time, smallest of several runs.
// linkwork_peer_ida [comparison ...]: all, or those that are named.
//
// insulator_chain: extrapolation with the recursive solver beside IDA with KLU on hand-written equations. Error:
// largest of the positions against the zoo's reference at t = 0.1, scaled by max(1, |x_ref|). radau, radau_absolute:
// `radau` beside IDA on `andrews`, see bench/radau_beside_ida.hpp. The others: `bdf` beside IDA on the same residual
// function, see bench/bdf_beside_ida.hpp.

#include "bench/bdf_beside_ida.hpp"
#include "bench/cpu_clock.hpp"
#include "bench/insulator_chain_ida.hpp"
#include "bench/radau_beside_ida.hpp"
#include "bench/work_precision.hpp"
#include "text_table.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

constexpr int repeats = 7;

double position_error(const ReferencePoint& reference, const std::vector<std::pair<std::string, double>>& values) {
  double error = 0;
  for (const auto& [name, value] : values)
    for (const auto& [known, expected] : reference.values)
      if (known == name) error = std::max(error, std::abs(value - expected) / std::max(1.0, std::abs(expected)));
  return error;
}

WorkPoint run_ida(int n, double tolerance, const ReferencePoint& reference) {
  WorkPoint point{"IDA, KLU", number(tolerance), std::numeric_limits<double>::infinity(), 0};
  for (int k = 0; k < repeats; ++k) {
    const IdaResult result = integrate_insulator_chain_with_ida(n, reference.t, tolerance);
    point.milliseconds = std::min(point.milliseconds, 1e3 * result.cpu_seconds);
    point.error =
        result.finished ? position_error(reference, result.observables) : std::numeric_limits<double>::quiet_NaN();
  }
  return point;
}

WorkPoint run_linkwork(const ZooModel& model, int n, double tolerance, const ReferencePoint& reference) {
  WorkPoint point{"Linkwork, recursive", number(tolerance), std::numeric_limits<double>::infinity(), 0};
  SimulationOptions options;
  options.linear_solver = "recursive";
  options.integrator = ExtrapolationOptions{.rtol = tolerance, .atol = tolerance};
  options.keep_dense_output = false;
  options.keep_steps = false;
  for (int k = 0; k < repeats; ++k) {
    Simulation simulation = make_simulation(model, model.parameters_with({{"n", n}}), options);
    const double start = cpu_seconds();
    simulation.run(0, reference.t);
    point.milliseconds = std::min(point.milliseconds, 1e3 * (cpu_seconds() - start));
    const Eigen::VectorXd observed = final_observables(simulation);
    const auto names = simulation.equations().observable_names();
    std::vector<std::pair<std::string, double>> values;
    for (const char* name : {"x0", "y0", "phi1", "phi_middle", "phi_top", "x_top"})
      values.emplace_back(name, observed[std::find(names.begin(), names.end(), name) - names.begin()]);
    point.error = position_error(reference, values);
  }
  return point;
}

void compare(int n) {
  const ZooModel& model = find_model("insulator_chain");
  const ReferencePoint& reference = *model.reference_at(model.parameters_with({{"n", n}}), model.t_end);
  std::vector<WorkPoint> ida;
  for (double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10})
    ida.push_back(run_ida(n, tolerance, reference));
  TextTable table({"insulators", "code", "tolerance", "error", "ms", "IDA's ms at this error", "ratio"});
  for (const WorkPoint& point : ida)
    table.add(
        {std::to_string(n), point.code, point.setting, number(point.error, 2), number(point.milliseconds, 3), "", ""});
  for (double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const WorkPoint point = run_linkwork(model, n, tolerance, reference);
    const double peer = time_at_error(ida, point.error);
    table.add({std::to_string(n), point.code, point.setting, number(point.error, 2), number(point.milliseconds, 3),
               number(peer, 3), number(peer / point.milliseconds, 3)});
  }
  table.print(std::cout);
  std::cout << '\n';
}

void compare_insulator_chains() {
  for (int n : {16, 32, 64}) compare(n);
}

}  // namespace
}  // namespace linkwork::apps

int main(int count, char** arguments) {
  using namespace linkwork::apps;
  std::map<std::string, std::function<void()>> comparisons = {
      {"insulator_chain", compare_insulator_chains},
      {"radau", [] { compare_radau_with_ida(linkwork::Formulation::relative, std::cout); }},
      {"radau_absolute", [] { compare_radau_with_ida(linkwork::Formulation::absolute, std::cout); }}};
  for (const BdfComparison& comparison : bdf_comparisons())
    comparisons[comparison.name] = [&comparison] { compare_bdf_with_ida(comparison, std::cout); };
  const std::vector<std::string> names(arguments + 1, arguments + count);
  for (const std::string& name : names)
    if (comparisons.count(name) == 0) {
      std::cerr << "linkwork_peer_ida: no comparison '" << name << "'; there are";
      for (const auto& [known, run] : comparisons) std::cerr << ' ' << known;
      std::cerr << ".\n";
      return 2;
    }
  for (const auto& [name, run] : comparisons)
    if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) run();
}
