#pragma once

#include <linkwork/core/model.hpp>

#include <ostream>
#include <vector>

namespace linkwork::test {

/// How a joint's rows enter a model. With g, G the joint's residual and rows and T a regular matrix:
///   plain: the joint itself    mixed: T g and T G    changing: g, but c(x) T G, which is no derivative of g
enum class JointRows { plain, mixed, changing };

struct RandomMechanism {
  unsigned seed = 1;
  int rigid_bodies = 6;
  int loops = 0;            ///< closed where the freedoms of the path allow it, so that no row is redundant
  bool massless = false;    ///< massless nodes and frames: at a leaf, inside, two in a row, at a root
  bool points = false;      ///< point masses
  bool driven = false;      ///< joints driven in time
  bool all_joints = false;  ///< screws, constant-velocity joints, points on lines and planes, free joints too
  int gears = 0;  ///< gears between joints, racks and pinions; where joints are a user's constraints, racks only
  bool nonholonomic = false;
  bool forces = true;                 ///< gravity, spring-dampers, an applied force
  bool auxiliary = false;             ///< a spring and damper in series: a state and an auxiliary variable
  bool chain = false;                 ///< every body hangs on the one before
  unsigned order = 0;                 ///< other than 0: the elements are added in another order
  double turn = 0;                    ///< [rad] the whole model is turned about z (gravity too) ...
  double shift = 0;                   ///< [m] ... and moved by this much along every axis
  double unit = 1;                    ///< one metre in the model's unit of length, e.g. 1000 for kg, mm, s
  JointRows rows = JointRows::plain;  ///< other than plain: the joints are a user's constraints
};

std::ostream& operator<<(std::ostream& out, const RandomMechanism& options);

/// A random mechanism with consistent positions, no redundant rows, and M definite on the kernel of G. Every joint is
/// made at one point and attitude of the ground; velocities are zero.
template <class Space>
Model<Space> random_mechanism(const RandomMechanism& options);
extern template Model<Planar> random_mechanism<Planar>(const RandomMechanism&);
extern template Model<Spatial> random_mechanism<Spatial>(const RandomMechanism&);

/// A spread of options that every solver should cope with, `count` seeds of each.
std::vector<RandomMechanism> random_mechanisms(unsigned count);
/// Options with every joint of the library, gears and racks, one for each seed. These mechanisms may lock when they
/// run.
std::vector<RandomMechanism> mechanisms_of_all_joints(unsigned count);

}  // namespace linkwork::test
