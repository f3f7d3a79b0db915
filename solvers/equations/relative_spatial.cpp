#include <linkwork/solvers/equations/graph_evaluation_impl.hpp>
#include <linkwork/solvers/equations/graph_layout_impl.hpp>
#include <linkwork/solvers/equations/graph_reports_impl.hpp>
#include <linkwork/solvers/equations/relative.hpp>
#include <linkwork/solvers/equations/relative_assembly_impl.hpp>
#include <linkwork/solvers/equations/relative_dependencies_impl.hpp>
#include <linkwork/solvers/equations/relative_evaluation_impl.hpp>
#include <linkwork/solvers/equations/relative_layout_impl.hpp>

namespace linkwork {

template class RelativeEquations<Spatial>;

std::unique_ptr<EquationsOfMotion> make_relative_equations(const Model<Spatial>& model, const TopologyOptions& topology,
                                                           AuxiliaryUnknowns auxiliary, bool rough_placement) {
  return std::make_unique<RelativeEquations<Spatial>>(model, topology, auxiliary, rough_placement);
}

}  // namespace linkwork
