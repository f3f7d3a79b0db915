#pragma once

#include <linkwork/core/constraint.hpp>

#include <vector>

namespace linkwork {

namespace detail {

/// A thin disc over the plane z = 0 of a frame: what the constraints below share. With n the plane's normal, a the
/// disc's axle, c its middle and R its radius, the lowest point of the rim is
///
///   P = c - R u,   u = (n - (n . a) a) / |n - (n . a) a|
///
/// Where the disc lies flat there is no such point; evaluation throws RecoverableFailure within 1e-6 rad of that.
class DiscAndPlane : public Constraint<Spatial> {
 public:
  bool is_relative() const final { return true; }
  bool is_invariant() const final { return true; }
  double difference_step() const final { return 0.002; }  // P runs fast along the rim of a disc that nearly lies flat

 protected:
  DiscAndPlane(std::string_view type, const Frame<Spatial>& plane, const Frame<Spatial>& disc, double radius,
               const Axis& axle);

  /// All in ground axes.
  struct Contact {
    Eigen::Vector3d normal, axle;  ///< n, a
    Eigen::Vector3d up;            ///< u
    double sine = 0;               ///< of the angle between n and a
    Eigen::Vector3d arm;           ///< from c to P [m]
    Eigen::Vector3d from_plane;    ///< from the plane's origin to P [m]
  };
  Contact contact(const Motion<Spatial>& m) const;

  /// A row: the velocity, along `direction` of the plane, at which the disc's material at P moves over the plane's.
  static void add_row(int row, const Contact& at, const Eigen::Vector3d& direction, ConstraintRows<Spatial>& out);
  /// The bias of such rows, whose directions are columns fixed in the plane.
  template <int count>
  Eigen::Matrix<double, count, 1> bias(const Motion<Spatial>& m,
                                       const Eigen::Matrix<double, 3, count>& directions) const;

 private:
  double radius_;
  Eigen::Vector3d axle_;  ///< in the disc's frame
};

}  // namespace detail

/// The rim of a thin disc touches the plane z = 0 of a frame, from above: g = n . (P - o) [m], the height of the rim's
/// lowest point P. Holonomic, 1 row; its multiplier is the force that pulls the disc down [N], so that it is negative
/// where the plane carries the disc. The disc slides freely; with RollingDisc beside it, it rolls.
class DiscOnPlane final : public detail::DiscAndPlane {
 public:
  /// @param disc    at the middle of the disc      @param radius  [m], > 0
  /// @param axle    of the disc, in its frame's axes
  /// @throws ModelError if the radius is not positive and finite, or both frames are on one body
  DiscOnPlane(const Frame<Spatial>& plane, const Frame<Spatial>& disc, double radius, const Axis& axle = Axis::y());
  std::string_view type() const override { return "disc on plane"; }
  int rows() const override { return 1; }
  /// How strongly the plane pushes the disc along its normal.
  std::vector<ElementReport> reports() const override { return {{"load", "N"}}; }

 private:
  void do_residual(const Motion<Spatial>& m, double* g) const override;
  void do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const override;
  void do_bias(const Motion<Spatial>& m, double* bias) const override;
  void do_report(const Motion<Spatial>& m, const Wrench<Spatial>& reaction, double* values) const override;
};

/// A thin disc rolls without slip on the plane z = 0 of a frame, which may move: along the plane's x and y axes the
/// disc's material at the lowest point of the rim has the velocity of the plane's. Nonholonomic, 2 rows [m/s]; the
/// multipliers are minus the friction force on the disc along these axes [N]. That the disc touches the plane is a
/// matter of its own: DiscOnPlane, or whatever else keeps its height.
class RollingDisc final : public detail::DiscAndPlane {
 public:
  /// As DiscOnPlane.
  RollingDisc(const Frame<Spatial>& plane, const Frame<Spatial>& disc, double radius, const Axis& axle = Axis::y());
  std::string_view type() const override { return "rolling disc"; }
  Level level() const override { return Level::nonholonomic; }
  int rows() const override { return 2; }
  /// On the disc along the plane's x and y axes.
  std::vector<ElementReport> reports() const override { return {{"friction force x", "N"}, {"friction force y", "N"}}; }

 private:
  void do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const override;
  void do_bias(const Motion<Spatial>& m, double* bias) const override;
  void do_report(const Motion<Spatial>& m, const Wrench<Spatial>& reaction, double* values) const override;
};

}  // namespace linkwork
