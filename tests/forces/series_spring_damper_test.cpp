#include <linkwork/linkwork.hpp>

#include "element_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace linkwork::test {
namespace series_spring_damper_test {

TEST(SeriesSpringDamper, ConformsInPlaneAndSpace) {
  PlanarModel planar;
  SpatialModel spatial;
  const auto a = planar.add_body("a", MassProperties::planar(1, 1)).at({0.1, 0.2});
  const auto b = spatial.add_body("b", MassProperties::box(1, {1, 2, 3})).at({0.1, 0.2, 0.3});
  const auto law = [](double rate) { return 30 * rate / std::hypot(1, rate / 0.2) + 5 * rate; };
  for (const ConformanceReport& report :
       {check_force(SeriesSpringDamper<Planar>(planar.ground().origin(), a,
                                               {.stiffness = 200, .damping = 30, .free_length = 0.3})),
        check_force(SeriesSpringDamper<Spatial>(spatial.ground().origin(), b,
                                                {.stiffness = 200, .typical_rate = 0.2, .law = law}))})
    EXPECT_TRUE(report) << report.summary();
}

/// A mass on a Maxwell element: m x'' = -k u, u' = x' - k u / c. The characteristic polynomial
/// m z^3 + (m k / c) z^2 + k z = 0 has the roots 0 and -k / (2 c) +- sqrt((k / 2 c)^2 - k / m).
TEST(SeriesSpringDamper, MassOnItMovesAsInTheClosedForm) {
  const double mass = 2, stiffness = 300, damping = 20, length = 1, speed = 0.4, t_end = 0.8;
  const double decay = stiffness / (2 * damping), omega = std::sqrt(stiffness / mass - decay * decay);
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    PlanarModel model;
    auto block = model.add_body("block", MassProperties::planar(mass, 1));
    block.place({length, 0}).move({speed, 0});
    model.add_joint<Prismatic>("guide", model.ground().origin(), block.origin(), Axis::x());
    const auto element =
        model.add_force<SeriesSpringDamper>("element", model.ground().origin(), block.origin(),
                                            {.stiffness = stiffness, .damping = damping, .free_length = length});
    model.add_observable("tension", "N", [=](const auto& now) { return damping * now.auxiliary(element, 0); });
    model.add_observable("stretch", "m", [=](const auto& now) { return now.state(element, 0); });
    model.add_observable("x", "m", [=](const auto& now) { return now.pose(block.origin()).position.x(); });
    Simulation simulation(model, {.formulation = formulation,
                                  .integrator = ExtrapolationOptions{.rtol = 1e-11, .atol = 1e-11},
                                  .energy_balance = true});
    Eigen::VectorXd values;
    simulation.equations().observables(simulation.run(0, t_end).final_state(), values);
    // The spring's stretch u starts at zero with the rate v_0; x' = u' + k u / c.
    const double u = speed / omega * std::exp(-decay * t_end) * std::sin(omega * t_end);
    const double u_integral =
        speed / omega *
        (omega - std::exp(-decay * t_end) * (decay * std::sin(omega * t_end) + omega * std::cos(omega * t_end))) /
        (decay * decay + omega * omega);
    const double r = stiffness / damping * u_integral;
    EXPECT_NEAR(values[0], stiffness * u, 1e-7);
    EXPECT_NEAR(values[1], r, 1e-9);
    EXPECT_NEAR(values[2], length + u + r, 1e-9);
    EXPECT_LT(simulation.energy().balance, 1e-8);
  }
}

TEST(SeriesSpringDamper, RefusesWhatMakesNoSense) {
  PlanarModel model;
  const auto a = model.ground().origin(), b = model.add_body("b", MassProperties::planar(1, 1)).origin();
  using Element = SeriesSpringDamper<Planar>;
  const auto refused = [&](Element::Options options, const char* message) {
    expect_contains(model_error([&] { static_cast<void>(Element(a, b, options)); }), message);
  };
  refused({.stiffness = 0, .damping = 1}, "series spring-damper: stiffness is 0 N/m; give a finite value > 0.");
  refused({.stiffness = 1, .damping = 0},
          "series spring-damper: damping is 0 N s/m; give a finite value > 0 (or a law).");
  refused({.stiffness = 1, .damping = 1, .free_length = -1}, "series spring-damper: free length is -1 m");
  refused({.stiffness = 1, .damping = 1, .initial = NAN}, "series spring-damper: initial stretch is nan m");
  refused({.stiffness = 1, .damping = 1, .typical_rate = 0}, "series spring-damper: typical rate is 0 m/s");
  refused({.stiffness = 1, .damping = 1, .law = [](double rate) { return rate; }},
          "series spring-damper: a law is given besides damping 1 N s/m");
}

TEST(SeriesSpringDamper, HasNoDirectionWithoutLength) {
  PlanarModel model;
  const SeriesSpringDamper<Planar> element(model.ground().origin(),
                                           model.add_body("b", MassProperties::planar(1, 1)).origin(),
                                           {.stiffness = 1, .damping = 1});
  ElementMotion<Planar> at;
  try {
    at.wrenches(element);
    FAIL() << "nothing was thrown";
  } catch (const RecoverableFailure& failure) {
    expect_contains(failure.what(), "its length is 0 m, so that its force has no direction; keep its ends apart");
  }
}

}  // namespace series_spring_damper_test
}  // namespace linkwork::test
