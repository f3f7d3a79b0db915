#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace linkwork {

class Drawing;

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

/// A model as the command offers it: what it is, how it is built, and what is known about its motion. Only `build` has
/// to be given.
struct CommandModel {
  std::string name = {};         ///< by which the command line asks for it; "": that of the model that is built
  std::string description = {};  ///< a sentence
  std::string space = {};        ///< Planar::name or Spatial::name; "": that of the model that is built
  std::vector<Parameter> parameters = {};
  double t_end = 1;          ///< of a run that is not told another one [s]
  double first_step = 1e-3;  ///< [s]
  /// The graph, from all parameters.
  std::function<AnyModel(const Parameters&)> build = {};
  /// Of a model that parameters may pose directly as equations: null where they ask for the graph.
  std::function<std::unique_ptr<EquationsOfMotion>(const Parameters&)> pose = {};
  /// Defaults that depend on other parameters.
  std::function<void(Parameters& values, const Parameters& given)> complete = {};
  std::string reference_source = {};
  std::vector<ReferenceCase> references = {};
  std::vector<EventOffer> events = {};
  /// How it is drawn, where its elements' own looks are not wanted (solvers/pictures/drawing.hpp).
  std::function<Drawing(const Parameters&)> draw = {};

  /// The defaults, with some of them replaced.
  /// @throws ModelError for an unknown name (listing the known ones) and for values outside a parameter's range
  Parameters parameters_with(const Parameters& changes) const;
  /// The graph of bodies, for what needs one. @throws ModelError where the parameters pose equations
  AnyModel graph(const Parameters& values) const;
  /// What is known for a whole set of parameters at a time; null if the source treats other numbers only.
  const ReferencePoint* reference_at(const Parameters& values, double t) const;
};

/// What `command` takes for a model: a CommandModel, or a function that builds a PlanarModel or a SpatialModel.
class OfferedModel {
 public:
  OfferedModel(CommandModel model);               // NOLINT: conversions are what it is for
  OfferedModel(std::function<AnyModel()> build);  // NOLINT
  template <class Build>
  requires std::is_invocable_r_v<AnyModel, Build&> OfferedModel(Build build)  // NOLINT
      : OfferedModel(std::function<AnyModel()>(std::move(build))) {}

  /// With its name and space, for which the model is built where they are not given.
  /// @throws ModelError where there is no `build`, or it is null; what building throws
  CommandModel described() const;

 private:
  // Shared, so that programs that offer models need not compile how descriptions are copied.
  std::shared_ptr<const CommandModel> model_;
};

/// The `linkwork` command for models of your own: runs, compares, lists, samples them, shows their topology and
/// measures the speed of solvers on them, as the command line says, with all options and outputs. It is the whole of a
/// main function:
///
///   int main(int argc, char** argv) { return linkwork::command(argc, argv, {my_model}); }
///
/// Where one model is offered, the command line need not name it.
/// @return the exit status: 0 done; 1 a run failed, or a file could not be written; 2 the command line or a model is
///         wrong; 128 + the number of a signal that ended it. What is wrong stands on standard error.
int command(int argc, char** argv, std::vector<OfferedModel> models);

}  // namespace linkwork
