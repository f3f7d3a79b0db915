#pragma once

#include <linkwork/solvers/initial_values/initial_conditions.hpp>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// [--fix NAME[=VALUE]]... [--guess NAME=VALUE]... [--assemble]: what is known about the start.
struct StartArguments {
  std::vector<std::string> fixed, guessed;
  bool assemble = false;  ///< search for a start also without conditions

  void add_to(CLI::App& app);
  bool any() const { return assemble || !fixed.empty() || !guessed.empty(); }
  /// @throws ModelError for what is not of this form
  InitialConditions conditions() const;
};

}  // namespace linkwork::apps
