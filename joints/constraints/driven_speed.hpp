#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/input.hpp>

#include <vector>

namespace linkwork {

/// Drive that keeps the speed of a frame's origin along an axis of the frame at a prescribed one, n . v = u(t) [m/s]:
/// a vehicle that holds its speed, a conveyed body. Nonholonomic, 1 row; its multiplier is minus the driving force [N].
/// Of the input, `value` is the speed and `rate` the acceleration; the third number is not read.
template <class Space>
class DrivenSpeed final : public Constraint<Space> {
 public:
  /// @param along  direction of the speed, frame's axes
  /// @throws ModelError if the frame is the ground's, the input is empty, or the axis of a planar drive leaves the
  /// plane
  DrivenSpeed(const Frame<Space>& frame, const Axis& along, Input speed);
  std::string_view type() const override { return "driven speed"; }
  Level level() const override { return Level::nonholonomic; }
  int rows() const override { return 1; }
  std::vector<Input> inputs() const override { return {speed_}; }

 private:
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_bias(const Motion<Space>& m, double* bias) const override;
  Vector<Space> along_;
  Input speed_;
};

extern template class DrivenSpeed<Planar>;
extern template class DrivenSpeed<Spatial>;

}  // namespace linkwork
