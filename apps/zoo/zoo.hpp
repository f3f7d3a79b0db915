#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linkwork::apps {

using AnyModel = std::variant<PlanarModel, SpatialModel>;

/// A number that a model is built from.
struct Parameter {
  std::string name, unit;
  double value = 0;  ///< default
  std::string meaning;
  double least = 0, greatest = 0;         ///< the range that makes sense, both ends included
  bool whole = false;                     ///< whole numbers only
  std::vector<std::string> choices = {};  ///< names of the values 0, 1, ..., where these are not numbers of something
};

using Parameters = std::map<std::string, double, std::less<>>;

/// Values that a trusted source gives for a model's observables at one time.
struct ReferencePoint {
  double t = 0;                                        ///< [s]
  std::vector<std::pair<std::string, double>> values;  ///< by observable
};

/// A set of parameters that a source treats, and what it found. Parameters that are not named have their defaults.
struct ReferenceCase {
  Parameters parameters;
  std::vector<ReferencePoint> points;
};

/// An observable whose zeros are worth knowing; `run` reports them.
struct EventOffer {
  std::string observable;
  std::string meaning;
  double residual_threshold = 0;  ///< both values around a sign change must be larger in size
};

/// One model of the zoo: what it is, how it is built, and what is known about its motion.
struct ZooModel {
  std::string name, description, space;
  std::vector<Parameter> parameters = {};
  double t_end = 0;          ///< [s]
  double first_step = 1e-3;  ///< [s]
  AnyModel (*build)(const Parameters&) = nullptr;
  /// Of a model that parameters may pose directly as equations: null where they ask for the graph.
  std::unique_ptr<EquationsOfMotion> (*pose)(const Parameters&) = nullptr;
  /// Defaults that depend on other parameters.
  void (*complete)(Parameters& values, const Parameters& given) = nullptr;
  std::string reference_source = {};
  std::vector<ReferenceCase> references = {};
  std::vector<EventOffer> events = {};

  /// The defaults, with some of them replaced.
  /// @throws ModelError for an unknown name (listing the known ones) and for values outside a parameter's range
  Parameters parameters_with(const Parameters& changes) const;
  /// The graph of bodies, for what needs one. @throws ModelError where the parameters pose equations
  AnyModel graph(const Parameters& values) const;
  /// What is known for a whole set of parameters at a time; null if the source treats other numbers only.
  const ReferencePoint* reference_at(const Parameters& values, double t) const;
};

/// All models, in the order in which they are listed.
const std::vector<ZooModel>& zoo();

/// @throws ModelError for an unknown name, listing the known ones
const ZooModel& find_model(std::string_view name);

/// max |x - x_ref| / max(1, |x_ref|) over the values of `point` among observables given by name.
double reference_error(const ReferencePoint& point, const std::vector<std::string>& names,
                       const Eigen::VectorXd& values);

}  // namespace linkwork::apps
