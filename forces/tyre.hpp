#pragma once

#include <linkwork/forces/common.hpp>

#include <string_view>
#include <vector>

namespace linkwork {

/// Tyre of a free-rolling wheel on the plane z = 0 of a road's frame (that of a moving platform too): the wheel's plane
/// meets the road at the distance rho below its middle.
///
///   load       N = (stiffness (radius - rho) - damping rho') / cos(camber), not below 0, along the road's normal
///   slip       sigma s' = -v_l - |v_t| s        the element's state: the lateral slip builds up over a distance sigma
///   side force F = mu N sin(C atan(B s)),  B = K / (C mu N),  K = cornering sin(2 atan(N / cornering_load))
///   aligning torque  -trail F about the normal
///
/// It reports the deflection, 0 where the wheel is above the road, N, F and s.
///
/// t is the direction in which the wheel rolls, l the one to its left, v the velocity of the wheel at the road; where
/// the wheel rests, s stands still. There is no force along t. N stores energy exactly: V = stiffness (radius - rho)^2
/// / 2. Source: H. B. Pacejka, Tyre and Vehicle Dynamics (2006), sections 1.3.1, 4.3 and 5.4, in their plainest form.
class Tyre final : public ForceElement<Spatial> {
 public:
  struct Options {
    double radius = 0;          ///< unloaded [m], > 0
    double stiffness = 0;       ///< vertical [N/m], > 0
    double damping = 0;         ///< vertical [N s/m], >= 0
    double friction = 1;        ///< mu, >= 0
    double shape = 1.3;         ///< C, between 1 and 2
    double cornering = 0;       ///< largest slope of F over s [N], >= 0
    double cornering_load = 1;  ///< load at which the slope is largest [N], > 0
    double relaxation = 0.3;    ///< sigma [m], > 0
    double trail = 0;           ///< [m], >= 0
  };

  /// @param road  the road's frame      @param wheel  at the wheel's middle, y along its axle to the left
  /// @throws ModelError for numbers out of their range, or both frames on one body
  Tyre(const Frame<Spatial>& road, const Frame<Spatial>& wheel, const Options& options);
  std::string_view type() const override { return "tyre"; }
  int states() const override { return 1; }
  std::vector<ElementReport> reports() const override {
    return {{"deflection", "m"}, {"load", "N"}, {"side force", "N"}, {"slip", ""}};
  }

  /// Load N [N] where the frames move like this.
  double load(const FrameMotion<Spatial>& road, const FrameMotion<Spatial>& wheel) const;
  /// Side force F [N] at a load and a slip; positive slip pushes to the left.
  double side_force(double load, double slip) const;

 private:
  struct Contact;
  Contact contact(const FrameMotion<Spatial>& road, const FrameMotion<Spatial>& wheel) const;
  void do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const override;
  void do_state_rates(const Motion<Spatial>& m, double* rates) const override;
  double do_potential_energy(const Motion<Spatial>& m) const override;
  void do_report(const Motion<Spatial>& m, double* values) const override;
  double deflection(const Motion<Spatial>& m) const;

  Options options_;
};

}  // namespace linkwork
