// linkwork::command: the command for models of a user's own.

#include "command.hpp"

#include "bench/measure.hpp"
#include "commands/subcommand.hpp"

#include <linkwork/command.hpp>
#include <linkwork/linkwork.hpp>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace own_program_test {

using namespace linkwork;

PlanarModel swing() {
  PlanarModel model("swing");
  model.set_gravity({0, -9.81});
  auto bar = model.add_body("bar", MassProperties::rod(1, 1));
  bar.place({0.5, 0});
  model.add_joint<Revolute>("bearing", model.ground().origin(), bar.at({-0.5, 0}));
  return model;
}

struct Spoken {
  int status = -1;
  std::string out, err;
};

/// What a main function of one line does, inside of this program.
Spoken command_of(std::vector<OfferedModel> models, std::vector<std::string> words) {
  words.insert(words.begin(), "/some/where/mine");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Spoken spoken;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  spoken.status = command(static_cast<int>(words.size()), arguments.data(), std::move(models));
  spoken.out = testing::internal::GetCapturedStdout();
  spoken.err = testing::internal::GetCapturedStderr();
  return spoken;
}

TEST_F(Command, OfAnOwnProgramRunsItsOnlyModelWithoutItsName) {
  const Result named = run_program(LINKWORK_OWN_PROGRAM, "run slider_crank --tend 0.1 --json -");
  const Result unnamed = run_program(LINKWORK_OWN_PROGRAM, "run --tend 0.1 --json -");
  ASSERT_EQ(named.status, 0) << named.err;
  ASSERT_EQ(unnamed.status, 0) << unnamed.err;
  const auto report = nlohmann::json::parse(unnamed.out);
  EXPECT_EQ(report["model"], "slider_crank");
  EXPECT_EQ(report["space"], "planar");
  EXPECT_EQ(report["observables"], nlohmann::json::parse(named.out)["observables"]);
  EXPECT_EQ(report["statistics"]["force_evaluations"],
            nlohmann::json::parse(named.out)["statistics"]["force_evaluations"]);
}

TEST_F(Command, OfAnOwnProgramSavesAndSamplesRuns) {
  const std::string saved = path("a.traj");
  ASSERT_EQ(run_program(LINKWORK_OWN_PROGRAM, "run --tend 0.1 --quiet --save " + saved).status, 0);
  const Result sampled = run_program(LINKWORK_OWN_PROGRAM, "sample " + saved + " --rate 100");
  EXPECT_EQ(sampled.status, 0) << sampled.err;
  EXPECT_EQ(sampled.out.substr(0, sampled.out.find('\n')).substr(0, 16), "t,crank: angle,c");
  const Result foreign = run("sample " + saved + " --rate 100");  // by a program without the model
  EXPECT_EQ(foreign.status, 2);
  EXPECT_NE(foreign.err.find("unknown model 'slider_crank'"), std::string::npos) << foreign.err;
}

TEST_F(Command, OfAnOwnProgramComparesAndShowsTheTopology) {
  const Result compared = run_program(LINKWORK_OWN_PROGRAM, "compare --tend 0.01");
  EXPECT_EQ(compared.status, 0) << compared.err;
  for (const char* part : {"absolute", "mixed", "relative", "radau", "bdf"})
    EXPECT_NE(compared.out.find(part), std::string::npos) << part;
  const Result shown = run_program(LINKWORK_OWN_PROGRAM, "topology");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("guide"), std::string::npos) << shown.out;
}

TEST_F(Command, OfAnOwnProgramMeasuresItsSpeed) {
  const Result timed = run_program(LINKWORK_OWN_PROGRAM, "bench --benchmark forward_dynamics");
  EXPECT_EQ(timed.status, 0) << timed.err;
  for (const char* part : {"forward_dynamics  slider_crank     1     relative  auto (dense-lu)", "yardstick"})
    EXPECT_NE(timed.out.find(part), std::string::npos) << timed.out;
}

TEST_F(Command, OfAnOwnProgramSpeaksByItsName) {
  const Result refused = run_program(LINKWORK_OWN_PROGRAM, "run crank");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "slider_crank: unknown model 'crank'; there are: slider_crank.\n");
  const Result unknown = run_program(LINKWORK_OWN_PROGRAM, "run --tent 1");
  EXPECT_NE(unknown.err.find("see 'slider_crank run --help'"), std::string::npos) << unknown.err;
  EXPECT_NE(run_program(LINKWORK_OWN_PROGRAM, "").err.find("list, run, view, sample, topology, compare, bench"),
            std::string::npos);
}

TEST(OwnProgram, TakesFunctionsAndDescriptionsOfModels) {
  const CommandModel described = {
      .name = "long",
      .description = "A long one.",
      .parameters = {{.name = "g", .unit = "m/s^2", .value = 1, .meaning = "gravity", .least = 0, .greatest = 10}},
      .build = [](const Parameters&) { return swing(); }};
  const auto ball = [] {
    SpatialModel model("ball");
    model.add_body("ball", MassProperties::sphere(1, 0.1));
    return model;
  };
  const Spoken listed = command_of({swing, described, ball}, {"list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_NE(listed.out.find("models\n  swing\n  long   A long one.\n  ball\n"), std::string::npos) << listed.out;
  EXPECT_EQ(command_of({ball, described}, {"list", "ball"}).out.substr(0, 15), "ball (spatial)\n");
  const Spoken refused = command_of({described}, {"run", "--set", "g=11"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("mine: long: parameter 'g' is 11 m/s^2"), std::string::npos) << refused.err;
}

CommandModel ropes() {
  return {.name = "rope",
          .description = "Rods in a row.",
          .parameters = {{"side", "", 0, "it hangs on", 0, 1, true, {"left", "right"}},
                         {"rods", "", 3, "in a row", 1, 10, true}},
          .build = [](const Parameters& parameters) {
            PlanarModel model("rope");
            model.set_gravity({0, -9.81});
            auto last = model.ground().origin();
            for (int i = 0; i < static_cast<int>(parameters.at("rods")); ++i) {
              if (i == 8) throw std::runtime_error("the rope tears");
              const std::string number = std::to_string(i);
              auto rod = model.add_body("rod " + number, MassProperties::rod(1, 1));
              rod.place({i + 0.5, 0});
              model.add_joint<Revolute>("hinge " + number, last, rod.at({-0.5, 0}));
              last = rod.at({0.5, 0});
            }
            return model;
          }};
}

nlohmann::json bench_of(const std::vector<OfferedModel>& models, std::vector<std::string> words) {
  words.insert(words.begin(), "bench");
  words.insert(words.end(), {"--json", "-"});
  const Spoken spoken = command_of(models, words);
  EXPECT_EQ(spoken.status, 0) << spoken.err;
  return nlohmann::json::parse(spoken.out);
}

TEST(OwnProgram, BenchTimesEveryModelWithTheSolverThatAutoChooses) {
  const auto report = bench_of({swing, ropes()}, {"--sizes", "4,6"});
  ASSERT_EQ(report["rows"].size(), 3u);
  const auto &single = report["rows"][0], &longest = report["rows"][2];
  EXPECT_EQ(single["case"], "swing");
  EXPECT_EQ(single["size"], 1);
  EXPECT_EQ(single["formulation"], "relative");
  EXPECT_EQ(single["solver"], "auto");
  EXPECT_EQ(single["solver_at_work"], "dense-lu");
  EXPECT_EQ(single["velocities"], 1);
  EXPECT_GT(single["nanoseconds"].get<double>(), 0);
  EXPECT_EQ(longest["case"], "rope");
  EXPECT_EQ(longest["size"], 6);
  EXPECT_EQ(longest["velocities"], 6);
  EXPECT_EQ(report["fits"].size(), 1u);
  const Spoken table = command_of({swing, ropes()}, {"bench", "--case", "rope", "--linear", "recursive"});
  EXPECT_EQ(table.status, 0) << table.err;
  for (const char* part : {"rope     2     relative  recursive", "rope  relative  recursive  grows with size^"})
    EXPECT_NE(table.out.find(part), std::string::npos) << table.out;
}

TEST(OwnProgram, BenchMeasuresOnceWhatIsAskedForTwice) {
  const auto report = bench_of({ropes()}, {"--sizes", "2,2,2", "--case", "rope,rope", "--linear", "recursive,recursive",
                                           "--benchmark", "mass_matrix,mass_matrix"});
  EXPECT_EQ(report["rows"].size(), 1u);
  EXPECT_TRUE(report["fits"].empty()) << report["fits"];
  EXPECT_EQ(bench_of({swing, ropes()}, {"--case", "rope,all", "--sizes", "2"})["rows"].size(), 2u);
}

TEST(OwnProgram, GrowthIsFittedOverDifferentSizesOnly) {
  const apps::BenchCase rope{.name = "rope", .description = ""};
  const auto timed = [&](int size, double minimum) {
    apps::Measurement out;
    out.job = {"factor_solve", &rope, size, Formulation::relative, "auto"};
    out.minimum = minimum;
    return out;
  };
  EXPECT_TRUE(apps::fit_growth({timed(3, 1), timed(3, 1.1), timed(3, 1.3)}).empty());
  const auto fits = apps::fit_growth({timed(2, 1), timed(4, 8)});
  ASSERT_EQ(fits.size(), 1u);
  EXPECT_NEAR(fits[0].exponent, 3, 1e-12);
}

/// Ropes, of which that with so many rods is interrupted while it is built.
CommandModel interrupted_ropes(int rods) {
  CommandModel model = ropes();
  model.space = Planar::name;
  model.build = [rods, build = model.build](const Parameters& parameters) {
    if (parameters.at("rods") == rods) std::raise(SIGTERM);
    return build(parameters);
  };
  return model;
}

/// The exit status of a bench whose report is put into a file.
[[noreturn]] void exit_from_bench(CommandModel model, std::string file) {
  std::vector<std::string> words = {"mine", "bench", "--sizes", "2,3,4", "--json", std::move(file)};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::exit(command(static_cast<int>(words.size()), arguments.data(), {std::move(model)}));
}

TEST_F(Command, OfAnOwnProgramEndsABenchAtOnceWhileThereIsNoResult) {
  EXPECT_EXIT(exit_from_bench(interrupted_ropes(2), path("bench.json")), testing::ExitedWithCode(143), "");
  EXPECT_FALSE(std::filesystem::exists(path("bench.json")));
}

TEST_F(Command, OfAnOwnProgramKeepsTheResultsOfABenchThatIsInterrupted) {
  EXPECT_EXIT(exit_from_bench(interrupted_ropes(3), path("bench.json")), testing::ExitedWithCode(143),
              "to keep what was computed");
  EXPECT_EQ(nlohmann::json::parse(text_of("bench.json"))["rows"].size(), 2u);
}

TEST(OwnProgram, BenchReportsTheSizesThatAModelCanBeBuiltIn) {
  const auto report = bench_of({ropes()}, {"--sizes", "8,9"});
  EXPECT_EQ(report["rows"].size(), 1u);
  ASSERT_EQ(report["refused"].size(), 1u);
  EXPECT_EQ(report["refused"][0]["size"], 9);
  EXPECT_EQ(report["refused"][0]["reason"], "the rope tears");
  const Spoken none = command_of({ropes()}, {"bench", "--sizes", "9"});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err.substr(none.err.rfind("mine")), "mine: the rope tears\n");
}

TEST(OwnProgram, BenchTakesParametersAsRunDoes) {
  CommandModel heavy = ropes();
  heavy.parameters.push_back({"mass", "kg", 1, "of a rod", 0, 1e3});
  const auto report = bench_of({heavy}, {"--set", "mass=2", "--sizes", "2,4", "--set", "side=right"});
  EXPECT_EQ(report["rows"].size(), 2u);
  const auto single = bench_of({swing, heavy}, {"--case", "rope", "--set", "rods=5"});
  ASSERT_EQ(single["rows"].size(), 1u);
  EXPECT_EQ(single["rows"][0]["size"], 5);
  EXPECT_EQ(single["rows"][0]["velocities"], 5);
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "bench");
    const Spoken spoken = command_of({swing, heavy}, words);
    EXPECT_EQ(spoken.status, 2);
    return spoken.err;
  };
  EXPECT_EQ(refusal({"--case", "rope", "--set", "rods=5", "--sizes", "4"}).substr(0, 47),
            "mine: --sizes: case 'rope' has one size, 5; lea");
  EXPECT_EQ(refusal({"--case", "rope", "--set", "rods=11"}).substr(0, 39), "mine: rope: parameter 'rods' is 11; exp");
  EXPECT_EQ(refusal({"--set", "mass=2"}), "mine: swing has no parameter 'mass'; it has none.\n");
}

TEST(OwnProgram, BenchTimesPosedEquationsInTheirOwnCoordinates) {
  CommandModel posed = ropes();
  posed.pose = [build = posed.build](const Parameters& parameters) {
    return make_equations(std::get<PlanarModel>(build(parameters)), {});
  };
  const auto report = bench_of({posed}, {"--sizes", "2", "--benchmark", "all"});
  ASSERT_EQ(report["rows"].size(), 4u);
  EXPECT_EQ(report["rows"][0]["formulation"], "absolute");
  EXPECT_EQ(report["rows"][0]["velocities"], 6);
  const Spoken refused = command_of({posed}, {"bench", "--formulation", "relative"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("rope is posed directly as equations here"), std::string::npos) << refused.err;
}

TEST(OwnProgram, BenchNamesItsCasesAndTheirSizes) {
  const std::vector<OfferedModel> models = {swing, ropes()};
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "bench");
    const Spoken spoken = command_of(models, words);
    EXPECT_EQ(spoken.status, 2);
    return spoken.err;
  };
  EXPECT_EQ(refusal({"--case", "cable"}), "mine: unknown benchmark case 'cable'; there are: swing, rope.\n");
  EXPECT_EQ(refusal({"--sizes", "0"}), "mine: --sizes: 0 is too small for case 'rope'; expected 1 or more.\n");
  EXPECT_EQ(refusal({"--sizes", "11"}), "mine: --sizes: 11 is too large for case 'rope'; expected 10 at most.\n");
  EXPECT_EQ(refusal({"--case", "swing", "--sizes", "4"}),
            "mine: --sizes: case 'swing' has one size, 1; leave --sizes away, or add a case that grows, such as "
            "'rope'.\n");
  EXPECT_EQ(refusal({"--linear", "auto,nosuch"}).substr(0, 64),
            "mine: unknown linear solver 'nosuch'; there are: auto, dense-lu,");
  EXPECT_EQ(refusal({"--benchmark", "all,nosuch"}).substr(0, 49), "mine: unknown benchmark 'nosuch'; there are: fact");
  const std::string help = command_of(models, {"bench", "--help"}).out;
  EXPECT_NE(
      help.find(
          "Cases, which all means:\n  swing\n  rope  Rods in a row. Sizes are its parameter 'rods', from 1 to 10.\n"),
      std::string::npos)
      << help;
}

TEST(OwnProgram, BenchOffersSizesThatCanBeTimed) {
  CommandModel endless = ropes(), fixed = ropes(), narrow = ropes(), large = ropes();
  for (CommandModel* model : {&narrow, &large}) model->space = Planar::name;  // so that none is built to learn it
  endless.name = "endless";
  endless.parameters[1].greatest = 1e9;
  fixed.name = "fixed";
  fixed.parameters[1].least = fixed.parameters[1].greatest = 3;
  narrow.name = "narrow";  // has one usual size, and takes --sizes
  narrow.parameters[1] = {"rods", "", 100, "in a row", 100, 1000, true};
  large.name = "large";
  large.parameters[1] = {"rods", "", 6000, "in a row", 5000, 10000, true};
  const auto refusal = [&](const CommandModel& model, const std::string& sizes) {
    return command_of({model}, {"bench", "--sizes", sizes}).err;
  };
  EXPECT_EQ(refusal(endless, "4097"), "mine: --sizes: 4097 is too large for case 'endless'; expected 4096 at most.\n");
  EXPECT_EQ(refusal(narrow, "99"), "mine: --sizes: 99 is too small for case 'narrow'; expected 100 or more.\n");
  EXPECT_EQ(refusal(large, "6001"), "mine: --sizes: 6001 is too large for case 'large'; expected 6000 at most.\n");
  EXPECT_EQ(refusal(fixed, "4"), "mine: --sizes: case 'fixed' has one size, 3; leave --sizes away.\n");
}

/// What nobody asks for costs a run nothing: no drawing is made, and no option of another subcommand.
TEST(OwnProgram, ARunWithoutPicturesDrawsNothing) {
  const CommandModel drawn = {.name = "drawn",
                              .build = [](const Parameters&) { return swing(); },
                              .draw = [](const Parameters&) -> Drawing { throw std::logic_error("it was drawn"); }};
  const Spoken done = command_of({drawn}, {"run", "--tend", "0.1"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(command_of({drawn}, {"run", "--tend", "0.1", "--html", "/nowhere/at/all.html"}).status, 0);
}

#ifndef __SANITIZE_ADDRESS__  // gcc tells the linker to leave out what nobody calls, but not where it adds sanitizers
TEST_F(Command, IsLoadedWithoutWhatReadsMeshes) {
  const Result loaded = run_program("LD_TRACE_LOADED_OBJECTS=1 " LINKWORK_COMMAND, "");
  EXPECT_NE(loaded.out.find("libstdc++"), std::string::npos) << loaded.out << loaded.err;
  EXPECT_EQ(loaded.out.find("assimp"), std::string::npos) << loaded.out;
}
#endif

TEST(OwnProgram, SubcommandsMakeTheirOptionsWhereTheyAreNamed) {
  const apps::ModelList models({swing});
  CLI::App program;
  for (const apps::AddCommand add : {apps::add_run, apps::add_view, apps::add_compare, apps::add_topology}) {
    const apps::Command command = add(program, models);
    EXPECT_EQ(command.app->get_options().size(), 1u) << command.app->get_name();  // --help
  }
  program.parse("view --tend 2");
  EXPECT_GT(program.get_subcommand("view")->get_options().size(), 30u);
  EXPECT_EQ(program.get_subcommand("run")->get_options().size(), 1u);
}

TEST_F(Command, OfAnOwnProgramViewsModelsWithOddNames) {
  const CommandModel odd = {.name = "a/b \"c\"\n" + std::string(300, 'd'),
                            .build = [](const Parameters&) { return swing(); }};
  setenv("TMPDIR", path("").c_str(), 1);
  const char* const display = std::getenv("DISPLAY");
  const Spoken shown = command_of({odd}, {"view", "--tend", "0.1", "--quiet"});
  unsetenv("TMPDIR");
  if (shown.err.find("apt-get install") != std::string::npos) GTEST_SKIP() << shown.err;
  EXPECT_EQ(shown.status, 0) << shown.err;
  if (!display) {
    EXPECT_EQ(shown.out.find("open it in a browser: " + path("linkwork-a_b__c__ddd")), 0u) << shown.out;
  }
}

TEST(OwnProgram, RefusesADrawingThatDoesNotFitBeforeTheRun) {
  const CommandModel drawn = {.name = "drawn",
                              .build = [](const Parameters&) { return swing(); },
                              .draw = [](const Parameters&) { return Drawing().hide("baring"); }};
  for (const char* option : {"--html", "--out"}) {  // a run would take forever
    const Spoken refused = command_of({drawn}, {"run", "--tend", "1e9", option, "/nowhere/at/all.glb"});
    EXPECT_EQ(refused.status, 2) << option;
    EXPECT_EQ(refused.err,
              "mine: Drawing: model 'swing' has no element 'baring'; there are: 'bearing', 'bar', "
              "'ground'.\n");
  }
}

TEST(OwnProgram, RefusesModelsThatCannotBeOffered) {
  EXPECT_EQ(command_of({}, {"list"}).err,
            "mine: command: no model is offered; give one, as in command(argc, argv, {my_model}).\n");
  EXPECT_EQ(command_of({swing, swing}, {"list"}).err,
            "mine: command: two models are called 'swing'; give each a name of its own.\n");
  EXPECT_EQ(command_of({CommandModel{.name = "empty"}}, {"list"}).err,
            "mine: command: model 'empty' has no function that builds it; give CommandModel::build.\n");
  PlanarModel (*no_function)() = nullptr;
  for (const OfferedModel& empty : {OfferedModel(no_function), OfferedModel(std::function<SpatialModel()>()),
                                    OfferedModel(std::function<AnyModel()>()), OfferedModel(CommandModel{.t_end = 2})})
    EXPECT_EQ(command_of({empty}, {"list"}).err,
              "mine: command: a model without a name has no function that builds it; give a function that is not "
              "null.\n");
  const Spoken wrong = command_of({[] {
                                    PlanarModel model("wrong");
                                    model.add_body("", MassProperties::rod(1, 1));
                                    return model;
                                  }},
                                  {"run"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err.substr(0, 6), "mine: ") << wrong.err;
}

}  // namespace own_program_test
