#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <linkwork/core/concat.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

/// Runs the built `linkwork` command as a user would, in a directory of the test's own.
class Command : public ::testing::Test {
 protected:
  struct Result {
    int status = -1;
    std::string out, err;
  };

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "linkwork-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("can't make a directory for the test");
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  Result run(const std::string& arguments) const { return run_program(LINKWORK_COMMAND, arguments); }

  Result run_program(const std::string& program, const std::string& arguments) const {
    const std::string line = linkwork::concat(program, ' ', arguments, " 2> ", path("stderr.txt"));
    FILE* pipe = popen(line.c_str(), "r");
    if (!pipe) throw std::runtime_error("can't start " + line);
    Result result;
    std::array<char, 4096> buffer;
    for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      result.out.append(buffer.data(), count);
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.err = text_of("stderr.txt");
    return result;
  }

  /// The JSON that the arguments print on standard output; nothing else may be there.
  nlohmann::json json_of(const std::string& arguments) const {
    const Result result = run(arguments + " --json -");
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }

  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  /// Status 2 and each of the parts somewhere in the message.
  void expect_refused(const std::string& arguments, const std::vector<std::string>& parts) const {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
    for (const std::string& part : parts) EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  }

 private:
  std::filesystem::path directory_;
};
