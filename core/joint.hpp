#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/pose.hpp>

#include <optional>

namespace linkwork {

/// Columns of twists, angular part first: a basis of a joint's motions. Sizes are known at run time only, but never
/// exceed n, so that nothing is allocated.
template <class Space>
using Subspace = Eigen::Matrix<double, Space::n, Eigen::Dynamic, 0, Space::n, Space::n>;

/// The explicit side of a joint at (t, q): where its son's frame is in its father's, and how it moves,
///
///   V = S v + drift,    V' = S v' + bias       V the son's twist in the father, son's axes, angular part first,
///                                              V' the derivative of its components
template <class Space>
struct JointMotion {
  Pose<Space> X;
  Subspace<Space> S;  ///< n x freedoms
  Components<Space> drift = Components<Space>::Zero();
};

/// A joint whose S never changes and whose freedoms commute: X(q) = X(0) exp(S q). Such a joint is data to the
/// recursion, which then calls no function of it.
template <class Space>
struct ConstantMotion {
  Pose<Space> X;  ///< at q = 0
  Subspace<Space> S;
};

/// Extension point: a joint between a frame of its father and a frame of its son.
///
/// A new joint must give X(q) only (do_pose), and do_home and do_retract where q has more entries than the joint has
/// freedoms. Its motion (S, drift, bias) then comes by sixth-order central differences of X, on the group: accurate to
/// about 1e-13 (S, drift) and 1e-11 (bias) for joints of metre and radian size. The same joint as a constraint follows
/// from that. With V the twist of the son's frame in the father's (son's axes, angular part first), S(q) the motion
/// subspace, V = S v + drift, and X_AB the present pose of son in father:
///
///   q*  solves S^T e = 0 with e = log(X(q*)^-1 X_AB)        the nearest coordinates, by Gauss-Newton
///   g = N^T e,   g' = N^T (V - drift)                        N^T S = 0, the reciprocal complement
///
/// N is the identity on n - freedoms components of a twist; the others are the dependent ones. The bias of the rows
/// comes from differences of do_rows as for every constraint (about 1e-10). Joints that know their rows in closed form
/// override do_residual and do_rows of Constraint together, and do_bias if they like; joints that know their motion in
/// closed form override do_motion and do_motion_bias together, or give constant_motion alone.
///
/// Limits of the derived side: at a distance d from the joint's manifold the rows differ from the derivative of the
/// residual by O(d). The dependent components are chosen at a restart and kept, so that multipliers do not jump; they
/// are renewed at an accepted step only when the rows would otherwise lose two digits. Evaluation throws
/// RecoverableFailure where no coordinates are found.
template <class Space>
class Joint : public Constraint<Space> {
 public:
  /// Freedoms of the relative motion; its rows as a constraint are Space::n - freedoms().
  virtual int freedoms() const = 0;
  /// Entries of q; more than freedoms() for joints with a quaternion.
  virtual int coordinates() const { return freedoms(); }
  int rows() const final { return Space::n - freedoms(); }
  bool is_relative() const final { return true; }
  /// Of a derived row: whether its component of the twist is angular at the joint's zero.
  bool is_angular(int row) const override;
  /// The nearest coordinates and the dependent components.
  /// @throws ModelError if freedoms() or coordinates() make no sense
  int memory_size() const override;

  /// Pose of the son's joint frame in the father's.
  /// @param q  coordinates() numbers [m, rad, quaternion]
  Pose<Space> pose(Instant time, const double* q) const;
  /// q at the joint's zero.
  void home(double* q) const { do_home(q); }
  /// q_new = q "plus" a tangent step of freedoms() numbers, normalised; q and q_new may be one array. A step of zeros
  /// restores the norm of redundant coordinates.
  void retract(const double* q, const double* step, double* q_new) const { do_retract(q, step, q_new); }

  /// Whether a coordinate only shifts the son along a direction fixed in the father: the rotation and, in the son's
  /// axes, S, drift and bias do not depend on it, and its rate is the velocity that stands as far from the end of v as
  /// the coordinate from the end of q. Where constant_motion() is given it says so itself.
  virtual bool is_shift(int /*coordinate*/) const { return false; }
  /// Whether q' = v at every q. A joint that gives do_rate though it has as many coordinates as freedoms says no.
  virtual bool rate_is_velocity() const { return coordinates() == freedoms(); }

  /// Given where S never changes and X(q) = X(0) exp(S q); the other functions of the motion then follow from it.
  virtual std::optional<ConstantMotion<Space>> constant_motion() const { return {}; }
  /// X, S and drift. `out.S` gets freedoms() columns.
  void motion(Instant time, const double* q, JointMotion<Space>& out) const { do_motion(time, q, out); }
  /// The bias of V': all of the derivative of V's components but S v'.
  /// @param v  freedoms() numbers
  void motion_bias(Instant time, const double* q, const double* v, Components<Space>& bias) const {
    do_motion_bias(time, q, v, bias);
  }
  /// q' = Z(q) v, coordinates() numbers.
  void rate(const double* q, const double* v, double* q_rate) const { do_rate(q, v, q_rate); }
  /// The coordinates nearest to a pose of the son's frame in the father's, looked for from q on.
  /// @throws RecoverableFailure where none are found
  void locate(Instant time, const Pose<Space>& X, double* q) const { do_locate(time, X, q); }

 protected:
  /// Father's and son's frame come from Model::add_joint; before that a joint has two frames of no model.
  Joint() : Constraint<Space>(std::vector<Frame<Space>>(2)) {}

 private:
  /// X arrives as the identity. Planar: the rotation is read, the angle is not.
  virtual void do_pose(Instant time, const double* q, Pose<Space>& X) const = 0;
  /// Default: zeros. @throws ModelError if q has more entries than the joint has freedoms
  virtual void do_home(double* q) const;
  /// Default: q + step. @throws ModelError if q has more entries than the joint has freedoms
  virtual void do_retract(const double* q, const double* step, double* q_new) const;
  /// Defaults: from constant_motion() where it is given, else by differences along retractions.
  virtual void do_motion(Instant time, const double* q, JointMotion<Space>& out) const;
  virtual void do_motion_bias(Instant time, const double* q, const double* v, Components<Space>& bias) const;
  virtual void do_rate(const double* q, const double* v, double* q_rate) const;
  /// Default: Gauss-Newton on X.
  virtual void do_locate(Instant time, const Pose<Space>& X, double* q) const;

  void do_residual(const Motion<Space>& m, double* g) const override;
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_remember(const Motion<Space>& m, bool restart, double* memory) const override;
};

extern template class Joint<Planar>;
extern template class Joint<Spatial>;

}  // namespace linkwork
