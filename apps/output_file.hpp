#pragma once

#include <fstream>
#include <ostream>
#include <string>

namespace linkwork::apps {

/// A file to write to, or standard output for "-". It is opened at once, so that a wrong path fails before a long run.
class OutputFile {
 public:
  /// @throws ModelError if the file can't be opened
  explicit OutputFile(const std::string& path);
  std::ostream& stream() { return path_ == "-" ? standard_output() : file_; }
  /// Writes everything out. @throws std::runtime_error if the disk is full or the like
  void close();

 private:
  static std::ostream& standard_output();

  std::string path_;
  std::ofstream file_;
};

}  // namespace linkwork::apps
