// What `linkwork reproduce` and `linkwork bench` call: a program of its own, because it takes as long to build as the
// rest of the command.

#include "commands/subcommand.hpp"
#include "zoo/zoo.hpp"

int main(int argc, char** argv) {
  using namespace linkwork::apps;
  return run_program("linkwork", {add_reproduce, add_bench}, zoo, argc, argv);
}
