#include "commands/open_page.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace linkwork::apps {
namespace {

/// What of a name can stand in a path, and on a command line without quotes.
std::string plain(const std::string& name) {
  constexpr std::size_t most = 100;
  std::string out = name.substr(0, most);
  for (char& c : out)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  return out;
}

}  // namespace

std::string temporary_page(const std::string& model) {
  constexpr std::string_view ending = ".html";
  std::string path = std::filesystem::temp_directory_path() / concat("linkwork-", plain(model), "-XXXXXX", ending);
  const int file = mkstemps(path.data(), static_cast<int>(ending.size()));
  if (file < 0) throw ModelError(concat("view: can't make the page '", path, "'; give a file by --html."));
  close(file);
  return path;
}

bool open_by_desktop(const std::string& file) {
  // Without a display xdg-open tries browsers of the terminal, which can't show the page.
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return false;
  std::string program = "xdg-open", page = file;
  char* arguments[] = {program.data(), page.data(), nullptr};
  pid_t child = 0;
  posix_spawn_file_actions_t quietly;
  posix_spawn_file_actions_init(&quietly);
  posix_spawn_file_actions_addopen(&quietly, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failure = posix_spawnp(&child, program.c_str(), &quietly, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quietly);
  if (failure != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace linkwork::apps
