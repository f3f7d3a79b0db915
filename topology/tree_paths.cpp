#include <linkwork/topology/tree_paths.hpp>

#include <cstddef>
#include <utility>

namespace linkwork {

TreePaths::TreePaths(std::vector<int> father)
    : father_(std::move(father)), jump_(father_.size(), 0), depth_(father_.size(), 0) {
  for (std::size_t label = 1; label < father_.size(); ++label) {
    const auto above = static_cast<std::size_t>(father_[label]);
    const auto jump = static_cast<std::size_t>(jump_[above]);
    depth_[label] = depth_[above] + 1;
    const bool two_equal_jumps = depth_[above] - depth_[jump] == depth_[jump] - depth(jump_[jump]);
    jump_[label] = two_equal_jumps ? jump_[jump] : father_[label];
  }
}

int TreePaths::ancestor_at_depth(int label, int wanted) const {
  while (depth(label) > wanted) {
    const int jump = jump_[static_cast<std::size_t>(label)];
    label = depth(jump) >= wanted ? jump : father_[static_cast<std::size_t>(label)];
  }
  return label;
}

int TreePaths::meeting(int a, int b) const {
  if (depth(a) > depth(b)) std::swap(a, b);
  b = ancestor_at_depth(b, depth(a));
  while (a != b) {  // both have the same depth, and so have their jumps
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const bool may_jump = jump_[i] != jump_[j];
    a = may_jump ? jump_[i] : father_[i];
    b = may_jump ? jump_[j] : father_[j];
  }
  return a;
}

}  // namespace linkwork
