#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/absolute_evaluation_impl.hpp>
#include <linkwork/solvers/formulations/absolute_layout_impl.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

namespace linkwork {

template class AbsoluteCoordinates<Spatial>;

std::unique_ptr<EquationsOfMotion> make_absolute_equations(const Model<Spatial>& model, const TopologyOptions& topology,
                                                           AuxiliaryUnknowns auxiliary) {
  return std::make_unique<GraphEquations<Spatial>>(model, topology, auxiliary, [](const BodyGraph<Spatial>& graph) {
    return std::make_unique<AbsoluteCoordinates<Spatial>>(graph);
  });
}

}  // namespace linkwork
