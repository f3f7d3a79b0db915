// Whole runs by every corrector: as accurate as those of simplified Newton.

#include "corrector_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace corrector_accuracy_test {

using namespace corrector_runs;

/// A corrector that errs more than twice as much as simplified Newton's method, by how much as solvers/README.md has
/// it; 0: it needs many more evaluations, and is not run.
struct Exception {
  std::string name;
  double ratio = 0;
};

struct Whole {
  const char* model;
  double t, tolerance;
  double spacing = 0.25;  // of the tolerances of nine runs, in powers of two
  std::vector<Exception> of_bdf = {}, of_radau = {};
};

/// Largest difference of positions and velocities, in units of 1 and of their size.
double difference(const State& a, const State& b) {
  const auto of = [](const Eigen::VectorXd& x, const Eigen::VectorXd& exact) {
    return ((x - exact).array().abs() / exact.array().abs().max(1.0)).maxCoeff();
  };
  return std::max(of(a.p, b.p), of(a.v, b.v));
}

/// Geometric mean over nine tolerances around the one of the model: other roundings alone move the error of a single
/// run by several times, of the chain by ten.
template <class MakeOptions>
double usual_error(const Whole& whole, const State& exact, const MakeOptions& make) {
  constexpr int half = 4;
  double sum = 0;
  for (int k = -half; k <= half; ++k)
    sum += std::log(
        difference(run(whole.model, make(whole.tolerance * std::exp2(whole.spacing * k)), whole.t).end, exact));
  return std::exp(sum / (2 * half + 1));
}

/// @param error  of correctors; the first is simplified Newton's method
template <class Error>
void expect_errors_like_simplified(const std::vector<Named>& correctors, const std::vector<Exception>& exceptions,
                                   const Error& error, const std::string& what) {
  const double simplified = error(CorrectorOptions{});
  for (const Named& each : correctors) {
    if (!each.is_standard) continue;
    const auto known = std::find_if(exceptions.begin(), exceptions.end(),
                                    [&](const Exception& exception) { return exception.name == each.name; });
    const double ratio = known == exceptions.end() ? 1 : known->ratio;
    if (ratio == 0) continue;
    const double found = error(each.options) / simplified;
    if (ratio > 1) std::cout << what << each.name << " errs " << found << " times as much\n";
    EXPECT_LT(found, 2 * ratio) << what << each.name;
  }
}

void expect_errors_like_simplified(const Whole& whole) {
  const State exact = run(whole.model, radau({}, 1e-3 * whole.tolerance), whole.t).end;
  const std::string what = std::string(whole.model) + ", ";
  expect_errors_like_simplified(
      correctors(), whole.of_bdf,
      [&](const CorrectorOptions& newton) {
        return usual_error(whole, exact, [&](double tolerance) { return bdf(newton, tolerance); });
      },
      what);
  expect_errors_like_simplified(
      correctors_of_radau(), whole.of_radau,
      [&](const CorrectorOptions& newton) {
        return usual_error(whole, exact, [&](double tolerance) { return radau(newton, tolerance); });
      },
      what + "radau, ");
}

TEST(CorrectorRuns, AndrewsIsThatOfSimplified) { expect_errors_like_simplified({"andrews", 0.03, 1e-5}); }
TEST(CorrectorRuns, TrainCarriageIsThatOfSimplified) { expect_errors_like_simplified({"train_carriage", 1, 1e-4}); }
TEST(CorrectorRuns, TruckIsThatOfSimplified) { expect_errors_like_simplified({"truck", 1, 1e-5}); }
TEST(CorrectorRuns, GimbalIsThatOfSimplified) { expect_errors_like_simplified({"gimbal", 1, 1e-5}); }
TEST(CorrectorRuns, AtvIsThatOfSimplified) { expect_errors_like_simplified({"atv", 0.3, 1e-4}); }
TEST(CorrectorRuns, SprocketChainIsThatOfSimplified) {
  expect_errors_like_simplified({"sprocket_chain", 0.05, 8e-5, 0.4375, {{"dropped-lu", 4.5}}, {{"krylov"}}});
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
