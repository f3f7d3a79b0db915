// A body of your own: the gyrostat, a rigid body with a rotor inside that a motor keeps at constant speed. The rotor
// adds a constant angular momentum h in body axes, which steadies a satellite against tumbling.
//
// To add another kind of body, copy the class: give it mass and inertia, and override the torque that its own momentum
// makes. Joints and forces attach to it as to every other body. check_body tells whether its torque is that of a
// momentum.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <cstdio>

using namespace linkwork;

/// I omega' = -omega x (I omega + h) + torque, body axes; I about the centre of mass, the rotor's inertia included.
class Gyrostat final : public Body<Spatial> {
 public:
  /// @param mass      [kg], > 0
  /// @param moments   principal moments of inertia [kg m^2], > 0
  /// @param momentum  h of the rotor relative to the body [kg m^2/s], body axes
  /// @throws ModelError if a number is out of its range
  Gyrostat(double mass, const Eigen::Vector3d& moments, const Eigen::Vector3d& momentum)
      : mass_(mass), moments_(moments), momentum_(momentum) {
    if (!(std::isfinite(mass) && mass > 0))
      throw ModelError(concat("gyrostat: mass is ", mass, " kg; give a finite value > 0."));
    if (!(moments.allFinite() && moments.minCoeff() > 0))
      throw ModelError(concat("gyrostat: moments are (", moments.transpose(), ") kg m^2; give finite values > 0."));
    if (!momentum.allFinite())
      throw ModelError(concat("gyrostat: momentum is (", momentum.transpose(), ") kg m^2/s; give finite values."));
  }

  std::string_view type() const override { return "gyrostat"; }
  double mass() const override { return mass_; }
  Inertia inertia() const override { return moments_.asDiagonal(); }
  Eigen::Vector3d gyroscopic_torque(const Eigen::Vector3d& omega) const override {
    return -omega.cross(moments_.cwiseProduct(omega) + momentum_);
  }

 private:
  double mass_;
  Eigen::Vector3d moments_, momentum_;
};

int main() {
  const Eigen::Vector3d moments(2, 2, 3), rotor(0, 0, 4), omega_0(0.3, 0, 1);

  SpatialModel model("satellite");
  auto satellite = model.add_body<Gyrostat>("satellite", 100.0, moments, rotor);
  satellite.move(/*velocity*/ {0, 0, 0}, omega_0);

  const ConformanceReport conformance = check_body(Gyrostat(100, moments, rotor));
  std::fputs(conformance.summary().c_str(), stdout);

  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}});
  const double t_end = 20;
  const State end = simulation.run(0, t_end).final_state();

  // With equal moments A, A, C the angular velocity turns about the body's z axis at the rate ((C - A) omega_z + h) /
  // A.
  const double rate = ((moments.z() - moments.x()) * omega_0.z() + rotor.z()) / moments.x();
  const Eigen::Vector3d exact(omega_0.x() * std::cos(rate * t_end), omega_0.x() * std::sin(rate * t_end), omega_0.z());
  const Eigen::Vector3d omega = end.v.head<3>();

  // No torque acts, so that the angular momentum is constant in ground axes.
  const Eigen::Quaterniond attitude(end.p[0], end.p[1], end.p[2], end.p[3]);
  const Eigen::Vector3d momentum = attitude * (moments.cwiseProduct(omega) + rotor);
  const Eigen::Vector3d momentum_0 = moments.cwiseProduct(omega_0) + rotor;

  // The tolerance per step is 1e-10; some hundred steps may add up to a hundred times that.
  const double bound = 1e-8, rate_error = (omega - exact).norm(), momentum_error = (momentum - momentum_0).norm();
  std::printf("gyrostat after %g s: angular velocity off by %.1e rad/s, angular momentum by %.1e kg m^2/s\n", t_end,
              rate_error, momentum_error);
  return conformance && rate_error < bound && momentum_error < bound ? 0 : 1;
}
