// A force element of your own: a rubber bushing that hardens as it is pressed, and that is known within a range only.
//
// To add another force, copy the class: give the frames that it acts on, and add forces and torques to them. A point
// where the force cannot be evaluated is reported by a RecoverableFailure: the integrator tries a smaller step.
// check_force tells whether force and energy fit each other.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <cstdio>

using namespace linkwork;

/// Pulls the origins of two frames together with the force (stiffness + hardening d^2) d, d their distance;
/// V = stiffness d^2 / 2 + hardening d^4 / 4. Measured for d < range.
template <class Space>
class RubberBuffer final : public ForceElement<Space> {
 public:
  struct Options {
    double stiffness = 0;  ///< [N/m], > 0
    double hardening = 0;  ///< [N/m^3], >= 0
    double range = 0;      ///< [m], > 0
  };

  /// @throws ModelError if a number is out of its range
  RubberBuffer(const Frame<Space>& first, const Frame<Space>& second, const Options& options)
      : ForceElement<Space>({first, second}), options_(options) {
    if (!(std::isfinite(options.stiffness) && options.stiffness > 0))
      throw ModelError(concat("bushing: stiffness is ", options.stiffness, " N/m; give a finite value > 0."));
    if (!(std::isfinite(options.hardening) && options.hardening >= 0))
      throw ModelError(concat("bushing: hardening is ", options.hardening, " N/m^3; give a finite value >= 0."));
    if (!(options.range > 0)) throw ModelError(concat("bushing: range is ", options.range, " m; give a value > 0."));
  }

  std::string_view type() const override { return "bushing"; }

 private:
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    const Vector<Space> d = m.frame(1).pose.position - m.frame(0).pose.position;
    if (!(d.norm() < options_.range))
      throw RecoverableFailure(
          concat("its deflection of ", d.norm(), " m is outside of its range, ", options_.range, " m."));
    const Vector<Space> pull = (options_.stiffness + options_.hardening * d.squaredNorm()) * d;
    sums.add_force(0, pull);
    sums.add_force(1, -pull);
  }

  // Optional: lets reports of the energy count what the element stores.
  double do_potential_energy(const Motion<Space>& m) const override {
    const double square = (m.frame(1).pose.position - m.frame(0).pose.position).squaredNorm();
    return options_.stiffness * square / 2 + options_.hardening * square * square / 4;
  }

  Options options_;
};

int main() {
  const double mass = 0.5, stiffness = 1000, hardening = 4e5, amplitude = 0.04, range = 0.05;

  PlanarModel model("mass on a bushing");
  auto block = model.add_body<PointMass>("block", mass);
  block.place({amplitude, 0});
  model.add_force<RubberBuffer>("rubber", model.ground().origin(), block.origin(),
                                {.stiffness = stiffness, .hardening = hardening, .range = range});

  const ConformanceReport conformance =
      check_force(RubberBuffer<Planar>(model.ground().origin(), block.origin(),
                                       {.stiffness = stiffness, .hardening = hardening, .range = range}),
                  {.reach = 0.6 * range});
  std::fputs(conformance.summary().c_str(), stdout);

  // Duffing's equation x'' = -alpha x - beta x^3 has the period 4 K(k) / c with c^2 = alpha + beta A^2 and
  // k^2 = beta A^2 / (2 c^2), K the complete elliptic integral of the first kind. After five quarters of it, x = 0.
  const double alpha = stiffness / mass, beta = hardening / mass * amplitude * amplitude;
  const double c = std::sqrt(alpha + beta);
  const double period = 4 * std::comp_ellint_1(std::sqrt(beta / 2) / c) / c;

  // The first step is far too long on purpose: its trial leaves the range of the bushing and is given up.
  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-11, .first_step = period}});
  const State end = simulation.run(0, 1.25 * period).final_state();
  const auto failures = simulation.statistics().integrator.convergence_failures;

  // Some fifty steps with the tolerance 1e-9 |x| + 1e-11, and a speed of 2 m/s.
  const double bound = 1e-7;
  const double position_error = end.p.norm();
  const double speed_error = std::abs(end.v.norm() - amplitude * std::sqrt(alpha + beta / 2));
  std::printf("block after %.3f s: position off by %.1e m, speed by %.1e m/s, %d step(s) tried again\n", end.t,
              position_error, speed_error, static_cast<int>(failures));
  return conformance && position_error < bound && speed_error < bound && failures > 0 ? 0 : 1;
}
