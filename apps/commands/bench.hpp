#pragma once

#include "bench/cases.hpp"
#include "commands/subcommand.hpp"

#include <functional>
#include <string>
#include <vector>

namespace linkwork::apps {

/// What a program's `bench` times.
struct BenchOffer {
  std::function<std::vector<BenchCase>()> cases;  ///< called where they are needed, for models may take long to build
  std::string usual_case;                         ///< that of a command line that names none; or "all"
};

/// `bench`, or what stands in for it where Google Benchmark was not found.
Command add_bench_of(CLI::App& program, const BenchOffer& offer);

}  // namespace linkwork::apps
