#include <linkwork/solvers/linear/tree_elimination.hpp>

namespace linkwork {

TreePlan::TreePlan(const BlockTree& tree, const AugmentedMatrix& matrix, const Equilibration& scaling) {
  const BlockMatrix &M = *matrix.M, &G = *matrix.G;
  scale.assign(scaling.factors().begin(), scaling.factors().end());
  for (int i = 0; i < M.rows(); ++i) light.push_back(safe_pivot / (scaling.factors()[i] * scaling.factors()[i]));
  const auto offset_in = [](const BlockMatrix& blocks, int block, int matrix_row) {
    const BlockMatrix::Block& at = blocks.blocks()[static_cast<std::size_t>(block)];
    return static_cast<int>(at.offset) + (matrix_row - at.row) * at.width;
  };
  for (const BlockTree::Node& from : tree.nodes) {
    Node to;
    to.father = from.father + 1;
    to.column = from.column;
    to.size = from.size;
    to.father_size = from.father < 0 ? 0 : tree.nodes[static_cast<std::size_t>(from.father)].size;
    to.mass = from.mass_block < 0 ? -1 : offset_in(M, from.mass_block, from.column);
    to.first_row = static_cast<int>(row.size());
    for (const BlockTree::Rows& rows : from.rows)
      for (int i = rows.row; i < rows.row + rows.count; ++i) {
        row.push_back(i);
        own.push_back(offset_in(G, rows.own_block, i));
        father.push_back(rows.father_block < 0 ? -1 : offset_in(G, rows.father_block, i));
      }
    to.rows = static_cast<int>(row.size()) - to.first_row;
    nodes.push_back(to);
  }
}

}  // namespace linkwork
