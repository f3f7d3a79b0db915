// What `linkwork run` and `linkwork view` show of a motion: pages, poses and chosen columns.

#include "command.hpp"
#include "commands/progress_line.hpp"

#include <algorithm>

namespace pictures_command_test {

/// The first line of a file.
std::string head_of(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST_F(Command, WritesPosesAtTheSamplesOfTheRate) {
  const Result result = run("run four_bar --tend 0.2 --quiet --poses " + path("a.csv") + " --rate 50");
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string text = text_of("a.csv");
  EXPECT_EQ(head_of(text).substr(0, 2), "t,");
  EXPECT_NE(head_of(text).find(": qz"), std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 11);
  const Result printed = run("run four_bar --tend 0.2 --poses - --rate 50");
  EXPECT_EQ(printed.out, text);
}

TEST_F(Command, WritesTheColumnsThatArePatternsNamed) {
  const Result result = run("run four_bar --tend 0.01 --out - --columns '*: x' --columns '*: qw,*: x'");
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string head = head_of(result.out);
  EXPECT_EQ(head.find("velocity"), std::string::npos) << head;
  const std::size_t x = head.find(": x"), qw = head.find(": qw");
  EXPECT_LT(x, qw) << head;
  EXPECT_NE(qw, std::string::npos) << head;
}

TEST_F(Command, RefusesPatternsAndOptionsOfPicturesBeforeTheRun) {
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    const Result result = run("run andrews --tend 1e9 " + arguments);  // a run would take forever
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  refused("--columns betta --out " + path("a.csv"), "--columns: no column fits 'betta'; there are: 'beta'");
  refused("--curves gamme --html " + path("a.html"), "--curves: no column fits 'gamme'; there are: ");
  refused("--columns beta_ddot", "--columns is for the samples of --out FILE.csv; give that too.");
  refused("--rate 10", "--rate is for the samples of --out FILE.csv and --poses FILE; give one of these too.");
  refused("--fps 10", "--fps is for the motion of --html FILE and --out FILE.glb; give one of these too.");
  refused("--curves beta_ddot", "--curves is for the curves of --html FILE and --svg FILE; give one of these too.");
  refused("--rate 10 --out " + path("a.glb"), "--rate is for the samples of --out FILE.csv");
  refused("--columns beta_ddot --out " + path("a.glb"), "--columns is for the samples of --out FILE.csv");
  refused("--fps 0 --html " + path("a.html"), "--fps is 0 Hz; expected a finite number above 0.");
  refused("--html " + path("no/where.html"), "can't write");
  EXPECT_FALSE(std::filesystem::exists(path("a.html")));
}

TEST_F(Command, RefusesPicturesOfBodiesThatAreNotThereBeforeTheRun) {
  for (const char* option : {"--poses a.csv", "--out a.glb"}) {
    const Result result = run(std::string("run cartesian_pendulum --tend 1e9 ") + option);
    EXPECT_EQ(result.status, 2) << option;
    EXPECT_NE(result.err.find("is posed directly as equations, so that there are no bodies to show"), std::string::npos)
        << result.err;
  }
}

TEST_F(Command, WritesWhatElementsTellWhereItIsAskedFor) {
  const Result result =
      run("run andrews --tend 0.01 --rate 1000 --out - --columns 'spring: force,O: reaction force *'");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(head_of(result.out), "t,spring: force,O: reaction force x,O: reaction force y");
  EXPECT_EQ(head_of(run("run andrews --tend 0.01 --out -").out).find("reaction"), std::string::npos);
}

TEST_F(Command, WritesAPageOrSaysWhyNot) {
  const Result done = run("run four_bar --tend 0.05 --quiet --html " + path("a.html"));
  if (done.err.find("apt-get install") != std::string::npos) GTEST_SKIP() << done.err;
  ASSERT_EQ(done.status, 0) << done.err;
  const std::string page = text_of("a.html");
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  EXPECT_NE(page.find("absolute coordinates, extrapolation"), std::string::npos);
  EXPECT_EQ(page.find("The run came to"), std::string::npos);
  EXPECT_EQ(run("run four_bar --tend 0 --quiet --html " + path("start.html")).status, 0);

  const Result full = run("run four_bar --tend 0.05 --quiet --html /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("writing '/dev/full' failed; is the disk full?"), std::string::npos) << full.err;

  const Result early = run("run andrews --tend 0.03 --max-steps 3 --quiet --html " + path("early.html"));
  EXPECT_EQ(early.status, 1);
  EXPECT_NE(text_of("early.html").find("The run came to t = "), std::string::npos);
  EXPECT_NE(text_of("early.html").find(" s of 0.03 s: "), std::string::npos);

  const Result absent = run_program("LINKWORK_JAVASCRIPT=/nowhere " LINKWORK_COMMAND,
                                    "run four_bar --tend 0.05 --quiet --html " + path("a.html"));
  EXPECT_EQ(absent.status, 2);
  EXPECT_NE(absent.err.find("Debian's package libjs-three"), std::string::npos) << absent.err;
  EXPECT_EQ(text_of("a.html"), page);
}

TEST_F(Command, WritesAnAnimationWhereTheFileEndsInGlb) {
  const Result result = run("run four_bar --tend 0.2 --quiet --fps 10 --out " + path("a.glb"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(text_of("a.glb").substr(0, 4), "glTF");
  const Result posed = run("run cartesian_pendulum --tend 0.2 --quiet --out " + path("b.glb"));
  EXPECT_EQ(posed.status, 2);  // before the run
  EXPECT_NE(posed.err.find("there are no bodies to show"), std::string::npos) << posed.err;
  EXPECT_FALSE(std::filesystem::exists(path("b.glb")));
}

TEST_F(Command, ViewOpensItsPageByTheDesktop) {
  std::ofstream(path("xdg-open")) << "#!/bin/sh\necho \"$1\" > \"" << path("opened") << "\"\n";
  std::filesystem::permissions(path("xdg-open"), std::filesystem::perms::owner_all);
  const std::string folder = std::filesystem::path(path("")).parent_path();
  const auto view = [&](const std::string& search, const std::string& arguments) {
    return run_program("DISPLAY=:0 TMPDIR=" + folder + " PATH=" + search + " " LINKWORK_COMMAND, arguments);
  };
  const Result shown = view(folder + ":$PATH", "view four_bar --tend 0.05 --quiet");
  if (shown.err.find("apt-get install") != std::string::npos) GTEST_SKIP() << shown.err;
  ASSERT_EQ(shown.status, 0) << shown.err;
  const std::string opened = head_of(text_of("opened"));
  EXPECT_EQ(shown.out, "the page is " + opened + "\n");
  EXPECT_EQ(opened.find(path("linkwork-four_bar-")), 0u) << opened;
  EXPECT_TRUE(std::filesystem::exists(opened));

  const Result printed = view("/nowhere", "view four_bar --tend 0.05 --quiet --html " + path("own.html"));
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_EQ(printed.out, "open it in a browser: " + path("own.html") + "\n");
  const Result nowhere = run_program("env -u DISPLAY -u WAYLAND_DISPLAY PATH=" + folder + " " LINKWORK_COMMAND,
                                     "view four_bar --tend 0.05 --quiet --html " + path("own.html"));
  EXPECT_EQ(nowhere.out, printed.out);
  const Result refused = view("/nowhere", "view four_bar --html -");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(view("/nowhere", "view four_bar --check-start").err.find("view shows a run"), std::string::npos);
  EXPECT_NE(refused.err.find("view opens its page; give --html a file, or leave it out."), std::string::npos);
}

TEST(ProgressLine, SaysHowLongARunStillTakes) {
  using linkwork::apps::time_left;
  EXPECT_EQ(time_left(2, 1, 4), ", about 6 s left");
  EXPECT_EQ(time_left(10, 1, 31), ", about 5 min left");
  EXPECT_EQ(time_left(10, 1, 3601), ", about 10 h left");
  EXPECT_EQ(time_left(1, 3, 4), ", about 1 s left");
  for (const double now : {0.0, 4.0}) EXPECT_EQ(time_left(2, now, 4), "");
}

}  // namespace pictures_command_test
