// A servo of your own: a control law balances a pole, and the force that it takes acts on the cart below.
//
// A servo constraint prescribes accelerations of frames, rows A = bias, here theta'' = -2 zeta omega theta' - omega^2
// theta of the pole. What makes it so is not a torque on the pole: with has_own_forces the directions of the servo's
// force are rows of their own, here along the rail on the cart. The multiplier is what the motor has to give.
//
// A constraint that is nonlinear in the velocities is written alike: Level::nonlinear and do_velocity_residual, see
// apps/zoo/appell_hamel.cpp.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <cstdio>

using namespace linkwork;

/// omega' = -2 zeta omega_0 omega - omega_0^2 theta of the body of a frame; the force acts on another, along an axis of
/// the ground.
class Balance final : public Constraint<Planar> {
 public:
  struct Law {
    double frequency, damping;  ///< omega_0 [1/s], zeta [-]
  };
  /// @param pole   whose angle from its upright position is kept
  /// @param cart   on whose origin the force acts, along the ground's x axis
  Balance(const Frame<Planar>& pole, const Frame<Planar>& cart, const Law& law)
      : Constraint<Planar>({pole, cart}), law_(law) {}
  std::string_view type() const override { return "balance"; }
  Level level() const override { return Level::servo; }
  int rows() const override { return 1; }
  bool is_angular(int /*row*/) const override { return true; }
  bool has_own_forces() const override { return true; }

 private:
  void do_rows(const Motion<Planar>& /*m*/, ConstraintRows<Planar>& out) const override {
    out.add(/*row*/ 0, /*frame*/ 0, /*angular*/ 1, /*linear*/ {0, 0});
  }
  void do_bias(const Motion<Planar>& m, double* bias) const override {
    const FrameMotion<Planar>& pole = m.frame(0);
    const double frequency = law_.frequency;
    bias[0] = -2 * law_.damping * frequency * pole.velocity.angular - frequency * frequency * pole.pose.angle;
  }
  void do_force_rows(const Motion<Planar>& /*m*/, ConstraintRows<Planar>& out) const override {
    out.add_linear(/*row*/ 0, /*frame*/ 1, {1, 0});
  }

  Law law_;
};

int main() {
  const double cart_mass = 2, pole_mass = 0.5, half_length = 0.4, gravity = 9.81, theta_0 = 0.3;
  const Balance::Law law{.frequency = 3, .damping = 0.25};

  PlanarModel model("cart and pole");
  model.set_gravity({0, -gravity});
  auto cart = model.add_body("cart", MassProperties::planar(cart_mass, 0.1));
  const double inertia = pole_mass * half_length * half_length / 3;  // of a rod, about its centre
  auto pole = model.add_body("pole", MassProperties::planar(pole_mass, inertia));
  pole.place({-half_length * std::sin(theta_0), half_length * std::cos(theta_0)}, theta_0);
  model.add_joint<Prismatic>("rail", model.ground().origin(), cart.origin(), Axis::x());
  model.add_joint<Revolute>("hinge", cart.origin(), pole.at({0, -half_length}));
  const auto balance = model.add_constraint<Balance>("balance", pole.origin(), cart.origin(), law);
  model.add_observable("theta", "rad", [=](const Snapshot<Planar>& now) { return now.pose(pole.origin()).angle; });
  model.add_observable("force", "N", [=](const Snapshot<Planar>& now) { return -now.multiplier(balance, 0); });

  // theta is a damped oscillation. The moment of the pole about the hinge gives the cart's acceleration x'',
  //   m l (x'' cos theta) = (J + m l^2) theta'' - m g l sin theta,
  // and the sum of momenta the force, F = (M + m) x'' - m l (theta'' cos theta - theta'^2 sin theta).
  const double t_end = 1.5, decay = law.damping * law.frequency;
  const double turning = law.frequency * std::sqrt(1 - law.damping * law.damping);
  const double c = std::cos(turning * t_end), s = std::sin(turning * t_end), e = std::exp(-decay * t_end);
  const double theta = theta_0 * e * (c + decay / turning * s);
  const double rate = -theta_0 * e * law.frequency * law.frequency / turning * s;
  const double acceleration = -2 * decay * rate - law.frequency * law.frequency * theta;
  const double moment = inertia + pole_mass * half_length * half_length;
  const double of_cart = (moment * acceleration - pole_mass * gravity * half_length * std::sin(theta)) /
                         (pole_mass * half_length * std::cos(theta));
  const double force = (cart_mass + pole_mass) * of_cart -
                       pole_mass * half_length * (acceleration * std::cos(theta) - rate * rate * std::sin(theta));

  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  const Trajectory path = simulation.run(0, t_end);
  const double angle_error = std::abs(path.values("theta").values.back() - theta);
  const double force_error = std::abs(path.values("force").values.back() - force);
  std::printf("pole at %.6f rad (off by %.1e), force on the cart %.4f N (off by %.1e)\n", theta, angle_error, force,
              force_error);
  // The tolerance per step is 1e-9; forces follow from angles by factors of a hundred.
  return angle_error < 1e-7 && force_error < 1e-5 ? 0 : 1;
}
