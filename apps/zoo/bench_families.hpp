#pragma once

#include "bench/cases.hpp"

#include <vector>

namespace linkwork::apps {

/// What `linkwork bench` times: families of mechanisms with torques in their joints, and by name the models of the zoo
/// too. Where a family and a model have one name, the family is meant.
std::vector<BenchCase> bench_families();

}  // namespace linkwork::apps
