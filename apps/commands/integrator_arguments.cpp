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
  app.add_option("--first-step", first_step_, "size of the first step [s]; a guess");
  app.add_option("--max-order", maximum_order_, "lines of the extrapolation tableau (9), or order of bdf (5)");
  app.add_option("--max-step", maximum_step_, "largest step [s]; 0: no limit");
  app.add_option("--max-steps", maximum_steps_, "largest number of steps");
  app.add_option("--discretisation", discretisation_, "extrapolation: " + listed(discretisation_names()));
  app.add_option("--formalism", formalism_, "bdf: " + listed(formalism_names()));
  app.add_option("--jacobian", jacobian_, "bdf, radau: differences of the Jacobian, " + listed(difference_names()));
  app.add_option("--partitioned", partitioned_, "bdf: updates without differences, " + listed(partitioned_names()));
  app.add_option("--refresh", refresh_, "bdf: what is differenced anew, " + listed(refresh_names()));
  app.add_option("--pattern", pattern_, "bdf, radau: sparsity of the Jacobian, " + listed(pattern_names()));
  app.add_option("--increments", increments_, "bdf, radau: of differences, " + listed(increment_names()));
  app.add_option("--matrix", matrix_, "bdf: factors of the iteration matrix, " + listed(iteration_solver_names()));
  app.add_option("--form", form_, "radau: form of the equations, " + listed(form_names()));
  app.add_option("--algebraic", algebraic_, "radau: decomposition of the algebraic part, " + listed(algebraic_names()));
  app.add_option("--differential", differential_, "radau: of the differential part, " + listed(differential_names()));
  app.add_option("--selectors", selectors_, "radau: when they are chosen anew, " + listed(selector_names()));
  app.add_option("--stages", stages_, "radau: solver of the stages, " + listed(stage_solver_names()));
  app.add_option("--step-control", step_control_, "radau: " + listed(step_control_names()));
  app.add_option("--starting-values", starting_values_, "radau: of the stages, " + listed(starting_value_names()));
  app.add_option("--matrix-point", matrix_point_, "radau: of the iteration matrix, " + listed(matrix_point_names()));
  app.add_option("--matrix-updates", matrix_updates_, "radau: new iteration matrices within a step (0)");
  app.add_option("--newton-iterations", newton_iterations_, "radau: most of them in one step (10)");
  app.add_option("--finish", finish_, "radau: algebraic equations to rounding at accepted points, on or off");
}

void IntegratorArguments::expect_absent(const char* option, bool given,
                                        std::initializer_list<const char*> owners) const {
  if (!given || std::find(owners.begin(), owners.end(), integrator) != owners.end()) return;
  const std::string belongs_to = listed(owners);
  throw ModelError(concat(option, " is an option of the integrator ", belongs_to, ", and '", integrator,
                          "' was chosen; leave it out, or give --integrator ", *owners.begin(), "."));
}

void IntegratorArguments::expect_own_options() const {
  expect_absent("--discretisation", discretisation_.has_value(), {"extrapolation"});
  expect_absent("--max-order", maximum_order_.has_value(), {"extrapolation", "bdf"});
  expect_absent("--jacobian", jacobian_.has_value(), {"bdf", "radau"});
  expect_absent("--pattern", pattern_.has_value(), {"bdf", "radau"});
  expect_absent("--increments", increments_.has_value(), {"bdf", "radau"});
  expect_absent("--formalism", formalism_.has_value(), {"bdf"});
  expect_absent("--partitioned", partitioned_.has_value(), {"bdf"});
  expect_absent("--refresh", refresh_.has_value(), {"bdf"});
  expect_absent("--matrix", matrix_.has_value(), {"bdf"});
  expect_absent("--form", form_.has_value(), {"radau"});
  expect_absent("--algebraic", algebraic_.has_value(), {"radau"});
  expect_absent("--differential", differential_.has_value(), {"radau"});
  expect_absent("--selectors", selectors_.has_value(), {"radau"});
  expect_absent("--stages", stages_.has_value(), {"radau"});
  expect_absent("--step-control", step_control_.has_value(), {"radau"});
  expect_absent("--starting-values", starting_values_.has_value(), {"radau"});
  expect_absent("--matrix-point", matrix_point_.has_value(), {"radau"});
  expect_absent("--matrix-updates", matrix_updates_.has_value(), {"radau"});
  expect_absent("--newton-iterations", newton_iterations_.has_value(), {"radau"});
  expect_absent("--finish", finish_.has_value(), {"radau"});
}

IntegratorOptions IntegratorArguments::options(const ZooModel& model) const {
  expect_known("integrator", integrator, integrator_names());
  expect_own_options();
  if (integrator == "bdf") return bdf();
  if (integrator == "radau") return radau();
  return extrapolation(model);
}

ExtrapolationOptions IntegratorArguments::extrapolation(const ZooModel& model) const {
  ExtrapolationOptions options;
  options.rtol = rtol;
  options.atol = atol;
  options.discretisation = discretisation_named(discretisation_.value_or(discretisation_names().front()));
  options.first_step = first_step_.value_or(model.first_step);
  options.maximum_order = maximum_order_.value_or(options.maximum_order);
  options.maximum_step = maximum_step_.value_or(options.maximum_step);
  options.maximum_steps = maximum_steps_.value_or(options.maximum_steps);
  return options;
}

BdfOptions IntegratorArguments::bdf() const {
  BdfOptions options;
  options.rtol = rtol;
  options.atol = atol;
  if (formalism_) options.formalism = formalism_named(*formalism_);
  if (jacobian_) options.jacobian.differences = differences_named(*jacobian_);
  if (partitioned_) options.jacobian.partitioned = partitioned_named(*partitioned_);
  if (refresh_) options.jacobian.refresh = refresh_named(*refresh_);
  if (pattern_) options.jacobian.pattern = pattern_named(*pattern_);
  if (increments_) options.jacobian.increments = increments_named(*increments_);
  if (matrix_) options.matrix = iteration_solver_named(*matrix_);
  options.first_step = first_step_.value_or(options.first_step);
  options.maximum_order = maximum_order_.value_or(options.maximum_order);
  options.maximum_step = maximum_step_.value_or(options.maximum_step);
  options.maximum_steps = maximum_steps_.value_or(options.maximum_steps);
  return options;
}

RadauOptions IntegratorArguments::radau() const {
  RadauOptions options;
  options.rtol = rtol;
  options.atol = atol;
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
  if (finish_) {
    expect_known("choice of --finish", *finish_, {"on", "off"});
    options.finish = *finish_ == "on";
  }
  options.matrix_updates = matrix_updates_.value_or(options.matrix_updates);
  options.maximum_iterations = newton_iterations_.value_or(options.maximum_iterations);
  options.first_step = first_step_.value_or(options.first_step);
  options.maximum_step = maximum_step_.value_or(options.maximum_step);
  options.maximum_steps = maximum_steps_.value_or(options.maximum_steps);
  return options;
}

}  // namespace linkwork::apps
