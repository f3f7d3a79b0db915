#include "figures/external_program.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

extern char** environ;

namespace linkwork::apps {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// Has no name, and is gone when it is closed.
using TemporaryFile = std::unique_ptr<std::FILE, FileCloser>;

TemporaryFile make_temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) throw std::runtime_error(concat("a temporary file can't be made: ", std::strerror(errno), "."));
  return file;
}

void write_all(std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
    throw std::runtime_error(concat("a temporary file can't be written: ", std::strerror(errno), "."));
  std::rewind(file);
}

std::string read_all(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char part[4096];
  while (const std::size_t count = std::fread(part, 1, sizeof part, file)) text.append(part, count);
  return text;
}

}  // namespace

std::string output_of(const ExternalProgram& program, const std::string& input) {
  // Files in place of pipes: however much the program writes before it has read everything, nobody waits for ever.
  const TemporaryFile in = make_temporary_file(), out = make_temporary_file(), errors = make_temporary_file();
  write_all(in.get(), input);
  std::vector<std::string> words = {program.name};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(errors.get()), STDERR_FILENO);
  // In a group of its own: ^C on the terminal ends our run, which still delivers what it has, and not this program.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0)
    throw ModelError(concat("'", program.name, "', which draws this figure, can't be started: ", std::strerror(failure),
                            "; on Debian: apt-get install ", program.package, "."));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    throw std::runtime_error(
        concat("'", program.name, "', which draws this figure, was ended by signal ", WTERMSIG(status), "."));
  if (WEXITSTATUS(status) != 0)
    throw std::runtime_error(concat("'", program.name, "', which draws this figure, failed: ", read_all(errors.get())));
  return read_all(out.get());
}

}  // namespace linkwork::apps
