#include "command.hpp"

#include <cmath>

namespace run_test {

TEST_F(Command, RunReportsEveryField) {
  const auto report = json_of("run andrews --linear dense-lu --rtol 1e-6 --atol 1e-6 --tend 0.01");
  EXPECT_EQ(report["model"], "andrews");
  EXPECT_EQ(report["space"], "planar");
  EXPECT_EQ(report["formulation"], "absolute");
  EXPECT_EQ(report["linear_solver"], "dense-lu");
  EXPECT_EQ(report["integrator"], "extrapolation");
  EXPECT_EQ(report["rtol"], 1e-6);
  EXPECT_EQ(report["atol"], 1e-6);
  EXPECT_EQ(report["t_begin"], 0);
  EXPECT_EQ(report["t_end"], 0.01);
  EXPECT_EQ(report["status"], "done");
  const nlohmann::json dimensions = {
      {"p", 21}, {"v", 21}, {"r", 0}, {"w", 0}, {"s", 0}, {"lambda", 20}, {"mu", 0}, {"eta", 20}, {"normalisation", 0}};
  EXPECT_EQ(report["dimensions"], dimensions);
  for (const char* counter : {"steps", "force_evaluations", "matrix_evaluations", "residual_evaluations",
                              "factorizations", "linear_solves", "newton_iterations"})
    EXPECT_GT(report["statistics"][counter].get<int>(), 0) << counter;
  for (const char* counter : {"rejected_steps", "jacobian_evaluations", "jacobian_updates", "convergence_failures",
                              "selector_updates", "wall_seconds"})
    EXPECT_TRUE(report["statistics"][counter].is_number()) << counter;
  for (const char* residual : {"position_m", "position_rad", "velocity_m_per_s", "velocity_rad_per_s", "normalisation"})
    EXPECT_TRUE(report["constraint_residual"][residual].is_number()) << residual;
  for (const char* energy : {"initial", "final", "max_drift", "balance"})
    EXPECT_TRUE(report["energy"][energy].is_number()) << energy;
  EXPECT_TRUE(report["observables"]["beta_ddot"].is_number());
  EXPECT_TRUE(report["reference"]["max_error"].is_number());
  EXPECT_TRUE(report["reference"]["source"].is_string());
  EXPECT_TRUE(report["events"].is_array());
}

TEST_F(Command, TakesAToleranceOfAnglesBesideThatOfLengths) {
  const auto steps = [&](const std::string& tolerances) {
    return json_of("run n_four_bar --tend 0.2 --rtol 0 " + tolerances)["statistics"]["steps"].get<int>();
  };
  const int scalar = steps("--atol 1e-6");
  EXPECT_EQ(steps("--atol 1e-6 --atol-angle 1e-6"), scalar);
  EXPECT_GT(steps("--atol 1e-6 --atol-angle 1e-10"), scalar);
  EXPECT_EQ(json_of("run pendulum --tend 0.1 --atol 3 --atol-angle 1e-6")["integrator_options"],
            nlohmann::json({{"atol-angle", "1e-6"}}));
  const Result refused = run("run pendulum --atol 3");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("with an atol_angle (--atol-angle) for these"), std::string::npos) << refused.err;
}

TEST_F(Command, BdfReportsItsWork) {
  const auto report = json_of(
      "run andrews --integrator bdf --formulation relative --rtol 1e-5 --atol 1e-5 --tend 0.01 --jacobian dense "
      "--partitioned off --formalism residual --refresh whole --pattern exact --increments weighted --matrix dense");
  EXPECT_EQ(report["integrator"], "bdf");
  const auto& s = report["statistics"];
  for (const char* counter : {"steps", "function_calls", "function_calls_without_jacobian", "jacobian_evaluations",
                              "newton_iterations", "residual_evaluations", "factorizations"})
    EXPECT_GT(s[counter].get<int>(), 0) << counter;
  EXPECT_EQ(s["jacobian_updates"], 0);
  EXPECT_EQ(s["jacobian_refreshes"], 0);
  // Dense: as many calls per Jacobian as columns that are not known from Z and G. All 26 unknowns less lambda and eta
  // where those are known.
  const int calls = s["function_calls"].get<int>() - s["function_calls_without_jacobian"].get<int>();
  EXPECT_EQ(calls, s["jacobian_evaluations"].get<int>() * s["jacobian_groups"].get<int>());
  EXPECT_LE(s["jacobian_groups_lower_bound"], s["jacobian_groups"]);
  EXPECT_EQ(report["integrator_options"], nlohmann::json({{"jacobian", "dense"},
                                                          {"partitioned", "off"},
                                                          {"formalism", "residual"},
                                                          {"refresh", "whole"},
                                                          {"pattern", "exact"},
                                                          {"increments", "weighted"},
                                                          {"matrix", "dense"}}));
  EXPECT_GT(json_of("run andrews --integrator bdf --formulation relative --tend 0.01")["statistics"]["jacobian_updates"]
                .get<int>(),
            0);
  const Result result = run("run andrews --integrator bdf --tend 0.001");
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("Jacobians"), std::string::npos) << result.out;
  EXPECT_NE(run("list").out.find("bdf"), std::string::npos);
  const auto finished = json_of("run andrews --integrator bdf --finish on --tend 0.001");
  EXPECT_LT(finished["constraint_residual"]["position_m"].get<double>(), 1e-15);  // rounding of 0.1 m
}

// SUNDIALS IDA needs 1480 steps for index 1 at this tolerance, with an error of 2e-7.
TEST_F(Command, RadauRunsAndReportsItsWork) {
  const auto report = json_of(
      "run andrews --no-events --integrator radau --formulation relative --rtol 1e-9 --atol 1e-9 --form psf "
      "--algebraic lu "
      "--differential lu --selectors adapted --stages dense --step-control predictive --starting-values extrapolated "
      "--matrix-point start --matrix-updates 0 --newton-iterations 10 --finish on");
  EXPECT_EQ(report["integrator"], "radau");
  const auto& s = report["statistics"];
  EXPECT_LT(s["steps"].get<int>(), 1480);
  for (const char* counter : {"steps", "function_calls", "jacobian_evaluations", "newton_iterations",
                              "selector_updates", "algebraic_decompositions", "stage_solves"})
    EXPECT_GT(s[counter].get<int>(), 0) << counter;
  EXPECT_LT(report["reference"]["max_error"].get<double>(), 3e-7);
  EXPECT_NE(run("list").out.find("radau"), std::string::npos);
}

// The models' elements use what they declare all along their way, with all kinds of unknowns.
TEST_F(Command, RunChecksDeclarations) {
  for (const char* model : {"cam_follower", "train_carriage", "lane_change_car", "axle_on_stamp", "truck9"}) {
    const Result checked = run(std::string("run ") + model +
                               " --check-declarations --formulation relative --integrator bdf --rtol 1e-3 --atol 1e-3 "
                               "--tend 0.02 --quiet");
    EXPECT_EQ(checked.status, 0) << checked.err;
  }
}

TEST_F(Command, RunReportsSingularPositions) {
  // Each of the two rhombi folds flat for the first time within two seconds.
  const Result result = run("run n_four_bar --set n=2 --tend 2 --rtol 1e-8 --atol 1e-8 --watch-rank");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("singular position at t = "), std::string::npos) << result.out;
  EXPECT_EQ(run("run n_four_bar --set n=2 --tend 2").out.find("singular position"), std::string::npos);
  const Result quiet = run("run n_four_bar --set n=2 --tend 2 --rtol 1e-8 --atol 1e-8 --watch-rank --quiet");
  EXPECT_EQ(quiet.out.find("singular position at t = "), 0u) << quiet.out;
  const auto report = json_of("run n_four_bar --set n=2 --tend 2 --rtol 1e-8 --atol 1e-8 --watch-rank");
  ASSERT_FALSE(report["singular_positions"].empty());
  EXPECT_LT(report["singular_positions"][0]["t"].get<double>(), 2);
  EXPECT_EQ(report["singular_positions"][0]["sentence"].get<std::string>().find("singular position at t = "), 0u);
  EXPECT_TRUE(json_of("run n_four_bar --set n=2 --tend 0.1")["singular_positions"].is_null());
}

TEST_F(Command, ReferenceIsNullForOtherParametersOrTimes) {
  EXPECT_TRUE(json_of("run andrews --tend 0.011")["reference"]["max_error"].is_null());
  EXPECT_TRUE(json_of("run andrews --set torque=0.04")["reference"]["max_error"].is_null());
  EXPECT_TRUE(json_of("run andrews --set torque=0.033")["reference"]["max_error"].is_number());
}

TEST_F(Command, FindsTheOfferedEvents) {
  const auto events = json_of("run andrews --rtol 1e-9 --atol 1e-9")["events"];
  const double expected[] = {0.01124076445967710345, 0.01601703736554757161, 0.0214661437540630719,
                             0.02462377400381851398, 0.02997828445337241686};
  ASSERT_EQ(events.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(events[k]["name"], "beta_ddot");
    EXPECT_NEAR(events[k]["t"].get<double>() / expected[k], 1, 1e-6);  // the figure that the project must reach
  }
  EXPECT_TRUE(json_of("run andrews --no-events")["events"].empty());
}

TEST_F(Command, StopsAtAnEvent) {
  // A quarter of the pendulum's period, from the closed form, and the tolerance of the run with a margin of 10.
  const auto report = json_of("run pendulum --rtol 1e-9 --atol 1e-9 --event x:rising:stop");
  EXPECT_NEAR(report["t_reached"].get<double>(), 2.367841947576237449 / 4, 1e-8);
  EXPECT_NEAR(report["observables"]["y"].get<double>(), -1, 1e-8);
  ASSERT_EQ(report["events"].size(), 1u);
  const auto falling = json_of("run pendulum --rtol 1e-9 --atol 1e-9 --event x:falling:stop");
  EXPECT_NEAR(falling["t_reached"].get<double>(), 2.367841947576237449 * 3 / 4, 1e-8);
}

TEST_F(Command, TakesWhatElementsTellAsEvents) {
  const auto report = json_of("run andrews --event 'spring: force:falling' --event 'O: coordinate 1:stop'");
  ASSERT_FALSE(report["events"].empty());
  EXPECT_EQ(report["events"].back()["name"], "O: coordinate 1:stop");
  EXPECT_EQ(report["t_reached"], report["events"].back()["t"]);
  EXPECT_NE(run("run andrews --event 'spring: force: falling'").err.find("has no observable"), std::string::npos);
}

TEST_F(Command, SampledTrajectoryEqualsDirectOutput) {
  const std::string files =
      " --out " + path("direct.csv") + " --rate 5000 --save " + path("run.traj") + " --log " + path("steps.csv");
  EXPECT_EQ(run("run andrews --quiet" + files).status, 0);
  EXPECT_EQ(run("sample " + path("run.traj") + " --rate 5000 --out " + path("sampled.csv")).status, 0);
  const std::string direct = text_of("direct.csv");
  EXPECT_EQ(std::count(direct.begin(), direct.end(), '\n'), 1 + 151);  // a header and 0 ... 0.03 s
  EXPECT_EQ(direct, text_of("sampled.csv"));
  EXPECT_EQ(direct, run("sample " + path("run.traj") + " --rate 5000").out);
  EXPECT_EQ(text_of("steps.csv").rfind("t,step,", 0), 0u);
  expect_refused("sample " + path("run.traj") + " --rate 0", {"rate is 0"});
}

/// What the equations solve for is written and read back: w, s and observables of them.
TEST_F(Command, SampledAuxiliaryVariablesAndContactsEqualDirectOutput) {
  const std::string options = "run cam_follower --tend 0.2 --quiet --out " + path("direct.csv") +
                              " --rate 500 --save " + path("run.traj") + " --json " + path("run.json");
  ASSERT_EQ(run(options).status, 0);
  const std::string direct = text_of("direct.csv");
  EXPECT_NE(direct.find("damper on its mount: auxiliary variable 1"), std::string::npos);
  EXPECT_NE(direct.find("contact: contact coordinate 2"), std::string::npos);
  EXPECT_EQ(direct, run("sample " + path("run.traj") + " --rate 500").out);
  const auto report = nlohmann::json::parse(text_of("run.json"));
  EXPECT_EQ(report["dimensions"]["w"], 0);
  EXPECT_EQ(report["eliminated"]["w"], 1);
  EXPECT_EQ(report["eliminated"]["s"], 2);
  EXPECT_GT(report["statistics"]["auxiliary_evaluations"], 100);
}

TEST_F(Command, FailedRunKeepsWhatWasComputed) {
  const std::string files = " --json " + path("run.json") + " --out " + path("run.csv") + " --save " + path("run.traj");
  const Result result = run("run pendulum --max-steps 5" + files);
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("limit of 5 steps"), std::string::npos) << result.err;
  const auto report = nlohmann::json::parse(text_of("run.json"));
  EXPECT_EQ(report["status"], "failed");
  EXPECT_NE(report["reason"].get<std::string>().find("limit of 5 steps"), std::string::npos);
  EXPECT_GT(report["t_reached"].get<double>(), 0);
  EXPECT_TRUE(report["observables"]["x"].is_number());
  EXPECT_TRUE(report["reference"]["max_error"].is_null());
  EXPECT_GT(text_of("run.csv").size(), 100u);
  EXPECT_EQ(run("sample " + path("run.traj") + " --rate 10").status, 0);
}

// The published run stops there. Ours ends 170 tolerances from the closed form, in 92 steps.
TEST_F(Command, StandardDiscretisationPassesWhereThePublishedOneDoesNot) {
  const Result result = run("run cable_drum --discretisation standard --set mu=1.25 --rtol 1e-5 --atol 1e-5 --json -");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_LT(nlohmann::json::parse(result.out)["reference"]["max_error"].get<double>(), 4e-3);
}

TEST_F(Command, MidpointRuleIsRefusedWhereThereAreRows) {
  const Result result = run("run andrews --discretisation midpoint --quiet");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(
      result.err.find("the midpoint rule treats no constraints, and the absolute equations of model 'andrews' have "
                      "20 constraint rows, among them O"),
      std::string::npos)
      << result.err;
}

TEST_F(Command, StepsOfTheMidpointRuleAreSampledAsTheyWere) {
  const std::string model = "run humanoid --formulation relative --discretisation midpoint --quiet";
  ASSERT_EQ(run(model + " --out " + path("direct.csv") + " --rate 1000 --save " + path("run.traj")).status, 0);
  EXPECT_EQ(text_of("direct.csv"), run("sample " + path("run.traj") + " --rate 1000").out);
}

TEST_F(Command, FullDiskIsReported) {
  for (const std::string option : {"--out", "--json", "--save", "--log"}) {
    const Result result = run("run pendulum --quiet " + option + " /dev/full");
    EXPECT_EQ(result.status, 1) << option;
    EXPECT_NE(result.err.find("writing '/dev/full' failed"), std::string::npos) << option << result.err;
  }
}

TEST_F(Command, SummaryIsOfTheWholeRun) {
  EXPECT_NE(run("run pendulum --tend 2").out.find("time            0 s to 2 s\n"), std::string::npos);
}

TEST_F(Command, QuietRunPrintsNothing) {
  const Result result = run("run cable_drum --quiet");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Command, SummaryShowsObservablesAndError) {
  const Result result = run("run cable_drum");
  EXPECT_EQ(result.status, 0);
  for (const char* part : {"lambda2 = ", "largest error against the reference", "steps"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
}

TEST_F(Command, ARunWithoutAStepReportsTheConsistentStart) {
  const auto report = json_of("run n_four_bar --set n=1 --tend 0 --fix B0x=0.6 --fix B0vx=0.4");
  EXPECT_EQ(report["status"], "done");
  EXPECT_TRUE(report["start"]["consistent"].get<bool>());
  EXPECT_EQ(report["start"]["free_positions"], 0);
  EXPECT_EQ(report["start"]["free_velocities"], 0);
  // The crank's end goes round on the unit circle: x = 0.6, y = 0.8, x v_x + y v_y = 0. Conditions hold to 1e-9.
  EXPECT_NEAR(report["observables"]["B0y"].get<double>(), 0.8, 2e-9);
  EXPECT_NEAR(report["observables"]["B0vy"].get<double>(), -0.3, 4e-9);
  EXPECT_NEAR(report["state"]["positions"]["crank 0: x"].get<double>(), 0.3, 1e-9);
  EXPECT_EQ(report["state"]["accelerations"].size(), 9u);
  EXPECT_TRUE(report["state"]["accelerations"].contains("crank 0: x acceleration"));
  EXPECT_EQ(report["state"]["multipliers"].size(), 8u);
  EXPECT_GE(report["state"]["branches"].size(), 2u);  // a parallelogram, and turned back

  const Result text = run("run n_four_bar --set n=1 --tend 0");
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* part : {"positions:\n  crank 0: angle = ", "multipliers:\n", "leave 1 positions and 1 velocities",
                           " ways to close the loops were found"})
    EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
  EXPECT_TRUE(json_of("run n_four_bar --set n=1 --tend 0.01")["state"].is_null());
  EXPECT_TRUE(json_of("run n_four_bar --set n=1 --tend 0.01")["start"].is_null());
}

TEST_F(Command, GuessesChooseTheBranchOfARun) {
  // The crank at the side: the coupler leads on, or back in the antiparallelogram.
  const std::string fixed = "run n_four_bar --set n=1 --tend 0 --fix B0x=0.6 --guess 'crank 1: angle'=";
  const double parallel = json_of(fixed + "0.9")["state"]["positions"]["crank 1: angle"];
  const double crossed = json_of(fixed + "-2")["state"]["positions"]["crank 1: angle"];
  EXPECT_NEAR(parallel, std::acos(0.6), 4e-9);
  EXPECT_GT(std::abs(crossed - parallel), 0.5);
}

TEST_F(Command, JointCoordinatesCanBeFixedInEveryFormulation) {
  const std::string fixed = "run n_four_bar --set n=1 --tend 0 --fix 'bearing 0: coordinate 1=0.6' --formulation ";
  constexpr double met = 1e-9;  // of conditions
  for (const char* formulation : {"absolute", "mixed"})
    EXPECT_NEAR(json_of(fixed + formulation)["state"]["positions"]["crank 0: angle"].get<double>(), 0.6, met);
  EXPECT_NEAR(json_of(fixed + "relative")["state"]["positions"]["bearing 0: coordinate 1"].get<double>(), 0.6, met);
}

TEST_F(Command, RefusesOptionsThatContradictEachOther) {
  expect_refused("run cartesian_pendulum --event p1:rising:falling",
                 {"--event 'p1:rising:falling': 'falling' is a second direction; give one of them."});
  expect_refused("run cartesian_pendulum --event p1:stop:stop", {"'stop' is a second action"});
  expect_refused("run cartesian_pendulum --event p1:threshold=1:threshold=2", {"'threshold=2' is a second threshold"});
  expect_refused("run cartesian_pendulum --event p1 --no-events",
                 {"--no-events looks for no zeros, and --event is given; leave one of them out."});
  for (const char* other : {"--out a.csv", "--save a.traj", "--log a.csv", "--event p1", "--watch-rank",
                            "--check-declarations", "--assemble"}) {
    const std::string name = std::string(other).substr(0, std::string(other).find(' '));
    expect_refused("run cartesian_pendulum --check-start " + std::string(other),
                   {"--check-start only looks at the initial values, and " + name + " is given"});
  }
  expect_refused("run andrews --integrator radau --max-order 3",
                 {"--max-order is an option of the integrators extrapolation, bdf"});
  expect_refused("sample " + path("a.traj") + " --rate nan", {"--rate is nan Hz"});
}

TEST_F(Command, MessagesNameItsOptionsToo) {
  expect_refused("run andrews --first-step 0", {"first_step (--first-step) is 0 s"});
  expect_refused("run andrews --max-step -1", {"maximum_step (--max-step) is -1 s"});
  expect_refused("run cam_follower --tend 0 --fix contact_force",
                 {"give it a value: fix(name, value) (--fix NAME=VALUE)"});
  const Result ended = run("run andrews --max-steps 3");
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.err.find("raise maximum_steps (--max-steps) or loosen"), std::string::npos) << ended.err;
}

TEST_F(Command, ColumnsHaveNamesOfTheirOwn) {
  const std::string header = run("run cartesian_pendulum --tend 0.1 --quiet --rate 10 --out -").out;
  EXPECT_EQ(header.substr(0, header.find('\n')),
            "t,p1,p2,v1,v2,p1 (observable),p2 (observable),v1 (observable),v2 (observable),lambda1");
}

TEST_F(Command, AStartThatContradictsItselfEndsTheRun) {
  const Result result = run("run n_four_bar --set n=1 --tend 0 --fix B0x=2");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("condition 'B0x = 2' contradicts the constraints of "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("the nearest value that was reached is 1;"), std::string::npos) << result.err;
  EXPECT_EQ(run("run n_four_bar --check-start").status, 0);
  EXPECT_EQ(run("run n_four_bar --check-start").out, "the initial values are consistent.\n");
  const Result checked = run("run n_four_bar --check-start --fix B0x=0.5");
  EXPECT_EQ(checked.status, 1);
  EXPECT_EQ(checked.out, "the initial values are not consistent: condition 'B0x = 0.5' is off by 0.5.\n");
  const auto json = nlohmann::json::parse(run("run n_four_bar --check-start --fix B0x=0.5 --json -").out);
  EXPECT_FALSE(json["consistent"].get<bool>());
  expect_refused("run andrews --fix", {"--fix"});
  expect_refused("run andrews --fix beta=x",
                 {"--fix 'beta=x': 'x' is no number; expected NAME=VALUE with a number as value, or NAME."});
  expect_refused("run andrews --guess beta", {"--guess 'beta': expected NAME=VALUE with a number as value."});
  expect_refused("run andrews --fix nothing=1", {"has nothing that is called 'nothing'"});
}

}  // namespace run_test
