#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/handles.hpp>
#include <linkwork/joints/joint_coordinate.hpp>

#include <array>

namespace linkwork {

/// Gear: couples the coordinates of two joints with one freedom each, angles [rad] or displacements [m]:
///
///   g = q_second - ratio q_first - phase,    1 row
///
/// The teeth mesh as the bodies are placed: the phase is what makes g zero at the start. Full turns count. The
/// constraint has no frames of its own but acts on those of the joints: the torque about the second axis is balanced in
/// the frames of its father, and so at the first. External wheels of radii r_1, r_2 on parallel axes have the ratio
/// -r_1 / r_2; a pinion of radius r and a rack as joints have +-r.
///
/// In space frames tell an angle up to full turns only. Which turn the faster joint is on follows from the slower one:
/// half a turn off is no root. Which turn that is on matters only if the faster one makes no whole number of turns
/// meanwhile; it then follows from the angle and the rate at the last accepted step, extrapolated. A step so long that
/// it departs by half a turn or more from that meets teeth that do not mesh: evaluation throws RecoverableFailure, and
/// the integrator takes a shorter one.
template <class Space>
class Gear final : public Constraint<Space> {
 public:
  /// @param ratio  q_second' / q_first', finite, not zero
  /// @throws ModelError if a handle is that of no joint, both are one joint or of two models, a joint has not exactly
  /// one freedom, or the ratio is zero or not finite
  Gear(const JointRef<Space>& first, const JointRef<Space>& second, double ratio);
  std::string_view type() const override { return "gear"; }
  int rows() const override { return 1; }
  bool is_angular(int row) const override;
  bool is_relative() const override { return true; }
  bool is_invariant() const override { return true; }
  RowUse row_use(int row, int frame) const override;
  std::vector<JointRef<Space>> joints() const override { return {joints_.begin(), joints_.end()}; }
  int memory_size() const override { return size; }

 private:
  /// What is remembered: the coordinates of both joints, their rates, the time, the phase, and 1 where that is known.
  enum Memory { coordinate = 0, rate = 2, time = 4, phase = 5, known = 6, size = 7 };

  void do_residual(const Motion<Space>& m, double* g) const override;
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_bias(const Motion<Space>& m, double* bias) const override;
  void do_remember(const Motion<Space>& m, bool restart, double* memory) const override;
  using Remembered = std::array<double, size>;
  static Remembered remembered(const Motion<Space>& m);
  /// The coordinate of a joint as it is extrapolated to a time.
  static double expected(int joint, double at_time, const Remembered& memory);
  /// The present coordinates, on the turns where they fit each other. The frames of joint k are 2 k (father) and
  /// 2 k + 1 (son).
  std::array<double, 2> present(const Motion<Space>& m, const Remembered& memory) const;
  double residual_of(const std::array<double, 2>& q) const { return factors_[0] * q[0] + factors_[1] * q[1]; }

  std::array<JointRef<Space>, 2> joints_;
  std::array<JointCoordinate<Space>, 2> coordinates_;
  std::array<double, 2> factors_;  ///< of the coordinates in g
  int slower_ = 0;                 ///< joint
  /// Half of what a few wrong turns of the slower joint change in g at least; infinite where they change nothing.
  double largest_gap_;
};

extern template class Gear<Planar>;
extern template class Gear<Spatial>;

}  // namespace linkwork
