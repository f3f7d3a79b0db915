#include "zoo/bench_families.hpp"

#include "zoo/link_tree.hpp"
#include "zoo/zoo.hpp"

#include <linkwork/topology/topology.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace linkwork::apps {
namespace {

/// Of the father on link i, about the axis of the joint between them [N m].
double torque_in_joint(std::size_t i) { return 0.1 * std::cos(3.0 * static_cast<double>(i)); }

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

/// The torques in all joints as generalised forces of equations that were made from the tree's model.
Eigen::VectorXd generalised_forces(LinkTree& tree, Formulation formulation, const EquationsOfMotion& equations) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(equations.dimensions().v);
  const std::vector<LinkTree::Link>& links = tree.links();
  if (formulation == Formulation::relative) {
    const std::vector<int> columns = columns_of_joints(analyze(tree.model(), {.joint_tree = true}),
                                                       *std::get<const JointTree<Spatial>*>(equations.joint_tree()));
    for (std::size_t i = 0; i < links.size(); ++i)
      if (!links[i].is_floating()) force[columns[static_cast<std::size_t>(links[i].joint.index)]] = torque_in_joint(i);
    return force;
  }
  // The bodies' velocities stand first in absolute and in mixed coordinates. Both bodies know the axis by the same
  // components.
  const std::vector<int> columns = columns_of_bodies(analyze(tree.model()));
  const auto add = [&](const BodyRef<Spatial>& body, const Eigen::Vector3d& torque) {
    if (body.index() >= 0) force.segment<3>(columns[static_cast<std::size_t>(body.index())]) += torque;
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].is_floating()) continue;
    add(links[i].body, torque_in_joint(i) * links[i].axis);
    add(links[i].father, -torque_in_joint(i) * links[i].axis);
  }
  return force;
}

/// A family of trees of links, to which joints may have been added.
template <class Make>
BenchCase family(std::string name, std::string description, Make make) {
  BenchCase out{.name = std::move(name), .description = std::move(description)};
  out.build = [make](int size, Formulation formulation) {
    LinkTree tree = make(size);
    BenchMechanism built{make_equations(tree.model(), {.formulation = formulation}), {}};
    built.applied_force = generalised_forces(tree, formulation, *built.equations);
    return built;
  };
  out.solvers = {"recursive"};
  out.sizes = {2, 8, 32, 128, 512, 1024, 2048, 4096};
  out.least = 2;
  out.largest = largest_bench_size;
  return out;
}

BenchCase of_loops(BenchCase loops) {
  loops.solvers = {"graph"};
  loops.sizes = {1, 8, 64, 256, 512, 1024, 2048};
  loops.least = 1;
  loops.largest = largest_bench_size;
  return loops;
}

BenchCase humanoid_case() {
  BenchCase out = family("humanoid", "floating tree of 34 freedoms", [](int) { return make_humanoid(); });
  out.sizes = {34};
  out.least = out.largest = 34;
  return out;
}

BenchCase mesh_case(const std::vector<BenchCase>& models) {
  BenchCase out = find_bench_case(models, "mesh");
  out.description = "planar square mesh of size x size links";
  out.solvers = {"graph"};
  out.sizes = {2, 4, 8, 16, 32};
  out.least = 2;
  out.largest = 64;
  return out;
}

BenchCase insulator_case(const std::vector<BenchCase>& models) {
  BenchCase out = find_bench_case(models, "insulator_chain");
  out.description = "planar chain of the zoo, with a massless point";
  out.formulation = Formulation::absolute;
  out.solvers = {"recursive", "sparse-lu"};
  out.sizes = {64, 128, 256, 512, 1024, 2048, 4096};
  out.largest = largest_bench_size;
  return out;
}

BenchCase ladder_case(const std::vector<BenchCase>& models) {
  BenchCase out = of_loops(find_bench_case(models, "ladder"));
  out.description = "planar ladder of four-bar loops";
  return out;
}

}  // namespace

std::vector<BenchCase> bench_families() {
  const std::vector<BenchCase> models = bench_cases_of(zoo());
  std::vector<BenchCase> cases = {
      family("chain", "spatial chain of revolute joints", make_chain),
      family("tree", "spatial binary tree of revolute joints", make_binary_tree),
      humanoid_case(),
      family("ring", "the chain with its tip held by a ball joint",
             [](int links) { return make_ring(links, /*rate*/ 0.1); }),
      ladder_case(models),
      of_loops(family("ladder3d", "spatial ladder of loops with universal and ball joints", make_spatial_ladder)),
      mesh_case(models),
      insulator_case(models)};
  for (const BenchCase& model : models) {
    const auto has_its_name = [&](const BenchCase& known) { return known.name == model.name; };
    if (std::any_of(cases.begin(), cases.end(), has_its_name)) continue;
    cases.push_back(model);
    cases.back().is_among_all = false;
  }
  return cases;
}

}  // namespace linkwork::apps
