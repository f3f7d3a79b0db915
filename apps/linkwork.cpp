// The `linkwork` command: lists and runs the models of the zoo, shows their topology, samples saved trajectories,
// reproduces published tables, and measures speed. Exit status: 0 done, 1 a run failed, 2 the command line is wrong,
// 128 + the number of a signal that ended it.

#include "commands/command.hpp"

int main(int argc, char** argv) {
  using namespace linkwork::apps;
  return run_program(
      {add_list, add_run, add_sample, add_topology, add_compare, add_reproduce_elsewhere, add_bench_elsewhere}, argc,
      argv);
}
