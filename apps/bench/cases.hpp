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
  std::vector<int> sizes = {1};  ///< where --sizes names none
  int least = 1, largest = 1;    ///< that --sizes may ask for
  bool is_among_all = true;      ///< whether it is meant where all cases are asked for
  /// Of a model: gives parameters of a case other values, NAME=VALUE each. @throws ModelError as `run` does
  std::function<void(BenchCase& of, const std::vector<std::string>& settings)> set = {};

  /// A range of one size leaves --sizes nothing to ask for.
  bool has_one_size() const { return least == largest; }
};

/// Larger ones take minutes, and gigabytes, before anything is timed.
inline constexpr int largest_bench_size = 4096;

/// One case for each model. A model grows with the first of its parameters that is a whole number and has no named
/// choices, up to largest_bench_size, and has one size where there is none, or that parameter is set; the other
/// parameters have their defaults, unless they are set.
/// @param models  outlive the cases
std::vector<BenchCase> bench_cases_of(const ModelList& models);

/// The cases that "all" means, or those that are measured where they are named only.
std::vector<const BenchCase*> select_cases(const std::vector<BenchCase>& cases, bool among_all);

/// @throws ModelError for an unknown name, listing the known ones, those that "all" leaves out apart
const BenchCase& find_bench_case(const std::vector<BenchCase>& cases, std::string_view name);

}  // namespace linkwork::apps
