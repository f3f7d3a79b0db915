#pragma once

// Internal: paths in a tree with monotone labels.

#include <vector>

namespace linkwork {

/// Ancestors in a tree whose fathers have smaller labels than their sons; label 0 is the root. Queries cost O(log n):
/// every node knows its father and one remote ancestor, whose distances follow the skew binary numbers.
class TreePaths {
 public:
  TreePaths() = default;
  /// @param father  by label; that of label 0 is not read
  explicit TreePaths(std::vector<int> father);

  int depth(int label) const { return depth_[static_cast<std::size_t>(label)]; }
  /// Lowest common ancestor.
  int meeting(int a, int b) const;
  int ancestor_at_depth(int label, int depth) const;

 private:
  std::vector<int> father_, jump_, depth_;
};

}  // namespace linkwork
