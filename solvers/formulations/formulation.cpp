#include <linkwork/solvers/formulations/formulation.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/relative.hpp>

#include <algorithm>

namespace linkwork {

namespace {

template <class Space>
std::unique_ptr<EquationsOfMotion> make(const Model<Space>& model, const EquationsOptions& options) {
  switch (options.formulation) {
    case Formulation::absolute:
      return make_absolute_equations(model, options.topology, options.auxiliary);
    case Formulation::mixed:
      return make_mixed_equations(model, options.topology, options.auxiliary);
    case Formulation::relative:
      return make_relative_equations(model, options.topology, options.auxiliary, options.rough_placement);
  }
  throw ModelError(concat("make_equations: the formulation '", name_of(options.formulation), "' is unknown."));
}

}  // namespace

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"absolute", "mixed", "relative"};
  return names;
}

const std::string& name_of(Formulation formulation) {
  return formulation_names()[static_cast<std::size_t>(formulation)];
}

Formulation formulation_named(const std::string& name) {
  const std::vector<std::string>& names = formulation_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ModelError(concat("unknown formulation '", name, "'; choose one of ", listed(names), "."));
  return static_cast<Formulation>(found - names.begin());
}

std::unique_ptr<EquationsOfMotion> make_equations(const Model<Planar>& model, const EquationsOptions& options) {
  return make(model, options);
}
std::unique_ptr<EquationsOfMotion> make_equations(const Model<Spatial>& model, const EquationsOptions& options) {
  return make(model, options);
}

}  // namespace linkwork
