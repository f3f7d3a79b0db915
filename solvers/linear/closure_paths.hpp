#pragma once

#include <vector>

namespace linkwork {

/// The columns of C^T, which closures are, on their paths through a tree. A column acts on a few nodes, and eliminating
/// these passes it on from node to father, up to a root or to where the column itself is eliminated. Plain arrays, laid
/// once; what a column is at an entry, its user keeps.
struct ClosurePaths {
  /// A node that a column acts on.
  struct Part {
    int column = 0, node = 0;
  };
  /// A column at a node of its paths.
  struct Entry {
    int column = 0;
    int father = -1;  ///< the column's entry at the node's father; -1: its paths end here
  };
  struct Stop {
    int node = 0, first = 0, last = 0;  ///< entries, by ascending column
  };

  std::vector<Stop> stops;  ///< from the highest label down, so that sons come before fathers
  std::vector<Entry> entries;
  std::vector<int> entry_of_part;

  ClosurePaths() = default;
  /// @param fathers  by node: a smaller label, or -1 for a root
  /// @param ends     by column: the node where its paths end, an entry even without parts; -1: their roots
  /// @param parts    by ascending column
  ClosurePaths(const std::vector<int>& fathers, const std::vector<int>& ends, const std::vector<Part>& parts);

  /// The entry of a column that comes to a stop.
  int entry_at(const Stop& stop, int column) const;
};

}  // namespace linkwork
