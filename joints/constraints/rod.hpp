#pragma once

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/input.hpp>

#include <vector>

namespace linkwork {

/// Massless rod: keeps the distance between the origins of two frames at L, constant or prescribed.
///
///   g = (d . d / L - L) / 2 [m],   d = r_second - r_first
///
/// Near d = L this is the error of the distance to first order, and the row d / L has unit length, so that the rod is
/// scaled like other joints and its multiplier is the tension [N] (positive: it pulls; lambda / L is the multiplier of
/// (d . d - L^2) / 2). Unlike |d| - L it is a polynomial in d: also defined where the ends meet.
template <class Space>
class Rod final : public Constraint<Space> {
 public:
  /// @param length  L [m], > 0
  /// @throws ModelError if the length is not positive and finite, or both frames are on one body
  Rod(const Frame<Space>& first, const Frame<Space>& second, double length);
  /// @param length  L(t) [m], > 0 always. Where it is not, evaluation throws RecoverableFailure.
  /// @throws ModelError if the input is empty, or both frames are on one body
  Rod(const Frame<Space>& first, const Frame<Space>& second, Input length);
  std::string_view type() const override { return "rod"; }
  int rows() const override { return 1; }
  bool is_relative() const override { return true; }
  bool is_invariant() const override { return true; }
  RowUse row_use(int /*row*/, int /*frame*/) const override { return {.angular = false, .rotation = false}; }
  std::vector<Input> inputs() const override;
  /// The distance of its ends and its tension.
  std::vector<ElementReport> reports() const override { return {{"length", "m"}, {"tension", "N"}}; }

 private:
  void do_residual(const Motion<Space>& m, double* g) const override;
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override;
  void do_bias(const Motion<Space>& m, double* bias) const override;
  void do_report(const Motion<Space>& m, const Wrench<Space>& reaction, double* values) const override;
  InputValue length_at(Instant time) const;
  Input length_;  ///< empty where the length is constant
  double constant_length_ = 0;
};

extern template class Rod<Planar>;
extern template class Rod<Spatial>;

}  // namespace linkwork
