#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace linkwork {

/// The unit in which Newton's iteration measures each unknown of the equations of motion: rtol |y| + atol, and not
/// less than the rounding of the largest unknown of its kind: positions and velocities by unit. Multipliers are
/// measured by what they do in a step of size h, h lambda and h eta, and in units of their own: a force, and a velocity
/// along the constraint; where no force acts, by the rounding of those that turn what moves. Accelerations have an
/// infinite unit: what they do counts in the velocities. The force is a characteristic one of the mechanism; torques
/// and rates of angles count by its characteristic length, so that no unit decides.
class UnknownWeights {
 public:
  UnknownWeights() = default;
  /// @param least_share  multipliers that hold little count as if they held this share of the largest force
  UnknownWeights(const EquationsOfMotion& equations, const MotionLayout& layout, const Tolerances& tolerances,
                 double least_share = 1e-3);

  /// Renews the characteristic forces from f, M a and G^T lambda at a state; the equations are left there. Forces that
  /// have become smaller are forgotten by halves.
  void renew_forces(EquationsOfMotion& equations, const State& state);
  /// The same where the equations are at the state already.
  void renew_forces_here(EquationsOfMotion& equations, const State& state);
  /// For unknowns of the size of y, of which those before a are read: eta is of the size of errors and has no size.
  void renew(const Eigen::Ref<const Eigen::VectorXd>& y);

  const Eigen::VectorXd& values() const { return values_; }
  const Eigen::VectorXd& inverse_values() const { return inverse_values_; }
  /// The sizes by which increments of differences are chosen. A position or velocity that is zero by chance, under a
  /// tight tolerance, would get increments that drown in rounding: theirs are a hundredth of the largest of the kind,
  /// and 1e-3 [rad, characteristic lengths, and these per second], at least, which gives increments of 1.5e-11.
  /// Multipliers enter linearly for the most part, so that theirs are as large as the multipliers that go with the
  /// forces, and speeds.
  /// @param y  what `renew` had last
  const Eigen::VectorXd& for_increments(const Eigen::Ref<const Eigen::VectorXd>& y);
  /// Root mean square of a change in these units, the multipliers times h.
  double norm(const Eigen::VectorXd& change, double h) const;
  /// Without the multipliers.
  double norm_of_motion(const Eigen::VectorXd& change) const;
  /// The unknown that contributes most to it.
  int worst(const Eigen::VectorXd& change, double h) const;

 private:
  void find_largest(const Eigen::Ref<const Eigen::VectorXd>& y);
  double characteristic(const Eigen::VectorXd& forces) const;
  double least_force(EquationsOfMotion& equations, const Eigen::VectorXd& v) const;
  std::size_t kind(int i) const { return static_cast<std::size_t>(kinds_[static_cast<std::size_t>(i)]); }

  MotionLayout at_{Dimensions{}, false, {}};
  Tolerances tolerances_;
  double least_share_ = 0;
  Eigen::VectorXd relative_, absolute_;  // tolerances of p, v, r, w and s
  Eigen::VectorXd values_, inverse_values_, increments_;
  std::vector<int> kinds_;       // of positions and velocities, by unit
  std::vector<double> largest_;  // by kind
  Eigen::VectorXd unit_;         // what counts as one of each position and velocity
  Eigen::VectorXd metric_;       // of velocities (see velocity_metric)
  Eigen::VectorXd force_;        // by velocity
  Eigen::VectorXd multiplier_;   // size of a multiplier that goes with the forces, by row
  Eigen::VectorXd row_rate_;     // what an eta of 1 does to velocities with inertia, in units of these, by row
};

}  // namespace linkwork
