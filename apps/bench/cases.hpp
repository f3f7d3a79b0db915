#pragma once

#include "model_list.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork::apps {

/// A mechanism in motion.
struct BenchMechanism {
  std::unique_ptr<EquationsOfMotion> equations;
  Eigen::VectorXd applied_force;  ///< besides the forces of its elements; as many entries as velocities
};

/// A mechanism, or a family of them of any size, that solvers are timed on, and what it is timed with if nothing else
/// is asked for.
struct BenchCase {
  std::string name, description;
  std::function<BenchMechanism(int size, Formulation formulation)> build = {};
  Formulation formulation = Formulation::relative;
  std::vector<std::string> solvers = {"auto"};
  std::vector<int> sizes = {1};  ///< one: --sizes is not for this case
  int least = 1, largest = 1;    ///< that --sizes may ask for
  bool is_among_all = true;      ///< whether it is meant where all cases are asked for
};

/// One case for each model. A model grows with the first of its parameters that is a whole number and has no named
/// choices, and has one size where there is none; the other parameters have their defaults.
/// @param models  outlive the cases
std::vector<BenchCase> bench_cases_of(const ModelList& models);

/// @throws ModelError for an unknown name, listing the known ones
const BenchCase& find_bench_case(const std::vector<BenchCase>& cases, std::string_view name);

}  // namespace linkwork::apps
