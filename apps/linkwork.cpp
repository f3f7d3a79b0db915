// The `linkwork` command: lists and runs the models of the zoo, shows their topology, samples saved trajectories,
// reproduces published tables, and measures speed. Exit status: 0 done, 1 a run failed, 2 the command line is wrong.

#include "commands/command.hpp"

#include <linkwork/core/errors.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace {

/// CLI11 would call an unknown first word an unexpected argument and name no alternative.
bool names_unknown_command(const std::vector<Command>& commands, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::string names;
  for (const Command& command : commands) {
    if (command.app->get_name() == argv[1]) return false;
    names += (names.empty() ? "" : ", ") + command.app->get_name();
  }
  std::cerr << "linkwork: unknown command '" << argv[1] << "'; there are: " << names << ".\n";
  return true;
}

int run_program(int argc, char** argv) {
  CLI::App program("Linkwork: multibody dynamics on a graph of bodies, joints and forces.", "linkwork");
  program.require_subcommand(1);
  const std::vector<Command> commands = {add_list(program),     add_run(program),       add_sample(program),
                                         add_topology(program), add_reproduce(program), add_bench(program)};
  if (names_unknown_command(commands, argc, argv)) return usage_error;
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? done : usage_error;
  }
  try {
    for (const Command& command : commands)
      if (command.app->parsed()) return command.action();
  } catch (const ModelError& error) {
    std::cerr << "linkwork: " << error.what() << '\n';
    return usage_error;
  } catch (const std::exception& error) {
    std::cerr << "linkwork: " << error.what() << '\n';
    return run_failed;
  }
  return done;
}

}  // namespace
}  // namespace linkwork::apps

int main(int argc, char** argv) { return linkwork::apps::run_program(argc, argv); }
