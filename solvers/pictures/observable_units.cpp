#include <linkwork/solvers/pictures/observable_units.hpp>

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>

#include <variant>

namespace linkwork {

std::vector<std::string> observable_units(const EquationsOfMotion& equations) {
  std::vector<std::string> units(equations.observable_names().size());
  if (is_posed_directly(equations)) return units;
  std::visit(
      [&](const auto* data) {
        for (std::size_t i = 0; i < units.size(); ++i) units[i] = data->observables[i].unit;
      },
      model_data_of(equations));
  return units;
}

}  // namespace linkwork
