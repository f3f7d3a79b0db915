#include "commands/bench.hpp"

#include <linkwork/core/errors.hpp>

// Stands in for bench.cpp where Google Benchmark was not found.

namespace linkwork::apps {

Command add_bench_of(CLI::App& program, const BenchOffer&) {
  CLI::App* app =
      program.add_subcommand("bench", "Not part of this build of Linkwork, which found no Google Benchmark.");
  app->allow_extras();  // whatever is asked for, the answer is the same
  return {app, []() -> int {
            throw ModelError(
                "bench is not part of this build of Linkwork, which found no Google Benchmark; install that "
                "(libbenchmark-dev on Debian), configure Linkwork with CMake again, and build it.");
          }};
}

}  // namespace linkwork::apps
