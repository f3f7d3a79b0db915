#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/mixed_coordinates_impl.hpp>

namespace linkwork {

template class MixedCoordinates<Spatial>;

std::unique_ptr<EquationsOfMotion> make_mixed_equations(const Model<Spatial>& model, const TopologyOptions& topology,
                                                        AuxiliaryUnknowns auxiliary) {
  return std::make_unique<GraphEquations<Spatial>>(
      model, with_joint_tree(topology), auxiliary,
      [](const BodyGraph<Spatial>& graph) { return std::make_unique<MixedCoordinates<Spatial>>(graph); });
}

}  // namespace linkwork
