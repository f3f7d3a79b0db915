#include <linkwork/solvers/linear/joint_elimination.hpp>

#include <linkwork/solvers/linear/closure_columns.hpp>

#include <array>
#include <cstddef>

namespace linkwork {

namespace {

template <class Space>
class RelativeRecursion final : public RelativeElimination {
 public:
  explicit RelativeRecursion(const JointTree<Space>& tree)
      : tree_(&tree),
        recursion_(tree),
        columns_{ClosureColumns<Space>(tree, tree.closures_of(RowKind::velocity)),
                 ClosureColumns<Space>(tree, tree.closures_of(RowKind::position))} {}

  JointSingularity factor(RowKind kind) override { return finish(recursion_.factor(), kind); }

  bool is_delicate() const override { return recursion_.is_delicate() || columns_[current_].is_delicate(); }

  void solve(const double* f, const double* g, double* w, double* lambda) override {
    recursion_.inward({f, nullptr, nullptr});
    complete(g, w, lambda);
  }

  JointSingularity accelerations(const double* applied, const double* gamma, double* a, double* lambda) override {
    const JointSingularity singularity = finish(recursion_.factor_and_load(applied), RowKind::velocity);
    if (!singularity) complete(gamma, a, lambda);
    return singularity;
  }

 private:
  JointSingularity finish(int link, RowKind kind) {
    if (link >= 0) return {tree_->links[detail::at(link)].column, -1, false};
    current_ = static_cast<std::size_t>(kind);
    return {-1, columns_[current_].factor(recursion_), false};
  }
  void complete(const double* g, double* w, double* lambda) {
    columns_[current_].correct(recursion_.response(), g, lambda);
    recursion_.outward(w);
  }

  const JointTree<Space>* tree_;
  JointRecursion<Space> recursion_;
  std::array<ClosureColumns<Space>, 2> columns_;  ///< by RowKind
  std::size_t current_ = 0;
};

}  // namespace

std::unique_ptr<RelativeElimination> make_relative_recursion(const AnyJointTree& tree) {
  return with_tree(tree, []<class Space>(const JointTree<Space>& each) -> std::unique_ptr<RelativeElimination> {
    return std::make_unique<RelativeRecursion<Space>>(each);
  });
}

}  // namespace linkwork
