#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/mixed_coordinates_impl.hpp>

namespace linkwork {

template class MixedCoordinates<Planar>;

std::unique_ptr<EquationsOfMotion> make_mixed_equations(const Model<Planar>& model, const TopologyOptions& topology,
                                                        AuxiliaryUnknowns auxiliary) {
  return std::make_unique<GraphEquations<Planar>>(
      model, with_joint_tree(topology), auxiliary,
      [](const BodyGraph<Planar>& graph) { return std::make_unique<MixedCoordinates<Planar>>(graph); });
}

}  // namespace linkwork
