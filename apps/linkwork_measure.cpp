// What `linkwork reproduce` and `linkwork bench` call: a program of its own, because it takes as long to build as the
// rest of the command.

#include "commands/bench.hpp"
#include "commands/subcommand.hpp"
#include "zoo/bench_families.hpp"
#include "zoo/zoo.hpp"

namespace linkwork::apps {
namespace {

Command add_bench_of_families(CLI::App& program, const ModelList&) {
  return add_bench_of(program, {bench_families, "insulator_chain"});
}

}  // namespace
}  // namespace linkwork::apps

int main(int argc, char** argv) {
  using namespace linkwork::apps;
  return run_program("linkwork", {add_reproduce, add_bench_of_families}, zoo, argc, argv);
}
