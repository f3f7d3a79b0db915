#pragma once

#include <gtest/gtest.h>

// What blocks use without saying so.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <type_traits>

/// Runs in a folder of its own, where blocks and commands of a README may leave files.
class Readme : public ::testing::Test {
 protected:
  Readme() : home_(std::filesystem::current_path()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "linkwork-readme-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("can't make a directory for the test");
    folder_ = pattern;
    std::filesystem::current_path(folder_);
  }
  ~Readme() override {
    std::filesystem::current_path(home_);
    std::filesystem::remove_all(folder_);
  }

  /// A main() that returns nothing has succeeded where it comes to its end. One that takes a command line gets `run`.
  template <class Program>
  static void expect_success(Program program) {
    if constexpr (std::is_invocable_v<Program, int, char**>) {
      std::string words[] = {"program", "run", "--tend", "0.1"};
      char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
      EXPECT_EQ(program(4, arguments), 0);
    } else if constexpr (std::is_void_v<std::invoke_result_t<Program>>)
      program();
    else
      EXPECT_EQ(program(), 0);
  }

 private:
  std::filesystem::path home_, folder_;
};
