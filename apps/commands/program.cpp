#include "commands/argument_check.hpp"
#include "commands/option_names.hpp"
#include "commands/subcommand.hpp"
#include "interruption.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <utility>

namespace linkwork::apps {
namespace {

std::string& name_of_program() {
  static std::string name = "linkwork";
  return name;
}

/// What is wrong with the first word, or "". CLI11 would name no alternative.
std::string wrong_command(const std::vector<Command>& commands, int argc, char** argv) {
  if (argc < 2) return "no command is given";
  const std::string word = argv[1];
  if (word == "--help" || word == "-h") return "";
  for (const Command& command : commands)
    if (command.app->get_name() == word) return "";
  return "unknown command '" + word + "'";
}

int run_command(const std::vector<AddCommand>& add_commands, const ModelList& models, int argc, char** argv) {
  CLI::App program("Linkwork: multibody dynamics on a graph of bodies, joints and forces.", program_name());
  program.require_subcommand(1);
  program.footer(
      "Exit status: 0 done; 1 a run failed, or a file could not be written; 2 the command line or the model is wrong;\n"
      "129, 130, 143 ended by SIGHUP, SIGINT (^C) or SIGTERM, what was computed being kept.");
  std::vector<Command> commands;
  for (const AddCommand add : add_commands) commands.push_back(add(program, models));
  if (const std::string mistake = wrong_command(commands, argc, argv); !mistake.empty()) {
    std::cerr << program_name() << ": " << mistake
              << "; there are: " << listed(commands, [](const Command& command) { return command.app->get_name(); })
              << ".\n";
    return usage_error;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // help
    for (const Command& command : commands)
      if (command.app->get_name() == argv[1])
        std::cerr << program_name() << ": " << explain(*command.app, error) << '\n';
    return usage_error;
  }
  try {
    for (const Command& command : commands)
      if (command.app->parsed()) {
        check_arguments(*command.app);
        return command.action();
      }
  } catch (const ModelError& error) {
    std::cerr << program_name() << ": " << with_options(error.what()) << '\n';
    return usage_error;
  } catch (const std::exception& error) {
    std::cerr << program_name() << ": " << with_options(error.what()) << '\n';
    return run_failed;
  }
  return done;
}

/// A table that nobody got is no success.
int status_of_standard_output() {
  if (std::cout.flush()) return done;
  std::cerr << program_name() << ": writing to standard output failed; is the disk full, or the reader gone?\n";
  return run_failed;
}

}  // namespace

void when_named(CLI::App* app, std::function<void()> add_options) {
  app->preparse_callback([add = std::move(add_options)](std::size_t) { add(); });
}

const std::vector<AddCommand>& usual_commands() {
  static const std::vector<AddCommand> all = {add_list, add_run, add_view, add_sample, add_topology, add_compare};
  return all;
}

const std::string& program_name() { return name_of_program(); }

int run_program(const std::string& name, const std::vector<AddCommand>& add_commands,
                const std::function<const ModelList&()>& models, int argc, char** argv) {
  name_of_program() = name;
  end_cleanly_on_signals();
  const ModelList* offered = nullptr;
  try {
    offered = &models();
  } catch (const std::exception& error) {
    std::cerr << program_name() << ": " << error.what() << '\n';
    return usage_error;
  }
  const int status = run_command(add_commands, *offered, argc, argv);
  return status == done ? status_of_standard_output() : status;
}

}  // namespace linkwork::apps
