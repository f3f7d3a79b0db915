#pragma once

#include <linkwork/core/curve_pair.hpp>
#include <linkwork/forces/common.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace linkwork {

/// Creep forces of a wheelset on its two rails, linear in the creepages. At the contact point of each wheel, with the
/// rail's tangent t, the normal n (towards the wheel) and l = n x t,
///
///   xi_t = v . t / V,  xi_l = v . l / V,  xi_n = omega . n / V      v the wheel's velocity against the rail, V the
///   speed force on the wheel = -f_11 xi_t t - (f_22 xi_l + f_23 xi_n) l,  torque = (f_23 xi_l - f_33 xi_n) n
///
/// v and omega are those of the wheelset's body and of its turn about the axle. That turn is no freedom: the wheels
/// roll freely at the rate at which both contacts together do no torque about the axle. (The wheels' inertia would hold
/// it back for a time of I V / (2 f_11 r^2) only: a millisecond at 20 m/s.)
///
/// It reports the forces on both wheels along t and l.
///
/// The forces act at the point of the wheel's profile, a circle of radius `profile` that touches the rail from above.
/// Source: J. J. Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), linear theory.
class WheelsetCreep final : public ForceElement<Spatial> {
 public:
  struct Options {
    std::array<CurvePair, 2> contacts = {};    ///< rail (first frame) and wheel (second frame), as in CurveContact
    double profile = 0;                        ///< radius of the wheel's profile [m], > 0
    Exact<3> axle = Eigen::Vector3d::UnitY();  ///< axis of the wheels' turn, second frame's axes
    double speed = 0;                          ///< V [m/s], > 0
    double longitudinal = 0;                   ///< f_11 [N], > 0
    double lateral = 0;                        ///< f_22 [N], >= 0
    double lateral_spin = 0;                   ///< f_23 [N m], >= 0
    double spin = 0;                           ///< f_33 [N m^2], >= 0
  };

  /// @param track  frame of the rails      @param wheelset  frame of the wheels
  /// @throws ModelError for numbers out of their range, or both frames on one body
  WheelsetCreep(const Frame<Spatial>& track, const Frame<Spatial>& wheelset, Options options);
  std::string_view type() const override { return "wheelset creep"; }
  /// The parameters of both contacts at the last accepted step.
  int memory_size() const override { return 4; }
  std::vector<ElementReport> reports() const override {
    return {{"longitudinal force 1", "N"},
            {"lateral force 1", "N"},
            {"longitudinal force 2", "N"},
            {"lateral force 2", "N"}};
  }
  std::vector<Outline> outlines() const override;

 private:
  struct Contact;
  struct Rolling;
  Rolling rolling(const Motion<Spatial>& m) const;
  void do_report(const Motion<Spatial>& m, double* values) const override;
  void do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const override;
  void do_remember(const Motion<Spatial>& m, bool restart, int crossed, double* memory) const override;
  Contact contact(const Motion<Spatial>& m, std::size_t wheel) const;
  /// What a velocity against the rail [m/s] and a turn [rad/s] at a contact do to the wheel, at the contact point.
  Wrench<Spatial> creep(const Contact& at, const Eigen::Vector3d& velocity, const Eigen::Vector3d& omega) const;

  Options options_;
};

}  // namespace linkwork
