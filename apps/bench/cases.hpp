#pragma once

#include "zoo/zoo.hpp"

#include <linkwork/solvers/formulations/formulation.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkwork::apps {

/// A torque of the father on the son about the axis of the joint between them, which both bodies know by the same
/// components.
struct JointTorque {
  int joint = -1;             ///< as joints are numbered in the model
  int father = -1, son = -1;  ///< bodies; -1 for the ground
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  double torque = 0;  ///< [N m]
};

/// A mechanism in motion, with torques in its joints.
struct BenchMechanism {
  AnyModel model;
  std::vector<JointTorque> torques = {};
};

/// A family of mechanisms of any size that solvers are timed on, and what it is timed with if nothing else is asked
/// for.
struct BenchCase {
  std::string name, description;
  BenchMechanism (*build)(int size) = nullptr;
  Formulation formulation = Formulation::relative;
  std::vector<std::string> solvers = {"recursive"};
  std::vector<int> sizes = {2, 8, 32, 128, 512, 1024, 2048, 4096};
  int largest = 4096;
};

const std::vector<BenchCase>& bench_cases();

/// @throws ModelError for an unknown name, listing the known ones
const BenchCase& find_bench_case(std::string_view name);

/// The torques as generalised forces of equations that were made from the mechanism's model; zeros where there are
/// none.
Eigen::VectorXd generalised_forces(const BenchMechanism& mechanism, Formulation formulation,
                                   const EquationsOfMotion& equations);

}  // namespace linkwork::apps
