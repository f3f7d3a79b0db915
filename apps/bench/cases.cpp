#include "bench/cases.hpp"

#include "zoo/link_tree.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>
#include <utility>

namespace linkwork::apps {
namespace {

/// Joint of link i: 0.1 cos(3 i) N m.
BenchMechanism with_torques(LinkTree tree) {
  std::vector<JointTorque> torques;
  for (std::size_t i = 0; i < tree.links().size(); ++i) {
    const LinkTree::Link& link = tree.links()[i];
    if (link.is_floating()) continue;
    torques.push_back({link.joint.index, link.father.index(), link.body.index(), link.axis,
                       0.1 * std::cos(3.0 * static_cast<double>(i))});
  }
  return {std::move(tree.model()), std::move(torques)};
}

BenchMechanism chain(int size) { return with_torques(make_chain(size)); }
BenchMechanism tree(int size) { return with_torques(make_binary_tree(size)); }
BenchMechanism humanoid(int) { return with_torques(make_humanoid()); }
BenchMechanism ring(int size) { return with_torques(make_ring(size, /*rate*/ 0.1)); }
BenchMechanism ladder3d(int size) { return with_torques(make_spatial_ladder(size)); }

template <const char* name>
BenchMechanism of_zoo(int size) {
  const ZooModel& model = find_model(name);
  return {model.build(model.parameters_with({{"n", size}}))};
}
constexpr char ladder[] = "ladder", mesh[] = "mesh", insulator_chain[] = "insulator_chain";

/// First velocity of every body in absolute coordinates, by index in the model.
std::vector<int> columns_of_bodies(const Topology& topology) {
  std::vector<int> columns(topology.label_of_body.size());
  int column = 0;
  for (const Topology::Node& node : topology.nodes) {
    if (node.body >= 0) columns[static_cast<std::size_t>(node.body)] = column;
    column += node.freedoms;
  }
  return columns;
}

/// First velocity of every tree joint in joint coordinates, by number of the joint; -1 for the others.
std::vector<int> columns_of_joints(const Topology& topology, const JointTree<Spatial>& tree) {
  std::vector<int> columns(topology.elements.size(), -1);
  for (std::size_t label = 1; label < topology.nodes.size(); ++label)
    if (const int edge = topology.nodes[label].edge; edge >= 0)
      columns[static_cast<std::size_t>(edge)] = tree.links[label].column;
  return columns;
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<int> loops = {1, 8, 64, 256, 512, 1024, 2048};
  static const std::vector<BenchCase> cases = {
      {"chain", "spatial chain of revolute joints", chain},
      {"tree", "spatial binary tree of revolute joints", tree},
      {.name = "humanoid", .description = "floating tree of 34 freedoms", .build = humanoid, .sizes = {34}},
      {"ring", "the chain with its tip held by a ball joint", ring},
      {.name = "ladder",
       .description = "planar ladder of four-bar loops",
       .build = of_zoo<ladder>,
       .solvers = {"graph"},
       .sizes = loops},
      {.name = "ladder3d",
       .description = "spatial ladder of loops with universal and ball joints",
       .build = ladder3d,
       .solvers = {"graph"},
       .sizes = loops},
      {.name = "mesh",
       .description = "planar square mesh of size x size links",
       .build = of_zoo<mesh>,
       .solvers = {"graph"},
       .sizes = {2, 4, 8, 16, 32},
       .largest = 64},
      {.name = "insulator_chain",
       .description = "planar chain of the zoo, with a massless point",
       .build = of_zoo<insulator_chain>,
       .formulation = Formulation::absolute,
       .solvers = {"recursive", "sparse-lu"},
       .sizes = {64, 128, 256, 512, 1024, 2048, 4096}}};
  return cases;
}

const BenchCase& find_bench_case(std::string_view name) {
  for (const BenchCase& known : bench_cases())
    if (known.name == name) return known;
  throw ModelError(
      concat("unknown benchmark case '", name, "'; there are: ", listed(bench_cases(), &BenchCase::name), "."));
}

Eigen::VectorXd generalised_forces(const BenchMechanism& mechanism, Formulation formulation,
                                   const EquationsOfMotion& equations) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(equations.dimensions().v);
  if (mechanism.torques.empty()) return force;
  const SpatialModel& model = std::get<SpatialModel>(mechanism.model);
  if (formulation == Formulation::relative) {
    const std::vector<int> columns = columns_of_joints(analyze(model, {.joint_tree = true}),
                                                       *std::get<const JointTree<Spatial>*>(equations.joint_tree()));
    for (const JointTorque& torque : mechanism.torques)
      force[columns[static_cast<std::size_t>(torque.joint)]] = torque.torque;
    return force;
  }
  // The bodies' velocities stand first in absolute and in mixed coordinates.
  const std::vector<int> columns = columns_of_bodies(analyze(model));
  const auto add = [&](int body, const Eigen::Vector3d& torque) {
    if (body >= 0) force.segment<3>(columns[static_cast<std::size_t>(body)]) += torque;
  };
  for (const JointTorque& torque : mechanism.torques) {
    add(torque.son, torque.torque * torque.axis);
    add(torque.father, -torque.torque * torque.axis);
  }
  return force;
}

}  // namespace linkwork::apps
