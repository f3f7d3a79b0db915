#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/absolute_evaluation_impl.hpp>
#include <linkwork/solvers/formulations/absolute_layout_impl.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

namespace linkwork {

template class AbsoluteCoordinates<Planar>;

std::unique_ptr<EquationsOfMotion> make_absolute_equations(const Model<Planar>& model, const TopologyOptions& topology,
                                                           AuxiliaryUnknowns auxiliary) {
  return std::make_unique<GraphEquations<Planar>>(model, topology, auxiliary, [](const BodyGraph<Planar>& graph) {
    return std::make_unique<AbsoluteCoordinates<Planar>>(graph);
  });
}

}  // namespace linkwork
