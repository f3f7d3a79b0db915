#pragma once

#include <linkwork/forces/common.hpp>

#include <string_view>
#include <vector>

namespace linkwork {

/// Anti-roll bar (stabiliser) of an axle: a torsion bar in the frame of a car's body, whose arms feel how high the two
/// wheels' frames are. With h_k the height of frame k above the body's frame, along an axis of the latter,
///
///   F = stiffness (h_left - h_right) + damping (h_left' - h_right'),   -F on the left, +F on the right, along the axis
///   V = stiffness (h_left - h_right)^2 / 2
///
/// It reports h_left - h_right and F. The opposite forces act on the car's body at the same points, so that energy is
/// stored exactly.
class AntiRollBar final : public ForceElement<Spatial> {
 public:
  struct Options {
    double stiffness = 0;  ///< [N/m], > 0
    double damping = 0;    ///< [N s/m], >= 0
    Axis up = Axis::z();   ///< of the heights, in the axes of the car's body
  };

  /// @throws ModelError for numbers out of their range, or if two of the frames are on one body
  AntiRollBar(const Frame<Spatial>& car, const Frame<Spatial>& left, const Frame<Spatial>& right,
              const Options& options);
  std::string_view type() const override { return "anti-roll bar"; }
  std::vector<ElementReport> reports() const override { return {{"height difference", "m"}, {"force", "N"}}; }

 private:
  void do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const override;
  double do_potential_energy(const Motion<Spatial>& m) const override;
  void do_report(const Motion<Spatial>& m, double* values) const override;

  struct Twisted;
  Twisted twisted(const Motion<Spatial>& m) const;

  Options options_;
};

}  // namespace linkwork
