#pragma once

#include <linkwork/core/atomic_file.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace linkwork::apps {

/// "-", /dev/stdout and its other names.
bool is_standard_output(const std::string& path);

/// A file to write to, or standard output. The file is begun at once, so that a wrong path fails before a long run, and
/// replaces an older one when it is closed.
class OutputFile {
 public:
  /// @throws ModelError if the file can't be written
  explicit OutputFile(const std::string& path);
  std::ostream& stream();
  /// Writes everything out. @throws std::runtime_error if the disk is full or the like
  void close();

 private:
  std::optional<AtomicFile> file_;  // none: standard output
};

/// A file as an option names it: {"--out", "run.csv"}; an empty name stands for none.
struct NamedFile {
  std::string option, name;
};

/// @throws ModelError where two options name one file, also by links, or standard output, or where standard output is
/// redirected to one of the files. Devices such as /dev/null may be named often.
void expect_different_files(const std::vector<NamedFile>& files);

}  // namespace linkwork::apps
