#include <linkwork/solvers/equations/graph_declarations_impl.hpp>
#include <linkwork/solvers/equations/graph_dependencies_impl.hpp>
#include <linkwork/solvers/equations/graph_evaluation_impl.hpp>
#include <linkwork/solvers/equations/graph_invariants_impl.hpp>
#include <linkwork/solvers/equations/graph_layout_impl.hpp>
#include <linkwork/solvers/equations/graph_memory_impl.hpp>
#include <linkwork/solvers/equations/graph_reactions_impl.hpp>
#include <linkwork/solvers/equations/graph_reports_impl.hpp>

namespace linkwork {

template class GraphEquations<Spatial>;

}  // namespace linkwork
