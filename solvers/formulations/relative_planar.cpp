#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/formulations/relative_evaluation_impl.hpp>
#include <linkwork/solvers/formulations/relative_layout_impl.hpp>
#include <linkwork/solvers/formulations/tree_recursions_impl.hpp>

namespace linkwork {

template class TreeRecursions<Planar>;
template class RelativeCoordinates<Planar>;

std::unique_ptr<EquationsOfMotion> make_relative_equations(const Model<Planar>& model, const TopologyOptions& topology,
                                                           AuxiliaryUnknowns auxiliary, bool rough_placement) {
  return std::make_unique<GraphEquations<Planar>>(
      model, with_joint_tree(topology), auxiliary, [rough_placement](const BodyGraph<Planar>& graph) {
        return std::make_unique<RelativeCoordinates<Planar>>(graph, rough_placement);
      });
}

}  // namespace linkwork
