#pragma once

#include "model_list.hpp"

#include <linkwork/solvers/simulation/simulation.hpp>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace linkwork::apps {

/// What a run was made with.
struct RunDescription {
  std::string model;  ///< its name in the list
  Parameters parameters;
  std::string formulation, cuts, linear_solver, integrator;
  double rtol = 0, atol = 0;
  std::map<std::string, std::string> integrator_options;  ///< those that were given: {"form", "index2"}
  std::string reduction = "none";                         ///< to independent coordinates
  std::map<std::string, std::string> reduction_options;   ///< those that were given
};

/// The members that belong to the JSON of every kind of file about a run.
nlohmann::ordered_json to_json(const RunDescription& description);
/// Reads them back; unknown members are passed over.
RunDescription run_description_from(const nlohmann::ordered_json& json);

}  // namespace linkwork::apps
