#pragma once

#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace linkwork::test {

/// A folder below the system's for such, for the time of a test.
class Scratch : public ::testing::Test {
 protected:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "linkwork-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("can't make a directory for the test");
    folder_ = pattern;
  }
  ~Scratch() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace linkwork::test
