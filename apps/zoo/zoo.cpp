#include "zoo/zoo.hpp"

#include "zoo/models.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork::apps {
namespace {

void check_range(const std::string& model, const Parameter& parameter, double value) {
  const bool in_range = value >= parameter.least && value <= parameter.greatest;  // false for NaN
  if (in_range && (!parameter.whole || value == std::floor(value))) return;
  throw ModelError(concat(model, ": parameter '", parameter.name, "' is ", value,
                          parameter.unit.empty() ? "" : " " + parameter.unit, "; expected ",
                          parameter.whole ? "a whole number" : "a value", " from ", parameter.least, " to ",
                          parameter.greatest, " (", parameter.meaning, ")."));
}

}  // namespace

Parameters ZooModel::parameters_with(const Parameters& changes) const {
  Parameters result;
  for (const Parameter& parameter : parameters) result[parameter.name] = parameter.value;
  for (const auto& [key, value] : changes) {
    const auto known = std::find_if(parameters.begin(), parameters.end(),
                                    [&key = key](const Parameter& parameter) { return parameter.name == key; });
    if (known == parameters.end())
      throw ModelError(
          concat(name, " has no parameter '", key, "'; ",
                 parameters.empty() ? "it has none." : "it has: " + listed(parameters, &Parameter::name) + "."));
    check_range(name, *known, value);
    result[key] = value;
  }
  if (complete) complete(result, changes);
  return result;
}

AnyModel ZooModel::graph(const Parameters& values) const {
  if (pose && pose(values))
    throw ModelError(
        concat(name, " is posed directly as equations here and has no graph of bodies; take --set posed=rod."));
  return build(values);
}

const ReferencePoint* ZooModel::reference_at(const Parameters& values, double t) const {
  for (const ReferenceCase& known : references) {
    if (parameters_with(known.parameters) != values) continue;
    for (const ReferencePoint& point : known.points)
      if (point.t == t) return &point;
  }
  return nullptr;
}

const std::vector<ZooModel>& zoo() {
  static const std::vector<ZooModel> models = {pendulum_model(),
                                               double_pendulum_model(),
                                               cable_drum_model(),
                                               andrews_model(),
                                               insulator_chain_model(),
                                               chaplygin_sleigh_model(),
                                               pendulum_chain_model(),
                                               n_four_bar_model(),
                                               bricard_model(),
                                               heavy_top_model(),
                                               humanoid_model(),
                                               ring_model(),
                                               ladder_model(),
                                               ladder3d_model(),
                                               mesh_model(),
                                               train_carriage_model(),
                                               axle_on_stamp_model(),
                                               lane_change_car_model(),
                                               cam_follower_model(),
                                               truck9_model(),
                                               truck_model(),
                                               rolling_disc_model(),
                                               four_bar_model(),
                                               cartesian_pendulum_model(),
                                               double_rod_pendulum_model(),
                                               spatial_slider_crank_model(),
                                               appell_hamel_model(),
                                               sprocket_chain_model(),
                                               gimbal_model(),
                                               atv_model()};
  return models;
}

const ZooModel& find_model(std::string_view name) {
  for (const ZooModel& model : zoo())
    if (model.name == name) return model;
  throw ModelError(concat("unknown model '", name, "'; there are: ", listed(zoo(), &ZooModel::name), "."));
}

double reference_error(const ReferencePoint& point, const std::vector<std::string>& names,
                       const Eigen::VectorXd& values) {
  double error = 0;
  for (const auto& [name, expected] : point.values) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw ModelError(concat("the model has no observable '", name, "' of its reference."));
    const double difference = std::abs(values[found - names.begin()] - expected) / std::max(1.0, std::abs(expected));
    error = std::isnan(difference) ? difference : std::max(error, difference);
  }
  return error;
}

}  // namespace linkwork::apps
