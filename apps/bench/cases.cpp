#include "bench/cases.hpp"

#include "commands/model_arguments.hpp"
#include "model_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace linkwork::apps {
namespace {

/// The parameter that a model grows with; null for a model of one size.
const Parameter* size_parameter(const CommandModel& model) {
  const auto found = std::find_if(model.parameters.begin(), model.parameters.end(), [](const Parameter& parameter) {
    return parameter.whole && parameter.choices.empty();
  });
  return found == model.parameters.end() ? nullptr : &*found;
}

/// Few enough to be timed in a moment; the range may go much further.
std::vector<int> usual_sizes(const Parameter& parameter) {
  std::vector<int> sizes;
  for (int size : {2, 4, 8, 16, 32, 64})
    if (size >= parameter.least && size <= parameter.greatest) sizes.push_back(size);
  return sizes.empty() ? std::vector<int>{static_cast<int>(parameter.value)} : sizes;
}

int whole_number(double bound) {
  using Limits = std::numeric_limits<int>;
  return static_cast<int>(std::clamp<double>(bound, Limits::min(), Limits::max()));
}

void build_with(BenchCase& of, const CommandModel& model, const std::vector<std::string>& settings) {
  const Parameters changes = changes_of(model, settings), given = model.parameters_with(changes);
  const Parameter* size = size_parameter(model);
  if (size && changes.contains(size->name)) {
    of.least = of.largest = whole_number(given.at(size->name));
    of.sizes = {of.least};
  }
  of.build = [&model, changes, size](int n, Formulation formulation) {
    Parameters of_size = changes;
    if (size) of_size[size->name] = n;
    BenchMechanism built{make_equations(model, model.parameters_with(of_size), {.formulation = formulation}), {}};
    built.applied_force = Eigen::VectorXd::Zero(built.equations->dimensions().v);
    return built;
  };
  // Posed equations have coordinates of their own only.
  if (model.pose && model.pose(given)) of.formulation = Formulation::absolute;
}

BenchCase bench_case_of(const CommandModel& model) {
  BenchCase out{.name = model.name, .description = model.description};
  if (const Parameter* size = size_parameter(model)) {
    out.sizes = usual_sizes(*size);
    out.least = whole_number(size->least);
    out.largest = std::max(std::min(whole_number(size->greatest), largest_bench_size), out.sizes.back());
    out.description += concat(out.description.empty() ? "" : " ", "Sizes are its parameter '", size->name, "', from ",
                              out.least, " to ", out.largest, ".");
  }
  build_with(out, model, {});
  out.set = [&model](BenchCase& of, const std::vector<std::string>& settings) { build_with(of, model, settings); };
  return out;
}

}  // namespace

std::vector<BenchCase> bench_cases_of(const ModelList& models) {
  std::vector<BenchCase> cases;
  for (const CommandModel& model : models) cases.push_back(bench_case_of(model));
  return cases;
}

std::vector<const BenchCase*> select_cases(const std::vector<BenchCase>& cases, bool among_all) {
  std::vector<const BenchCase*> selected;
  for (const BenchCase& each : cases)
    if (each.is_among_all == among_all) selected.push_back(&each);
  return selected;
}

const BenchCase& find_bench_case(const std::vector<BenchCase>& cases, std::string_view name) {
  for (const BenchCase& known : cases)
    if (known.name == name) return known;
  const auto others = select_cases(cases, /*among_all*/ false);
  throw ModelError(concat("unknown benchmark case '", name,
                          "'; there are: ", listed(select_cases(cases, /*among_all*/ true), &BenchCase::name),
                          others.empty() ? "" : "; and, which 'all' leaves out: " + listed(others, &BenchCase::name),
                          "."));
}

}  // namespace linkwork::apps
