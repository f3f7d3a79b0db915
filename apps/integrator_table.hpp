#pragma once

#include "model_list.hpp"

#include <linkwork/solvers/simulation/simulation.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace linkwork::apps {

/// What stands behind an option on the command line.
using OptionValue = std::variant<double, std::int64_t, std::string>;
/// By the names of options, which are those of the command line without dashes in front: {"form", "index2"}.
using OptionValues = std::map<std::string, OptionValue>;

/// An option of an integrator, described once: the command line, its help and its messages read this.
struct IntegratorOption {
  std::string name, help;
  std::vector<std::string> words;  ///< what it takes; none: a number
  bool is_whole = false;           ///< a number that is whole
  bool is_file = false;            ///< the name of a file
  std::string member = "";         ///< what messages of the library call it
};

/// What all integrators have.
struct CommonChoices {
  double rtol = ExtrapolationOptions{}.rtol, atol = ExtrapolationOptions{}.atol;
  bool keep_invariants = true;
};

struct IntegratorEntry {
  std::string name;
  std::vector<IntegratorOption> options;
  /// @throws ModelError for a word that an option does not take, and a number that does not fit
  std::function<IntegratorOptions(const CommandModel& model, const CommonChoices& common, const OptionValues& given)>
      make;
};

/// All that the command has, the default first.
const std::vector<IntegratorEntry>& integrator_table();
std::vector<std::string> integrator_names();
/// @throws ModelError for an unknown name, listing the known ones
const IntegratorEntry& find_integrator(const std::string& name);

}  // namespace linkwork::apps
