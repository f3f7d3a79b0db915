#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/formulations/relative_evaluation_impl.hpp>
#include <linkwork/solvers/formulations/relative_layout_impl.hpp>
#include <linkwork/solvers/formulations/tree_recursions_impl.hpp>

namespace linkwork {

template class TreeRecursions<Spatial>;
template class RelativeCoordinates<Spatial>;

std::unique_ptr<EquationsOfMotion> make_relative_equations(const Model<Spatial>& model, const TopologyOptions& topology,
                                                           AuxiliaryUnknowns auxiliary, bool rough_placement) {
  return std::make_unique<GraphEquations<Spatial>>(
      model, with_joint_tree(topology), auxiliary, [rough_placement](const BodyGraph<Spatial>& graph) {
        return std::make_unique<RelativeCoordinates<Spatial>>(graph, rough_placement);
      });
}

}  // namespace linkwork
