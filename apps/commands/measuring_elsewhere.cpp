#include "commands/subcommand.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

/// Becomes linkwork_measure. @throws ModelError where it is not there
int become_measuring_program(const CLI::App& app) {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "linkwork_measure";
  std::vector<std::string> words = {program, app.get_name()};
  for (const std::string& word : app.remaining()) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  const std::string why = std::strerror(errno);
  throw ModelError(concat(app.get_name(), " is done by the program '", program.string(), "', which can't be started (",
                          why,
                          "); build it (cmake --build --preset release --target linkwork_measure), or install it "
                          "beside this one."));
}

Command add_elsewhere(CLI::App& program, const char* name, const char* help) {
  CLI::App* app = program.add_subcommand(name, help);
  app->prefix_command();  // its options are the other program's
  app->set_help_flag();
  return {app, [app] { return become_measuring_program(*app); }};
}

}  // namespace

Command add_reproduce_elsewhere(CLI::App& program, const ModelList&) {
  return add_elsewhere(program, "reproduce", reproduce_help);
}
Command add_bench_elsewhere(CLI::App& program, const ModelList&) { return add_elsewhere(program, "bench", bench_help); }

}  // namespace linkwork::apps
