// The recursion on random trees against assembled matrices: M = sum J^T I J, J the links' twists by joint velocities.

#include "reference_solution.hpp"

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace linkwork::test {
namespace joint_recursion_test {

using detail::at;

template <class Space>
Components<Space> stacked(const Twist<Space>& twist) {
  Components<Space> out;
  out << twist.angular, twist.linear;
  return out;
}
template <class Space>
Components<Space> stacked(const Wrench<Space>& wrench) {
  Components<Space> out;
  out << wrench.torque, wrench.force;
  return out;
}

/// A tree with joints of all freedoms, along unit axes and not, in random order.
template <class Space>
class RandomTree {
 public:
  static constexpr int n = Space::n, a = Space::angular, d = Space::dimension;
  using Matrix = Eigen::Matrix<double, n, n>;

  explicit RandomTree(unsigned seed, int links = 14) : engine_(seed) {
    tree.links.resize(1);
    for (int label = 1; label <= links; ++label) add_link(label);
    tree.inertias.resize(at(links + 1));
    for (int label = 1; label <= links; ++label) {
      LinkInertia<Space>& I = tree.inertias[at(label)];
      const Vector<Space> c = random_vector();
      I.mass = 1.5 + random();
      I.moment = I.mass * c;
      const auto A = Eigen::Matrix<double, a, a>::NullaryExpr([&] { return random(); }).eval();
      I.inertia = A * A.transpose() + 0.1 * Eigen::Matrix<double, a, a>::Identity();
      if constexpr (Space::dimension == 2)
        I.inertia(0, 0) += I.mass * c.squaredNorm();
      else
        I.inertia += I.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    }
    tree.velocity.resize(at(links + 1));
    tree.bias.resize(at(links + 1));
    tree.force.resize(at(links + 1));
    for (Wrench<Space>& each : tree.force) each = random_wrench();
    move();
  }

  double random() { return uniform_(engine_); }
  int random_index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Vector<Space> random_vector() {
    return Vector<Space>::NullaryExpr([&] { return random(); });
  }
  Eigen::VectorXd random_force() {
    return Eigen::VectorXd::NullaryExpr(tree.freedoms, [&] { return random(); });
  }
  Wrench<Space> random_wrench() { return {random_angular(), random_vector()}; }
  Twist<Space> random_twist() { return {random_angular(), random_vector()}; }

  /// Another position.
  void move() {
    tree.rotation.resize(tree.links.size(), Rotation<Space>::Identity());
    tree.origin.resize(tree.links.size(), Vector<Space>::Zero());
    for (std::size_t label = 1; label < tree.links.size(); ++label) {
      tree.origin[label] = random_vector();
      if constexpr (Space::dimension == 2)
        tree.rotation[label] = rotation_matrix(3 * random());
      else
        tree.rotation[label] = attitude(tree.links[label].axis, tree.links[label].is_level);
    }
    for (Components<Space>& column : tree.subspace) column = Components<Space>::NullaryExpr([&] { return random(); });
  }

  Eigen::Matrix3d attitude(int axis, bool is_level) {
    if (!is_level) return Eigen::AngleAxisd(3 * random(), random_vector().normalized()).toRotationMatrix();
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    const double angle = 3 * random();
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    R(first, first) = R(second, second) = std::cos(angle);
    R(second, first) = std::sin(angle);
    R(first, second) = -R(second, first);
    return R;
  }

  /// X of a link.
  Matrix transform(int label) const {
    const Rotation<Space> inverse = tree.rotation[at(label)].transpose();
    const Vector<Space>& r = tree.origin[at(label)];
    Matrix X = Matrix::Zero();
    if constexpr (Space::dimension == 2) {
      X(0, 0) = 1;
      X.template bottomLeftCorner<2, 1>() = inverse * cross(1.0, r);
    } else {
      X.template topLeftCorner<3, 3>() = inverse;
      for (int j = 0; j < 3; ++j) X.template block<3, 1>(3, j) = inverse * Eigen::Vector3d::Unit(j).cross(r);
    }
    X.template bottomRightCorner<d, d>() = inverse;
    return X;
  }
  Eigen::MatrixXd subspace(int label) const {
    const auto& link = tree.links[at(label)];
    Eigen::MatrixXd S(n, link.freedoms);
    for (int k = 0; k < link.freedoms; ++k)
      S.col(k) =
          link.axis >= 0 ? Components<Space>(Components<Space>::Unit(link.axis)) : tree.subspace[at(link.subspace + k)];
    return S;
  }
  Matrix inertia(int label) const {
    const LinkInertia<Space>& I = tree.inertias[at(label)];
    Matrix out = Matrix::Zero();
    out.template topLeftCorner<a, a>() = I.inertia;
    for (int j = 0; j < d; ++j) {
      out(a + j, a + j) = I.mass;
      if constexpr (Space::dimension == 2)
        out(0, 1 + j) = cross(I.moment, Eigen::Vector2d::Unit(j));
      else
        out.template block<3, 1>(0, 3 + j) = I.moment.cross(Eigen::Vector3d::Unit(j));
    }
    out.template bottomLeftCorner<d, a>() = out.template topRightCorner<a, d>().transpose();
    return out;
  }
  /// n x n_v, by label.
  std::vector<Eigen::MatrixXd> jacobians() const {
    std::vector<Eigen::MatrixXd> out(tree.links.size(), Eigen::MatrixXd::Zero(n, tree.freedoms));
    for (int label = 1; label < links(); ++label) {
      const auto& link = tree.links[at(label)];
      out[at(label)] = transform(label) * out[at(link.father)];
      out[at(label)].middleCols(link.column, link.freedoms) = subspace(label);
    }
    return out;
  }
  Eigen::MatrixXd mass() const {
    const auto J = jacobians();
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(tree.freedoms, tree.freedoms);
    for (int label = 1; label < links(); ++label) out += J[at(label)].transpose() * inertia(label) * J[at(label)];
    return out;
  }
  int links() const { return static_cast<int>(tree.links.size()); }

  JointTree<Space> tree;

 private:
  Angular<Space> random_angular() {
    if constexpr (Space::dimension == 2)
      return random();
    else
      return random_vector();
  }
  void add_link(int label) {
    typename JointTree<Space>::Link link;
    link.father = random_index(label);
    link.column = tree.freedoms;
    link.freedoms = label <= n + 1 ? label - 1 : 1;  // all numbers of freedoms, then unit axes
    link.subspace = static_cast<int>(tree.subspace.size());
    if (label > n + 1) {
      link.axis = (label - n - 2) % n;  // every other turn is about one of the father's axes
      link.is_level = Space::dimension == 3 && label % 2 == 0 && link.axis < Space::angular;
    } else
      tree.subspace.resize(tree.subspace.size() + at(link.freedoms));
    tree.freedoms += link.freedoms;
    tree.links.push_back(link);
  }

  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// Rounding errors of an elimination: some ten per unknown, as large as the condition number makes them.
double rounding(const Eigen::MatrixXd& matrix) { return 1e-14 * condition(matrix); }

template <class Space>
class JointRecursionOf : public testing::Test {};
using Spaces = testing::Types<Planar, Spatial>;
TYPED_TEST_SUITE(JointRecursionOf, Spaces);

TYPED_TEST(JointRecursionOf, SolvesWithTheMassMatrix) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTree<TypeParam> random(seed);
    JointRecursion<TypeParam> recursion(random.tree);
    ASSERT_EQ(recursion.factor(), -1);
    const Eigen::VectorXd force = random.random_force();
    Eigen::VectorXd x = force;
    recursion.solve({x.data(), nullptr, nullptr}, x.data());
    EXPECT_LT(relative_error(x, reference_solution(random.mass(), force)), rounding(random.mass()));
  }
}

TYPED_TEST(JointRecursionOf, SolutionsAreThoseOfTheFactoredPosition) {
  RandomTree<TypeParam> random(3);
  JointRecursion<TypeParam> recursion(random.tree);
  ASSERT_EQ(recursion.factor(), -1);
  const Eigen::VectorXd force = random.random_force();
  const Eigen::VectorXd expected = reference_solution(random.mass(), force);
  random.move();
  Eigen::VectorXd x(force.size());
  recursion.solve({force.data(), nullptr, nullptr}, x.data());
  EXPECT_LT(relative_error(x, expected), rounding(random.mass()));
}

TYPED_TEST(JointRecursionOf, TakesWrenchesAndOffsetsAndGivesLinksAndJoints) {
  RandomTree<TypeParam> random(4);
  const int links = random.links();
  std::vector<Wrench<TypeParam>> wrench(at(links)), joint(at(links));
  std::vector<Twist<TypeParam>> offset(at(links));
  for (int label = 1; label < links; ++label) {
    wrench[at(label)] = random.random_wrench();
    offset[at(label)] = random.random_twist();
  }
  const Eigen::VectorXd force = random.random_force();
  JointRecursion<TypeParam> recursion(random.tree);
  ASSERT_EQ(recursion.factor(), -1);
  Eigen::VectorXd x(force.size());
  recursion.solve({force.data(), wrench.data(), offset.data()}, x.data());

  const auto J = random.jacobians();
  std::vector<Components<TypeParam>> A(at(links), Components<TypeParam>::Zero());  // of the offsets alone
  Eigen::VectorXd right = force;
  for (int label = 1; label < links; ++label) {
    A[at(label)] = random.transform(label) * A[at(random.tree.links[at(label)].father)] + stacked(offset[at(label)]);
    right -= J[at(label)].transpose() * (random.inertia(label) * A[at(label)] + stacked(wrench[at(label)]));
  }
  EXPECT_LT(relative_error(x, reference_solution(random.mass(), right)), rounding(random.mass()));
  for (int label = 1; label < links; ++label)
    EXPECT_LT(relative_error(stacked(recursion.link_acceleration(label)), A[at(label)] + J[at(label)] * x),
              rounding(random.mass()));

  recursion.joint_wrenches(wrench.data(), joint.data());
  for (int label = 1; label < links; ++label) {
    const auto& link = random.tree.links[at(label)];
    const Eigen::VectorXd along = random.subspace(label).transpose() * stacked(joint[at(label)]);
    EXPECT_LT((along - force.segment(link.column, link.freedoms)).norm(), 1e-10) << label;  // wrenches of size 100
  }
}

TYPED_TEST(JointRecursionOf, LoadsTheTreesOwnForcesWhileFactoring) {
  RandomTree<TypeParam> random(5);
  JointRecursion<TypeParam> recursion(random.tree);
  const Eigen::VectorXd force = random.random_force();
  ASSERT_EQ(recursion.factor_and_load(force.data()), -1);
  Eigen::VectorXd x(force.size());
  recursion.outward(x.data());
  const auto J = random.jacobians();
  Eigen::VectorXd right = force;
  for (int label = 1; label < random.links(); ++label)
    right -= J[at(label)].transpose() * stacked(random.tree.force[at(label)]);
  EXPECT_LT(relative_error(x, reference_solution(random.mass(), right)), rounding(random.mass()));
}

TYPED_TEST(JointRecursionOf, PassesOneWrenchToTheGround) {
  constexpr int n = TypeParam::n;
  RandomTree<TypeParam> random(6);
  JointRecursion<TypeParam> recursion(random.tree);
  ASSERT_EQ(recursion.factor(), -1);
  const int last = random.links() - 1;
  const Components<TypeParam> wrench = stacked(random.random_wrench());
  const Eigen::VectorXd generalised = random.jacobians()[at(last)].transpose() * wrench;
  Components<TypeParam> w = wrench;
  double sum = 0, bound = 0;
  for (int label = last; label > 0; label = random.tree.links[at(label)].father) {
    double impulse[n], response[n], father[n] = {};
    bound += recursion.response_bound(label, w.data());
    recursion.pass_wrench(label, w.data(), impulse, response, father);
    for (int k = 0; k < random.tree.links[at(label)].freedoms; ++k) sum += impulse[k] * response[k];
    w = Components<TypeParam>(father);
  }
  const double expected = generalised.dot(reference_solution(random.mass(), generalised));
  EXPECT_NEAR(sum, expected, rounding(random.mass()) * expected);
  EXPECT_GT(2 * bound, sum);  // Cauchy's inequality, for the angular and the linear part
}

TYPED_TEST(JointRecursionOf, LetsClientsAddInertiaAndWrenchesInBetween) {
  constexpr int n = TypeParam::n;
  RandomTree<TypeParam> random(7);
  const int last = random.links() - 1;
  const int link = random.tree.links[at(last)].father;
  ASSERT_GT(link, 0) << "take another seed";
  JointRecursion<TypeParam> recursion(random.tree);
  using Matrix = Eigen::Matrix<double, n, n>;
  const Matrix B = Matrix::NullaryExpr([&] { return random.random(); });
  const Matrix more = B * B.transpose();
  const Components<TypeParam> wrench = stacked(random.random_wrench());
  const Eigen::VectorXd force = random.random_force();

  ASSERT_EQ(recursion.factor_links(last, link + 1), -1);
  recursion.add_inertia(link, more);
  ASSERT_EQ(recursion.factor_links(link, 1), -1);
  recursion.load({force.data(), nullptr, nullptr});
  recursion.inward_links(last, link + 1);
  recursion.add_wrench(link, wrench);
  recursion.inward_links(link, 1);
  Eigen::VectorXd x(force.size());
  recursion.outward(x.data());

  const Eigen::MatrixXd J = random.jacobians()[at(link)];
  const Eigen::MatrixXd M = random.mass() + J.transpose() * more * J;
  EXPECT_LT(relative_error(x, reference_solution(M, force - J.transpose() * wrench)), rounding(random.mass()));
}

TYPED_TEST(JointRecursionOf, ReportsTheLinkWhoseJointMeetsNoInertia) {
  RandomTree<TypeParam> random(8);
  const int last = random.links() - 1;  // a leaf on a unit axis
  random.tree.inertias[at(last)] = {};
  JointRecursion<TypeParam> recursion(random.tree);
  EXPECT_EQ(recursion.factor(), last);
}

/// Rows on two random links each, blind to a motion of where these meet.
template <class Space>
void add_closures(RandomTree<Space>& random, int count) {
  auto& closures = random.tree.closures_of(RowKind::velocity);
  for (int i = 0; i < count; ++i) {
    typename JointTree<Space>::Closure closure{closures.row_count, 1 + i % 2, 0, {}};
    for (const int link : {random.links() - 1 - i, random.links() - 4 - i}) {
      closure.parts.push_back({link, static_cast<int>(closures.rows.size())});
      for (int row = 0; row < closure.count; ++row)
        closures.rows.push_back(Components<Space>::NullaryExpr([&] { return random.random(); }));
    }
    closures.row_count += closure.count;
    closures.list.push_back(closure);
  }
}

template <class Space>
Eigen::MatrixXd closure_matrix(const RandomTree<Space>& random) {
  const auto& closures = random.tree.closures_of(RowKind::velocity);
  const auto J = random.jacobians();
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(closures.row_count, random.tree.freedoms);
  for (const auto& closure : closures.list)
    for (const auto& part : closure.parts)
      for (int i = 0; i < closure.count; ++i)
        G.row(closure.row + i) += closures.rows[at(part.first + i)].transpose() * J[at(part.link)];
  return G;
}

TYPED_TEST(JointRecursionOf, ClosesLoops) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTree<TypeParam> random(seed);
    add_closures(random, 3);
    const Eigen::MatrixXd G = closure_matrix(random), M = random.mass();
    const Eigen::Index nv = M.rows(), rows = G.rows();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nv + rows, nv + rows);
    matrix << M, G.transpose(), G, Eigen::MatrixXd::Zero(rows, rows);
    const Eigen::VectorXd right = Eigen::VectorXd::NullaryExpr(nv + rows, [&] { return random.random(); });
    const auto elimination = make_relative_recursion(&random.tree);
    ASSERT_FALSE(elimination->factor(RowKind::velocity));
    Eigen::VectorXd x = right;
    elimination->solve(x.data(), x.data() + nv, x.data(), x.data() + nv);
    EXPECT_LT(relative_error(x, reference_solution(matrix, right)), rounding(matrix));
  }
}

TYPED_TEST(JointRecursionOf, RowsThatMeetOnALinkActOnThoseBeforeIt) {
  // Two sons of a link, tied by a row that is blind to a rigid motion of both: it moves the joints before that link all
  // the same.
  RandomTree<TypeParam> random(9);
  auto& tree = random.tree;
  const int a = random.links() - 1, b = a - 1, meeting = b - 1;
  tree.links[at(a)].father = tree.links[at(b)].father = meeting;
  auto& closures = tree.closures_of(RowKind::velocity);
  closures.list.push_back({0, 1, meeting, {{a, 0}, {b, 1}}});
  closures.row_count = 1;
  const Components<TypeParam> on_father = stacked(random.random_twist());
  closures.rows = {random.transform(a).transpose().inverse() * on_father,
                   -random.transform(b).transpose().inverse() * on_father};
  const Eigen::MatrixXd G = closure_matrix(random), M = random.mass();
  const Eigen::VectorXd force = random.random_force();
  Eigen::VectorXd x(force.size()), g = Eigen::VectorXd::Constant(1, 0.7), lambda(1);
  const auto elimination = make_relative_recursion(&tree);
  ASSERT_FALSE(elimination->factor(RowKind::velocity));
  elimination->solve(force.data(), g.data(), x.data(), lambda.data());
  EXPECT_NEAR((G * x)[0], 0.7, 1e-10);
  EXPECT_LT((M * x + G.transpose() * lambda - force).norm(), 1e-10);
}

TYPED_TEST(JointRecursionOf, NamesASuperfluousRow) {
  RandomTree<TypeParam> random(10);
  add_closures(random, 3);
  auto& closures = random.tree.closures_of(RowKind::velocity);
  closures.list[2].parts = closures.list[0].parts;  // the same row twice
  const JointSingularity found = make_relative_recursion(&random.tree)->factor(RowKind::velocity);
  EXPECT_EQ(found.velocity, -1);
  EXPECT_TRUE(found.row == closures.list[0].row || found.row == closures.list[2].row) << found.row;

  closures.list.pop_back();
  closures.row_count -= 1;
  for (int i = 0; i < 2; ++i)  // a row of zeros
    closures.rows[at(closures.list[1].parts[at(i)].first + 1)].setZero();
  EXPECT_EQ(make_relative_recursion(&random.tree)->factor(RowKind::velocity).row, closures.list[1].row + 1);
}

}  // namespace joint_recursion_test
}  // namespace linkwork::test
