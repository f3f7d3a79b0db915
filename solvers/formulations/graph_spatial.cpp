#include <linkwork/solvers/formulations/graph_declarations_impl.hpp>
#include <linkwork/solvers/formulations/graph_dependencies_impl.hpp>
#include <linkwork/solvers/formulations/graph_evaluation_impl.hpp>
#include <linkwork/solvers/formulations/graph_invariants_impl.hpp>
#include <linkwork/solvers/formulations/graph_layout_impl.hpp>
#include <linkwork/solvers/formulations/graph_memory_impl.hpp>
#include <linkwork/solvers/formulations/graph_reactions_impl.hpp>
#include <linkwork/solvers/formulations/graph_reports_impl.hpp>

namespace linkwork {

template class GraphEquations<Spatial>;

}  // namespace linkwork
