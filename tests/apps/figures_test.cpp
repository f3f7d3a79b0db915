// --svg: curves, work against precision, patterns, graphs and published figures as pictures.

#include "command.hpp"

#include "../messages.hpp"
#include "figures/chart.hpp"
#include "figures/data_figure.hpp"
#include "figures/external_program.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace figures_test {

using namespace linkwork::apps;
using linkwork::concat;
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
  EXPECT_TRUE(contains(all, ">andrews<") && contains(all, ">observables [rad]<") && contains(all, ">beta<"));
  const Result one = run("run andrews --quiet --tend 0.01 --curves 'bet?' --svg -");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(count_of(one.out, ">observables [rad]<"), 1);
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
  expect_refused("reproduce dassl-5.1 --svg " + path("a.svg"), {"'dassl-5.1' is a table"});
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

// Bars on single joints, welded and without observables: before a long run.
TEST_F(Command, RefusesFiguresOfModelsWithNothingToDraw) {
  const std::string gallery = std::filesystem::path(LINKWORK_COMMAND).parent_path() / "examples/joint_gallery";
  const Result curves = run_program(gallery, "run Fixed --formulation relative --tend 1e9 --svg " + path("a.svg"));
  EXPECT_EQ(curves.status, 2);
  EXPECT_TRUE(contains(curves.err, "model 'Fixed' has neither observables nor coordinates; choose others by --curves."))
      << curves.err;
  const Result work = run_program(gallery, "compare Screw --tend 1e9 --svg " + path("a.svg"));
  EXPECT_EQ(work.status, 2);
  EXPECT_TRUE(contains(work.err, "model 'Screw' has none; add one by add_observable.")) << work.err;
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
  EXPECT_TRUE(contains(run("reproduce geoms-figure-6 --svg -").out, ">p2 [m]<"));
}

template <class Draw>
std::string error_or(Draw&& draw) {
  try {
    return draw();
  } catch (const linkwork::ModelError& error) {
    return error.what();
  }
}
/// "" without gnuplot.
std::string picture(const Chart& chart) {
  const std::string svg = error_or([&] { return svg_of(std::vector<Chart>{chart}); });
  return contains(svg, "apt-get install") ? "" : svg;
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

TEST(Figures, HaveUnitsOnTheirAxes) {
  const std::string values = "t,y,z\n0,1,2\n1,2,3\n";
  const CurveFigure figure{"t [s]", {{"y [m]"}, {"y [m]", "z [m]"}, {"y [m]", "z [m/s]"}}};
  const std::string svg = error_or([&] { return svg_of(figure, "title", values); });
  if (contains(svg, "apt-get install")) GTEST_SKIP() << svg;
  EXPECT_EQ(count_of(svg, ">t [s]<"), 3) << svg;
  EXPECT_EQ(count_of(svg, ">y [m]<"), 1) << svg;
  EXPECT_EQ(count_of(svg, ">[m]<"), 1) << svg;
  EXPECT_TRUE(contains(svg, ">z<")) << svg;
}

TEST(Figures, DrawACurveForEachText) {
  const std::string values = "# what it is\ncode,speed,t,y\na,1,0,1\na,1,1,2\nb,1,0,3\nb,1,1,4\n";
  const std::string svg = error_or([&] {
    return svg_of(CurveFigure{"t", {{"y"}}, {"code", "speed"}}, "title", values);
  });
  if (contains(svg, "apt-get install")) GTEST_SKIP() << svg;
  EXPECT_TRUE(contains(svg, ">a, speed 1<") && contains(svg, ">b, speed 1<") && contains(svg, ">title<")) << svg;
}

TEST(Figures, DrawAMatrixForEachText) {
  const std::string values = "matrix,row,column,is_kept\nL,0,0,1\nL,1,0,0\nU,0,0,1\n";
  const std::string svg = error_or([&] { return svg_of(PatternFigure{{"matrix"}, "is_kept"}, "title", values); });
  if (contains(svg, "apt-get install")) GTEST_SKIP() << svg;
  EXPECT_TRUE(contains(svg, ">L<") && contains(svg, ">U<")) << svg;
  EXPECT_EQ(count_of(svg, "<use xlink:href='#gpPt4'"), 3);
}

TEST(Figures, HaveAsManyColoursAsCurves) {
  Chart chart;
  for (int k = 0; k < 40; ++k) chart.series.push_back({concat("curve ", k), {0, 1}, {0.0, 1.0 * k}});
  const std::string svg = picture(chart);
  if (svg.empty()) GTEST_SKIP() << "gnuplot is not installed: apt-get install gnuplot-nox";
  std::set<std::string> colours;
  for (std::size_t at = svg.find("<path stroke='rgb("); at != std::string::npos;
       at = svg.find("<path stroke='rgb(", at + 1))
    colours.insert(svg.substr(at, svg.find(')', at) - at));
  EXPECT_GE(colours.size(), 40u);
}

TEST(Figures, AreMadeOfTextAlone) {
  const std::string svg = picture({.title = "a\x01"
                                            "b\xff"
                                            "c",
                                   .series = {{"y", {0, 1}, {1, 2}}}});
  if (svg.empty()) GTEST_SKIP() << "gnuplot is not installed: apt-get install gnuplot-nox";
  EXPECT_TRUE(contains(svg, ">a bc<")) << svg;
}

// What users set for their own plots, and ^C, of which the run itself keeps what it has.
TEST_F(Command, DrawsWhateverStandsAround) {
  std::ofstream(path(".gnuplot")) << "set xrange [5:6]\nset datafile separator ','\n";
  const Result set = run_program("HOME=" + path("") + " " LINKWORK_COMMAND, "run andrews --quiet --tend 0.005 --svg -");
  SKIP_WITHOUT(set);
  EXPECT_EQ(set.status, 0) << set.err;
  const Result full = run("run andrews --quiet --tend 0.005 --svg /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_TRUE(contains(full.err, "is the disk full?")) << full.err;
  std::ofstream(path("gnuplot")) << "#!/bin/sh\nkill -INT 0\n";
  std::filesystem::permissions(path("gnuplot"), std::filesystem::perms::owner_all);
  const Result ended = run_program("PATH=" + path("") + ":$PATH " LINKWORK_COMMAND,
                                   "run andrews --quiet --tend 0.005 --svg " + path("a.svg"));
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(contains(ended.err, "'gnuplot', which draws this figure, was ended by signal 2.")) << ended.err;
}

TEST(Figures, SayWhatAnotherProgramSays) {
  const ExternalProgram fails{"sh", "dash", {"-c", "cat; echo wrong >&2; exit 3"}}, works{"sh", "dash", {"-c", "cat"}};
  EXPECT_EQ(output_of(works, "text"), "text");
  EXPECT_TRUE(contains(error_of([&] { output_of(fails, "text"); }), "'sh', which draws this figure, failed: wrong"));
}

}  // namespace figures_test
