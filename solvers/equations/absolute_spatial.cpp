#include <linkwork/solvers/equations/absolute.hpp>
#include <linkwork/solvers/equations/absolute_dependencies_impl.hpp>
#include <linkwork/solvers/equations/absolute_evaluation_impl.hpp>
#include <linkwork/solvers/equations/absolute_layout_impl.hpp>
#include <linkwork/solvers/equations/graph_evaluation_impl.hpp>
#include <linkwork/solvers/equations/graph_layout_impl.hpp>
#include <linkwork/solvers/equations/graph_reports_impl.hpp>

namespace linkwork {

template class AbsoluteEquations<Spatial>;

std::unique_ptr<EquationsOfMotion> make_absolute_equations(const Model<Spatial>& model, const TopologyOptions& topology,
                                                           AuxiliaryUnknowns auxiliary) {
  return std::make_unique<AbsoluteEquations<Spatial>>(model, topology, auxiliary);
}

}  // namespace linkwork
