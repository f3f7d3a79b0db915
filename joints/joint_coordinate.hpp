#pragma once

#include <linkwork/core/joint.hpp>
#include <linkwork/joints/measures.hpp>

#include <variant>

namespace linkwork {

/// The coordinate of a joint with one freedom, measured from the frames of its father and its son, for constraints that
/// couple joints. Exact everywhere for joints whose motion is constant (Revolute, Prismatic, Screw); for others it is
/// that of the nearest pose of the joint, with rows that are exact on the joint's manifold only.
template <class Space>
class JointCoordinate {
 public:
  /// @param joint  with one freedom and one coordinate; it must outlive this
  explicit JointCoordinate(const Joint<Space>& joint);
  /// Whether it is an angle [rad] and not a displacement [m].
  bool is_angular() const { return is_angular_; }
  /// How value and add_rows use the father's frame (0) or the son's (1).
  RowUse use(int frame) const;
  /// What a full turn changes of it where frames tell an angle up to full turns; 0 where they tell all.
  double period() const { return period_; }
  /// @param father  number of the father's frame in m; the son's is the next
  /// @param guess   for an angle in space, which the frames tell up to full turns: the nearest is taken
  double value(const Motion<Space>& m, int father, double guess) const;
  /// Adds factor times the derivative to a row of both frames' blocks, and to the rate.
  void add_rows(const Motion<Space>& m, int father, double guess, double factor, int row,
                ConstraintRows<Space>& out) const;
  /// The second derivative without the frames' accelerations.
  double drift(const Motion<Space>& m, int father, double guess) const;

 private:
  struct Located {
    const Joint<Space>* joint;
  };
  using Turn = measures::Turn<Space>;
  using Travel = measures::Travel<Space>;
  std::variant<Turn, Travel, Located> measure_;
  double per_turn_ = 1;  ///< coordinate per angle of a Turn
  double period_ = 0;
  bool is_angular_ = true;
};

extern template class JointCoordinate<Planar>;
extern template class JointCoordinate<Spatial>;

}  // namespace linkwork
