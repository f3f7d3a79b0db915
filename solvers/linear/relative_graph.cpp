#include <linkwork/solvers/linear/joint_elimination.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/linear/joint_graph.hpp>
#include <linkwork/solvers/linear/link_blocks.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace linkwork {

namespace {

// A multiply-add among small pivot blocks takes as long as that many in the long loops over open rows: measured on
// meshes, where either way is the faster one.
constexpr double slower_by_blocks = 8;

template <class Space>
class RelativeGraph final : public RelativeElimination {
 public:
  explicit RelativeGraph(const JointTree<Space>& tree) : tree_(tree), by_bodies_(is_cheaper_by_bodies(tree)) {}

  JointSingularity factor(RowKind kind) override {
    current_ = &kinds_[static_cast<std::size_t>(kind)];
    if (!by_bodies_) {
      const JointSingularity singularity = joints_of(*current_, kind).factor();
      if (singularity.velocity < 0 || current_->leaves_out) return singularity;
      by_bodies_ = true;  // a joint moves no mass, only a closed loop may hold what it moves: from now on
    }
    current_->joints.reset();
    if (!current_->bodies) current_->bodies = std::make_unique<LinkBlocks<Space>>(tree_, tree_.closures_of(kind));
    return current_->bodies->factor();
  }

  bool is_delicate() const override { return current_->joints && current_->joints->is_delicate(); }
  std::string refusal() const override { return by_bodies_ ? current_->bodies->refusal() : ""; }

  bool leave_out(RowKind kind, const std::vector<int>& rows) override {
    if (by_bodies_) return rows.empty();
    Kind& of_kind = kinds_[static_cast<std::size_t>(kind)];
    joints_of(of_kind, kind).leave_out(rows);
    of_kind.leaves_out = !rows.empty();
    return true;
  }

  void solve(const double* f, const double* g, double* w, double* lambda) override {
    solve(TreeLoad<Space>{f, nullptr, nullptr}, g, w, lambda);
  }

  JointSingularity accelerations(const double* applied, const double* gamma, double* a, double* lambda) override {
    const JointSingularity singularity = factor(RowKind::velocity);
    if (!singularity && refusal().empty()) solve({applied, tree_.force.data(), nullptr}, gamma, a, lambda);
    return singularity;
  }

 private:
  struct Kind {
    std::unique_ptr<JointGraph<Space>> joints;
    std::unique_ptr<LinkBlocks<Space>> bodies;
    bool leaves_out = false;  ///< some rows
  };

  JointGraph<Space>& joints_of(Kind& of_kind, RowKind kind) {
    if (!of_kind.joints) of_kind.joints = std::make_unique<JointGraph<Space>>(tree_, kind);
    return *of_kind.joints;
  }

  static bool is_cheaper_by_bodies(const JointTree<Space>& tree) {
    if (tree.closures_of(RowKind::velocity).list.empty()) return false;
    const auto joints = JointGraph<Space>::cost(tree, RowKind::velocity);
    return joints.pairs > JointGraph<Space>::most_pairs ||
           joints.operations >
               slower_by_blocks * LinkBlocks<Space>::operations(tree, tree.closures_of(RowKind::velocity));
  }

  void solve(const TreeLoad<Space>& load, const double* g, double* w, double* lambda) {
    if (current_->joints)
      current_->joints->solve(load, g, w, lambda);
    else
      current_->bodies->solve(load, g, w, lambda);
  }

  const JointTree<Space>& tree_;
  bool by_bodies_;
  std::array<Kind, 2> kinds_;  ///< by RowKind
  Kind* current_ = nullptr;
};

}  // namespace

std::unique_ptr<RelativeElimination> make_relative_graph(const AnyJointTree& tree) {
  return with_tree(tree, []<class Space>(const JointTree<Space>& each) -> std::unique_ptr<RelativeElimination> {
    return std::make_unique<RelativeGraph<Space>>(each);
  });
}

}  // namespace linkwork
