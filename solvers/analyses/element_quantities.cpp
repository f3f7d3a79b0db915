#include <linkwork/solvers/analyses/element_quantities.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <limits>

namespace linkwork {

ElementQuantities::ElementQuantities(const EquationsOfMotion& equations) {
  const auto take = [&](const auto& quantities) {
    for (const auto& quantity : quantities) {
      names_.push_back(quantity.name);
      units_.push_back(quantity.unit);
    }
    quantities_ = quantities;
  };
  if (const auto* planar = dynamic_cast<const GraphEquations<Planar>*>(&equations))
    take(quantities_of_elements(planar->model()));
  else if (const auto* spatial = dynamic_cast<const GraphEquations<Spatial>*>(&equations))
    take(quantities_of_elements(spatial->model()));
}

bool has_open_reactions(EquationsOfMotion& equations) {
  const Eigen::MatrixXd rows = equations.G().dense();
  return find_redundancy(rows, row_scales(equations), equations.characteristic_length(), -1).rank < rows.rows();
}

std::vector<std::string> observable_units(const EquationsOfMotion& equations) {
  std::vector<std::string> out(equations.observable_names().size());
  const auto take = [&](const auto& model) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = model.observables[i].unit;
  };
  if (const auto* planar = dynamic_cast<const GraphEquations<Planar>*>(&equations))
    take(planar->model());
  else if (const auto* spatial = dynamic_cast<const GraphEquations<Spatial>*>(&equations))
    take(spatial->model());
  return out;
}

void ElementQuantities::read(EquationsOfMotion& equations, const State& state, const std::vector<std::size_t>& which,
                             double* values) const {
  if (which.empty()) return;
  const auto look = [&]<class Space>(const std::vector<Quantity<Space>>& quantities) {
    measure(equations, state, [&](const Snapshot<Space>& now) {
      for (std::size_t k = 0; k < which.size(); ++k) {
        try {
          values[k] = quantities[which[k]].value(now);
        } catch (const RecoverableFailure&) {
          values[k] = std::numeric_limits<double>::quiet_NaN();
        }
      }
      return 0.0;
    });
  };
  std::visit(look, quantities_);
}

}  // namespace linkwork
