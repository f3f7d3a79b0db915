#include "bench/cases.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>

#include <cmath>

namespace linkwork::apps {
namespace {

/// One link of a tree of revolute joints, with the motion of its joint frame.
struct Link {
  BodyRef<Spatial> body;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
};

const MassProperties& link_mass() {
  static const Eigen::Matrix3d inertia = Eigen::Vector3d(0.10, 0.11, 0.05).asDiagonal();
  static const MassProperties mass = MassProperties::given(1.0, {0.02, 0.01, -0.5}, inertia);
  return mass;
}

/// Hangs link number i on `father` (or on the ground), at an angle and a rate that differ from link to link.
Link add_link(SpatialModel& model, int i, const Link* father, const Eigen::Vector3d& offset, const Axis& axis) {
  const double angle = 0.3 * std::sin(i + 1.0), rate = 0.1 * std::cos(2.0 * i + 1);
  const Link base = father ? *father : Link{};
  Link link;
  const Eigen::Vector3d arm = base.attitude * offset;
  link.position = base.position + arm;
  link.velocity = base.velocity + base.angular_velocity.cross(arm);
  link.attitude = base.attitude * Eigen::AngleAxisd(angle, axis.direction());
  link.angular_velocity = base.angular_velocity + rate * (base.attitude * axis.direction());
  link.body = model.add_body("link " + std::to_string(i), link_mass());
  link.body.place(link.position, link.attitude).move(link.velocity, link.angular_velocity);
  const auto father_frame = father ? father->body.at(offset) : model.ground().at(offset);
  model.add_joint<Revolute>("joint " + std::to_string(i), father_frame, link.body.origin(), axis);
  return link;
}

/// Hanging chain of links of 1 m; axes y, x, y, ...
Link add_chain(SpatialModel& model, int size) {
  model.set_gravity({0, 0, -9.81});
  Link link;
  for (int i = 0; i < size; ++i) {
    const Link father = link;
    link =
        add_link(model, i, i == 0 ? nullptr : &father, {0, 0, i == 0 ? 0.0 : -1.0}, i % 2 == 0 ? Axis::y() : Axis::x());
  }
  return link;
}

AnyModel build_chain(int size) {
  SpatialModel model("chain");
  add_chain(model, size);
  return model;
}

AnyModel build_ring(int size) {
  SpatialModel model("ring");
  const Link last = add_chain(model, size);
  const Eigen::Vector3d tip(0, 0, -1);
  model.add_joint<Spherical>("closure", model.ground().at(last.position + last.attitude * tip), last.body.at(tip));
  return model;
}

AnyModel build_tree(int size) {
  SpatialModel model("tree");
  model.set_gravity({0, 0, -9.81});
  const Axis axes[] = {Axis::y(), Axis::x(), Axis::z()};
  std::vector<Link> links;
  for (int i = 0; i < size; ++i) {
    const Eigen::Vector3d offset = i == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(i % 2 == 0 ? -0.3 : 0.3, 0, -1);
    const Link* father = i == 0 ? nullptr : &links[static_cast<std::size_t>((i - 1) / 2)];
    links.push_back(add_link(model, i, father, offset, axes[i % 3]));
  }
  return model;
}

AnyModel build_insulator_chain(int size) {
  const ZooModel& zoo_model = find_model("insulator_chain");
  return zoo_model.build(zoo_model.parameters_with({{"n", size}}));
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> cases = {
      {"chain", "spatial chain of revolute joints", build_chain},
      {"tree", "spatial binary tree of revolute joints", build_tree},
      {"ring", "the chain with its tip held by a ball joint", build_ring},
      {"insulator_chain", "planar chain of the zoo, with a massless point", build_insulator_chain}};
  return cases;
}

const BenchCase& find_bench_case(std::string_view name) {
  for (const BenchCase& known : bench_cases())
    if (known.name == name) return known;
  throw ModelError(
      concat("unknown benchmark case '", name, "'; there are: ", listed(bench_cases(), &BenchCase::name), "."));
}

}  // namespace linkwork::apps
