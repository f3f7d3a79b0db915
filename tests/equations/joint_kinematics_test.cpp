// Poses, velocities and biases of a tree of all joints, both directions, against the joints' own poses and differences.

#include <linkwork/core/differences.hpp>
#include <linkwork/solvers/formulations/joint_kinematics.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "../joints/cases.hpp"

namespace linkwork::test {
namespace joint_kinematics_test {

template <class Space>
Components<Space> stacked(const Twist<Space>& twist) {
  Components<Space> out;
  out << twist.angular, twist.linear;
  return out;
}

/// What the axes of coordinates make faster paths of.
template <class Space>
std::vector<std::shared_ptr<const Joint<Space>>> joints_along_axes() {
  std::vector<std::shared_ptr<const Joint<Space>>> out;
  for (const double sign : {1.0, -1.0}) {
    if constexpr (Space::dimension == 2) {
      out.push_back(std::make_shared<Prismatic<Planar>>(Axis({sign, 0, 0})));
      out.push_back(std::make_shared<Prismatic<Planar>>(Axis({0, sign, 0})));
    } else {
      for (const Eigen::Vector3d& axis :
           {Eigen::Vector3d(sign, 0, 0), Eigen::Vector3d(0, sign, 0), Eigen::Vector3d(0, 0, sign)}) {
        out.push_back(std::make_shared<Revolute<Spatial>>(Axis(axis)));
        out.push_back(std::make_shared<Prismatic<Spatial>>(Axis(axis)));
      }
    }
  }
  return out;
}

/// On a free link hangs every joint in both directions, its frame there turned in any way or about one axis of the
/// link, and on each of these links another joint.
template <class Space>
class AllJoints {
 public:
  AllJoints() {
    joints_ = joints_along_axes<Space>();
    for (const Case<Space>& each : all_cases<Space>())
      if (each.joint) joints_.push_back(each.joint);
    list.emplace_back();
    add(free_, 0, false);
    for (const auto& joint : joints_)
      for (const bool reversed : {false, true})
        for (int axis = -1; axis < Space::angular; ++axis) {
          const int link = add(*joint, 1, reversed, axis);
          add(*joints_.front(), link, reversed);
        }
    q = Eigen::VectorXd::Zero(coordinates_);
    v = Eigen::VectorXd(freedoms_);
    for (double& each : v) each = random();
    const Eigen::VectorXd step = 0.4 * v.reverse();
    for (std::size_t label = 1; label < list.size(); ++label) list[label].joint->home(q.data() + list[label].q);
    q = moved(step);
    kinematics = std::make_unique<JointKinematics<Space>>(list, tree);
    for (LinkInertia<Space>& inertia : tree.inertias) {
      inertia.mass = 2 + random();
      for (double& each : inertia.moment) each = random();
      for (int i = 0; i < Space::angular; ++i)
        for (int j = 0; j <= i; ++j) inertia.inertia(i, j) = inertia.inertia(j, i) = (i == j ? 3 : 0) + random();
    }
  }

  double random() { return uniform_(engine_); }

  /// q after a tangent step.
  Eigen::VectorXd moved(const Eigen::VectorXd& step) const {
    Eigen::VectorXd out = q;
    for (std::size_t label = 1; label < list.size(); ++label)
      list[label].joint->retract(q.data() + list[label].q, step.data() + list[label].v, out.data() + list[label].q);
    return out;
  }

  Pose<Space> pose(std::size_t label) const {
    Pose<Space> out;
    out.rotation = tree.rotation[label];
    out.position = tree.origin[label];
    return out;
  }

  JointTree<Space> tree;
  std::vector<TreeJoint<Space>> list;
  std::unique_ptr<JointKinematics<Space>> kinematics;
  Eigen::VectorXd q, v;

 private:
  /// @param turned_about  axis that the joint's frame on the father keeps, or -1
  int add(const Joint<Space>& joint, int father, bool reversed, int turned_about = -1) {
    TreeJoint<Space> out;
    out.joint = &joint;
    out.father = father;
    out.reversed = reversed;
    out.q = coordinates_;
    out.v = freedoms_;
    if constexpr (Space::dimension == 2) {
      out.frame.angle = random();
      out.frame.rotation = rotation_matrix(out.frame.angle);
      out.frame.position = {random(), random()};
    } else {
      const Eigen::Vector3d axis(random(), random(), random());
      const double angle = random();
      out.frame.rotation = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
      if (turned_about >= 0) {
        const int p = (turned_about + 1) % 3, r = (turned_about + 2) % 3;
        out.frame.rotation.setIdentity();  // by entries: the axis itself without rounding
        out.frame.rotation(p, p) = out.frame.rotation(r, r) = std::cos(angle);
        out.frame.rotation(r, p) = std::sin(angle);
        out.frame.rotation(p, r) = -std::sin(angle);
      }
      out.frame.position = {random(), random(), random()};
    }
    coordinates_ += joint.coordinates();
    freedoms_ += joint.freedoms();
    list.push_back(out);
    return static_cast<int>(list.size()) - 1;
  }

  std::mt19937 engine_{5};
  std::uniform_real_distribution<double> uniform_{-1, 1};
  Free<Space> free_;
  std::vector<std::shared_ptr<const Joint<Space>>> joints_;
  int coordinates_ = 0, freedoms_ = 0;
};

constexpr double time_of_test = 0.3;

template <class Space>
class JointKinematicsOf : public testing::Test {};
using Spaces = testing::Types<Planar, Spatial>;
TYPED_TEST_SUITE(JointKinematicsOf, Spaces);

TYPED_TEST(JointKinematicsOf, PosesAreThoseOfTheJoints) {
  AllJoints<TypeParam> all;
  all.kinematics->position(time_of_test, all.q.data());
  for (std::size_t label = 1; label < all.list.size(); ++label) {
    const TreeJoint<TypeParam>& from = all.list[label];
    SCOPED_TRACE(testing::Message() << from.joint->type() << (from.reversed ? ", reversed" : ""));
    Pose<TypeParam> X = from.joint->pose(time_of_test, all.q.data() + from.q);
    if (from.reversed) X = relative_pose(X, Pose<TypeParam>());
    const Pose<TypeParam> expected = compose(from.frame, X);
    EXPECT_LT((all.tree.rotation[label] - expected.rotation).norm(), 1e-14);  // a few roundings of numbers of size 1
    EXPECT_LT((all.tree.origin[label] - expected.position).norm(), 1e-14);
    if constexpr (TypeParam::dimension == 2) {
      const double turns =
          (all.kinematics->angles()[label] - std::atan2(expected.rotation(1, 0), expected.rotation(0, 0))) /
          (2 * std::numbers::pi);
      EXPECT_NEAR(turns, std::round(turns), 1e-14);
    }
  }
}

TYPED_TEST(JointKinematicsOf, VelocitiesAreDerivativesOfPoses) {
  AllJoints<TypeParam> all;
  all.kinematics->position(time_of_test, all.q.data());
  all.kinematics->velocity(time_of_test, all.q.data(), all.v.data(), Vector<TypeParam>::Zero());
  const JointTree<TypeParam> here = all.tree;
  std::vector<Pose<TypeParam>> poses(all.list.size());
  for (std::size_t label = 1; label < poses.size(); ++label) poses[label] = all.pose(label);
  constexpr double h = 0.01;
  std::vector<Components<TypeParam>> relative(all.list.size(), Components<TypeParam>::Zero());
  for (int k = -3; k <= 3; ++k) {
    if (k == 0) continue;
    all.kinematics->position(time_of_test + k * h, all.moved(k * h * all.v).data());
    const double weight = (k > 0 ? 1 : -1) * detail::difference_weights[std::abs(k) - 1] / h;
    for (std::size_t label = 1; label < poses.size(); ++label)
      relative[label] += weight * logarithm(relative_pose(poses[label], all.pose(label)));
  }
  for (std::size_t label = 1; label < poses.size(); ++label) {
    const TreeJoint<TypeParam>& from = all.list[label];
    SCOPED_TRACE(testing::Message() << from.joint->type() << (from.reversed ? ", reversed" : ""));
    const Twist<TypeParam>& father = here.velocity[static_cast<std::size_t>(from.father)];
    const Rotation<TypeParam> inverse = here.rotation[label].transpose();
    Twist<TypeParam> carried{father.angular, inverse * (father.linear + cross(father.angular, here.origin[label]))};
    if constexpr (TypeParam::dimension == 3) carried.angular = inverse * father.angular;
    const Components<TypeParam> expected = stacked(carried) + relative[label];
    // Differences of sixth order: h^6 / 140 times a seventh derivative of at most some hundred.
    EXPECT_LT((stacked(here.velocity[label]) - expected).norm(), 1e-9);
  }
}

TYPED_TEST(JointKinematicsOf, BiasesAreDerivativesOfVelocitiesAtConstantV) {
  AllJoints<TypeParam> all;
  constexpr double h = 0.01;
  std::vector<Components<TypeParam>> rate(all.list.size(), Components<TypeParam>::Zero());
  for (int k = -3; k <= 3; ++k) {
    if (k == 0) continue;
    const Eigen::VectorXd q = all.moved(k * h * all.v);
    all.kinematics->position(time_of_test + k * h, q.data());
    all.kinematics->velocity(time_of_test + k * h, q.data(), all.v.data(), Vector<TypeParam>::Zero());
    const double weight = (k > 0 ? 1 : -1) * detail::difference_weights[std::abs(k) - 1] / h;
    for (std::size_t label = 1; label < rate.size(); ++label) rate[label] += weight * stacked(all.tree.velocity[label]);
  }
  all.kinematics->position(time_of_test, all.q.data());
  all.kinematics->velocity(time_of_test, all.q.data(), all.v.data(), Vector<TypeParam>::Zero());
  for (std::size_t label = 1; label < rate.size(); ++label) {
    SCOPED_TRACE(testing::Message() << all.list[label].joint->type() << (all.list[label].reversed ? ", reversed" : ""));
    // As above; joints that give X(q) only have velocities accurate to 1e-12, divided by h.
    EXPECT_LT((stacked(all.tree.bias[label]) - rate[label]).norm(), 1e-8);
  }
}

TYPED_TEST(JointKinematicsOf, GravityIsAnAccelerationOfTheGround) {
  AllJoints<TypeParam> all;
  const Vector<TypeParam> gravity = -9.81 * Vector<TypeParam>::Unit(1);
  all.kinematics->position(time_of_test, all.q.data());
  all.kinematics->velocity(time_of_test, all.q.data(), all.v.data(), Vector<TypeParam>::Zero());
  const JointTree<TypeParam> without = all.tree;
  all.kinematics->velocity(time_of_test, all.q.data(), all.v.data(), gravity);
  std::vector<Rotation<TypeParam>> in_ground(all.list.size(), Rotation<TypeParam>::Identity());
  for (std::size_t label = 1; label < all.list.size(); ++label) {
    in_ground[label] = in_ground[static_cast<std::size_t>(all.list[label].father)] * all.tree.rotation[label];
    const Vector<TypeParam> weight = in_ground[label] * (all.tree.force[label].force - without.force[label].force);
    EXPECT_LT((weight + all.tree.inertias[label].mass * gravity).norm(), 1e-12);  // roundings of forces of size 100
  }
}

/// w = d/dt (I V) + V x* I V, the momentum balance in the moving axes.
TYPED_TEST(JointKinematicsOf, ForcesAreTheBalanceOfMomentum) {
  AllJoints<TypeParam> all;
  all.kinematics->position(time_of_test, all.q.data());
  all.kinematics->velocity(time_of_test, all.q.data(), all.v.data(), Vector<TypeParam>::Zero());
  for (std::size_t label = 1; label < all.list.size(); ++label) {
    const LinkInertia<TypeParam>& I = all.tree.inertias[label];
    const Twist<TypeParam>&V = all.tree.velocity[label], &A = all.tree.bias[label];
    const auto momentum = [&](const Twist<TypeParam>& x) {
      Wrench<TypeParam> out;
      out.force = I.mass * x.linear + cross(x.angular, I.moment);
      if constexpr (TypeParam::dimension == 2)
        out.torque = I.inertia(0, 0) * x.angular + cross(I.moment, x.linear);
      else
        out.torque = I.inertia * x.angular + cross(I.moment, x.linear);
      return out;
    };
    const Wrench<TypeParam> P = momentum(V), rate = momentum(A);
    EXPECT_LT((all.tree.force[label].force - rate.force - cross(V.angular, P.force)).norm(), 1e-12);
    Angular<TypeParam> torque = rate.torque + cross(V.linear, P.force);
    if constexpr (TypeParam::dimension == 3) torque += cross(V.angular, P.torque);
    const Angular<TypeParam> difference = all.tree.force[label].torque - torque;
    EXPECT_LT(std::sqrt(dot(difference, difference)), 1e-12);
  }
}

}  // namespace joint_kinematics_test
}  // namespace linkwork::test
