#pragma once

#include <linkwork/core/constraint.hpp>

namespace linkwork {

/// Knife edge (a blade, a wheel without slip to the side): the origin of a frame has no velocity along one direction
/// fixed in the frame, n . v = 0. Nonholonomic, 1 row; its multiplier is the lateral force [N].
template <class Space>
class KnifeEdge final : public Constraint<Space> {
 public:
  /// @param across  direction that is barred, frame's axes; by default the blade lies along the frame's x axis
  /// @throws ModelError if the frame is the ground's, or the axis of a planar edge leaves the plane
  explicit KnifeEdge(const Frame<Space>& frame, const Axis& across = Axis::y());
  std::string_view type() const override { return "knife edge"; }
  Level level() const override { return Level::nonholonomic; }
  int rows() const override { return 1; }
  RowUse row_use(int /*row*/, int /*frame*/) const override { return {.angular = false, .position = false}; }

 private:
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_bias(const Motion<Space>& m, double* bias) const override;
  Vector<Space> across_;
};

extern template class KnifeEdge<Planar>;
extern template class KnifeEdge<Spatial>;

}  // namespace linkwork
