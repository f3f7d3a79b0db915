#pragma once

#include <linkwork/core/errors.hpp>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

namespace linkwork {

/// A file that is written beside its target, under a name of its own, and takes the target's name once it is whole: an
/// older file stays as it was until then, and for good where the program ends before. Symbolic links are followed, and
/// the older file's permissions kept; another hard link to it goes on to show its old content. What is no regular file
/// (a terminal, a pipe, /dev/null, /dev/stdout) is written straight.
class AtomicFile {
 public:
  /// Begins to write beside the target, so that a file that can't be written is known before a long run.
  /// @throws ModelError naming the file, what is wrong and what to do
  explicit AtomicFile(const std::string& target);
  /// Removes what was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() { return stream_; }
  /// Writes everything out and gives the file its name. Fails if not all could be written: an older file is still there
  /// then.
  Outcome commit();

  /// Removes what all files of the process have written beside their targets, for a program that ends at once. May be
  /// called by a signal handler. Files have to end with the process then.
  static void remove_uncommitted() noexcept;

 private:
  void open_beside();
  void discard() noexcept;

  std::string name_;  // as it was given
  std::filesystem::path target_;
  std::string beside_;  // "": written straight, or done
  std::ofstream stream_;
};

/// Whether two names stand for one file, also by symbolic or hard links, and also where it does not exist yet.
bool is_one_file(const std::string& one, const std::string& other);

}  // namespace linkwork
