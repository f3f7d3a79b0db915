#include <linkwork/solvers/analyses/row_groups.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace linkwork {

namespace {

using detail::at;

}  // namespace

RowGroups::RowGroups(EquationsOfMotion& equations, const Topology& topology)
    : equations_(equations),
      topology_(topology),
      rows_of_(topology.elements.size()),
      blocks_of_(topology.elements.size()) {
  std::unordered_map<std::string, int> element_named;
  for (std::size_t e = 0; e < topology.elements.size(); ++e)
    element_named.emplace(topology.elements[e].name, static_cast<int>(e));
  std::vector<int> element_of_row;
  for (int row = 0; row < equations.dimensions().constraints(); ++row) {
    element_of_row.push_back(element_named.at(equations.constraint_element(row)));
    rows_of_[at(element_of_row.back())].push_back(row);
  }
  const std::vector<BlockMatrix::Block>& blocks = equations.G().blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    blocks_of_[at(element_of_row[at(blocks[b].row)])].push_back(static_cast<int>(b));
  int column = 0;
  for (const Topology::Node& node : topology.nodes) {
    column_of_.push_back(column);
    column += node.freedoms;
  }

  DisjointSets sets(topology.elements.size());
  for (std::size_t e = 0; e < topology.elements.size(); ++e)
    if (topology.elements[e].role != Topology::Role::tree)
      for (const int other : topology.loop(static_cast<int>(e))) sets.unite(static_cast<int>(e), other);
  std::vector<std::vector<int>> members(topology.elements.size());
  for (std::size_t e = 0; e < topology.elements.size(); ++e)
    members[at(sets.find(static_cast<int>(e)))].push_back(static_cast<int>(e));
  for (std::vector<int>& elements : members)
    if (!elements.empty()) groups_.push_back(group_of(std::move(elements)));
}

RowGroup RowGroups::group_of(std::vector<int> elements) const {
  RowGroup out;
  for (const int element : elements) {
    if (topology_.elements[at(element)].role != Topology::Role::tree) out.closures.push_back(element);
    out.rows.insert(out.rows.end(), rows_of(element).begin(), rows_of(element).end());
  }
  out.elements = std::move(elements);
  return out;
}

RowGroup RowGroups::loop(int closure) const {
  RowGroup out = group_of(topology_.loop(closure));
  out.closures = {closure};
  return out;
}

Redundancy RowGroups::redundancy(const RowGroup& group) const {
  const BlockMatrix& G = equations_.G();
  std::vector<int> columns;
  for (const int element : group.elements)
    for (const int b : blocks_of_[at(element)])
      for (int c = 0; c < G.blocks()[at(b)].width; ++c) columns.push_back(G.blocks()[at(b)].column + c);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::vector<int> rows = group.rows;
  std::unordered_map<int, Eigen::Index> place;
  for (std::size_t i = 0; i < rows.size(); ++i) place.emplace(rows[i], static_cast<Eigen::Index>(i));

  Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
  for (const int element : group.elements)
    for (const int b : blocks_of_[at(element)]) {
      const BlockMatrix::Block& block = G.blocks()[at(b)];
      const auto first = std::lower_bound(columns.begin(), columns.end(), block.column) - columns.begin();
      for (int r = 0; r < block.height; ++r)
        for (int c = 0; c < block.width; ++c)
          matrix(place.at(block.row + r), first + c) = G.values(b)[r * block.width + c];
    }
  const double length = equations_.characteristic_length();
  Eigen::VectorXd scales(matrix.rows());
  for (std::size_t i = 0; i < rows.size(); ++i)
    scales[static_cast<Eigen::Index>(i)] = row_scale(equations_, rows[i], length);
  return find_redundancy(matrix, scales, length);
}

}  // namespace linkwork
