#include "commands/open_page.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace linkwork::apps {

std::string temporary_page(const std::string& model) {
  constexpr std::string_view ending = ".html";
  std::string name = concat("linkwork-", model, "-XXXXXX", ending);
  for (char& letter : name)
    if (letter == '/') letter = '_';
  std::string path = std::filesystem::temp_directory_path() / name;
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
