#include "model_list.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace linkwork {
namespace {

void check_range(const std::string& model, const Parameter& parameter, double value) {
  const bool in_range = value >= parameter.least && value <= parameter.greatest;  // false for NaN
  if (in_range && (!parameter.whole || value == std::floor(value))) return;
  throw ModelError(concat(model, ": parameter '", parameter.name, "' is ", value,
                          parameter.unit.empty() ? "" : " " + parameter.unit, "; expected ",
                          parameter.whole ? "a whole number" : "a value", " from ", parameter.least, " to ",
                          parameter.greatest, " (", parameter.meaning, ")."));
}

/// An empty function stays one, so that it can be told from one that builds.
CommandModel built_by(std::function<AnyModel()> build) {
  if (!build) return {};
  return {.build = [build = std::move(build)](const Parameters&) { return build(); }};
}

}  // namespace

Parameters CommandModel::parameters_with(const Parameters& changes) const {
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

AnyModel CommandModel::graph(const Parameters& values) const {
  if (pose && pose(values))
    throw ModelError(
        concat(name,
               " is posed directly as equations here and has no graph of bodies; choose parameters that give it one, "
               "with --set."));
  return build(values);
}

const ReferencePoint* CommandModel::reference_at(const Parameters& values, double t) const {
  for (const ReferenceCase& known : references) {
    if (parameters_with(known.parameters) != values) continue;
    for (const ReferencePoint& point : known.points)
      if (point.t == t) return &point;
  }
  return nullptr;
}

OfferedModel::OfferedModel(CommandModel model) : model_(std::make_shared<const CommandModel>(std::move(model))) {}

OfferedModel::OfferedModel(std::function<AnyModel()> build) : OfferedModel(built_by(std::move(build))) {}

CommandModel OfferedModel::described() const {
  CommandModel out = *model_;
  if (!out.build)
    throw ModelError(
        out.name.empty()
            ? "command: a model without a name has no function that builds it; give a function that is not null."
            : concat("command: model '", out.name, "' has no function that builds it; give CommandModel::build."));
  if (!out.name.empty() && !out.space.empty()) return out;
  const AnyModel built = out.build(out.parameters_with({}));
  if (out.name.empty()) out.name = std::visit([](const auto& model) { return model.name(); }, built);
  if (out.space.empty()) out.space = std::holds_alternative<PlanarModel>(built) ? Planar::name : Spatial::name;
  return out;
}

}  // namespace linkwork

namespace linkwork::apps {

ModelList::ModelList(const std::vector<OfferedModel>& models) {
  if (models.empty())
    throw ModelError("command: no model is offered; give one, as in command(argc, argv, {my_model}).");
  for (const OfferedModel& model : models) {
    models_.push_back(model.described());
    const std::string& name = models_.back().name;
    if (std::count_if(begin(), end(), [&](const CommandModel& other) { return other.name == name; }) > 1)
      throw ModelError(concat("command: two models are called '", name, "'; give each a name of its own."));
  }
}

const CommandModel& ModelList::find(std::string_view name) const {
  for (const CommandModel& model : models_)
    if (model.name == name) return model;
  throw ModelError(concat("unknown model '", name, "'; there are: ", listed(models_, &CommandModel::name), "."));
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
