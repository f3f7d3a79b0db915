#include "command.hpp"

#include <map>
#include <utility>

namespace command_line_test {

TEST_F(Command, SaysWhichProgramIsNotThereForReproduceAndBench) {
  std::filesystem::copy_file(LINKWORK_COMMAND, path("linkwork"));
  for (const std::string word : {"reproduce", "bench --json -"}) {
    const Result result = run_program(path("linkwork"), word);
    EXPECT_EQ(result.status, 2) << word;
    for (const char* part : {"is done by the program", "linkwork_measure'", "can't be started", "build it"})
      EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  }
}

TEST_F(Command, NamesWhatThereIsForUnknownWords) {
  expect_refused("", {"no command is given", "list, run, view, sample, topology, compare, reproduce, bench"});
  expect_refused("simulate", {"unknown command 'simulate'", "list, run, view, sample"});
  expect_refused("run gearbox", {"unknown model 'gearbox'", "pendulum, double_pendulum", "andrews"});
  expect_refused("list gearbox", {"unknown model 'gearbox'"});
  expect_refused("topology gearbox", {"unknown model 'gearbox'"});
  expect_refused("run andrews --formulation polar", {"unknown formulation 'polar'", "absolute, mixed, relative"});
  expect_refused("run andrews --cuts ''", {"--cuts ''", "fewest-rows", "shortest-loops"});
  expect_refused("run andrews --formulation relative --cuts hinge", {"'hinge'"});
  expect_refused("compare gearbox", {"unknown model 'gearbox'"});
  expect_refused("compare andrews --cuts ,", {"--cuts ','", "names of joints"});
  expect_refused("compare double_pendulum --cuts gearbox", {"model 'double_pendulum' has no constraint 'gearbox'"});
  expect_refused("run andrews --integrator euler", {"unknown integrator 'euler'", "extrapolation"});
  expect_refused("run andrews --linear magic", {"unknown linear solver 'magic'", "recursive"});
  expect_refused("run andrews --discretisation odd", {"unknown discretisation 'odd'", "standard, friction"});
  expect_refused("run andrews --event speed", {"no observable 'speed'", "beta_ddot"});
  expect_refused("run andrews --max-order 99999999999", {"--max-order 99999999999 is beyond what this option takes"});
  expect_refused("run andrews --integrator radau --step-control odd", {"unknown step-control 'odd'", "predictive"});
  expect_refused("reproduce table-1", {"unknown table 'table-1'", "mexx-5.1"});
  expect_refused("bench --benchmark speed", {"unknown benchmark 'speed'", "factor_solve", "mass_matrix"});
  expect_refused("bench --case chain --set n=8",
                 {"--set is for the parameters of models, and case 'chain' is a family that has none", "leave --set"});
  expect_refused("bench --case andrews --set mass=8", {"andrews has no parameter 'mass'"});
  expect_refused("bench --case rope", {"unknown benchmark case 'rope'", "insulator_chain"});
  expect_refused("bench --formulation polar", {"unknown formulation 'polar'", "relative"});
  expect_refused("bench --linear magic --sizes 8", {"unknown linear solver 'magic'", "recursive"});
}

TEST_F(Command, RefusesOptionsThatItDoesNotHave) {
  for (const char* option : {"--jacobian grouped", "--partitioned on", "--refresh blocks", "--pattern exact",
                             "--increments relative", "--matrix klu", "--formalism residual"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find(' '));
    expect_refused("run andrews " + std::string(option),
                   {name + " is an option of the integrator", " bdf", "leave it out"});
  }
  expect_refused("run andrews --integrator bdf --discretisation midpoint",
                 {"--discretisation is an option of the integrator extrapolation", "leave it out"});
  expect_refused("run andrews --integrator bdf --jacobian sparse", {"'sparse'", "dense", "grouped"});
  expect_refused("run andrews --integrator bdf --partitioned yes", {"'yes'", "off", "on", "extended"});
  expect_refused("run andrews --integrator bdf --form psf",
                 {"--form is an option of the integrator radau", "leave it out"});
  expect_refused("run andrews --integrator radau --form index4", {"'index4'", "psf", "pEoM1", "ggl"});
  expect_refused("run andrews --integrator radau --matrix klu", {"--matrix is an option of the integrator bdf"});
  expect_refused("run andrews --integrator bdf --max-order 6", {"maximum_order (--max-order) is 6", "1 to 5"});
}

TEST_F(Command, RefusesParametersThatMakeNoSense) {
  expect_refused("run insulator_chain --set n=400 --watch-rank", {"'insulator_chain' has 804 constraint rows", "200"});
  expect_refused("run andrews --set mass=1", {"andrews has no parameter 'mass'", "torque"});
  expect_refused("run andrews --set torque", {"'torque'", "NAME=VALUE"});
  expect_refused("run andrews --set torque=big", {"'torque=big'", "NAME=VALUE"});
  expect_refused("run train_carriage --set contact=outside", {"'contact=outside'", "a number or inside or explicit"});
  expect_refused("run andrews --set torque=1 --set torque=2", {"'torque=2'", "twice"});
  expect_refused("run insulator_chain --set n=2.5", {"'n' is 2.5", "a whole number from 2"});
  expect_refused("run pendulum --set mass=-1", {"'mass' is -1 kg", "of the bob"});
  expect_refused("run cable_drum --set mu=nan", {"'mu' is nan"});
}

TEST_F(Command, RefusesNumbersThatMakeNoSense) {
  expect_refused("run andrews --rtol tight", {"--rtol 'tight' is no number"});
  expect_refused("run andrews --rtol -1", {"rtol (--rtol) = -1"});
  expect_refused("run andrews --tend -1", {"--tend is -1 s", "not before 0 s"});
  expect_refused("run andrews --tend nan", {"--tend is nan s"});
  expect_refused("run andrews --first-step 0", {"first_step (--first-step) is 0 s"});
  expect_refused("run andrews --max-order 20", {"maximum_order (--max-order) is 20", "3 to 13"});
  expect_refused("run andrews --event beta:up", {"'up' is not known", "OBSERVABLE[:rising|:falling]"});
  expect_refused("run andrews --out " + path("a.csv") + " --rate -5", {"--rate is -5 Hz"});
  expect_refused("run andrews --out " + path("a.csv") + " --rate inf", {"--rate is inf Hz"});
  expect_refused("run andrews --out " + path("a.csv") + " --rate 1e300", {"--rate is 1e+300 Hz", "lower rate"});
  expect_refused("run andrews --event :rising", {"':rising' names no observable"});
  expect_refused("bench --sizes 1", {"1 is too small"});
  expect_refused("bench --sizes 32,,64", {"--sizes '32,,64' has an empty item", "one comma"});
  expect_refused("bench --sizes 8 --case chain,", {"--case 'chain,' has an empty item", "one comma"});
  expect_refused("bench --sizes 8,x", {"--sizes 'x'", "whole numbers"});
  expect_refused("bench --case humanoid --sizes 8",
                 {"case 'humanoid' has one size, 34", "leave --sizes away", "'chain'"});
  expect_refused("bench --case mesh --sizes 65", {"65 is too large", "'mesh'", "64"});
  expect_refused("bench --case pendulum_chain --sizes 1000000", {"1000000 is too large", "4096 at most"});
  expect_refused("bench --benchmark mass_matrix --case chain --sizes 4096", {"mass_matrix", "4096", "smaller --sizes"});
  expect_refused("compare andrews --tend 0", {"--tend is 0 s", "above 0 s"});
  expect_refused("compare andrews --rtol -1", {"rtol (--rtol) = -1"});
  expect_refused("bench --linear dense-lu --sizes 4096", {"dense-lu", "4096", "smaller --sizes"});
}

TEST_F(Command, RefusesFilesThatItCannotUse) {
  expect_refused("run andrews --rate 10", {"--rate", "--out"});
  expect_refused("run andrews --out - --json -", {"--out - and --json -"});
  expect_refused("run andrews --save - --json -", {"--json - and --save -", "standard output"});
  const std::string twice = path("twice.csv");
  expect_refused("run andrews --out " + twice + " --log " + twice, {"--out", "and --log", "one file"});
  expect_refused("sample " + path("") + " --rate 10", {"can't read '" + path("")});
  expect_refused("topology andrews --dot - --json -", {"--dot - and --json - can't both be standard output"});
  expect_refused("run andrews --json " + path("nowhere/a.json"), {"can't write", "No such file"});
  expect_refused("run andrews --log " + path("nowhere/a.csv"), {"can't write", "No such file"});
  expect_refused("sample " + path("missing.traj") + " --rate 10", {"can't read", "missing.traj"});
  std::ofstream(path("text.traj")) << "this is no trajectory\n";
  expect_refused("sample " + path("text.traj") + " --rate 10", {"text.traj", "damaged", "--save"});
  const nlohmann::json other = {{"format", "another format"}};
  std::ofstream file(path("other.traj"), std::ios::binary);
  nlohmann::json::to_cbor(other, file);
  file.close();
  expect_refused("sample " + path("other.traj") + " --rate 10",
                 {"other.traj", "no trajectory; give a file written by"});
}

TEST_F(Command, ListsModelsAndMethods) {
  const Result everything = run("list");
  EXPECT_EQ(everything.status, 0);
  for (const char* word :
       {"andrews", "cable_drum", "absolute", "mixed", "relative", "recursive", "sparse-lu", "extrapolation"})
    EXPECT_NE(everything.out.find(word), std::string::npos) << word;
  const Result drum = run("list cable_drum");
  EXPECT_EQ(drum.status, 0);
  for (const char* word : {"mu", "0.25", "coefficient of dry friction", "lambda2 [N]"})
    EXPECT_NE(drum.out.find(word), std::string::npos) << word;
}

TEST_F(Command, ShowsHelpWithStatusZero) {
  const Result help = run("run --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("--discretisation"), std::string::npos);
}

TEST_F(Command, ShowsTopology) {
  const auto topology = json_of("topology andrews");
  EXPECT_EQ(topology["bodies"], 7);
  EXPECT_EQ(topology["joints"], 10);
  EXPECT_EQ(topology["mobility"], 1);
  EXPECT_EQ(topology["redundant_rows"], 0);
  EXPECT_EQ(topology["tree"].size(), 8u);
  EXPECT_EQ(topology["tree"][0]["body"], "ground");
  EXPECT_EQ(topology["cuts"].size(), 3u);
  EXPECT_EQ(topology["loops"].size(), 3u);
  for (std::size_t label = 1; label < topology["tree"].size(); ++label)
    EXPECT_LT(topology["tree"][label]["father"].get<std::size_t>(), label);
  const Result dot = run("topology andrews --dot " + path("graph.dot"));
  EXPECT_EQ(dot.status, 0);
  EXPECT_EQ(text_of("graph.dot").rfind("digraph", 0), 0u);
  EXPECT_NE(dot.out.find("mobility 1"), std::string::npos);
}

TEST_F(Command, BenchReportsTimesAndGrowth) {
  const auto report = json_of("bench --sizes 8,16 --linear recursive");
  ASSERT_EQ(report["rows"].size(), 2u);
  EXPECT_EQ(report["rows"][0]["benchmark"], "factor_solve");
  EXPECT_EQ(report["rows"][0]["case"], "insulator_chain");
  EXPECT_EQ(report["rows"][0]["formulation"], "absolute");
  EXPECT_EQ(report["rows"][1]["size"], 16);
  const double median = report["rows"][1]["nanoseconds"], minimum = report["rows"][1]["min_nanoseconds"];
  EXPECT_GT(minimum, 0);
  EXPECT_GE(median, minimum);
  EXPECT_NEAR(report["rows"][1]["yardsticks"].get<double>(),
              minimum / report["yardstick_min_nanoseconds"].get<double>(), 1e-9);
  EXPECT_EQ(report["fits"][0]["solver"], "recursive");
  EXPECT_TRUE(report["fits"][0]["exponent"].is_number());
  EXPECT_GT(report["yardstick_nanoseconds"].get<double>(), 0);
}

// First acceleration and norm of all, from dense equations that were posed apart from this library, with full pivoting:
// ten digits are known, nine are compared.
TEST_F(Command, BenchSolvesTheProblemsThatLibrariesAreComparedOn) {
  const std::map<std::string, std::pair<double, double>> expected = {{"chain", {-0.4587218641, 15.67508052}},
                                                                     {"tree", {-1.295448572, 6.767498551}},
                                                                     {"humanoid", {0.005310369864, 10.3963438}},
                                                                     {"ring", {-1.183330091, 14.66339503}},
                                                                     {"ladder3d", {-0.9287056179, 23.44934578}}};
  for (const std::string formulation : {"absolute", "relative"}) {
    const auto report = json_of(
        "bench --benchmark forward_dynamics --case chain,tree,humanoid,ring,ladder3d --sizes 8 "
        "--formulation " +
        formulation);
    ASSERT_EQ(report["rows"].size(), expected.size());
    for (const auto& row : report["rows"]) {
      const auto& [first, norm] = expected.at(row["case"]);
      EXPECT_NEAR(row["qdd0"].get<double>(), first, 1e-8) << row;
      EXPECT_NEAR(row["qdd_norm"].get<double>(), norm, 2e-8) << row;
    }
  }
}

TEST_F(Command, EveryBenchmarkAndCaseRuns) {
  const auto cases = json_of("bench --benchmark forward_dynamics --case all --sizes 4 --formulation absolute");
  EXPECT_EQ(cases["rows"].size(), 9u);  // eight cases, one with two solvers
  EXPECT_TRUE(cases["refused"].empty()) << cases["refused"];
  const auto benchmarks = json_of("bench --benchmark all --case chain --sizes 4");
  EXPECT_EQ(benchmarks["rows"].size(), 4u);
}

TEST_F(Command, BenchTimesModelsOfTheZooToo) {
  const auto report = json_of("bench --case andrews,pendulum_chain,cartesian_pendulum --sizes 16");
  ASSERT_EQ(report["rows"].size(), 3u);
  EXPECT_EQ(report["rows"][0]["solver_at_work"], "dense-lu");
  EXPECT_EQ(report["rows"][1]["size"], 16);
  EXPECT_EQ(report["rows"][2]["formulation"], "absolute");
}

TEST_F(Command, BenchNamesWhatIsRefusedAmongWhatIsNot) {
  const auto report = json_of("bench --case insulator_chain --sizes 4 --linear dense-lu,cholesky-qr");
  ASSERT_EQ(report["rows"].size(), 1u);
  ASSERT_EQ(report["refused"].size(), 1u);
  EXPECT_NE(report["refused"][0]["reason"].get<std::string>().find("cholesky-qr"), std::string::npos);
}

TEST_F(Command, BenchTellsCasesThatAllMeansFromModels) {
  expect_refused("bench --case rope",
                 {"there are: chain, tree,", "insulator_chain; and, which 'all' leaves out: pendulum,"});
  const std::string help = run("bench --help").out;
  const std::size_t families = help.find("Cases, which all means:\n  chain  "),
                    models = help.find("\nCases that all leaves out:\n  pendulum  ");
  ASSERT_NE(families, std::string::npos) << help;
  ASSERT_NE(models, std::string::npos) << help;
  EXPECT_LT(families, models);
}

TEST_F(Command, ComparesEveryCombination) {
  const auto report = json_of("compare andrews --tend 0.003 --rtol 1e-8 --atol 1e-8");
  std::map<std::string, int> done;
  for (const auto& row : report["rows"]) {
    if (row["status"] != "done") {
      EXPECT_NE(row["reason"], "");
      continue;
    }
    ++done[row["formulation"].get<std::string>()];
    // Angles of some radians and accelerations of 1e5 rad/s^2, relative; the tolerance per step is 1e-8.
    EXPECT_LT(row["difference"].get<double>(), 1e-4) << row;
    EXPECT_GE(row["cpu_ratio"].get<double>(), 1);
    EXPECT_GT(row["statistics"]["steps"].get<int>(), 0);
    EXPECT_LT(row["constraint_residual"]["position_m"].get<double>(), 1e-8);
  }
  EXPECT_GE(done["absolute"], 5);
  EXPECT_GE(done["relative"], 5);
  const Result table = run("compare cable_drum --rtol 1e-5 --atol 1e-5");
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find("absolute, ldlt, extrapolation: refused: ldlt"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("; use "), std::string::npos) << table.out;  // reasons in full, with what to do
}

TEST_F(Command, ReproducesPublishedSizes) {
  const Result table = run("reproduce mexx-5.4");
  EXPECT_EQ(table.status, 0) << table.err;
  for (const char* entry : {"327 (327)", "631 (631)", "1239 (1239)"})
    EXPECT_NE(table.out.find(entry), std::string::npos) << table.out;
}

}  // namespace command_line_test
