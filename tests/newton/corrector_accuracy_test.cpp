// Whole runs by every corrector: as accurate as those of simplified Newton.

#include "corrector_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace corrector_accuracy_test {

using namespace corrector_runs;

struct Whole {
  const char* model;
  double t, tolerance;
  int runs = 9;  // odd
  // Correctors that err more or need many more steps, of bdf and of radau: see solvers/README.md.
  std::string left_out = "", left_out_of_radau = "";
};

/// Largest difference of positions and velocities, in units of 1 and of their size.
double difference(const State& a, const State& b) {
  const auto of = [](const Eigen::VectorXd& x, const Eigen::VectorXd& exact) {
    return ((x - exact).array().abs() / exact.array().abs().max(1.0)).maxCoeff();
  };
  return std::max(of(a.p, b.p), of(a.v, b.v));
}

/// Median over some tolerances around the one of the model: other roundings alone move errors of a single run by
/// several times.
template <class MakeOptions>
double usual_error(const Whole& whole, const State& exact, const MakeOptions& make) {
  std::vector<double> errors;
  for (int k = -whole.runs / 2; k <= whole.runs / 2; ++k)
    errors.push_back(difference(run(whole.model, make(whole.tolerance * std::exp2(0.25 * k)), whole.t).end, exact));
  std::sort(errors.begin(), errors.end());
  return errors[static_cast<std::size_t>(whole.runs / 2)];
}

void expect_errors_like_simplified(const Whole& whole) {
  const State exact = run(whole.model, radau({}, 1e-3 * whole.tolerance), whole.t).end;
  const auto error = [&](const CorrectorOptions& newton) {
    return usual_error(whole, exact, [&](double tolerance) { return bdf(newton, tolerance); });
  };
  const double of_bdf = error({});
  for (const Named& each : correctors()) {
    if (!each.is_standard || each.name == whole.left_out) continue;
    EXPECT_LT(error(each.options), 2 * of_bdf) << whole.model << ", " << each.name;
  }
  const auto error_of_radau = [&](const CorrectorOptions& newton) {
    return usual_error(whole, exact, [&](double tolerance) { return radau(newton, tolerance); });
  };
  const double of_radau = error_of_radau({});
  for (const Named& each : correctors_of_radau()) {
    if (each.name == whole.left_out_of_radau) continue;
    EXPECT_LT(error_of_radau(each.options), 2 * of_radau) << whole.model << ", radau, " << each.name;
  }
}

TEST(CorrectorRuns, AndrewsIsThatOfSimplified) { expect_errors_like_simplified({"andrews", 0.03, 1e-5}); }
TEST(CorrectorRuns, TrainCarriageIsThatOfSimplified) { expect_errors_like_simplified({"train_carriage", 1, 1e-4}); }
TEST(CorrectorRuns, TruckIsThatOfSimplified) { expect_errors_like_simplified({"truck", 1, 1e-5}); }
TEST(CorrectorRuns, GimbalIsThatOfSimplified) { expect_errors_like_simplified({"gimbal", 1, 1e-5}); }
TEST(CorrectorRuns, AtvIsThatOfSimplified) { expect_errors_like_simplified({"atv", 0.3, 1e-4}); }
TEST(CorrectorRuns, SprocketChainIsThatOfSimplified) {
  expect_errors_like_simplified({"sprocket_chain", 0.05, 1e-4, 9, "cycle with a second thread", "krylov"});
}

// Afterwards collisions come at other times, and single positions say nothing; the chain's energy and speed do.
TEST(CorrectorRuns, SprocketChainKeepsItsEnergyAndItsSpeed) {
  struct Mean {
    double energy = 0, speed = 0;
  };
  constexpr double t_end = 0.1;
  const auto mean_of = [](const CorrectorOptions& newton) {
    const ZooModel& model = find_model("sprocket_chain");
    SimulationOptions options{.formulation = Formulation::relative, .integrator = bdf(newton, 1e-4)};
    options.keep_dense_output = options.keep_steps = false;
    Simulation simulation = make_simulation(model, model.parameters_with({}), options);
    const auto names = simulation.equations().observable_names();
    const auto speed = std::find(names.begin(), names.end(), "speed") - names.begin();
    Mean mean;
    double before = 0;
    Eigen::VectorXd values;
    simulation.observe([&](const State& state, EquationsOfMotion& equations) {
      const double step = (state.t - before) / t_end;
      before = state.t;
      equations.observables(state, values);
      const Energies now = equations.energies();
      mean.energy += step * (now.kinetic + now.potential);
      mean.speed += step * values[speed];
      return true;
    });
    simulation.run(0, t_end);
    return mean;
  };
  const Mean plain = mean_of({});
  EXPECT_GT(plain.energy, 1);
  for (const Named& each : correctors()) {
    if (!each.is_standard) continue;
    const Mean mean = mean_of(each.options);
    EXPECT_NEAR(mean.energy, plain.energy, 0.01 * plain.energy) << each.name;
    EXPECT_NEAR(mean.speed, plain.speed, 0.01 * plain.speed) << each.name;
  }
}

}  // namespace corrector_accuracy_test
}  // namespace linkwork::apps
