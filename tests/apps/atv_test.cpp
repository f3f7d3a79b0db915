// The all-terrain vehicle: it stands on its four wheels, and drives over rough ground whatever integrates it.

#include "accelerations.hpp"
#include "zoo_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace linkwork::apps {
namespace atv_test {

constexpr double weight = 9.81 * (230 + 45 + 2 + 4 * (9 + 4 + 2 * 1.8 + 1 + 0.8) + 2 * 0.6);  // [N]

struct Ride {
  std::vector<std::string> names;
  Eigen::MatrixXd values;  // a column for each of 101 samples

  Eigen::RowVectorXd of(const std::string& name) const {
    return values.row(std::find(names.begin(), names.end(), name) - names.begin());
  }
  /// Of all wheels together [N].
  Eigen::RowVectorXd loads() const {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
    for (const char* axle : {"front", "rear"})
      for (const char* side : {"left", "right"}) sum += of(concat(axle, " ", side, " load"));
    return sum;
  }
};

Ride ride(const Parameters& changes, double t_end, const IntegratorOptions& integrator, Formulation formulation) {
  const ZooModel& model = find_model("atv");
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  Simulation simulation = make_simulation(model, model.parameters_with(changes), options);
  const Trajectory& path = simulation.run(0, t_end);
  Ride out{simulation.equations().observable_names(), {}};
  out.values.resize(static_cast<Eigen::Index>(out.names.size()), 101);
  Eigen::VectorXd values;
  for (int k = 0; k <= 100; ++k) {
    simulation.equations().observables(path.at(t_end * k / 100), values);
    out.values.col(k) = values;
  }
  return out;
}

// At rest the ground carries the weight. After 4 s the oscillations, damped by 30 percent and more, are down to 1e-4.
TEST(Atv, StandsOnItsWheels) {
  const Ride still = ride({{"speed", 0}, {"roughness", 0}, {"steering", 0}}, 4, BdfOptions{.rtol = 1e-6, .atol = 1e-6},
                          Formulation::relative);
  EXPECT_NEAR(still.loads()[100], weight, 1e-3 * weight);
  EXPECT_NEAR(still.of("front left load")[100], still.of("front right load")[100], 1e-3 * weight);
  EXPECT_NEAR(still.of("rear left load")[100], still.of("rear right load")[100], 1e-3 * weight);
  EXPECT_NEAR(still.of("front left load")[100], weight / 4, 0.05 * weight);
  EXPECT_LT(std::abs(still.of("z")[100] - still.of("z")[0]), 0.03);
}

// Wheels leave the ground and come back to it; the vehicle stays upright and goes where it is steered, to the left.
TEST(Atv, DrivesOverRoughGround) {
  const IntegratorOptions integrators[] = {ExtrapolationOptions{.rtol = 1e-4, .atol = 1e-4},
                                           BdfOptions{.rtol = 1e-4, .atol = 1e-4},
                                           RadauOptions{.rtol = 1e-4, .atol = 1e-4}};
  Ride first;
  for (const IntegratorOptions& integrator : integrators) {
    const Ride out = ride({}, 1.2, integrator, Formulation::relative);
    EXPECT_NEAR(out.of("x")[100], 7.1, 0.2);  // 7.2 m along a bend
    EXPECT_GT(out.of("y")[100], 0.1);
    EXPECT_LT(out.of("roll").cwiseAbs().maxCoeff(), 0.4);
    EXPECT_GT(out.of("front left load").maxCoeff(), 1.5 * weight / 4);
    EXPECT_LT(out.of("front left load").minCoeff(), 0.3 * weight / 4);
    if (first.values.size() == 0) first = out;
    EXPECT_LT((out.of("z") - first.of("z")).cwiseAbs().maxCoeff(), 1e-2);
  }
}

// Places beside the start would leave the joints: the start itself, with the ground rising under a fast vehicle. Bound:
// rounding of forces of 1e4 N on bodies of 1 kg, with condition numbers of up to 1e5.
TEST(Atv, FormulationsAndSolversGiveOneAcceleration) {
  SpatialModel model = test::build("atv", {{"speed", 12}});
  test::observe_accelerations(model);
  const Eigen::VectorXd reference = test::report(model, Formulation::relative);
  EXPECT_GT(reference.norm(), 1);
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const char* solver : {"dense-lu", "sparse-lu", "graph"})
      EXPECT_LT((test::report(model, formulation, solver) - reference).lpNorm<Eigen::Infinity>(),
                1e-9 * (1 + reference.lpNorm<Eigen::Infinity>()))
          << name_of(formulation) << ", " << solver;
}

}  // namespace atv_test
}  // namespace linkwork::apps
