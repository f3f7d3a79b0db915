// What `linkwork reproduce` and `linkwork bench` call: a program of its own, because it takes as long to build as the
// rest of the command.

#include "commands/command.hpp"

int main(int argc, char** argv) {
  using namespace linkwork::apps;
  return run_program({add_reproduce, add_bench}, argc, argv);
}
