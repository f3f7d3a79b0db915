#pragma once

// Internal.

#include <cstddef>
#include <numeric>
#include <vector>

namespace linkwork {

/// Sets of numbers from 0 on that are united one by one.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  /// The representative of the set that i is in.
  int find(int i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  /// @return the representative of both
  int unite(int a, int b) { return parent(find(b)) = find(a); }

 private:
  int& parent(int i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<int> parent_;
};

}  // namespace linkwork
