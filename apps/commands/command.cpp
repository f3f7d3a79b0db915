#include "commands/bench.hpp"
#include "commands/subcommand.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Apart from the other commands, so that the zoo's program, whose `bench` stands elsewhere, is built without it.

namespace linkwork {
namespace {

apps::Command add_bench_of_models(CLI::App& program, const apps::ModelList& models) {
  return apps::add_bench_of(program, {[&models] { return apps::bench_cases_of(models); }, "all"});
}

}  // namespace

int command(int argc, char** argv, std::vector<OfferedModel> models) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "linkwork";
  std::vector<apps::AddCommand> commands = apps::usual_commands();
  commands.push_back(add_bench_of_models);
  std::optional<apps::ModelList> offered;
  const auto offer = [&]() -> const apps::ModelList& { return offered.emplace(models); };
  return apps::run_program(name, commands, offer, argc, argv);
}

}  // namespace linkwork
