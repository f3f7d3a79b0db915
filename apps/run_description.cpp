#include "run_description.hpp"

#include "cuts.hpp"

namespace linkwork::apps {

nlohmann::ordered_json to_json(const RunDescription& description) {
  return {{"model", description.model},
          {"parameters", description.parameters},
          {"formulation", description.formulation},
          {"cuts", description.cuts},
          {"linear_solver", description.linear_solver},
          {"integrator", description.integrator},
          {"rtol", description.rtol},
          {"atol", description.atol},
          {"integrator_options", description.integrator_options},
          {"reduction", description.reduction},
          {"reduction_options", description.reduction_options}};
}

RunDescription run_description_from(const nlohmann::ordered_json& json) {
  RunDescription description;
  description.model = json.at("model");
  description.parameters = json.at("parameters").get<Parameters>();
  description.formulation = json.at("formulation");
  description.cuts = json.value("cuts", cut_strategy_names().front());  // files of version 0.1 say nothing
  description.linear_solver = json.at("linear_solver");
  description.integrator = json.at("integrator");
  description.rtol = json.at("rtol");
  description.atol = json.at("atol");
  description.integrator_options = json.value("integrator_options", description.integrator_options);
  description.reduction = json.value("reduction", description.reduction);  // older files know none
  description.reduction_options = json.value("reduction_options", description.reduction_options);
  return description;
}

}  // namespace linkwork::apps
