#include "zoo/models.hpp"

#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/forces/spring_damper.hpp>

#include <cmath>

namespace linkwork::apps {
namespace appell_hamel {

constexpr double mass = 2;         // [kg]
constexpr double stiffness = 8;    // [N/m]
constexpr double direction = 1.2;  // of the wheel at the start, from the x axis [rad]

/// The machine of Appell and Hamel in the limit of massless wheels: a weight hangs on a thread that a wheel unwinds as
/// it rolls below it, in whatever direction: phi = z' + ratio |(x', y')| = 0 [m/s]. Its force -phi_v^T lambda follows
/// Chetaev's rule and does no work. Singular where the wheel stands still.
class RollingPulley final : public Constraint<Spatial> {
 public:
  /// @param weight  whose origin moves with the wheel
  /// @param ratio   fall of the weight for each metre that the wheel rolls [-]
  RollingPulley(const Frame<Spatial>& weight, double ratio) : Constraint<Spatial>({weight}), ratio_(ratio) {}
  std::string_view type() const override { return "rolling pulley"; }
  Level level() const override { return Level::nonlinear; }
  int rows() const override { return 1; }

 private:
  void do_velocity_residual(const Motion<Spatial>& m, double* phi) const override {
    const Eigen::Vector3d& v = m.frame(0).velocity.linear;
    phi[0] = v.z() + ratio_ * v.head<2>().norm();
  }
  void do_rows(const Motion<Spatial>& m, ConstraintRows<Spatial>& out) const override {
    const Eigen::Vector2d rolling = m.frame(0).velocity.linear.head<2>();
    const double speed = rolling.norm();
    if (!(speed > 0))
      throw RecoverableFailure("the wheel stands still and has no direction; give the weight a velocity");
    out.add_linear(0, 0, {ratio_ * rolling.x() / speed, ratio_ * rolling.y() / speed, 1});
  }
  void do_bias(const Motion<Spatial>& /*m*/, double* bias) const override { bias[0] = 0; }

  double ratio_;
};

AnyModel build(const Parameters& parameters) {
  const double ratio = parameters.at("ratio"), speed = parameters.at("v0");
  SpatialModel model("appell_hamel");
  model.set_gravity({0, 0, -9.81});
  auto weight = model.add_body<PointMass>("weight", mass);
  weight.place({1, 0, 0});
  weight.move({speed * std::cos(direction), speed * std::sin(direction), -ratio * speed});
  const auto load = weight.origin();
  model.add_force<SpringDamper>("spring", model.ground().origin(), load, {.stiffness = stiffness});
  const auto pulley = model.add_constraint<RollingPulley>("pulley", load, ratio);

  model.add_observable("x", "m", [=](const auto& now) { return now.pose(load).position.x(); });
  model.add_observable("y", "m", [=](const auto& now) { return now.pose(load).position.y(); });
  model.add_observable("z", "m", [=](const auto& now) { return now.pose(load).position.z(); });
  model.add_observable("speed", "m/s",
                       [=](const auto& now) { return now.velocity(load).linear.template head<2>().norm(); });
  model.add_observable("pulley_multiplier", "N", [=](const auto& now) { return now.multiplier(pulley, 0); });
  return model;
}

}  // namespace appell_hamel

ZooModel appell_hamel_model() {
  using namespace appell_hamel;
  return {.name = "appell_hamel",
          .description = "Weight on a thread that a rolling wheel unwinds: nonlinear in the velocities.",
          .space = Spatial::name,
          .parameters = {{"ratio", "-", 0.5, "fall of the weight for each metre that the wheel rolls", 0, 1e3},
                         {"v0", "m/s", 1, "speed of the wheel at the start", 1e-6, 1e6}},
          .t_end = 3,
          .build = build,
          .reference_source = "speed and direction of the wheel as unknowns, Taylor series with 25 digits",
          .references = {{{},
                          {{0.5,
                            {{"x", 0.642471425093417329},
                             {"y", 0.80650099429076807},
                             {"z", -0.46358931636969196},
                             {"speed", 2.71780920989691646},
                             {"pulley_multiplier", -12.9848898609615377}}},
                           {1.0,
                            {{"x", -0.789218309797315113},
                             {"y", 1.38443278944703347},
                             {"z", -1.25172606482346847},
                             {"speed", 3.2721264120251794},
                             {"pulley_multiplier", -10.3199281977019678}}},
                           {3.0,
                            {{"x", 1.30615166280382984},
                             {"y", -0.810453486880296895},
                             {"z", -4.41377621822788195},
                             {"speed", 1.89127243953659635},
                             {"pulley_multiplier", 13.2088478715477667}}}}}}};
}

}  // namespace linkwork::apps
