#pragma once

#include <linkwork/core/constraint.hpp>

namespace linkwork {

/// Extension point: a joint between a frame of its father and a frame of its son.
///
/// A new joint must give X(q) only (do_pose), and do_home and do_retract where q has more entries than the joint has
/// freedoms. The same joint as a constraint then follows: with q* the coordinates nearest to the present pose and
/// e = log(X(q*)^-1 X_AB), the residual is N^T e with N the reciprocal complement of the motion subspace S(q*).
/// S and all rates come from sixth-order central differences (accurate to about 1e-11 for joints of metre and radian
/// size). Joints that know their rows in closed form override do_residual, do_rows and do_bias of Constraint.
///
/// Limits of the derived side: near X the rows are the derivative of the residual to first order in the distance to
/// the joint's manifold; the choice of rows is kept in the joint's memory until a restart.
template <class Space>
class Joint : public Constraint<Space> {
 public:
  /// Freedoms of the relative motion; its rows as a constraint are Space::n - freedoms().
  virtual int freedoms() const = 0;
  /// Entries of q; more than freedoms() for joints with a quaternion.
  virtual int coordinates() const { return freedoms(); }
  int rows() const final { return Space::n - freedoms(); }
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
  virtual void do_pose(double time, const double* q, Pose<Space>& X) const = 0;
  virtual void do_home(double* q) const;
  virtual void do_retract(const double* q, const double* step, double* q_new) const;

  void do_residual(const Motion<Space>& m, double* g) const override;
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_bias(const Motion<Space>& m, double* bias) const override;
  void do_remember(const Motion<Space>& m, bool restart, double* memory) const override;
};

extern template class Joint<Planar>;
extern template class Joint<Spatial>;

}  // namespace linkwork
