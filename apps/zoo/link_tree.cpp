#include "zoo/link_tree.hpp"

#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>

#include <cmath>
#include <memory>
#include <utility>

namespace linkwork::apps {
namespace {

double angle_of(int joint) { return 0.3 * std::sin(joint + 1.0); }
constexpr double usual_rate = 0.1;  // [rad/s]
double rate_of(int joint, double rate = usual_rate) { return rate * std::cos(2.0 * joint + 1); }

/// The link of most families.
const MassProperties& rail() {
  static const MassProperties mass = link_mass(1, {0.02, 0.01, -0.5}, {0.10, 0.11, 0.05});
  return mass;
}
const Eigen::Vector3d below(0, 0, -1);

LinkTree make_chain(const std::string& name, int links, double rate) {
  LinkTree tree(name);
  for (int i = 0; i < links; ++i)
    tree.hang(i - 1, i == 0 ? Eigen::Vector3d::Zero() : below, i % 2 == 0 ? Axis::y() : Axis::x(), rail(), angle_of(i),
              rate_of(i, rate));
  return tree;
}

/// Squares of the joint's accelerations; their first entry for qdd0.
struct JointAcceleration {
  double first = 0, squares = 0;
};
JointAcceleration joint_acceleration(const Snapshot<Spatial>& now, const LinkTree::Link& link) {
  const Frame<Spatial> frame = link.body.origin();
  const Twist<Spatial> acceleration = now.acceleration(frame);
  if (link.is_floating())
    return {acceleration.linear.x(), acceleration.linear.squaredNorm() + acceleration.angular.squaredNorm()};
  Eigen::Vector3d relative = acceleration.angular;
  if (!link.father.is_ground()) relative -= now.acceleration(link.father.origin()).angular;
  const double value = (now.pose(frame).rotation * link.axis).dot(relative);
  return {value, value * value};
}

}  // namespace

MassProperties link_mass(double mass, const Eigen::Vector3d& center_of_mass, const Eigen::Vector3d& moments) {
  const Eigen::Matrix3d inertia = moments.asDiagonal();
  return MassProperties::given(mass, center_of_mass, inertia);
}

LinkTree::LinkTree(const std::string& name) : model_(name) { model_.set_gravity({0, 0, -9.81}); }

int LinkTree::adopt(Link link, const MassProperties& mass) {
  link.body = model_.add_body("link " + std::to_string(links_.size()), mass);
  link.body.place(link.position, link.attitude).move(link.velocity, link.angular_velocity);
  links_.push_back(link);
  return static_cast<int>(links_.size()) - 1;
}

int LinkTree::hang(int father, const Eigen::Vector3d& offset, const Axis& axis, const MassProperties& mass,
                   double angle, double rate) {
  Link base;
  base.body = model_.ground();
  if (father >= 0) base = this->link(father);
  const Eigen::Vector3d arm = base.attitude * offset;
  Link link;
  link.father = base.body;
  link.axis = axis.direction();
  link.position = base.position + arm;
  link.velocity = base.velocity + base.angular_velocity.cross(arm);
  link.attitude = base.attitude * Eigen::AngleAxisd(angle, link.axis);
  link.angular_velocity = base.angular_velocity + rate * (base.attitude * link.axis);
  const int number = adopt(link, mass);
  Link& added = links_.back();
  added.joint =
      model_.add_joint<Revolute>("joint " + std::to_string(number), base.body.at(offset), added.body.origin(), axis);
  return number;
}

int LinkTree::float_free(const Eigen::Vector3d& position, const MassProperties& mass,
                         const Eigen::Vector3d& angular_velocity) {
  Link link;
  link.father = model_.ground();
  link.position = position;
  link.angular_velocity = angular_velocity;
  return adopt(link, mass);
}

void LinkTree::observe() {
  const auto links = std::make_shared<const std::vector<Link>>(links_);
  const bool floats = links_.front().is_floating();
  model_.add_observable("qdd0", floats ? "m/s^2" : "rad/s^2",
                        [links](const auto& now) { return joint_acceleration(now, links->front()).first; });
  model_.add_observable("qdd_norm", "", [links](const auto& now) {
    double squares = 0;
    for (const Link& link : *links) squares += joint_acceleration(now, link).squares;
    return std::sqrt(squares);
  });
  const auto tip = links_.back().body.origin();
  model_.add_observable("x", "m", [=](const auto& now) { return now.pose(tip).position.x(); });
  model_.add_observable("y", "m", [=](const auto& now) { return now.pose(tip).position.y(); });
  model_.add_observable("z", "m", [=](const auto& now) { return now.pose(tip).position.z(); });
}

LinkTree make_chain(int links) {
  LinkTree tree = make_chain("chain", links, usual_rate);
  tree.observe();
  return tree;
}

LinkTree make_binary_tree(int links) {
  LinkTree tree("tree");
  const Axis axes[] = {Axis::y(), Axis::x(), Axis::z()};
  for (int i = 0; i < links; ++i) {
    const Eigen::Vector3d offset = i == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(i % 2 == 0 ? -0.3 : 0.3, 0, -1);
    tree.hang(i == 0 ? -1 : (i - 1) / 2, offset, axes[i % 3], rail(), angle_of(i), rate_of(i));
  }
  tree.observe();
  return tree;
}

LinkTree make_ring(int links, double rate) {
  LinkTree tree = make_chain("ring", links, rate);
  const LinkTree::Link& last = tree.links().back();
  SpatialModel& model = tree.model();
  model.add_joint<Spherical>("closure", model.ground().at(last.position + last.attitude * below), last.body.at(below));
  tree.observe();
  return tree;
}

LinkTree make_spatial_ladder(int loops) {
  LinkTree tree("ladder3d");
  const MassProperties right_rail = link_mass(1, {-0.02, 0.01, -0.5}, {0.10, 0.11, 0.05}),
                       cross = link_mass(0.05, Eigen::Vector3d::Zero(), {0.001, 0.001, 0.001}),
                       rung = link_mass(1, {0.5, 0.01, 0.02}, {0.05, 0.11, 0.10});
  const Eigen::Vector3d width = Eigen::Vector3d::UnitX();
  int above = -1;  // the rung that the loop hangs on
  for (int k = 0; k < loops; ++k) {
    const double angle = angle_of(k), rate = rate_of(k);  // parallelograms: the rungs stay level
    const int left = tree.hang(above, Eigen::Vector3d::Zero(), Axis::y(), rail(), angle, rate);
    const int right = tree.hang(above, width, Axis::y(), right_rail, angle, rate);
    const int middle = tree.hang(left, below, Axis::y(), cross, -angle, -rate);
    above = tree.hang(middle, Eigen::Vector3d::Zero(), Axis::z(), rung, 0, 0);
    tree.model().add_joint<Spherical>("closure " + std::to_string(k), tree.link(above).body.at(width),
                                      tree.link(right).body.at(below));
  }
  tree.observe();
  return tree;
}

LinkTree make_humanoid() {
  LinkTree tree("humanoid");
  const int trunk = tree.float_free({0.1, 0.2, 1.0}, link_mass(10, {0.01, 0, 0.05}, {0.5, 0.4, 0.3}), {0.1, 0.2, 0.3});
  /// Links one after another; the fourth hangs a whole length below the third, the others close together.
  const auto limb = [&](int father, const Eigen::Vector3d& offset, const std::string& axes, double length,
                        double mass) {
    const MassProperties link = link_mass(mass, {0.01, 0.02, 0.3 * length}, mass * Eigen::Vector3d(0.05, 0.04, 0.03));
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const Eigen::Vector3d along(0, 0, k == 3 ? length : 0.1 * length);
      const int joint = static_cast<int>(tree.links().size());
      father = tree.hang(father, k == 0 ? offset : along, Axis(Eigen::Vector3d::Unit(axes[k] - 'x')), link,
                         angle_of(joint), rate_of(joint));
    }
    return father;
  };
  const int torso = limb(trunk, {0, 0, 0.1}, "zy", 0.3, 8);
  limb(torso, {0, 0, 0.4}, "zy", 0.15, 2);
  for (int side : {-1, 1}) limb(trunk, {0, 0.1 * side, -0.05}, "zxyyyx", -0.4, 3);
  for (int side : {-1, 1}) limb(torso, {0, 0.25 * side, 0.35}, "yxzyzx", -0.3, 1.5);
  tree.observe();
  return tree;
}

}  // namespace linkwork::apps
