// A joint of your own: the screw. The son turns about the z axis of both joint frames and advances by `pitch` for each
// radian.
//
// To add another joint, copy the class and write down where the son's frame is for the coordinates q: X(q). All else,
// the constraint rows and their derivatives, follows from that. check_joint tells whether all functions fit each other.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <cstdio>

using namespace linkwork;

/// X(q) = rotation by q about z, then the shift pitch * q along z. One freedom, q [rad].
class OwnScrew final : public Joint<Spatial> {
 public:
  /// @param pitch  advance [m/rad], either sign
  /// @throws ModelError if it is not finite
  explicit OwnScrew(double pitch) : pitch_(pitch) {
    if (!std::isfinite(pitch)) throw ModelError(concat("screw: pitch is ", pitch, " m/rad; give a finite value."));
  }

  std::string_view type() const override { return "screw"; }
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant /*time*/, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitZ()).toRotationMatrix();
    X.position = {0, 0, pitch_ * q[0]};
  }

  double pitch_;
};

int main() {
  const double gravity = 9.81, mass = 2, radius = 0.1, pitch = 0.1;

  const ConformanceReport conformance = check_joint(OwnScrew(pitch));
  std::fputs(conformance.summary().c_str(), stdout);

  SpatialModel model("nut on a spindle");
  model.set_gravity({0, 0, -gravity});
  const auto nut = model.add_body("nut", MassProperties::cylinder(mass, radius, /*length*/ 0.05));
  model.add_joint<OwnScrew>("thread", model.ground().origin(), nut.origin(), pitch);

  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  const double t_end = 1;
  const State end = simulation.run(0, t_end).final_state();

  // The nut falls and turns with (I + m pitch^2) q'' = -m g pitch.
  const double inertia = mass * radius * radius / 2;
  const double angle = -0.5 * mass * gravity * pitch / (inertia + mass * pitch * pitch) * t_end * t_end;
  const double height = end.p[6];                       // of the centre of mass; p is (w, x, y, z; x, y, z)
  const double half_angle_cosine = std::abs(end.p[0]);  // either sign is the same attitude

  // The tolerance is 1e-9 in each of some twenty steps, with values of size ten; the joint's rows come from differences
  // and are good to 1e-11.
  const double bound = 1e-7, height_error = std::abs(height - pitch * angle),
               angle_error = std::abs(half_angle_cosine - std::abs(std::cos(angle / 2)));
  std::printf("nut after %g s and %.2f turns: height off by %.1e m, attitude by %.1e\n", t_end,
              std::abs(angle) / 6.2832, height_error, angle_error);
  return conformance && height_error < bound && angle_error < bound ? 0 : 1;
}
