#pragma once

// Internal: velocities that go with given rates of positions.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/kinematic_matrix.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// The least-squares solution v of p' = Z v, in the blocks of coordinates that Z connects.
class KinematicInverse {
 public:
  /// Reads the places of Z from the equations, which outlive this object.
  explicit KinematicInverse(EquationsOfMotion& equations);

  /// Whether Z is the identity everywhere, so that p' = v.
  bool is_identity() const { return identity_; }
  /// Changes v as little as it can so that Z v comes nearest to p_rate, at the position of the equations.
  void apply(const Eigen::VectorXd& p_rate, Eigen::VectorXd& v);

 private:
  struct Block {
    std::vector<int> rows, columns;
  };
  void find_blocks();
  void correct(const Block& block, const Eigen::VectorXd& p_rate, Eigen::VectorXd& v) const;
  double entry(int row, int column) const;

  EquationsOfMotion& equations_;
  KinematicMatrix Z_;
  Eigen::MatrixXd full_;  // where the places of Z are not known
  std::vector<Block> blocks_;
  bool identity_ = false;
  Eigen::VectorXd unit_, image_;
};

}  // namespace linkwork
