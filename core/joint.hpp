#pragma once

#include <linkwork/core/constraint.hpp>

namespace linkwork {

/// Extension point: a joint between a frame of its father and a frame of its son.
///
/// A new joint must give X(q) only (do_pose), and do_home and do_retract where q has more entries than the joint has
/// freedoms. The same joint as a constraint then follows. With V the twist of the son's frame in the father's (son's
/// axes, angular part first), S(q) the motion subspace, V = S v + drift, and X_AB the present pose of son in father:
///
///   q*  solves S^T e = 0 with e = log(X(q*)^-1 X_AB)        the nearest coordinates, by Gauss-Newton
///   g = N^T e,   g' = N^T (V - drift)                        N^T S = 0, the reciprocal complement
///
/// N is the identity on n - freedoms components of a twist; the others are the dependent ones. S and drift come from
/// sixth-order central differences (accurate to about 1e-13 for joints of metre and radian size), the bias from
/// differences of do_rows as for every constraint (about 1e-10). Joints that know their rows in closed form override
/// do_residual and do_rows of Constraint together, and do_bias if they like.
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
  /// Of a derived row: whether its component of the twist is angular at the joint's zero.
  bool is_angular(int row) const override;
  /// The nearest coordinates and the dependent components.
  /// @throws ModelError if freedoms() or coordinates() make no sense
  int memory_size() const override;

  /// Pose of the son's joint frame in the father's.
  /// @param q  coordinates() numbers [m, rad, quaternion]
  Pose<Space> pose(double time, const double* q) const;
  /// q at the joint's zero.
  void home(double* q) const { do_home(q); }
  /// q_new = q "plus" a tangent step of freedoms() numbers, normalised.
  void retract(const double* q, const double* step, double* q_new) const { do_retract(q, step, q_new); }

 protected:
  Joint() : Constraint<Space>(std::vector<Frame<Space>>{}) {}

 private:
  /// X arrives as the identity. Planar: the rotation is read, the angle is not.
  virtual void do_pose(double time, const double* q, Pose<Space>& X) const = 0;
  /// Default: zeros. @throws ModelError if q has more entries than the joint has freedoms
  virtual void do_home(double* q) const;
  /// Default: q + step. @throws ModelError if q has more entries than the joint has freedoms
  virtual void do_retract(const double* q, const double* step, double* q_new) const;

  void do_residual(const Motion<Space>& m, double* g) const override;
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_remember(const Motion<Space>& m, bool restart, double* memory) const override;
};

extern template class Joint<Planar>;
extern template class Joint<Spatial>;

}  // namespace linkwork
