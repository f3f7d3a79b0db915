#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <memory>

namespace linkwork {

/// Products with the inverse of the mass matrix, for the explicit formalism (CORR 2, 10): along the tree of joints in
/// O(n) where the equations publish one, block by block where M has blocks on its diagonal only, else by a Cholesky
/// factorisation of the whole M. M must be regular.
class InverseMass {
 public:
  /// Of the equations at their current position; they outlive this object.
  /// @throws ModelError naming a velocity that no inertia resists
  explicit InverseMass(EquationsOfMotion& equations);
  ~InverseMass();

  /// Factors M at the equations' current position. @throws RecoverableFailure where it is singular
  void factor();
  /// x = M^-1 x with the M factored last.
  void multiply(Eigen::VectorXd& x);

 private:
  class Method;
  template <class Space>
  class TreeOf;
  class Blocks;
  class Whole;
  std::unique_ptr<Method> method_;
};

}  // namespace linkwork
