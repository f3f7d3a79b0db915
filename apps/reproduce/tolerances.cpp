#include "global_error.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>

#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

struct Method {
  std::string name;
  std::function<IntegratorOptions(double)> options;
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {"extrapolation", [](double x) { return ExtrapolationOptions{.rtol = x, .atol = x}; }},
      {"bdf", [](double x) { return BdfOptions{.rtol = x, .atol = x}; }},
      {"radau", [](double x) { return RadauOptions{.rtol = x, .atol = x}; }}};
  return all;
}

}  // namespace

void reproduce_tolerances(std::ostream& out) {
  const std::vector<double> tolerances = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  const double wanted[] = {1e-2, 1e-4, 1e-6, 1e-8};
  TextTable measured({"integrator", "tolerance", "error / tolerance, median", "worst"});
  TextTable advice({"integrator", "wanted error", "tolerance for the median", "for the worst"});
  for (const Method& method : methods()) {
    const GlobalErrors errors = measure_global_errors(method.options, tolerances);
    for (std::size_t i = 0; i < tolerances.size(); ++i)
      measured.add({method.name, number(tolerances[i]), number(errors.median(i), 2), number(errors.worst(i), 2)});
    for (const double error : wanted)
      advice.add({method.name, number(error), number(errors.tolerance_for(error, false), 1),
                  number(errors.tolerance_for(error, true), 1)});
  }
  measured.print(out);
  out << "\nError: the largest |y - y_ref| / (1 + |y_ref|) of positions and velocities at 200 times of a run, rtol = "
         "atol; y_ref by radau at 1e-12.\nRuns, in absolute and relative coordinates: "
      << listed(compared_motions(),
                [](const ComparedMotion& motion) { return concat(motion.model, " for ", motion.t_end, " s"); })
      << ".\n\n";
  advice.print(out);
}

}  // namespace linkwork::apps
