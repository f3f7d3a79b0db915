#pragma once

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>

#include <string>
#include <vector>

namespace linkwork::apps {

/// Builds a tree of links joined by revolute joints, as robots are described: each link hangs on its father at an
/// offset, and its joint has an angle and a rate at the start. A link's origin is its joint; at angle zero its axes are
/// parallel to its father's.
class LinkTree {
 public:
  struct Link {
    BodyRef<Spatial> body, father;
    JointRef<Spatial> joint;                         ///< -1 for a floating link
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< of the joint, in both links; zero for a floating link
    Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();  ///< of the origin
    Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< ground axes

    bool is_floating() const { return joint.index < 0; }
  };

  /// An empty model with gravity along -z.
  explicit LinkTree(const std::string& name);

  /// Hangs a link on link number `father`, or on the ground for -1. @return its number
  int hang(int father, const Eigen::Vector3d& offset, const Axis& axis, const MassProperties& mass, double angle,
           double rate);
  /// Adds a link without a joint, its axes parallel to the ground's and its origin at rest.
  int float_free(const Eigen::Vector3d& position, const MassProperties& mass, const Eigen::Vector3d& angular_velocity);
  /// Adds observables: qdd0, the first joint's acceleration (of a floating link: along x), qdd_norm, the norm of the
  /// accelerations of all joints (of a floating link: of its origin, and its angular one), and the last link's origin.
  void observe();

  const std::vector<Link>& links() const { return links_; }
  const Link& link(int number) const { return links_[static_cast<std::size_t>(number)]; }
  SpatialModel& model() { return model_; }

 private:
  int adopt(Link link, const MassProperties& mass);

  SpatialModel model_;
  std::vector<Link> links_;
};

/// Principal moments of inertia about the centre of mass, along the link's axes.
MassProperties link_mass(double mass, const Eigen::Vector3d& center_of_mass, const Eigen::Vector3d& moments);

// Families of mechanisms that speeds are compared on. Joint i is at the angle 0.3 sin(i + 1) and turns at
// 0.1 cos(2 i + 1) rad/s, except where a loop must close.

/// Hanging chain of links of 1 m; axes y, x, y, ...
LinkTree make_chain(int links);
/// Complete binary tree; axes y, x, z, y, ...
LinkTree make_binary_tree(int links);
/// The chain with its tip held by a ball joint. Joint i turns at `rate` times cos(2 i + 1): a rate that is not zero
/// moves the tip, which serves where accelerations are compared and no motion is computed.
LinkTree make_ring(int links, double rate);
/// Hanging ladder of loops in space: per loop a left and a right rail, a rung hung from the left rail by a universal
/// joint (two revolute joints and a light cross), its other end on a ball joint at the right rail.
LinkTree make_spatial_ladder(int loops);
/// Floating trunk, two-joint torso and neck, two legs and two arms of six joints each: 34 freedoms.
LinkTree make_humanoid();

}  // namespace linkwork::apps
