// The `linkwork` command: the command for the models of the zoo, which also reproduces published tables and measures
// speed. Exit status: 0 done, 1 a run failed, 2 the command line is wrong, 128 + the number of a signal that ended it.

#include "commands/subcommand.hpp"
#include "zoo/zoo.hpp"

int main(int argc, char** argv) {
  using namespace linkwork::apps;
  std::vector<AddCommand> commands = usual_commands();
  commands.insert(commands.end(), {add_reproduce_elsewhere, add_bench_elsewhere});
  return run_program("linkwork", commands, zoo, argc, argv);
}
