#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/joints/measures.hpp>

namespace linkwork {

/// Rack and pinion: a wheel that rolls on a straight line of another body without slip. 1 row [m]:
///
///   g = s + r theta - phase    s the displacement of the pinion's centre along the rack, theta the pinion's angle in
///   it
///
/// The pinion's centre is on the left of the rack's direction (at axis x direction from the pitch line, for r > 0; on
/// the right for r < 0). Only the relative motion counts: the rack may be fixed and the pinion roll, or the pinion's
/// bearing be fixed and the rack slide. Guides and bearings are joints of their own, and keep the distance r.
///
/// The teeth mesh as the bodies are placed: the phase is what makes g zero at the start. Which turn the pinion is on
/// follows from the displacement; half a turn off is no root.
template <class Space>
class RackAndPinion final : public Constraint<Space> {
 public:
  /// @param rack       its frame; the direction is in its axes
  /// @param pinion     frame at the pinion's centre
  /// @param radius     of the pitch circle [m], finite, not zero
  /// @throws ModelError if the radius is zero or not finite, both frames are on one body, or the direction leaves the
  /// plane
  RackAndPinion(const Frame<Space>& rack, const Frame<Space>& pinion, double radius,
                const Axis& direction = Axis::x()) requires(Space::dimension == 2);
  /// @param axis  of the pinion, in the axes of both frames
  /// @throws ModelError also if the axis is not perpendicular to the direction to within 1e-9
  RackAndPinion(const Frame<Space>& rack, const Frame<Space>& pinion, double radius, const Axis& direction = Axis::x(),
                const Axis& axis = Axis::z()) requires(Space::dimension == 3);
  std::string_view type() const override { return "rack and pinion"; }
  int rows() const override { return 1; }
  bool is_relative() const override { return true; }
  bool is_invariant() const override { return true; }
  int memory_size() const override { return size; }

 private:
  /// What is remembered: the phase, and 1 where it is known.
  enum Memory { phase = 0, known = 1, size = 2 };

  void do_residual(const Motion<Space>& m, double* g) const override;
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_bias(const Motion<Space>& m, double* bias) const override;
  void do_remember(const Motion<Space>& m, bool restart, double* memory) const override;

  double radius_;
  measures::Travel<Space> travel_;
  measures::Turn<Space> turn_;
};

extern template class RackAndPinion<Planar>;
extern template class RackAndPinion<Spatial>;

}  // namespace linkwork
