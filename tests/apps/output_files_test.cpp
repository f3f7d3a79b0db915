// What the command writes, and what it leaves alone.

#include "command.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace output_files_test {

class OutputFiles : public Command {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path("")), std::filesystem::directory_iterator());
  }
  std::string all_outputs() const {
    return " --out " + path("run.csv") + " --json " + path("run.json") + " --save " + path("run.traj") + " --log " +
           path("log.csv");
  }
};

const std::vector<std::string> names = {"run.csv", "run.json", "run.traj", "log.csv"};

TEST_F(OutputFiles, AFailedRunDestroysNoOlderFile) {
  for (const std::string& name : names) write(name, "old");
  // Nothing is computed: the loops can't be closed. The report tells why.
  EXPECT_EQ(run("run n_four_bar --set n=1 --fix B0x=2" + all_outputs()).status, 1);
  for (const std::string& name : names) EXPECT_EQ(text_of(name) == "old", name != "run.json") << name;
  // The command line is wrong.
  write("run.json", "old");
  EXPECT_EQ(run("run n_four_bar --set n=0" + all_outputs()).status, 2);
  EXPECT_EQ(run("run n_four_bar --integrator bdf --max-order 7" + all_outputs()).status, 2);
  for (const std::string& name : names) EXPECT_EQ(text_of(name), "old") << name;
  // Some steps were made.
  EXPECT_EQ(run("run pendulum --max-steps 5" + all_outputs()).status, 1);
  for (const std::string& name : names) EXPECT_NE(text_of(name), "old") << name;
  EXPECT_EQ(files(), 5);  // with stderr.txt
}

TEST_F(OutputFiles, AFileThatCanNotBeWrittenKeepsNoneOfTheOthersBack) {
  for (const std::string& name : names) write(name, "old");
  const Result result = run("run pendulum --quiet --out /dev/full --json " + path("run.json") + " --save " +
                            path("run.traj") + " --log " + path("log.csv"));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "linkwork: writing '/dev/full' failed; is the disk full?\n");
  for (const std::string name : {"run.json", "run.traj", "log.csv"}) EXPECT_NE(text_of(name), "old") << name;
}

TEST_F(OutputFiles, AFileThatGrowsTooLargeLeavesTheOlderOne) {
  write("run.csv", "old");
  const std::string line = "ulimit -f 8; " + std::string(LINKWORK_COMMAND) + " run andrews --quiet --out " +
                           path("run.csv") + " 2> " + path("stderr.txt");
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1);
  EXPECT_NE(text_of("stderr.txt").find("writing '" + path("run.csv") + "' failed; is the disk full?"),
            std::string::npos);
  EXPECT_EQ(text_of("run.csv"), "old");
  EXPECT_EQ(files(), 2);
}

TEST_F(OutputFiles, OneFileIsNotNamedTwice) {
  write("a", "old");
  std::filesystem::create_symlink(path("a"), path("link"));
  std::filesystem::create_hard_link(path("a"), path("hard"));
  for (const std::string other : {"a", "link", "hard", "./a"}) {
    expect_refused("run pendulum --out " + path("a") + " --json " + path(other),
                   {"--out ", " and --json ", "one file"});
    expect_refused("run pendulum --log " + path(other) + " --save " + path("a"),
                   {"--save ", " and --log ", "one file"});
    expect_refused("topology andrews --dot " + path("a") + " --pattern " + path(other),
                   {"--dot", "--pattern", "one file"});
    expect_refused("sample " + path("a") + " --rate 10 --out " + path(other), {"RUN ", " and --out ", "one file"});
  }
  expect_refused("run pendulum --out " + path("new") + " --json " + path("./new"), {"--out", "--json", "one file"});
  expect_refused("run pendulum --out - --log /dev/stdout", {"--out - and --log /dev/stdout", "standard output"});
  EXPECT_EQ(text_of("a"), "old");
  EXPECT_EQ(run("run pendulum --quiet --out /dev/null --save /dev/null --json /dev/null --log /dev/null").status, 0);
}

TEST_F(OutputFiles, AFileThatStandardOutputGoesToIsRefused) {
  const std::string line = std::string(LINKWORK_COMMAND) + " run pendulum --out " + path("a") + " > " + path("a") +
                           " 2> " + path("stderr.txt");
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 2);
  EXPECT_NE(text_of("stderr.txt").find("is the file that standard output is redirected to"), std::string::npos);
}

TEST_F(OutputFiles, EmptyArgumentsAreRefused) {
  for (const char* option : {"--out", "--json", "--save", "--log", "--set", "--event", "--formulation", "--linear",
                             "--integrator", "--tend", "--rtol", "--max-steps", "--cuts", "--fix", "--jacobian"})
    expect_refused("run pendulum " + std::string(option) + " ''",
                   {std::string(option) + " ''", "is empty; it takes: "});
  expect_refused("run ''", {"MODEL ''", "a model, see 'linkwork list'"});
  expect_refused("list ''", {"MODEL ''"});
  expect_refused("reproduce ''", {"TABLE ''"});
  expect_refused("sample '' --rate 1", {"RUN ''"});
  expect_refused("sample a.traj --rate 1 --out ''", {"--out ''"});
  expect_refused("topology andrews --dot ''", {"--dot ''"});
  expect_refused("compare andrews --json ''", {"--json ''"});
  expect_refused("bench --sizes ''", {"--sizes ''"});
  expect_refused("''", {"unknown command ''"});
}

TEST_F(OutputFiles, AFailedWriteToStandardOutputIsAnError) {
  for (const char* arguments :
       {"list", "list andrews", "run pendulum", "topology andrews", "reproduce", "run pendulum --json -", "--help",
        "run --help", "run pendulum --out - --quiet", "run pendulum --log - --quiet"}) {
    const Result result = run(std::string(arguments) + " > /dev/full");
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_NE(result.err.find("failed; is the disk full"), std::string::npos) << arguments << result.err;
  }
}

TEST_F(OutputFiles, AReaderThatGoesEndsNothingElse) {
  const std::string line = "(" + std::string(LINKWORK_COMMAND) + " run pendulum --rate 1e4 --out - --json " +
                           path("run.json") + " 2> " + path("stderr.txt") + "; echo $? > " + path("status") +
                           ") | true";
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_EQ(text_of("status"), "1\n");
  EXPECT_NE(text_of("stderr.txt").find("writing to standard output failed"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text_of("run.json"))["status"], "done");
}

TEST_F(OutputFiles, PipesAndLinksToThemAreWrittenStraight) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string samples = run("run pendulum --quiet --rate 10 --out -").out;
  EXPECT_GT(samples.size(), 100u);
  const std::string line = "cat " + pipe + " > " + path("read") + " & " + std::string(LINKWORK_COMMAND) +
                           " run pendulum --quiet --rate 10 --out " + pipe + "; wait";
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_EQ(text_of("read"), samples);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  for (const std::string out : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    EXPECT_EQ(run("run pendulum --rate 10 --out " + out).out, samples);  // and no summary
  const std::string log = run("run pendulum --log -").out;
  EXPECT_EQ(log.rfind("t,step,accepted", 0), 0u);
  EXPECT_EQ(log.find("model 'pendulum'"), std::string::npos);
}

TEST_F(OutputFiles, MessagesNameTheFolderThatIsMissing) {
  for (const std::string option : {"--out", "--json", "--save", "--log"})
    expect_refused("run pendulum " + option + " " + path("no/a"),
                   {"can't write '" + path("no/a") + "'", "make the folder '" + path("no") + "'"});
}

TEST_F(OutputFiles, ReproduceListsItsTables) {
  const Result result = run("reproduce");
  EXPECT_EQ(result.status, 0);
  for (const char* part : {"Tables:\n", "mexx-5.1", "'linkwork reproduce TABLE'"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
}

TEST_F(OutputFiles, HelpTellsTheExitStatuses) {
  const Result help = run("--help"), of_run = run("run --help");
  for (const char* part : {"0 done", "1 a run failed", "2 the command line", "129, 130, 143"})
    EXPECT_NE(help.out.find(part), std::string::npos) << help.out;
  for (const char* part : {"exit status 1", "130", "143", "129", "A second signal ends at once"})
    EXPECT_NE(of_run.out.find(part), std::string::npos) << of_run.out;
}

}  // namespace output_files_test
