#include "curve_errors.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

// No published table: what Simulation promises of curves, on every model of the zoo.

namespace linkwork::apps {
namespace {

struct Worst {
  CurveErrors errors;
  double share = -1;
  std::string formulation;
};

using Key = std::pair<std::string, double>;  // integrator and tolerance

void keep_worst(Worst& worst, const CurveErrors& errors, double tolerance, const std::string& formulation) {
  const double share = errors.share_of_promise(tolerance);
  if (share > worst.share) worst = {errors, share, formulation};
}

}  // namespace

void reproduce_curves(std::ostream& out) {
  constexpr int points = 1000;
  TextTable table({"model", "t_end", "integrator", "tolerance", "steps", "p at steps", "p at points", "v at steps",
                   "v at points", "of promise", "worst in"});
  std::vector<std::string> remarks;
  int runs = 0, broken = 0;
  for (const CurveCase& chosen : curve_cases()) {
    std::map<Key, Worst> rows;
    for (const std::string& formulation : formulation_names()) {
      try {
        const CurveComparison comparison(chosen, formulation_named(formulation), points);
        for (const std::string integrator : {"extrapolation", "bdf", "radau"})
          for (const double tolerance : {1e-6, 1e-8}) {
            const CurveErrors errors = comparison.errors_of(integrator, tolerance);
            ++runs;
            if (errors.share_of_promise(tolerance) > 1) ++broken;
            keep_worst(rows[{integrator, tolerance}], errors, tolerance, formulation);
            if (!errors.failure.empty())
              remarks.push_back(concat(chosen.model, ", ", formulation, ", ", integrator, ", ", tolerance,
                                       " stops early: ", errors.failure));
          }
      } catch (const ModelError&) {
        continue;  // posed in other coordinates
      } catch (const RunError& error) {
        remarks.push_back(concat(chosen.model, ", ", formulation, ": no reference: ", error.what()));
      }
    }
    for (const auto& [key, worst] : rows) {
      const CurveErrors& e = worst.errors;
      table.add({chosen.model, number(chosen.t_end), key.first, number(key.second), std::to_string(e.steps),
                 number(e.p_steps, 2), number(e.p_points, 2), number(e.v_steps, 2), number(e.v_points, 2),
                 number(worst.share, 2), worst.formulation});
    }
  }
  table.print(out);
  out << "\nErrors against radau at 1e-12, over 1 + |value|; of three formulations the worst. The promise: at "
      << points
      << " points at most 10 times those at steps plus 10 tolerances, a share of 1. Times are short where a motion "
      << "forgets where it began.\n"
      << broken << " of " << runs << " runs break it.\n";
  for (const std::string& remark : remarks) out << remark << '\n';
}

}  // namespace linkwork::apps
