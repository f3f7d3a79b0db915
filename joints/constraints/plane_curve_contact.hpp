#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/joints/constraints/plane_curve.hpp>

#include <vector>

namespace linkwork {

namespace detail {

/// Where two plane curves touch, or a curve and a point: the contact coordinates of the constraints below and their
/// equations. x_1, x_2 are the points of both curves, t_1, t_2 their unit tangents, all in ground axes:
///
///   c_1 = t_1 . (x_2 - x_1),   c_2 = t_1 x t_2      the second one for two curves only
///
/// c_s is singular where both curves have the same curvature: the contact point is not unique there.
class PlaneCurvePair : public Constraint<Planar> {
 public:
  int rows() const final { return 1; }
  bool is_relative() const final { return true; }
  int contacts() const final { return has_second_ ? 2 : 1; }
  double initial_contact(int index) const final { return start_[index]; }
  std::vector<Outline> outlines() const final;

 protected:
  PlaneCurvePair(std::string_view type, const Frame<Planar>& first, PlaneCurve first_curve, const Frame<Planar>& second,
                 PlaneCurve second_curve, const Exact<2>& start);
  /// The second curve shrunk to the origin of its frame.
  PlaneCurvePair(std::string_view type, const Frame<Planar>& first, PlaneCurve first_curve, const Frame<Planar>& second,
                 double start);

  /// The direction of the row at the unit tangent of the first curve: its left normal, so that g is the distance.
  virtual Eigen::Vector2d direction(const Eigen::Vector2d& tangent) const { return {-tangent.y(), tangent.x()}; }

 private:
  /// A curve at its contact coordinate, ground axes.
  struct Side {
    Eigen::Vector2d position = Eigen::Vector2d::Zero();
    Eigen::Vector2d tangent = Eigen::Vector2d::Zero();  ///< unit
    double stretch = 0;                                 ///< |dx/ds|
    double curvature = 0;                               ///< [1/m]
  };
  Side side(const Motion<Planar>& m, int k) const;
  /// How the contact moves.
  struct Rates {
    Eigen::Vector2d s = Eigen::Vector2d::Zero();       ///< s'
    double turning = 0;                                ///< of t_1 [rad/s]
    Eigen::Vector2d second = Eigen::Vector2d::Zero();  ///< x_2' [m/s]
  };
  /// @throws RecoverableFailure where the contact point is not unique
  Rates rates(const Motion<Planar>& m, const Side& first, const Side& second) const;

  /// g = direction . (x_2 - x_1); the rows are those of its derivative where c = 0.
  void do_residual(const Motion<Planar>& m, double* g) const final;
  void do_rows(const Motion<Planar>& m, ConstraintRows<Planar>& out) const final;
  void do_bias(const Motion<Planar>& m, double* bias) const final;
  void do_contact_residual(const Motion<Planar>& m, double* c) const final;
  void do_contact_rates(const Motion<Planar>& m, double* s_rates) const final;
  /// The force on the second body along `direction`.
  void do_report(const Motion<Planar>& m, const Wrench<Planar>& reaction, double* values) const final;

  PlaneCurve curves_[2];
  bool has_second_;
  Eigen::Vector2d start_;
};

}  // namespace detail

/// The origin of a frame on a plane curve: it slides along it without friction.
///   s: parameter of the curve at the foot of the perpendicular
///   g = n . (x - x_1), n the left normal of the curve at s; 1 row [m], the multiplier is the force along -n on the
///   point
class PointOnPlaneCurve final : public detail::PlaneCurvePair {
 public:
  /// @param on     frame that the curve is fixed to
  /// @param point  frame whose origin is on it
  /// @param start  parameter near which the point is at the start
  /// @throws ModelError if both frames are on one body or `start` is not finite
  PointOnPlaneCurve(const Frame<Planar>& on, PlaneCurve curve, const Frame<Planar>& point, double start);
  std::string_view type() const override { return "point on plane curve"; }
  /// On the point, along n.
  std::vector<ElementReport> reports() const override { return {{"normal force", "N"}}; }
};

/// Two plane curves that stay in touch and slide on each other without friction: cams, profiles, rollers.
///   s: parameters of both curves at the contact
///   g = n . (x_2 - x_1), n the left normal of the first curve; 1 row [m], the multiplier is the force along -n on the
///   second body. It holds both ways: a negative force along n on the second body presses, a positive one pulls.
class PlaneCurveContact final : public detail::PlaneCurvePair {
 public:
  /// @param start  parameters of both curves near the contact at the start
  /// @throws ModelError if both frames are on one body or `start` is not finite
  PlaneCurveContact(const Frame<Planar>& first, PlaneCurve first_curve, const Frame<Planar>& second,
                    PlaneCurve second_curve, const Exact<2>& start);
  std::string_view type() const override { return "plane curve contact"; }
  /// On the second body, along n.
  std::vector<ElementReport> reports() const override { return {{"normal force", "N"}}; }
};

/// No slip where two plane curves touch, beside PlaneCurveContact, which keeps them in touch: they roll on each other.
///   0 = t . (velocity of the second body - that of the first) at x_2, t the unit tangent of the first curve;
///   1 nonholonomic row, the multiplier is the force along -t on the second body
class PlaneCurveRolling final : public detail::PlaneCurvePair {
 public:
  /// The arguments of PlaneCurveContact.
  PlaneCurveRolling(const Frame<Planar>& first, PlaneCurve first_curve, const Frame<Planar>& second,
                    PlaneCurve second_curve, const Exact<2>& start);
  std::string_view type() const override { return "plane curve rolling"; }
  /// On the second body, along t.
  std::vector<ElementReport> reports() const override { return {{"friction force", "N"}}; }
  Level level() const override { return Level::nonholonomic; }

 private:
  Eigen::Vector2d direction(const Eigen::Vector2d& tangent) const override { return tangent; }
};

}  // namespace linkwork
