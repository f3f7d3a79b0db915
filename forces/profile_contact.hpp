#pragma once

#include <linkwork/forces/common.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace linkwork {

/// How deep a point lies in a profile, and in which direction it lies deeper.
struct ProfileDepth {
  double depth = -1;             ///< [m]; above 0 inside, 0 on the boundary; its size does not count below
  Exact<2> gradient = {0., 0.};  ///< of the depth by x and y; counts where the depth is above 0
};

/// A profile in the x-y plane of a frame: the depth at a point [m]. The depth has to be a smooth function wherever it
/// is above 0, and may say any number below 0 where nothing is near: that is how a search for the nearest tooth costs
/// the same for any number of teeth.
using ContactProfile = std::function<ProfileDepth(const Eigen::Vector2d& point)>;

/// A wheel with teeth about the frame's origin, as the middle of a roller feels it: the polar curve on which that point
/// moves when the roller touches,
///
///   rho(theta) = root_radius + tooth_height (1 - cos(teeth theta)) / 2,    depth = rho(theta) - r
///
/// Rollers sit in the gaps at theta = 2 pi k / teeth. The angle tells which tooth is the nearest, at the same cost for
/// any number of teeth. All derivatives are continuous.
/// @param teeth  >= 1      @param root_radius  of the roller's middle in a gap [m], > 0
/// @param tooth_height  [m], >= 0: a plain disc
/// @throws ModelError for numbers out of their range
ContactProfile toothed_wheel_profile(int teeth, double root_radius, double tooth_height);

/// A rail along x on the side y > 0 of which a roller's middle is free: it touches where y is below the height
///
///   h(x) = height (1 - s^3 (10 - 15 s + 6 s^2)),    s = 0 between begin and end, 1 beyond the ramps
///
/// that falls from `height` by `drop` along a ramp at either end and ends there. Two derivatives are continuous. The
/// rail is `drop` thick: nothing is felt below height - drop, where a roller would be on the other side of it.
/// @param begin, end  of the straight part [m]      @param height  of the roller's middle on it [m], any sign
/// @param ramp  length of either ramp [m], > 0      @param drop  [m], > 0
/// @throws ModelError for numbers out of their range
ContactProfile rail_profile(double begin, double end, double height, double ramp, double drop);

/// A roller that runs against a profile without friction, as rollers do that turn on their pins. The roller's middle is
/// the origin of the second frame, the profile lies in the x-y plane of the first one or is turned in it about its z
/// axis by u(t), counter-clockwise. Where the middle is at the depth d > 0 in the profile,
///
///   N = stiffness d^exponent (1 + damping d'), not below 0;   force on the roller = -N grad d, the opposite on the
///   profile at the same point;   V = stiffness d^(exponent + 1) / (exponent + 1);   dissipation: (N - N_elastic) d'
///
/// d' is the rate at which the roller goes deeper, the turning of the profile included. In space the distance along z
/// does not count, so that the force stays in the plane. It reports d, 0 where they are apart, and the force's size.
/// The force is continuous, and so is its derivative by position and velocity at d = 0 where the exponent is above 1:
/// the elastic force begins like d^exponent. Where the damping would pull, from d' = -1 / damping on, the force is 0
/// with a kink, as a roller that leaves so fast is left behind. Cost: one call of the profile. Where the profile is
/// turned by u(t) the drive that turns it is part of the element: it gives the power u' times the torque of the force
/// on the roller about the profile's z axis. Source: K. H. Hunt and F. R. E. Crossley, Coefficient of restitution
/// interpreted as damping in vibroimpact, Journal of Applied Mechanics 42 (1975), equation 11; exponent 3/2 is that of
/// Hertz for points, 10/9 fits lines.
template <class Space>
class ProfileContact final : public ForceElement<Space> {
 public:
  struct Options {
    double stiffness = 0;                         ///< [N/m^exponent], > 0
    double damping = 0;                           ///< [s/m], >= 0; 3/2 damping v is about the loss of a rebound from v
    double exponent = 1.5;                        ///< >= 1
    std::optional<Input> turning = std::nullopt;  ///< u(t): angle of the profile in its frame [rad]
  };

  /// @param profile_frame  the profile's      @param roller  at its middle
  /// @throws ModelError for numbers out of their range, an empty function, or both frames on one body
  ProfileContact(const Frame<Space>& profile_frame, const Frame<Space>& roller, ContactProfile profile,
                 Options options);
  std::string_view type() const override { return type_name; }
  std::optional<ForceUse> use() const override;
  std::vector<Input> inputs() const override;
  std::vector<ElementReport> reports() const override { return {{"penetration", "m"}, {"force", "N"}}; }
  std::vector<Outline> outlines() const override;

  /// Force [N] on the roller where the frames move like this, ground axes.
  Vector<Space> force(Instant time, const FrameMotion<Space>& profile, const FrameMotion<Space>& roller) const;

 private:
  static constexpr const char* type_name = "profile contact";
  struct Touch;

  Touch touch(Instant time, const FrameMotion<Space>& profile, const FrameMotion<Space>& roller) const;
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override;
  double do_potential_energy(const Motion<Space>& m) const override;
  void do_report(const Motion<Space>& m, double* values) const override;

  ContactProfile profile_;
  Options options_;
};

extern template class ProfileContact<Planar>;
extern template class ProfileContact<Spatial>;

}  // namespace linkwork
