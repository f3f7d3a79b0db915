// A relay with a smooth law, x'' = -5 tanh((x + x'/2) / eps): between its two values the force changes within a small
// part of the steps that the rest of the motion allows, and then the motion slides along x + x'/2 = 0, where a small
// eps makes it stiff.

#include "../sampled.hpp"

#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace linkwork {
namespace smooth_relay_test {

constexpr double duration = 3;
constexpr int points = 300;

struct Relay {
  double eps, x, v;  ///< width of the law, and the start
  double force(double at, double speed) const { return -5 * std::tanh((at + 0.5 * speed) / eps); }

  /// x at the points, by the classical Runge-Kutta method in steps of 2e-5 s. Its error is below 1e-8: 5/(2 eps) times
  /// the step is 0.05 at most.
  std::vector<double> reference() const {
    constexpr int steps = 500;  // between two points
    constexpr double h = duration / (points * steps);
    std::vector<double> out = {x};
    double p = x, s = v;
    for (int i = 1; i <= points; ++i) {
      for (int k = 0; k < steps; ++k) {
        const double s1 = s, a1 = force(p, s);
        const double s2 = s + h / 2 * a1, a2 = force(p + h / 2 * s1, s2);
        const double s3 = s + h / 2 * a2, a3 = force(p + h / 2 * s2, s3);
        const double s4 = s + h * a3, a4 = force(p + h * s3, s4);
        p += h / 6 * (s1 + 2 * s2 + 2 * s3 + s4);
        s += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      }
      out.push_back(p);
    }
    return out;
  }

  PlanarModel model(bool has_row) const {
    PlanarModel out("smooth relay");
    auto mass = out.add_body<PointMass>("mass", 1.0);
    mass.place({x, 0});
    mass.move({v, 0});
    if (has_row) out.add_joint<PointOnLine>("rail", out.ground().origin(), mass.origin(), Axis::x());
    out.add_force<AppliedForce>("relay", mass.origin(), [law = *this](const Motion<Planar>& m) -> Eigen::Vector2d {
      return {law.force(m.frame(0).pose.position.x(), m.frame(0).velocity.linear.x()), 0};
    });
    return out;
  }
};

template <class Options>
class SmoothRelay : public ::testing::Test {};
using AllIntegrators = ::testing::Types<ExtrapolationOptions, BdfOptions, RadauOptions>;
TYPED_TEST_SUITE(SmoothRelay, AllIntegrators);

// Without a row extrapolation takes the midpoint rule, with one the half-explicit Euler method.
TYPED_TEST(SmoothRelay, IsResolvedFromEveryStart) {
  constexpr int starts = test::sampled(20, 2);
  for (const double eps : {0.3, 0.1, 0.03, 0.01, 1e-3})
    for (int start = 0; start < starts; ++start) {
      const Relay relay{eps, 0.1 + 0.05 * start, 0.3 * (start % 4) - 0.45};
      const std::vector<double> expected = relay.reference();
      for (const double tolerance : {1e-3, 1e-6})
        for (const bool has_row : {false, true}) {
          Simulation simulation(relay.model(has_row), {.integrator = TypeParam{.rtol = tolerance, .atol = tolerance}});
          const Trajectory& path = simulation.run(0, duration);
          double error = 0;
          for (int i = 0; i <= points; ++i)
            error = std::max(error, std::abs(path.at(std::min(duration, i * duration / points)).p[0] -
                                             expected[static_cast<std::size_t>(i)]));
          // Some ten steps before the motion slides, with errors of the tolerance that grow with the time to go, 3 s.
          EXPECT_LT(error, 20 * tolerance)
              << "eps " << eps << ", start " << start << ", tolerance " << tolerance << (has_row ? ", with a row" : "");
        }
    }
}

// The fastest rate is 5 / (2 eps) = 2500 per second; a step of the midpoint rule or of Euler's method is stable up to a
// few of its inverses. A wide law is no more than a damped spring.
TEST(SmoothRelay, SaysThatItIsStiff) {
  const auto run = [](double eps) {
    Simulation simulation(Relay{eps, 0.3, 0}.model(true), {.integrator = ExtrapolationOptions{}});
    simulation.run(0, duration);
    return simulation.summary();
  };
  const std::string stiff = run(1e-3);
  EXPECT_NE(stiff.find("the model is stiff for extrapolation; integrator radau or bdf can take longer ones"),
            std::string::npos)
      << stiff;
  const std::string soft = run(0.3);
  EXPECT_EQ(soft.find("stability"), std::string::npos) << soft;
}

}  // namespace smooth_relay_test
}  // namespace linkwork
