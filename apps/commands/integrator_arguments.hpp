#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/simulation.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace linkwork::apps {

/// The integrator and its options, as `run` takes them.
struct IntegratorArguments {
  std::string integrator;
  double rtol = ExtrapolationOptions{}.rtol, atol = ExtrapolationOptions{}.atol;

  IntegratorArguments();
  void add_to(CLI::App& app);
  /// @throws ModelError for unknown names, and for options that the integrator does not have
  IntegratorOptions options(const ZooModel& model) const;

 private:
  ExtrapolationOptions extrapolation(const ZooModel& model) const;
  BdfOptions bdf() const;
  /// Refuses an option that was given and that the integrator would pass over.
  void expect_absent(const char* option, bool given, const char* belongs_to) const;

  std::optional<double> first_step_, maximum_step_;
  std::optional<int> maximum_order_;
  std::optional<std::int64_t> maximum_steps_;
  std::optional<std::string> discretisation_;  // of extrapolation, the others of bdf
  std::optional<std::string> formalism_, jacobian_, partitioned_, refresh_, pattern_, increments_, matrix_;
};

}  // namespace linkwork::apps
