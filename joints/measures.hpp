#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/space.hpp>

/// Quantities measured between two frames of a constraint, with their exact derivatives everywhere:
///
///   value(m, father, son)                        father and son are numbers of frames
///   add_rows(m, father, son, factor, row, out)   adds factor times the derivative to a row of both frames' blocks
///   drift(m, father, son)                        the second derivative without the frames' accelerations
///   use(frame)                                   how the rows use the father's frame (0) or the son's (1)
namespace linkwork::measures {

/// The angle by which the son has turned in the father about an axis of the father, from a zero attitude [rad]. In the
/// plane it counts full turns; in space it is known up to full turns, and is that of the rotation that is left when one
/// about a perpendicular axis is taken away (swing and twist). No angle is left to measure where that other rotation is
/// half a turn.
template <class Space>
class Turn;

template <>
class Turn<Planar> {
 public:
  explicit Turn(double zero = 0) : zero_(zero) {}
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false, .rotation = false}; }
  double value(const Motion<Planar>& m, int father, int son) const {
    return m.frame(son).pose.angle - m.frame(father).pose.angle - zero_;
  }
  void add_rows(const Motion<Planar>& m, int father, int son, double factor, int row,
                ConstraintRows<Planar>& out) const;
  double drift(const Motion<Planar>& /*m*/, int /*father*/, int /*son*/) const { return 0; }

 private:
  double zero_;
};

template <>
class Turn<Spatial> {
 public:
  /// @param axis  unit vector, in the axes of the attitude at zero
  /// @param zero  that attitude in the father
  explicit Turn(const Exact<3>& axis, const Exact<3, 3>& zero = Eigen::Matrix3d::Identity())
      : axis_(axis), zero_(zero) {}
  static RowUse use(int /*frame*/) { return {.linear = false, .position = false}; }
  double value(const Motion<Spatial>& m, int father, int son) const;
  void add_rows(const Motion<Spatial>& m, int father, int son, double factor, int row,
                ConstraintRows<Spatial>& out) const;
  double drift(const Motion<Spatial>& m, int father, int son) const;

 private:
  struct SwingAndTwist;
  SwingAndTwist parts(const Motion<Spatial>& m, int father, int son) const;
  Eigen::Vector3d axis_;
  Eigen::Matrix3d zero_;
};

/// The displacement of the son's origin from the father's along a direction fixed in the father, less its zero:
/// direction . d - zero. [m] for a unit vector.
template <class Space>
class Travel {
 public:
  explicit Travel(const ExactVector<Space>& direction, double zero = 0) : direction_(direction), zero_(zero) {}
  /// The son's rows are the direction alone.
  static RowUse use(int frame) { return frame == 0 ? RowUse{} : RowUse{.angular = false, .rotation = false}; }
  double value(const Motion<Space>& m, int father, int son) const;
  void add_rows(const Motion<Space>& m, int father, int son, double factor, int row, ConstraintRows<Space>& out) const;
  double drift(const Motion<Space>& m, int father, int son) const;

 private:
  Vector<Space> direction_;
  double zero_;
};

extern template class Travel<Planar>;
extern template class Travel<Spatial>;

}  // namespace linkwork::measures
