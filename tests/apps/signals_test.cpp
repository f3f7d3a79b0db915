// Runs that are ended by a signal: what was computed is in every file, whole.

#include "command.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <thread>
#include <vector>

namespace signals_test {

class Signals : public Command {
 protected:
  static constexpr const char* folder = "out";

  void SetUp() override {
    Command::SetUp();
    std::filesystem::create_directory(path(folder));
  }

  /// Starts the command with its arguments, standard error in stderr.txt, signals as in a shell of a user.
  pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t child = fork();
    if (child != 0) return child;
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    if (!freopen(path("stderr.txt").c_str(), "w", stderr) || !freopen(path("stdout.txt").c_str(), "w", stdout))
      _exit(99);
    std::vector<char*> words = {const_cast<char*>(LINKWORK_COMMAND)};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(LINKWORK_COMMAND, words.data());
    _exit(99);
  }
  /// Its exit status, or -1 where it was killed.
  static int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string file(const std::string& name) const { return path(std::string(folder) + "/" + name); }
  std::vector<std::string> run_with_all_files() const {
    return {"run",           "andrews", "--tend",         "1e4",   "--rate",        "1e4",    "--out",
            file("run.csv"), "--json",  file("run.json"), "--log", file("log.csv"), "--save", file("run.traj")};
  }
  /// Until the log has rows: there are accepted steps then.
  void wait_for_steps() const {
    for (int i = 0; i < 20000; ++i) {
      for (const auto& entry : std::filesystem::directory_iterator(path(folder)))
        if (entry.file_size() > 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL() << "the run makes no steps";
  }
  std::size_t number_of_files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path(folder)), std::filesystem::directory_iterator()));
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<std::string> fields_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    return fields;
  }

  /// All four files are whole and end at one time, that of the last accepted step.
  void expect_all_files_whole() const {
    ASSERT_EQ(number_of_files(), 4u);
    const auto report = nlohmann::json::parse(text_of("out/run.json"));
    EXPECT_EQ(report["status"], "interrupted");
    const double reached = report["t_reached"];
    EXPECT_GT(reached, 0);

    const std::string csv = text_of("out/run.csv");
    EXPECT_EQ(csv.back(), '\n');
    const std::vector<std::string> rows = lines_of(csv);
    EXPECT_EQ(rows.size(), 2 + static_cast<std::size_t>(std::floor(reached * 1e4 * (1 + 1e-12))));
    EXPECT_EQ(fields_of(rows.back()).size(), fields_of(rows.front()).size());

    const std::string log = text_of("out/log.csv");
    EXPECT_EQ(log.back(), '\n');
    double end_of_log = 0;
    const std::vector<std::string> steps = lines_of(log);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const std::vector<std::string> fields = fields_of(steps[i]);
      ASSERT_GE(fields.size(), 9u) << steps[i];
      if (fields[2] == "1") end_of_log = std::stod(fields[0]) + std::stod(fields[1]);
    }
    EXPECT_NEAR(end_of_log, reached, 4 * std::numeric_limits<double>::epsilon() * reached);  // t + step, rounded once

    const Result sampled = run("sample " + file("run.traj") + " --rate 1e4");
    EXPECT_EQ(sampled.status, 0) << sampled.err;
    EXPECT_EQ(sampled.out, csv);
  }
};

const std::map<int, int> statuses = {{SIGHUP, 129}, {SIGINT, 130}, {SIGTERM, 143}};

TEST_F(Signals, EndARunWithEveryFileWhole) {
  for (const auto& [signal, status] : statuses) {
    std::filesystem::remove_all(path(folder));
    std::filesystem::create_directory(path(folder));
    const pid_t child = start(run_with_all_files());
    wait_for_steps();
    kill(child, signal);
    EXPECT_EQ(status_of(child), status) << text_of("stderr.txt");
    EXPECT_NE(text_of("stderr.txt").find("ended the run at t = "), std::string::npos) << text_of("stderr.txt");
    expect_all_files_whole();
  }
}

TEST_F(Signals, TheSecondEndsAtOnceAndLeavesOlderFiles) {
  std::ofstream(file("run.csv")) << "old";
  // Nobody reads the pipe, so that the command waits where it opens it: after the samples' file was begun.
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t child = start({"run", "andrews", "--out", file("run.csv"), "--save", pipe});
  while (number_of_files() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGINT);
  while (text_of("stderr.txt").find("a second signal ends at once") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGTERM);
  EXPECT_EQ(status_of(child), 143);
  EXPECT_EQ(text_of("out/run.csv"), "old");
  EXPECT_EQ(number_of_files(), 1u);
}

TEST_F(Signals, EndAComparisonWithTheRunsThatWereMade) {
  const pid_t child = start({"compare", "andrews", "--tend", "1e4", "--json", file("runs.json")});
  while (number_of_files() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGINT);
  EXPECT_EQ(status_of(child), 130) << text_of("stderr.txt");
  const auto report = nlohmann::json::parse(text_of("out/runs.json"));
  EXPECT_EQ(report["rows"].back()["status"], "interrupted");
  EXPECT_EQ(number_of_files(), 1u);
}

TEST_F(Signals, ThatWereIgnoredAtTheStartStayIgnored) {
  const std::string line = "trap '' HUP; " + std::string(LINKWORK_COMMAND) +  // as nohup does
                           " run andrews --tend 0.01 --quiet & child=$!; kill -HUP $child; wait $child";
  EXPECT_EQ(std::system(line.c_str()), 0);
}

}  // namespace signals_test
