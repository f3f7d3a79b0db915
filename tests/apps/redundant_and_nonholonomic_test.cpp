// Models with redundant constraints and with nonholonomic ones.

#include "../sampled.hpp"
#include "zoo_simulation.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

namespace linkwork::apps {
namespace redundant_and_nonholonomic_test {

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

Simulation run(const char* name, const Parameters& parameters, Formulation formulation,
               const IntegratorOptions& integrator, double t) {
  const ZooModel& model = find_model(name);
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.keep_dense_output = false;
  Simulation simulation = make_simulation(model, model.parameters_with(parameters), options);
  simulation.run(0, t);
  return simulation;
}

// The figure that the project must reach. Between the two motions stand the errors of both runs at 1e-11, which grow a
// hundredfold within 5 s: the worst seen is 4e-9.
TEST(FourBar, MovesInSpaceAsInThePlane) {
  const ExtrapolationOptions extrapolation{.rtol = 1e-11, .atol = 1e-11};
  Simulation plane = run("four_bar", {{"spatial", 0}}, Formulation::absolute, extrapolation, 5);
  const Eigen::VectorXd expected = final_observables(plane);
  for (Formulation formulation : formulations) {
    Simulation space = run("four_bar", {}, formulation, extrapolation, 5);
    EXPECT_LT((final_observables(space) - expected).lpNorm<Eigen::Infinity>(), 1e-8) << name_of(formulation);
    EXPECT_EQ(space.linear_solver_name(), "redundant") << name_of(formulation);
  }
}

TEST(FourBar, KeepsItsMotionByBdf) {
  Simulation plane =
      run("four_bar", {{"spatial", 0}}, Formulation::absolute, ExtrapolationOptions{.rtol = 1e-11, .atol = 1e-11}, 1);
  const Eigen::VectorXd expected = final_observables(plane);
  for (Formulation formulation : formulations) {
    Simulation space = run("four_bar", {}, formulation, BdfOptions{.rtol = 1e-9, .atol = 1e-9}, 1);
    // Errors of steps add up: seen 1.03e-6.
    EXPECT_LT((final_observables(space) - expected).lpNorm<Eigen::Infinity>(), 2e-6) << name_of(formulation);
  }
}

// The figure that the project must reach, at the tolerance that it is asked at; worst seen: 2.9e-9 between the motions,
// 1.9e-9 from the reference. The rows that are redundant change on the way.
TEST(FourBar, MovesInSpaceAsInThePlaneByRadau) {
  const RadauOptions radau{.rtol = 1e-11, .atol = 1e-11};
  const ZooModel& model = find_model("four_bar");
  for (Formulation formulation : formulations) {
    const double t = formulation == Formulation::relative ? model.t_end : 1;
    Simulation plane = run("four_bar", {{"spatial", 0}}, Formulation::relative, radau, t);
    Simulation space = run("four_bar", {}, formulation, radau, t);
    EXPECT_LT((final_observables(space) - final_observables(plane)).lpNorm<Eigen::Infinity>(), 1e-8)
        << name_of(formulation);
    EXPECT_LT(final_reference_error(space, model, model.parameters_with({})), 1e-8) << name_of(formulation);
  }
}

// Rows that have been chosen become dependent although all rows together keep their rank: others are chosen then. Both
// stage systems. The error grows a hundredfold within 5 s; worst seen: 1.1e-5.
TEST(FourBar, GoesRoundWithRowsThatAreChosenAnew) {
  const ZooModel& model = find_model("four_bar");
  for (Formulation formulation : formulations)
    for (StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
      Simulation space =
          run("four_bar", {}, formulation, RadauOptions{.rtol = 1e-7, .atol = 1e-7, .solver = solver}, 2);
      EXPECT_LT(final_reference_error(space, model, model.parameters_with({})), 3e-5)
          << name_of(formulation) << (solver == StageSolver::dense ? ", dense" : ", sparse");
    }
}

TEST(Bricard, MovesByRadau) {
  const ZooModel& model = find_model("bricard");
  for (Formulation formulation : formulations)
    for (StageSolver solver : {StageSolver::dense, StageSolver::sparse})
      for (const double tolerance : {1e-3, 1e-9}) {
        Simulation space =
            run("bricard", {}, formulation, RadauOptions{.rtol = tolerance, .atol = tolerance, .solver = solver}, 1);
        EXPECT_LT(final_reference_error(space, model, model.parameters_with({})), 100 * tolerance)
            << name_of(formulation) << (solver == StageSolver::dense ? ", dense, " : ", sparse, ") << tolerance;
      }
}

// Where all bars lie in one line the mechanism has a freedom more, and its motion is smooth. The figures that the
// project must reach: 1e-3 m and 1e-4 J of the reference over 10 s; worst seen 1.3e-4 and 7.6e-5 by bdf, 3.4e-6 and
// 1.5e-6 by radau.
TEST(NFourBar, PassesItsSingularPositionByImplicitMethods) {
  const ZooModel& model = find_model("n_four_bar");
  for (Formulation formulation : formulations)
    for (const bool by_radau : {false, true}) {
      const IntegratorOptions options = by_radau ? IntegratorOptions(RadauOptions{.rtol = 1e-8, .atol = 1e-8})
                                                 : IntegratorOptions(BdfOptions{.rtol = 1e-8, .atol = 1e-8});
      Simulation simulation = run("n_four_bar", {}, formulation, options, 10);
      const double error = final_reference_error(simulation, model, model.parameters_with({}));
      EXPECT_LT(error, by_radau ? 1e-5 : 1e-3) << name_of(formulation) << by_radau;
      EXPECT_LT(simulation.energy().max_drift, by_radau ? 1e-5 : 1e-4) << name_of(formulation) << by_radau;
    }
}

// With 40 loops that meet there one matrix does not serve for a step. radau takes matrices of all stages, bdf one at
// each iterate where it is asked to. With others bdf fails by name in some formulations. What passes is right: 1e-3 m,
// and of the energy of 620 J what the project must reach, 1e-4 J, or where errors add up from step to step (bdf) 1e-6
// of it. Worst seen over 10 s: radau 3e-6 m, 5e-5 J; bdf by newton 1.3e-5 m, 2.9e-4 J, else 1e-4 m, 4e-4 J.
TEST(NFourBar, OfFortyLoopsPassesItsSingularPositionByImplicitMethods) {
  const ZooModel& model = find_model("n_four_bar");
  const double end = test::sampled(10.0, 1.0);
  const auto run_to_end = [&](Formulation formulation, const IntegratorOptions& integrator) {
    SimulationOptions options;
    options.formulation = formulation;
    options.integrator = integrator;
    Simulation simulation = make_simulation(model, model.parameters_with({{"n", 40}}), options);
    simulation.run(0, end);
    return simulation;
  };
  const double tolerance = 1e-8;
  const IntegratorOptions radau = RadauOptions{.rtol = tolerance, .atol = tolerance};
  const IntegratorOptions bdf = BdfOptions{.rtol = tolerance, .atol = tolerance};
  const IntegratorOptions bdf_by_newton =
      BdfOptions{.rtol = tolerance, .atol = tolerance, .newton = {.method = CorrectorMethod::newton}};
  Simulation expected = run_to_end(Formulation::absolute, ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9});
  for (Formulation formulation : formulations)
    for (const IntegratorOptions* options : {&radau, &bdf, &bdf_by_newton}) {
      SCOPED_TRACE(::testing::Message() << name_of(formulation) << ", " << options->make()->name()
                                        << (options == &bdf_by_newton ? " by newton" : ""));
      try {
        Simulation simulation = run_to_end(formulation, *options);
        EXPECT_LT((final_observables(simulation) - final_observables(expected)).lpNorm<Eigen::Infinity>(), 1e-3);
        EXPECT_LT(simulation.energy().max_drift, options == &radau ? 1e-4 : 6.2e-4);
      } catch (const RunError& error) {
        const std::string what = error.what();
        ASSERT_EQ(options, &bdf) << what;
        EXPECT_NE(what.find("singular position"), std::string::npos) << what;
        EXPECT_NE(what.find("right pin "), std::string::npos) << what;
        EXPECT_NE(what.find("corrector newton"), std::string::npos) << what;
      }
    }
}

// What the README says: all formulations, at tolerances down to 1e-8. Errors against a tighter run, as long as the
// second position is not far behind; worst seen: 4.7e-6 m at 1e-6.
TEST(NFourBar, OfAnyNumberOfLoopsPassesItsSingularPositionByRadau) {
  const ZooModel& model = find_model("n_four_bar");
  const auto run_by = [&](double n, Formulation formulation, const IntegratorOptions& integrator) {
    SimulationOptions options;
    options.formulation = formulation;
    options.integrator = integrator;
    Simulation simulation = make_simulation(model, model.parameters_with({{"n", n}}), options);
    simulation.run(0, test::sampled(2.0, 1.0));
    return simulation;
  };
  const double most = test::sampled(40.0, 3.0);
  for (const double n : {3.0, 20.0, 40.0}) {
    if (n > most) continue;
    Simulation expected = run_by(n, Formulation::absolute, ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10});
    for (const double tolerance : {1e-6, 1e-7, 1e-8})
      for (Formulation formulation : formulations) {
        SCOPED_TRACE(::testing::Message() << n << ", " << tolerance << ", " << name_of(formulation));
        Simulation simulation = run_by(n, formulation, RadauOptions{.rtol = tolerance, .atol = tolerance});
        EXPECT_LT((final_observables(simulation) - final_observables(expected)).lpNorm<Eigen::Infinity>(),
                  50 * tolerance);
        EXPECT_GT(
            simulation.statistics().integrator.corrector.iterations[static_cast<std::size_t>(CorrectorPhase::newton)],
            0);
      }
  }
}

/// A disc that is free, and one that a fork holds upright.
const Parameters discs[] = {
    {}, {{"held", 1}, {"tilt", std::numbers::pi / 2}, {"mass", 2}, {"turn_rate", 0.8}, {"spin", -4}}};

// The figures that the project must reach: the reference to 1e-7, no slip to 1e-10 m/s. Worst seen: 3e-8 and 1e-15.
TEST(RollingDisc, RollsWithoutSlipAsItsReference) {
  const ZooModel& model = find_model("rolling_disc");
  for (const Parameters& disc : discs)
    for (Formulation formulation : formulations) {
      Simulation simulation =
          run("rolling_disc", disc, formulation, ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}, 10);
      EXPECT_LT(final_reference_error(simulation, model, model.parameters_with(disc)), 1e-7) << name_of(formulation);
      EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-10) << name_of(formulation);
      EXPECT_LT(simulation.constraint_residual().position_m, 1e-10) << name_of(formulation);
      // The fork's joint and the plane do no work; a run at 1e-10 keeps 10 J to some 1e-9 J.
      EXPECT_LT(simulation.energy().max_drift, 1e-7) << name_of(formulation);
    }
}

TEST(RollingDisc, RollsByRadau) {
  const ZooModel& model = find_model("rolling_disc");
  for (const Parameters& disc : discs)
    for (Formulation formulation : formulations) {
      Simulation simulation = run("rolling_disc", disc, formulation, RadauOptions{.rtol = 1e-10, .atol = 1e-10}, 10);
      EXPECT_LT(final_reference_error(simulation, model, model.parameters_with(disc)), 1e-7) << name_of(formulation);
      EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-10) << name_of(formulation);
    }
}

// The same figures, by the finish: worst seen 6e-8 and 1e-15. Without it constraints hold as well as the iteration has
// solved them: worst seen at 1e-10 1e-6 and 2e-9.
TEST(RollingDisc, RollsByBdf) {
  const ZooModel& model = find_model("rolling_disc");
  for (const Parameters& disc : discs)
    for (Formulation formulation : formulations) {
      Simulation finished =
          run("rolling_disc", disc, formulation, BdfOptions{.rtol = 3e-12, .atol = 3e-12, .finish = true}, 10);
      EXPECT_LT(final_reference_error(finished, model, model.parameters_with(disc)), 1e-7) << name_of(formulation);
      EXPECT_LT(finished.constraint_residual().velocity_m_per_s, 1e-13) << name_of(formulation);
      EXPECT_LT(finished.constraint_residual().position_m, 1e-14) << name_of(formulation);
      Simulation simulation = run("rolling_disc", disc, formulation, BdfOptions{.rtol = 1e-10, .atol = 1e-10}, 1);
      EXPECT_LT(final_reference_error(simulation, model, model.parameters_with(disc)), 1e-6) << name_of(formulation);
      EXPECT_LT(simulation.constraint_residual().velocity_m_per_s, 1e-8) << name_of(formulation);
    }
}

}  // namespace redundant_and_nonholonomic_test
}  // namespace linkwork::apps
