#include "commands/integrator_arguments.hpp"

#include "methods.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

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
  app.add_option("--jacobian", jacobian_, "bdf: differences of the Jacobian, " + listed(difference_names()));
  app.add_option("--partitioned", partitioned_, "bdf: updates without differences, " + listed(partitioned_names()));
  app.add_option("--refresh", refresh_, "bdf: what is differenced anew, " + listed(refresh_names()));
  app.add_option("--pattern", pattern_, "bdf: sparsity of the Jacobian, " + listed(pattern_names()));
  app.add_option("--increments", increments_, "bdf: of differences, " + listed(increment_names()));
  app.add_option("--matrix", matrix_, "bdf: factors of the iteration matrix, " + listed(iteration_solver_names()));
}

void IntegratorArguments::expect_absent(const char* option, bool given, const char* belongs_to) const {
  if (given)
    throw ModelError(concat(option, " is an option of the integrator ", belongs_to, ", and '", integrator,
                            "' was chosen; leave it out, or give --integrator ", belongs_to, "."));
}

IntegratorOptions IntegratorArguments::options(const ZooModel& model) const {
  expect_known("integrator", integrator, integrator_names());
  if (integrator == "bdf") {
    expect_absent("--discretisation", discretisation_.has_value(), "extrapolation");
    return bdf();
  }
  expect_absent("--formalism", formalism_.has_value(), "bdf");
  expect_absent("--jacobian", jacobian_.has_value(), "bdf");
  expect_absent("--partitioned", partitioned_.has_value(), "bdf");
  expect_absent("--refresh", refresh_.has_value(), "bdf");
  expect_absent("--pattern", pattern_.has_value(), "bdf");
  expect_absent("--increments", increments_.has_value(), "bdf");
  expect_absent("--matrix", matrix_.has_value(), "bdf");
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

}  // namespace linkwork::apps
