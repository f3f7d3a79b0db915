#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/simulation.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// The integrator and its options, as `run` takes them.
struct IntegratorArguments {
  std::string integrator;
  double rtol = ExtrapolationOptions{}.rtol, atol = ExtrapolationOptions{}.atol;
  bool no_invariants = false;

  IntegratorArguments();
  void add_to(CLI::App& app);
  /// @throws ModelError for unknown names, and for options that the integrator does not have
  IntegratorOptions options(const ZooModel& model) const;
  /// The largest step that was given [s]; 0: none.
  double maximum_step() const { return maximum_step_.value_or(0); }
  /// What the user gave besides the tolerances, by the names of the command line: {"form", "index2"}.
  std::map<std::string, std::string> given() const;

 private:
  struct Option {
    CLI::Option* parsed = nullptr;    ///< the application owns it
    std::vector<std::string> owners;  ///< integrators that have it; empty: all
  };
  /// Sets what the options of all integrators have.
  template <class Options>
  void set_common(Options& options) const;
  ExtrapolationOptions extrapolation(const ZooModel& model) const;
  bool finish(bool by_default) const;
  BdfOptions bdf() const;
  RadauOptions radau() const;
  /// Refuses an option that was given and that the integrator would pass over.
  void expect_own_options() const;

  std::vector<Option> options_;
  std::optional<double> atol_angle_, first_step_, maximum_step_;
  std::optional<int> maximum_order_;
  std::optional<std::int64_t> maximum_steps_;
  std::optional<std::string> discretisation_;                              // of extrapolation
  std::optional<std::string> jacobian_, pattern_, increments_;             // of bdf and radau
  std::optional<std::string> finish_;                                      // of bdf and radau
  std::optional<std::string> formalism_, partitioned_, refresh_, matrix_;  // of bdf
  std::optional<std::string> form_, algebraic_, differential_, selectors_, stages_, step_control_, starting_values_,
      matrix_point_;  // of radau
  std::optional<int> matrix_updates_, newton_iterations_;
};

}  // namespace linkwork::apps
