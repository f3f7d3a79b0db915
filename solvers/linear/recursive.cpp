#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <algorithm>
#include <string>

namespace linkwork {

namespace {

std::string why_no_recursion_along(const EquationsOfMotion& equations, const BlockTree* tree) {
  if (!tree)
    return concat("the ", equations.formulation_name(), " equations of model '", equations.model_name(),
                  "' publish no tree of bodies");
  for (const BlockTree::Node& node : tree->nodes) {
    int rows = 0;
    for (const BlockTree::Rows& each : node.rows) rows += each.count;
    if (node.size > largest_node)
      return concat("the node of ", equations.velocity_name(node.column), " has ", node.size,
                    " freedoms; nodes of at most ", largest_node, " are treated");
    if (rows > node.size)
      return concat(rows, " constraint rows, among them ", equations.constraint_name(node.rows.front().row),
                    ", tie the ", node.size, " freedoms of the node of ", equations.velocity_name(node.column),
                    " to its father");
  }
  return "";
}

/// What the node of a velocity hangs on.
std::string joint_of_node(EquationsOfMotion& equations, MatrixKind kind, int velocity) {
  const BlockTree& tree = kind == MatrixKind::position ? *equations.position_tree() : *equations.velocity_tree();
  const auto node = std::find_if(tree.nodes.begin(), tree.nodes.end(),
                                 [&](const BlockTree::Node& each) { return each.column == velocity; });
  return node->rows.empty() ? "without a joint to its father" : equations.constraint_name(node->rows.front().row);
}

}  // namespace

std::string why_no_recursion(const EquationsOfMotion& equations) {
  if (has_joint_tree(equations)) return "";
  const std::string reason = why_no_recursion_along(equations, equations.velocity_tree());
  return reason.empty() ? why_no_recursion_along(equations, equations.position_tree()) : reason;
}

Outcome recursion_failure(std::string_view solver, EquationsOfMotion& equations, AugmentedMatrix matrix,
                          const JointSingularity& singularity) {
  if (!matrix.M) matrix = current_matrix(equations, matrix.kind);
  if (singularity.row >= 0 || is_known_singular(matrix))
    return singular_matrix(solver, equations, matrix, singularity.unknown(matrix.M->rows()));
  const int velocity = singularity.velocity;
  const std::string name = equations.velocity_name(velocity);
  if (has_joint_tree(equations))
    return Outcome::failure(concat(solver, ": the joint of ", name, " meets no inertia at t = ", equations.time(),
                                   " s: nothing with mass that hangs on it moves with it, only a closed loop may "
                                   "determine its motion; use 'graph', or give the body a mass."));
  return Outcome::failure(concat(solver, ": the node of ", name, ", ", joint_of_node(equations, matrix.kind, velocity),
                                 ", can't be eliminated before the rest at t = ", equations.time(),
                                 " s: its mass, its joint and what hangs on it do not determine its motion, only a "
                                 "closed loop may; use 'graph'."));
}

}  // namespace linkwork
