#include "commands/integrator_arguments.hpp"

#include "methods.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>

namespace linkwork::apps {

IntegratorArguments::IntegratorArguments() : integrator(integrator_names().front()) {}

void IntegratorArguments::add_to(CLI::App& app) {
  app.add_option("--integrator", integrator, listed(integrator_names()));
  app.add_option("--rtol", rtol, "relative tolerance");
  app.add_option("--atol", atol, "absolute tolerance");
  // An empty list of owners: all integrators have it.
  const auto add = [&](const std::vector<std::string>& owners, const char* flag, auto& value, const std::string& help) {
    const std::string of_whom = owners.empty() ? "" : listed(owners) + ": ";
    options_.push_back({app.add_option(flag, value, of_whom + help), owners});
  };
  add({}, "--atol-angle", atol_angle_, "absolute tolerance of angles [rad]; --atol is that of lengths then");
  add({}, "--first-step", first_step_, "size of the first step [s]; a guess");
  add({}, "--max-step", maximum_step_, "largest step [s]; 0: no limit");
  add({}, "--max-steps", maximum_steps_, "largest number of steps");
  add({"extrapolation", "bdf"}, "--max-order", maximum_order_, "lines of the extrapolation tableau (9), or order (5)");
  add({"extrapolation"}, "--discretisation", discretisation_, listed(discretisation_names()));
  add({"bdf"}, "--formalism", formalism_, listed(formalism_names()));
  add({"bdf", "radau"}, "--jacobian", jacobian_, "differences of the Jacobian, " + listed(difference_names()));
  add({"bdf"}, "--partitioned", partitioned_, "updates without differences, " + listed(partitioned_names()));
  add({"bdf"}, "--refresh", refresh_, "what is differenced anew, " + listed(refresh_names()));
  add({"bdf", "radau"}, "--pattern", pattern_, "sparsity of the Jacobian, " + listed(pattern_names()));
  add({"bdf", "radau"}, "--increments", increments_, "of differences, " + listed(increment_names()));
  add({"bdf"}, "--matrix", matrix_, "factors of the iteration matrix, " + listed(iteration_solver_names()));
  add({"radau"}, "--form", form_, "form of the equations, " + listed(form_names()));
  add({"radau"}, "--algebraic", algebraic_, "decomposition of the algebraic part, " + listed(algebraic_names()));
  add({"radau"}, "--differential", differential_, "of the differential part, " + listed(differential_names()));
  add({"radau"}, "--selectors", selectors_, "when they are chosen anew, " + listed(selector_names()));
  add({"radau"}, "--stages", stages_, "solver of the stages, " + listed(stage_solver_names()));
  add({"radau"}, "--step-control", step_control_, listed(step_control_names()));
  add({"radau"}, "--starting-values", starting_values_, "of the stages, " + listed(starting_value_names()));
  add({"radau"}, "--matrix-point", matrix_point_, "of the iteration matrix, " + listed(matrix_point_names()));
  add({"radau"}, "--matrix-updates", matrix_updates_, "new iteration matrices within a step (0)");
  add({"radau"}, "--newton-iterations", newton_iterations_, "most of them in one step (10)");
  add({"bdf", "radau"}, "--finish", finish_, "algebraic equations to rounding at accepted points, on or off");
}

std::map<std::string, std::string> IntegratorArguments::given() const {
  std::map<std::string, std::string> values;
  for (const Option& option : options_)
    if (option.parsed->count() > 0) values[option.parsed->get_single_name()] = option.parsed->as<std::string>();
  return values;
}

void IntegratorArguments::expect_own_options() const {
  for (const auto& [parsed, owners] : options_) {
    if (parsed->count() == 0 || owners.empty() || std::find(owners.begin(), owners.end(), integrator) != owners.end())
      continue;
    throw ModelError(concat("--", parsed->get_single_name(), " is an option of the integrator",
                            owners.size() > 1 ? "s " : " ", listed(owners), ", and '", integrator,
                            "' was chosen; leave it out, or give --integrator ", owners.front(), "."));
  }
}

IntegratorOptions IntegratorArguments::options(const ZooModel& model) const {
  expect_known("integrator", integrator, integrator_names());
  expect_own_options();
  if (integrator == "bdf") return bdf();
  if (integrator == "radau") return radau();
  return extrapolation(model);
}

template <class Options>
void IntegratorArguments::set_common(Options& options) const {
  options.rtol = rtol;
  options.atol = atol;
  options.atol_angle = atol_angle_;
  options.keep_invariants = !no_invariants;
  options.first_step = first_step_.value_or(options.first_step);
  options.maximum_step = maximum_step_.value_or(options.maximum_step);
  options.maximum_steps = maximum_steps_.value_or(options.maximum_steps);
}

ExtrapolationOptions IntegratorArguments::extrapolation(const ZooModel& model) const {
  ExtrapolationOptions options{.first_step = model.first_step};
  set_common(options);
  options.discretisation = discretisation_named(discretisation_.value_or(discretisation_names().front()));
  options.maximum_order = maximum_order_.value_or(options.maximum_order);
  return options;
}

bool IntegratorArguments::finish(bool by_default) const {
  if (!finish_) return by_default;
  expect_known("choice of --finish", *finish_, {"on", "off"});
  return *finish_ == "on";
}

BdfOptions IntegratorArguments::bdf() const {
  BdfOptions options;
  set_common(options);
  if (formalism_) options.formalism = formalism_named(*formalism_);
  if (jacobian_) options.jacobian.differences = differences_named(*jacobian_);
  if (partitioned_) options.jacobian.partitioned = partitioned_named(*partitioned_);
  if (refresh_) options.jacobian.refresh = refresh_named(*refresh_);
  if (pattern_) options.jacobian.pattern = pattern_named(*pattern_);
  if (increments_) options.jacobian.increments = increments_named(*increments_);
  if (matrix_) options.matrix = iteration_solver_named(*matrix_);
  options.finish = finish(options.finish);
  options.maximum_order = maximum_order_.value_or(options.maximum_order);
  return options;
}

RadauOptions IntegratorArguments::radau() const {
  RadauOptions options;
  set_common(options);
  if (form_) options.form = form_named(*form_);
  if (algebraic_) options.algebraic = algebraic_named(*algebraic_);
  if (differential_) options.differential = differential_named(*differential_);
  if (selectors_) options.selectors = selectors_named(*selectors_);
  if (stages_) options.solver = stage_solver_named(*stages_);
  if (jacobian_) options.jacobian.differences = differences_named(*jacobian_);
  if (pattern_) options.jacobian.pattern = pattern_named(*pattern_);
  if (increments_) options.jacobian.increments = increments_named(*increments_);
  if (starting_values_) options.starting_values = starting_values_named(*starting_values_);
  if (matrix_point_) options.matrix_point = matrix_point_named(*matrix_point_);
  if (step_control_) options.step_control.control = step_control_named(*step_control_);
  options.finish = finish(options.finish);
  options.matrix_updates = matrix_updates_.value_or(options.matrix_updates);
  options.maximum_iterations = newton_iterations_.value_or(options.maximum_iterations);
  return options;
}

}  // namespace linkwork::apps
