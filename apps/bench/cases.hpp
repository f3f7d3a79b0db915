#pragma once

#include "zoo/zoo.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace linkwork::apps {

/// A family of mechanisms of any size that solvers are timed on.
struct BenchCase {
  std::string name, description;
  AnyModel (*build)(int size) = nullptr;
};

const std::vector<BenchCase>& bench_cases();

/// @throws ModelError for an unknown name, listing the known ones
const BenchCase& find_bench_case(std::string_view name);

}  // namespace linkwork::apps
