#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/joints/measures.hpp>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

/// Pieces that joints are made of as constraints: a few rows each between frame 0 (father) and frame 1 (son), in closed
/// form. On and off the joint's manifold the rows are the exact derivative of the residual, and the bias that of the
/// rows. A piece has
///
///   count, is_angular        its number of rows; whether they measure an angle [rad] or a length [m]
///   residual(m, g)           g: count numbers
///   rows(m, first, out)      writes rows first ... first + count - 1 of both frames, and their rates
///   bias(m, bias)            count numbers
///
/// and, where it can say more than nothing about itself (see Constraint):
///
///   is_invariant             Constraint::is_invariant
///   use(frame)               Constraint::row_use of all its rows
///   inputs()                 Constraint::inputs
///
/// Symbols: d = r_son - r_father, omega = omega_son - omega_father, all in ground axes.
namespace linkwork::pieces {

/// Direction of an axis of a planar element.
/// @throws ModelError naming the element if the axis leaves the plane
Eigen::Vector2d direction_in_plane(const Axis& axis, std::string_view element);

/// The input itself.
/// @throws ModelError naming the element if there is no function in it
Input checked(Input input, std::string_view element, const char* quantity);

/// The origins coincide: g = d, in ground axes, so that a row touches one coordinate of the origins only.
template <class Space>
class CommonOrigin {
 public:
  static constexpr int count = Space::dimension;
  static constexpr bool is_angular = false;
  static RowUse use(int /*frame*/) { return {.angular = false, .position = false, .rotation = false}; }
  void residual(const Motion<Space>& m, double* g) const;
  void rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const;
  void bias(const Motion<Space>& m, double* bias) const;
};

/// The son's origin does not leave the father's along given directions: g_i = b_i . d, b_i fixed in the father.
template <class Space, int directions>
class NoTravel {
 public:
  static constexpr int count = directions;
  static constexpr bool is_angular = false;
  static constexpr bool is_invariant = true;
  /// The son's rows are directions fixed in the father.
  static RowUse use(int frame) { return frame == 0 ? RowUse{} : RowUse{.angular = false, .rotation = false}; }
  /// @param fixed  unit vectors in the father's frame
  explicit NoTravel(const std::array<ExactVector<Space>, directions>& fixed) : fixed_(fixed) {}
  void residual(const Motion<Space>& m, double* g) const;
  void rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const;
  void bias(const Motion<Space>& m, double* bias) const;

 private:
  std::array<ExactVector<Space>, directions> fixed_;
};

/// The son's origin travels along a direction fixed in the father as prescribed: g = b . d - u(t).
template <class Space>
class DrivenTravel {
 public:
  static constexpr int count = 1;
  static constexpr bool is_angular = false;
  static constexpr bool is_invariant = true;
  /// The son's rows are directions fixed in the father.
  static RowUse use(int frame) { return frame == 0 ? RowUse{} : RowUse{.angular = false, .rotation = false}; }
  /// @param direction  unit vector in the father's frame
  DrivenTravel(const ExactVector<Space>& direction, Input displacement)
      : direction_(direction), travel_(direction), displacement_(std::move(displacement)) {}
  void residual(const Motion<Space>& m, double* g) const;
  void rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const;
  void bias(const Motion<Space>& m, double* bias) const;
  std::vector<Input> inputs() const { return {displacement_}; }
  InputValue displacement(Instant time) const { return displacement_(time); }
  const Vector<Space>& direction() const { return direction_; }

 private:
  Vector<Space> direction_;
  measures::Travel<Space> travel_;
  Input displacement_;
};

/// The son advances along an axis of the father by a pitch [m/rad] times the angle by which it turns about it:
/// g = s - pitch theta [m]. The angle is known up to full turns; the thread nearest to the displacement s counts, so
/// that a full turn advances and half a thread off is no root.
class Threaded {
 public:
  static constexpr int count = 1;
  static constexpr bool is_angular = false;
  static constexpr bool is_invariant = true;
  /// @param pitch  not zero
  Threaded(const Axis& axis, double pitch) : turn_(axis.direction()), travel_(axis.direction()), pitch_(pitch) {}
  void residual(const Motion<Spatial>& m, double* g) const;
  void rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const;
  void bias(const Motion<Spatial>& m, double* bias) const;

 private:
  measures::Turn<Spatial> turn_;
  measures::Travel<Spatial> travel_;
  double pitch_;
};

/// The son bends off an axis without turning about it (see measures::Turn): g is that angle, which is 0, not half a
/// turn.
class NoTwist {
 public:
  static constexpr int count = 1;
  static constexpr bool is_angular = true;
  static constexpr bool is_invariant = true;
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false}; }
  explicit NoTwist(const Axis& axis) : turn_(axis.direction()) {}
  void residual(const Motion<Spatial>& m, double* g) const;
  void rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const;
  void bias(const Motion<Spatial>& m, double* bias) const;

 private:
  measures::Turn<Spatial> turn_;
};

/// An axis that both frames share stays parallel, and points the same way:
///   g_i = 2 (a . b_i) / (1 + a . z), i = 1, 2;   a the axis in the son, (b_1, b_2, z) in the father, z the axis.
/// |g| = 2 tan(theta / 2) with theta the angle between both axes: it grows without bound towards opposite axes, which
/// are therefore no root (within 1e-6 rad of them |g| is 2e6).
class ParallelAxes {
 public:
  static constexpr int count = 2;
  static constexpr bool is_angular = true;
  static constexpr bool is_invariant = true;
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false}; }
  explicit ParallelAxes(const Axis& axis) : frame_(axis.frame()) {}
  void residual(const Motion<Spatial>& m, double* g) const;
  void rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const;
  void bias(const Motion<Spatial>& m, double* bias) const;

 private:
  struct Geometry;
  Geometry geometry(const Motion<Spatial>& m) const;
  Eigen::Matrix3d frame_;  ///< columns b_1, b_2, z
};

/// An axis fixed in the father stays perpendicular to one fixed in the son: g = a_father . a_son, the sine of the angle
/// by which they deviate.
class PerpendicularAxes {
 public:
  static constexpr int count = 1;
  static constexpr bool is_angular = true;
  static constexpr bool is_invariant = true;
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false}; }
  PerpendicularAxes(const Axis& in_father, const Axis& in_son)
      : in_father_(in_father.direction()), in_son_(in_son.direction()) {}
  void residual(const Motion<Spatial>& m, double* g) const;
  void rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const;
  void bias(const Motion<Spatial>& m, double* bias) const;

 private:
  Eigen::Vector3d in_father_, in_son_;
};

/// The son is turned in the father as a target says. Planar: g is the difference of the angles less the nearest number
/// of full turns, so that a start that is some turns off is consistent, and half a turn is no root. Spatial: with
/// theta and unit vector n of the rotation from the target to the son, in the son's axes,
///   g = 2 tan(theta / 2) n,    g' = (1 + [g]x / 2 + g g^T / 4) omega
/// (twice the Gibbs vector): without bound towards half a turn, which is no root (within 1e-6 rad of it |g| is 2e6).
template <class Space>
class SameOrientation {
 public:
  static constexpr int count = Space::angular;
  static constexpr bool is_angular = true;
  static constexpr bool is_invariant = true;
  /// In the plane the rows are constant.
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false, .rotation = Space::dimension == 3}; }
  void residual(const Motion<Space>& m, double* g) const;
  void rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const;
  void bias(const Motion<Space>& m, double* bias) const;
};

/// As SameOrientation, the target turning about an axis of the father by a prescribed angle u(t) [rad].
template <class Space>
class DrivenOrientation {
 public:
  static constexpr int count = Space::angular;
  static constexpr bool is_angular = true;
  static constexpr bool is_invariant = true;
  /// In the plane the rows are constant.
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false, .rotation = Space::dimension == 3}; }
  /// @param axis  planar: positive about the normal of the plane, whatever is given
  DrivenOrientation(const Axis& axis, Input angle) : axis_(axis), angle_(std::move(angle)) {}
  void residual(const Motion<Space>& m, double* g) const;
  void rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const;
  void bias(const Motion<Space>& m, double* bias) const;
  std::vector<Input> inputs() const { return {angle_}; }
  InputValue angle(Instant time) const { return angle_(time); }
  const Axis& axis() const { return axis_; }

 private:
  Axis axis_;
  Input angle_;
};

extern template class CommonOrigin<Planar>;
extern template class CommonOrigin<Spatial>;
extern template class NoTravel<Planar, 1>;
extern template class NoTravel<Spatial, 1>;
extern template class NoTravel<Spatial, 2>;
extern template class DrivenTravel<Planar>;
extern template class DrivenTravel<Spatial>;
extern template class SameOrientation<Planar>;
extern template class SameOrientation<Spatial>;
extern template class DrivenOrientation<Planar>;
extern template class DrivenOrientation<Spatial>;

}  // namespace linkwork::pieces
