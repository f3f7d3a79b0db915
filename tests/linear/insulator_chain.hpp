#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <vector>

namespace linkwork {

/// M and G of the insulator chain of MEXX 5.4 at given angles: node 0 is the top insulator, node n the triangle, node
/// n + 1 the massless point where the force acts. Coordinates of a body: angle, x, y; of the point: x, y.
class InsulatorChain final : public EquationsOfMotion {
 public:
  explicit InsulatorChain(int insulators)
      : EquationsOfMotion({.p = 3 * insulators + 5, .v = 3 * insulators + 5, .lambda = 2 * insulators + 4}),
        insulators_(insulators) {
    const int triangle = insulators, point = insulators + 1;
    tree_.width = 3;
    for (int k = 0; k <= point; ++k) {
      const int column = 3 * k, size = k == point ? 2 : 3, row = 2 * k;
      BlockTree::Node node{k - 1, column, size, k == point ? -1 : M_.add_block(column, column, 3, 3), {}};
      const int own = G_.add_block(row, column, 2, size);
      node.rows.push_back({row, 2, own, k == 0 ? -1 : G_.add_block(row, column - 3, 2, 3)});
      tree_.nodes.push_back(node);
    }
    for (int k = 0; k <= triangle; ++k) {
      double* mass = M_.values(k);
      const bool top = k == 0;
      mass[0] = k == triangle ? 3.1 : top ? 0.05 : 0.35;
      mass[4] = mass[8] = k == triangle ? 34 : top ? 9.8 : 15;
    }
  }

  const BlockTree* velocity_tree() const override { return &tree_; }
  const BlockTree* position_tree() const override { return &tree_; }
  std::string velocity_name(int i) const override { return concat("body ", i / 3); }

 private:
  /// Rows of the point at `arm` of a body turned by `angle`: the velocity of that point, with a sign.
  static void put(double* block, int width, double sign, double angle, double arm_x, double arm_y) {
    const double c = std::cos(angle), s = std::sin(angle);
    if (width == 3) {
      block[0] = sign * (-s * arm_x - c * arm_y);
      block[3] = sign * (c * arm_x - s * arm_y);
    }
    block[width - 2] = block[2 * width - 1] = sign;
  }

  void do_M(BlockMatrix&) override {}
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    offset.setZero();
    for (int k = 0; k <= insulators_ + 1; ++k) {
      const BlockTree::Rows& rows = tree_.nodes[static_cast<std::size_t>(k)].rows.front();
      const bool is_point = k == insulators_ + 1, is_triangle = k == insulators_;
      if (is_point) {
        put(G.values(rows.own_block), 2, 1, 0, 0, 0);
        put(G.values(rows.father_block), 3, -1, position()[3 * (k - 1)], 0, -0.37);
        continue;
      }
      put(G.values(rows.own_block), 3, 1, position()[3 * k], is_triangle ? 0.37 / 2 * std::sqrt(3.0) : 0,
          is_triangle ? 0.37 / 2
          : k == 0    ? 0.16
                      : 0.12);
      if (k > 0) put(G.values(rows.father_block), 3, -1, position()[3 * (k - 1)], 0, -0.08);
    }
  }
  void do_g(Eigen::VectorXd& g) override { g.setZero(); }
  void do_f(Eigen::VectorXd& f) override { f.setZero(); }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma.setZero(); }

  int insulators_;
  BlockTree tree_;
};

}  // namespace linkwork
