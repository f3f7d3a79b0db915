#pragma once

// Internal: the constraint matrix of a graph of bodies in absolute coordinates, by its elements and loops.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/topology/topology.hpp>

#include <vector>

namespace linkwork {

/// Elements whose rows are looked at together.
struct RowGroup {
  std::vector<int> elements;
  std::vector<int> closures;  ///< of them, those that close loops
  std::vector<int> rows;      ///< of the constraint matrix, element by element
};

/// Which rows of absolute equations belong to which element, and what can depend on what: rows of loops that share a
/// joint, directly or over other loops. All other elements stand alone.
class RowGroups {
 public:
  /// @param topology  that the equations number their bodies by
  RowGroups(EquationsOfMotion& equations, const Topology& topology);

  const std::vector<RowGroup>& groups() const { return groups_; }
  /// The fundamental loop of an element that closes one.
  RowGroup loop(int closure) const;
  const std::vector<int>& rows_of(int element) const { return rows_of_[static_cast<std::size_t>(element)]; }
  /// First velocity of a body by label.
  int column_of(int label) const { return column_of_[static_cast<std::size_t>(label)]; }

  /// Rank and dependencies of a group's rows at the current position of the equations.
  Redundancy redundancy(const RowGroup& group) const;

 private:
  RowGroup group_of(std::vector<int> elements) const;

  EquationsOfMotion& equations_;
  const Topology& topology_;
  std::vector<std::vector<int>> rows_of_;    ///< by element
  std::vector<std::vector<int>> blocks_of_;  ///< of G, by element
  std::vector<int> column_of_;               ///< by label
  std::vector<RowGroup> groups_;
};

}  // namespace linkwork
