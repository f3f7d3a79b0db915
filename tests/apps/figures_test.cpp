// --svg: curves, work against precision, patterns, graphs and published figures as pictures.

#include "command.hpp"

#include "../messages.hpp"
#include "figures/chart.hpp"
#include "figures/data_figure.hpp"
#include "figures/external_program.hpp"

#include <algorithm>
#include <limits>

namespace figures_test {

using namespace linkwork::apps;
using linkwork::test::contains;
using linkwork::test::error_of;

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

#define SKIP_WITHOUT(result) \
  if (contains((result).err, "apt-get install")) GTEST_SKIP() << (result).err

TEST_F(Command, DrawsCurvesOfARun) {
  const Result done = run("run andrews --quiet --tend 0.01 --svg " + path("a.svg"));
  SKIP_WITHOUT(done);
  ASSERT_EQ(done.status, 0) << done.err;
  const std::string all = text_of("a.svg");
  EXPECT_TRUE(contains(all, "<svg") && contains(all, "</svg>"));
  EXPECT_TRUE(contains(all, ">andrews<") && contains(all, ">[rad]<") && contains(all, ">beta<"));
  const Result one = run("run andrews --quiet --tend 0.01 --curves 'bet?' --svg -");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(count_of(one.out, ">[rad]<"), 1);
  EXPECT_TRUE(contains(one.out, ">beta<") && !contains(one.out, ">gamma<"));
  // Observables are missing: coordinates, of equations that were never a graph, and a run without a step.
  const Result posed = run("run cartesian_pendulum --quiet --tend 0.1 --svg -");
  EXPECT_EQ(posed.status, 0) << posed.err;
  const Result start = run("run andrews --quiet --tend 0 --svg -");
  EXPECT_EQ(start.status, 0) << start.err;
  const Result early = run("run andrews --tend 0.03 --max-steps 3 --quiet --svg " + path("early.svg"));
  EXPECT_EQ(early.status, 1);
  EXPECT_TRUE(contains(text_of("early.svg"), "</svg>"));
}

TEST_F(Command, RefusesFiguresThatCanNotBeDrawn) {
  expect_refused("run andrews --tend 1e9 --svg " + path("no/where.svg"), {"can't write"});
  expect_refused("run andrews --check-start --svg a.svg", {"--check-start only looks at the initial values", "--svg"});
  expect_refused("run andrews --curves beta", {"--curves is for the curves of --html FILE and --svg FILE"});
  expect_refused("reproduce mexx-5.1 --svg " + path("a.svg"),
                 {"'mexx-5.1' is a table; figures are: ", "reduce-figure-2"});
  expect_refused("reproduce --svg " + path("a.svg"), {"--svg draws one figure; name it before."});
  const std::string elsewhere = "PATH=/nowhere " LINKWORK_COMMAND;
  for (const char* arguments : {"run andrews --tend 1e9 --svg ", "compare andrews --tend 1e9 --svg "}) {
    const Result absent = run_program(elsewhere, arguments + path("a.svg"));
    EXPECT_EQ(absent.status, 2) << arguments;
    EXPECT_TRUE(contains(absent.err, "'gnuplot', which draws this figure, can't be started")) << absent.err;
    EXPECT_TRUE(contains(absent.err, "apt-get install gnuplot-nox.")) << absent.err;
  }
  const Result graph = run_program(elsewhere, "topology andrews --svg " + path("a.svg"));
  EXPECT_EQ(graph.status, 2);
  EXPECT_TRUE(contains(graph.err, "apt-get install graphviz.")) << graph.err;
  EXPECT_FALSE(std::filesystem::exists(path("a.svg")));
}

TEST_F(Command, DrawsTheGraphAndTheJacobian) {
  const Result graph = run("topology andrews --svg -");
  SKIP_WITHOUT(graph);
  ASSERT_EQ(graph.status, 0) << graph.err;
  const auto topology = json_of("topology andrews");
  EXPECT_EQ(count_of(graph.out, "class=\"node\""), topology["bodies"].get<int>() + 1);
  EXPECT_EQ(count_of(graph.out, "stroke=\"red\" stroke-dasharray"), static_cast<int>(topology["cuts"].size()));

  const Result pattern = run("topology train_carriage --formulation relative --pattern " + path("a.svg"));
  SKIP_WITHOUT(pattern);
  ASSERT_EQ(pattern.status, 0) << pattern.err;
  EXPECT_EQ(count_of(text_of("a.svg"), "<use xlink:href='#gpPt4'"), 1620);  // its nonzeros
  EXPECT_TRUE(contains(text_of("a.svg"), "train_carriage: Jacobian, 1620 nonzeros, 46 groups of columns"));
}

TEST_F(Command, DrawsWorkAgainstPrecision) {
  const Result done = run("compare pendulum_chain --set n=2 --tend 0.01 --svg -");
  SKIP_WITHOUT(done);
  ASSERT_EQ(done.status, 0) << done.err;
  for (const char* name : {"extrapolation, absolute", "bdf, mixed", "radau, relative", "dopri5, relative"})
    EXPECT_TRUE(contains(done.out, name)) << name;
}

TEST_F(Command, DrawsPublishedFigures) {
  for (const char* name : {"corr-figure-3", "reduce-figure-3", "geoms-figure-6", "mexx-figure-5.4"}) {
    SCOPED_TRACE(name);
    const Result values = run(std::string("reproduce ") + name);
    EXPECT_EQ(values.status, 0) << values.err;
    EXPECT_GT(std::count(values.out.begin(), values.out.end(), '\n'), 50);
    const Result drawn = run(std::string("reproduce ") + name + " --svg -");
    SKIP_WITHOUT(drawn);
    EXPECT_EQ(drawn.status, 0) << drawn.err;
    EXPECT_TRUE(contains(drawn.out, "</svg>"));
  }
}

std::string picture(const Chart& chart) {
  try {
    return svg_of({chart});
  } catch (const linkwork::ModelError& error) {
    return contains(error.what(), "apt-get install") ? "" : error.what();
  }
}

TEST(Figures, ShowNamesAsTheyAre) {
  const std::string name = "it's <b>\"&\" \xC3\xA4 `date` $HOME @x_1 {/Bold}\nnext";
  const std::string svg = picture({.title = name, .series = {{name, {0, 1}, {1, 2}}}});
  if (svg.empty()) GTEST_SKIP() << "gnuplot is not installed: apt-get install gnuplot-nox";
  EXPECT_EQ(count_of(svg, "it's &lt;b>\"&amp;\" \xC3\xA4 `date` $HOME @x_1 {/Bold} next"), 2) << svg;
  EXPECT_FALSE(contains(svg, "<b>"));
}

TEST(Figures, LeaveGapsWhereThereIsNoNumber) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  const auto pieces = [](const std::string& svg) {
    return count_of(svg, "M") - count_of(picture({.series = {{"y", {0, 5}, {1, 2}}}}), "M");
  };
  const std::string whole = picture({.series = {{"y", {0, 1, 2, 3, 4, 5}, {1, 2, 1, 2, 1, 2}}}});
  if (whole.empty()) GTEST_SKIP() << "gnuplot is not installed: apt-get install gnuplot-nox";
  EXPECT_EQ(pieces(whole), 0);
  EXPECT_EQ(pieces(picture({.series = {{"y", {0, 1, 2, 3, 4, 5}, {1, 2, none, 2, 1, 2}}}})), 1);
  EXPECT_EQ(pieces(picture({.series = {{"y", {0, 1, 2, 3, 4, 5}, {1, 2, endless, 2, 1, 2}}}})), 1);
  EXPECT_TRUE(contains(picture({.y = {"", true}, .series = {{"y", {0, 1}, {0, -1}}}}), "nothing to draw"));
  EXPECT_TRUE(contains(error_of([] { svg_of(std::vector<MatrixPicture>{{.title = "empty"}}); }),
                       "'empty' has no entry to draw"));
}

TEST(Figures, NameTheColumnThatIsNotThere) {
  const std::string values = "t,y\n0,1\n1,2\n";
  EXPECT_TRUE(contains(error_of([&] {
                         svg_of(CurveFigure{"t", {{"z"}}}, "title", values);
                       }),
                       "the figure has no column 'z'; there are: t, y."));
}

TEST(Figures, SayWhatAnotherProgramSays) {
  const ExternalProgram fails{"sh", "dash", {"-c", "cat; echo wrong >&2; exit 3"}}, works{"sh", "dash", {"-c", "cat"}};
  EXPECT_EQ(output_of(works, "text"), "text");
  EXPECT_TRUE(contains(error_of([&] { output_of(fails, "text"); }), "'sh', which draws this figure, failed: wrong"));
}

}  // namespace figures_test
