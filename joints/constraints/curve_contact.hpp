#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/curve_pair.hpp>

#include <vector>

namespace linkwork {

/// Contact of two tubes, each around a curve of its body: a wheel with a circular profile on a rail with a rounded
/// head, a ring on a bent rod. The curves keep their distance along the common normal,
///
///   g = |d| - distance [m],   d = b(u_b) - a(u_a),   c = (d . a', d . b') = 0
///
/// whose points u are found in g by Newton's method, or carried as contact-point coordinates s = u of the equations
/// with c = 0 beside g. As d is perpendicular to both curves, g does not feel to first order how they move, and the row
/// is that of two fixed points: the direction of d. The multiplier is the force along d that pulls the curves together
/// [N]. Where one tube lies inside the other, as a concave wheel profile around a rail's head, the distance is the
/// difference of their radii and a positive multiplier presses them together. Where c is not quite zero, the rows are
/// those of g with s moving along (see Constraint); the bias is the one at c = 0.
class CurveContact final : public Constraint<Spatial> {
 public:
  enum class Points { inside, carried };

  /// @param first, second  frames that the curves are given in
  /// @param distance  of the curves [m], > 0
  /// @param points  whether g finds the points by itself, or the equations carry them
  /// @throws ModelError if both frames are on one body, or what the curves are made of makes no sense
  CurveContact(const Frame<Spatial>& first, const Frame<Spatial>& second, CurvePair curves, double distance,
               Points points = Points::inside);
  std::string_view type() const override { return "curve contact"; }
  int rows() const override { return 1; }
  bool is_relative() const override { return true; }
  bool is_invariant() const override { return true; }
  int contacts() const override { return points_ == Points::carried ? 2 : 0; }
  double initial_contact(int index) const override { return curves_.start[index]; }
  /// The parameters of the last accepted step, where Newton's method in g starts.
  int memory_size() const override { return points_ == Points::inside ? 2 : 0; }
  /// On the second body along d: above 0 it pushes the curves apart.
  std::vector<ElementReport> reports() const override { return {{"normal force", "N"}}; }
  std::vector<Outline> outlines() const override { return outlines_of(curves_); }

 private:
  void do_residual(const Motion<Spatial>& m, double* g) const override;
  void do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const override;
  void do_bias(const Motion<Spatial>& m, double* bias) const override;
  void do_contact_residual(const Motion<Spatial>& m, double* c) const override;
  void do_contact_rates(const Motion<Spatial>& m, double* rates) const override;
  void do_remember(const Motion<Spatial>& m, bool restart, double* memory) const override;
  void do_report(const Motion<Spatial>& m, const Wrench<Spatial>& reaction, double* values) const override;
  CurveApproach approach(const Motion<Spatial>& m) const;

  CurvePair curves_;
  double distance_;
  Points points_;
};

}  // namespace linkwork
