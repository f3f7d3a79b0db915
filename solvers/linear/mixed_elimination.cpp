#include <linkwork/solvers/linear/joint_elimination.hpp>

#include <linkwork/solvers/linear/closure_columns.hpp>
#include <linkwork/solvers/linear/link_blocks.hpp>
#include <linkwork/solvers/linear/mixed_system.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace linkwork {

namespace {

/// The recursion, and closures by C T^-1 C^T, for loads with offsets.
template <class Space>
class LoadedRecursion {
 public:
  LoadedRecursion(const JointTree<Space>& tree, const typename JointTree<Space>::Closures& closures)
      : tree_(tree), closures_(closures), recursion_(tree), columns_(tree, closures), wrench_(tree.links.size()) {
    residual_.resize(detail::at(closures.row_count));
  }

  JointSingularity factor() {
    const int link = recursion_.factor();
    if (link >= 0) return {tree_.links[detail::at(link)].column, -1, false};
    return {-1, columns_.factor(recursion_), false};
  }

  void solve(const TreeLoad<Space>& load, const double* g, double* acceleration, double* lambda) {
    std::copy_n(load.wrench, wrench_.size(), wrench_.begin());
    recursion_.inward(load);
    recursion_.outward(acceleration, load.offset);
    if (columns_.empty()) return;
    for_each_row([&](int row, int link, const Components<Space>& on_link, bool is_first) {
      double& residual = residual_[detail::at(row)];
      if (is_first) residual = -g[row];
      residual += on_link.dot(components(recursion_.link_acceleration(link)));
    });
    columns_.correct_by(residual_.data(), recursion_.response(), lambda);
    recursion_.outward(acceleration, load.offset);
    for_each_row([&](int row, int link, const Components<Space>& on_link, bool) {
      Wrench<Space>& wrench = wrench_[detail::at(link)];
      assign(components(wrench) + lambda[row] * on_link, wrench);
    });
  }

  std::string refusal() const { return ""; }
  bool is_delicate() const { return recursion_.is_delicate() || columns_.is_delicate(); }
  Twist<Space> link_acceleration(int link) const { return recursion_.link_acceleration(link); }
  void joint_wrenches(Wrench<Space>* wrench) { recursion_.joint_wrenches(wrench_.data(), wrench); }

 private:
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    for (const auto& closure : closures_.list)
      for (std::size_t p = 0; p < closure.parts.size(); ++p)
        for (int i = 0; i < closure.count; ++i)
          visit(closure.row + i, closure.parts[p].link, closures_.rows[detail::at(closure.parts[p].first + i)], p == 0);
  }

  const JointTree<Space>& tree_;
  const typename JointTree<Space>::Closures& closures_;
  JointRecursion<Space> recursion_;
  ClosureColumns<Space> columns_;
  std::vector<Wrench<Space>> wrench_;  ///< of the load, then with what the closures add
  std::vector<double> residual_;
};

template <template <class> class Elimination>
std::unique_ptr<JointElimination> make(const AnyMixedTree& tree) {
  return with_tree(tree, []<class Space>(const MixedTree<Space>& each) -> std::unique_ptr<JointElimination> {
    return std::make_unique<MixedSystem<Space, Elimination<Space>>>(each);
  });
}

}  // namespace

std::unique_ptr<JointElimination> make_mixed_recursion(const AnyMixedTree& tree) { return make<LoadedRecursion>(tree); }

std::unique_ptr<JointElimination> make_mixed_graph(const AnyMixedTree& tree) { return make<LinkBlocks>(tree); }

}  // namespace linkwork
