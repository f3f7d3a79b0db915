#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/closure_rows.hpp>
#include <linkwork/solvers/linear/closure_system.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// Included by the eliminations along a joint tree only.

namespace linkwork {

/// The closures of a joint tree (see JointElimination). Their columns of C^T are eliminated along their paths to the
/// ground, and not to where the rows meet: what the joints on the way answer with keeps the wrenches from cancelling
/// there.
template <class Space>
class ClosureColumns {
 public:
  static constexpr int n = Space::n;
  using Closures = typename JointTree<Space>::Closures;

  /// @param tree, closures  outlive this object
  ClosureColumns(const JointTree<Space>& tree, const Closures& closures)
      : tree_(&tree),
        rows_(tree, closures, ClosureRows<Space>::End::ground),
        wrench_(paths().entries.size() * n),
        impulse_(wrench_.size()),
        response_(wrench_.size()),
        system_(static_cast<int>(matrix_rows().size())) {}

  bool empty() const { return matrix_rows().empty(); }
  bool is_delicate() const { return system_.is_delicate(); }

  /// @return a superfluous row of the constraint matrix, or -1
  int factor(const JointRecursion<Space>& recursion) {
    if (empty()) return -1;
    form(recursion);
    for (int i = 0; i < static_cast<int>(matrix_rows().size()); ++i)
      if (rows_.has_vanished(i, system_.S()(i, i))) return matrix_rows()[detail::at(i)];
    const int superfluous = system_.factor(0);
    return superfluous < 0 ? -1 : matrix_rows()[detail::at(superfluous)];
  }

  /// From the response to f alone to that with the multipliers, which are written too.
  void correct(double* response, const double* g, double* lambda) {
    if (empty()) return;
    Eigen::VectorXd& multipliers = system_.multipliers();
    for (Eigen::Index i = 0; i < multipliers.size(); ++i) multipliers[i] = -g[matrix_rows()[detail::at(i)]];
    for_each_joint([&](int column, const double* impulse, const double*, const Link& link) {
      for (int k = 0; k < link.freedoms; ++k) multipliers[column] += impulse[k] * response[link.column + k];
    });
    finish(response, lambda);
  }

  /// The same where the rows at the accelerations without multipliers are known, less g: by row.
  void correct_by(const double* residual, double* response, double* lambda) {
    if (empty()) return;
    Eigen::VectorXd& multipliers = system_.multipliers();
    for (Eigen::Index i = 0; i < multipliers.size(); ++i) multipliers[i] = residual[matrix_rows()[detail::at(i)]];
    finish(response, lambda);
  }

 private:
  using Link = typename JointTree<Space>::Link;

  const std::vector<int>& matrix_rows() const { return rows_.of_matrix(); }
  const ClosurePaths& paths() const { return rows_.paths(); }
  const Link& link(int label) const { return tree_->links[detail::at(label)]; }

  void finish(double* response, double* lambda) {
    system_.solve();
    const Eigen::VectorXd& multipliers = system_.multipliers();
    for_each_joint([&](int column, const double*, const double* of_column, const Link& link) {
      for (int k = 0; k < link.freedoms; ++k) response[link.column + k] -= of_column[k] * multipliers[column];
    });
    for (Eigen::Index i = 0; i < multipliers.size(); ++i) lambda[matrix_rows()[detail::at(i)]] = multipliers[i];
  }

  /// S, and the scales of its rows: their sizes where no joint takes its part of a wrench out of its size, so that what
  /// is left of a superfluous row are rounding errors against them.
  void form(const JointRecursion<Space>& recursion) {
    std::fill(wrench_.begin(), wrench_.end(), 0.0);
    system_.S().setZero();
    Eigen::VectorXd& scale = system_.scale();
    scale.setZero();
    rows_.add_to(wrench_.data());
    double on_ground[n] = {};
    for (const ClosurePaths::Stop& stop : paths().stops) {
      for (int e = stop.first; e < stop.last; ++e) {
        const auto& [column, father] = paths().entries[detail::at(e)];
        const double* wrench = wrench_.data() + n * e;
        scale[column] += recursion.response_bound(stop.node, wrench);
        recursion.pass_wrench(stop.node, wrench, impulse_.data() + n * e, response_.data() + n * e,
                              father < 0 ? on_ground : wrench_.data() + n * father);
      }
      system_.add(paths(), stop, link(stop.node).freedoms, impulse_.data(), response_.data(), n);
    }
    for (double& each : scale) each = each > 0 ? 1 / std::sqrt(each) : 1;
  }

  /// visit(column, impulse, response, link) for all entries of the paths.
  template <class Visit>
  void for_each_joint(Visit&& visit) const {
    for (const ClosurePaths::Stop& stop : paths().stops)
      for (int e = stop.first; e < stop.last; ++e)
        visit(paths().entries[detail::at(e)].column, impulse_.data() + n * e, response_.data() + n * e,
              link(stop.node));
  }

  const JointTree<Space>* tree_;
  ClosureRows<Space> rows_;
  std::vector<double> wrench_, impulse_, response_;  ///< by entry, n each
  ClosureSystem system_;
};

}  // namespace linkwork
