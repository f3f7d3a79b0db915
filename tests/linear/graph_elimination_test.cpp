// Elimination along the graph: plans, blocks, joint trees with closures, refusals.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/formulations/mixed.hpp>
#include <linkwork/solvers/formulations/relative.hpp>
#include <linkwork/solvers/linear/joint_graph.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/linear/link_blocks.hpp>
#include <linkwork/topology/elimination_plan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "../allocations.hpp"
#include "../random_mechanism.hpp"
#include "posed_tree.hpp"
#include "reference_solution.hpp"

namespace linkwork::test {
namespace graph_elimination_test {

using Kind = BlockGraph::Kind;

/// A graph of bodies of three freedoms and joints of two rows; body -1 is the ground.
struct GraphOfBodies {
  BlockGraph graph;
  int add_body(Kind kind = Kind::definite) {
    graph.nodes.push_back({3, kind});
    return static_cast<int>(graph.nodes.size()) - 1;
  }
  void add_joint(int a, int b, int rows = 2) {
    const int joint = static_cast<int>(graph.nodes.size());
    graph.nodes.push_back({rows, Kind::constraint});
    for (const int body : {a, b})
      if (body >= 0) graph.edges.push_back({body, joint});
  }
};

BlockGraph ring_graph(int bodies) {
  GraphOfBodies out;
  int last = -1;
  for (int i = 0; i < bodies; ++i) {
    const int body = out.add_body();
    out.add_joint(last, body);
    last = body;
  }
  out.add_joint(last, -1);
  return out.graph;
}

BlockGraph ladder_graph(int loops) {
  GraphOfBodies out;
  int rung = -1;
  for (int i = 0; i < loops; ++i) {
    const int left = out.add_body(), right = out.add_body(), next = out.add_body();
    out.add_joint(rung, left);
    out.add_joint(rung, right);
    out.add_joint(left, next);
    out.add_joint(right, next);
    rung = next;
  }
  return out.graph;
}

/// Hanging chains, side by side, with rods between neighbours.
BlockGraph mesh_graph(int width, int length) {
  GraphOfBodies out;
  std::vector<int> last(static_cast<std::size_t>(width), -1);
  for (int j = 0; j < length; ++j)
    for (int i = 0; i < width; ++i) {
      const int body = out.add_body();
      int& above = last[static_cast<std::size_t>(i)];
      out.add_joint(above, body);
      above = body;
      if (i > 0) out.add_joint(last[static_cast<std::size_t>(i - 1)], body, 1);
    }
  return out.graph;
}

BlockGraph star_graph(int arms) {
  GraphOfBodies out;
  const int hub = out.add_body();
  for (int i = 0; i < arms; ++i) out.add_joint(hub, out.add_body());
  return out.graph;
}

/// Arms of two bodies whose ends are both tied to one hub: every loop closes at the hub.
BlockGraph star_of_loops_graph(int arms) {
  GraphOfBodies out;
  const int hub = out.add_body();
  for (int i = 0; i < arms; ++i) {
    const int inner = out.add_body(), outer = out.add_body();
    out.add_joint(hub, inner);
    out.add_joint(inner, outer);
    out.add_joint(hub, outer, 1);
  }
  return out.graph;
}

double growth(BlockGraph (*make)(int), int small, int large) {
  const auto a = plan_elimination(make(small)).factor_operations, b = plan_elimination(make(large)).factor_operations;
  return std::log(static_cast<double>(b) / static_cast<double>(a)) / std::log(static_cast<double>(large) / small);
}

// Exponents of operations over size. A dense elimination has 3, one that carries all rows to the ground 3 or 2.
TEST(EliminationPlan, GrowsWithTheSizeForBoundedWidth) {
  EXPECT_LT(growth(ring_graph, 64, 1024), 1.03);
  EXPECT_LT(growth(ladder_graph, 64, 1024), 1.03);
  EXPECT_LT(growth([](int n) { return mesh_graph(4, n); }, 32, 256), 1.1);
  EXPECT_LT(growth(star_graph, 32, 512), 1.01);
  EXPECT_LT(growth(star_of_loops_graph, 32, 512), 1.01);
}

TEST(EliminationPlan, KeepsSquareMeshesBelowTheSquareOfTheirBodies) {
  // Nested dissection would take exponent 1.5 in the bodies, a band 2.
  EXPECT_LT(growth([](int n) { return mesh_graph(n, n); }, 8, 24) / 2, 2.0);
}

TEST(EliminationPlan, EliminatesEveryNodeOnceAndCountsWhatItCouples) {
  const BlockGraph graph = mesh_graph(3, 5);
  const EliminationPlan plan = plan_elimination(graph);
  std::vector<int> position(graph.nodes.size(), -1);
  for (std::size_t p = 0; p < plan.pivots.size(); ++p) {
    const EliminationPlan::Pivot& pivot = plan.pivots[p];
    for (int m = pivot.first_member; m < pivot.first_member + pivot.members; ++m)
      position[static_cast<std::size_t>(plan.member[static_cast<std::size_t>(m)])] = static_cast<int>(p);
    for (int k = pivot.first_neighbour; k < pivot.first_neighbour + pivot.neighbours; ++k)
      EXPECT_GT(plan.neighbour[static_cast<std::size_t>(k)], static_cast<int>(p));
    EXPECT_LE(pivot.size + pivot.height, plan.peak_width);
  }
  for (const int each : position) EXPECT_GE(each, 0);
  EXPECT_EQ(plan.summary().substr(0, 9), std::to_string(plan.pivots.size()) + " pivots");
}

TEST(EliminationPlan, KeepsWhatTheGroundHoldsUntilItsOtherTiesAreGone) {
  // The four rows on the arm are more than its freedoms: one of them needs the hub.
  GraphOfBodies bodies;
  const int hub = bodies.add_body(), arm = bodies.add_body();
  for (int i = 0; i < 40; ++i) bodies.add_joint(hub, bodies.add_body());  // so that the hub is expensive
  const int first_row = static_cast<int>(bodies.graph.nodes.size());
  bodies.add_joint(hub, arm);
  bodies.add_joint(hub, arm, 1);
  bodies.add_joint(arm, -1, 1);
  const EliminationPlan plan = plan_elimination(bodies.graph);
  ASSERT_EQ(plan.member.size(), bodies.graph.nodes.size());
  const auto position = [&](int node) {
    return std::find(plan.member.begin(), plan.member.end(), node) - plan.member.begin();
  };
  EXPECT_GT(std::max({position(first_row), position(first_row + 1), position(first_row + 2)}), position(hub));
}

TEST(EliminationPlan, TakesWeakBodiesTogetherWithTheirConstraintsAfterTheOthers) {
  GraphOfBodies bodies;
  const int first = bodies.add_body(), weak = bodies.add_body(Kind::weak), last = bodies.add_body();
  bodies.add_joint(first, weak);
  bodies.add_joint(weak, last);
  const EliminationPlan plan = plan_elimination(bodies.graph);
  ASSERT_EQ(plan.pivots.size(), 3u);
  EXPECT_EQ(plan.pivots.back().sign, EliminationPlan::Sign::indefinite);
  EXPECT_EQ(plan.pivots.back().members, 3);
  EXPECT_EQ(plan.largest_pivot, 7);
}

/// @param held_twice  the last rung has a second, redundant pin
PlanarModel planar_ladder(int loops, bool held_twice = false) {
  PlanarModel model("planar ladder");
  model.set_gravity({0, -9.81});
  auto left_end = model.ground().at({0, 0}), right_end = model.ground().at({1, 0});
  Eigen::Vector2d corner(0, 0);
  for (int k = 0; k < loops; ++k) {
    const std::string number = std::to_string(k);
    const double angle = -1.5 + 0.3 * std::sin(k + 1.0);
    const Eigen::Vector2d along(std::cos(angle), std::sin(angle));
    auto left = model.add_body("left" + number, MassProperties::rod(1, 1));
    auto right = model.add_body("right" + number, MassProperties::rod(1, 1));
    auto rung = model.add_body("rung" + number, MassProperties::rod(1, 1));
    left.place(corner + along / 2, angle);
    right.place(corner + along / 2 + Eigen::Vector2d(1, 0), angle);
    corner += along;
    rung.place(corner + Eigen::Vector2d(0.5, 0), 0);
    model.add_joint<Revolute>("upper left" + number, left_end, left.at({-0.5, 0}));
    model.add_joint<Revolute>("upper right" + number, right_end, right.at({-0.5, 0}));
    model.add_joint<Revolute>("lower left" + number, left.at({0.5, 0}), rung.at({-0.5, 0}));
    model.add_joint<Revolute>("lower right" + number, rung.at({0.5, 0}), right.at({0.5, 0}));
    if (held_twice && k == loops - 1) model.add_joint<Revolute>("second pin", rung.at({0.5, 0}), right.at({0.5, 0}));
    left_end = rung.at({-0.5, 0});
    right_end = rung.at({0.5, 0});
  }
  return model;
}

SpatialModel spatial_ladder(int loops) {
  SpatialModel model("spatial ladder");
  model.set_gravity({0, 0, -9.81});
  auto left_end = model.ground().at({0, 0, 0}), right_end = model.ground().at({1, 0, 0});
  Eigen::Vector3d corner(0, 0, 0);
  for (int k = 0; k < loops; ++k) {
    const std::string number = std::to_string(k);
    const double angle = 0.3 * std::sin(k + 1.0);
    const Eigen::Vector3d along(-std::sin(angle), 0, -std::cos(angle));
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY()));
    auto left = model.add_body("left" + number, MassProperties::box(1, {0.1, 0.1, 1}));
    auto right = model.add_body("right" + number, MassProperties::box(1, {0.1, 0.1, 1}));
    auto rung = model.add_body("rung" + number, MassProperties::box(1, {1, 0.1, 0.1}));
    left.place(corner + along / 2, turned);
    right.place(corner + along / 2 + Eigen::Vector3d(1, 0, 0), turned);
    corner += along;
    rung.place(corner + Eigen::Vector3d(0.5, 0, 0));
    model.add_joint<Revolute>("upper left" + number, left_end, left.at({0, 0, 0.5}), Axis::y());
    model.add_joint<Revolute>("upper right" + number, right_end, right.at({0, 0, 0.5}), Axis::y());
    model.add_joint<Universal>("lower left" + number, left.at({0, 0, -0.5}), rung.at({-0.5, 0, 0}), Axis::y(),
                               Axis::z());
    model.add_joint<Spherical>("lower right" + number, right.at({0, 0, -0.5}), rung.at({0.5, 0, 0}));
    left_end = rung.at({-0.5, 0, 0});
    right_end = rung.at({0.5, 0, 0});
  }
  return model;
}

/// Hanging chains of links, side by side, tied by massless rods.
PlanarModel planar_mesh(int size) {
  PlanarModel model("planar mesh");
  model.set_gravity({0, -9.81});
  std::vector<Frame<Planar>> left;
  for (int column = 0; column < size; ++column) {
    std::vector<Frame<Planar>> ends;
    Frame<Planar> support = model.ground().at({column, 0});
    Eigen::Vector2d position = support.offset;
    for (int row = 0; row < size; ++row) {
      const std::string number = concat(" ", row, ",", column);
      const double angle = 0.3 * std::sin(row + 1.0);
      auto link = model.add_body("link" + number, MassProperties::planar(1 + (row + column) % 2, 0.1, {0, -0.5}));
      link.place(position, angle);
      model.add_joint<Revolute>("pin" + number, support, link.origin());
      support = link.at({0, -1});
      position += Eigen::Vector2d(std::sin(angle), -std::cos(angle));
      if (column > 0) model.add_constraint<Rod>("rod" + number, left[static_cast<std::size_t>(row)], support, 1.0);
      ends.push_back(support);
    }
    left = ends;
  }
  return model;
}

/// Accelerations and multipliers at the start, in one vector.
Eigen::VectorXd accelerations(EquationsOfMotion& equations, const std::string& name) {
  equations.set(equations.initial_state());
  const auto solver = make_linear_solver(name, equations);
  Eigen::VectorXd a, lambda;
  Outcome outcome = solver->analyze(equations);
  if (outcome) outcome = solver->accelerations(a, lambda);
  EXPECT_TRUE(outcome) << outcome.reason();
  Eigen::VectorXd x(a.size() + lambda.size());
  if (outcome) x << a, lambda;
  return x;
}

// 1e3 eps times condition numbers of up to 1e4. Worst seen 2e-12. A row forgotten gives 1.
constexpr double ladder_bound = 2e-9;

TEST(Graph, AgreesWithSparseLuOnLadders) {
  for (const auto& equations : {make_absolute_equations(planar_ladder(12)), make_absolute_equations(spatial_ladder(5)),
                                make_relative_equations(planar_ladder(12)), make_relative_equations(spatial_ladder(5))})
    EXPECT_LE(relative_error(accelerations(*equations, "graph"), accelerations(*equations, "sparse-lu")), ladder_bound)
        << equations->formulation_name() << ' ' << equations->model_name();
}

TEST(Graph, PredictsWhichWayIsCheaperInJointCoordinates) {
  // Along the joints all n^2 rods meet at the ground, n^6 operations; the mesh of bodies takes n^3.
  const auto ratio = [](int size) {
    const auto equations = make_relative_equations(planar_mesh(size));
    const JointTree<Planar>& tree = *std::get<const JointTree<Planar>*>(equations->joint_tree());
    return JointGraph<Planar>::cost(tree, RowKind::velocity).operations /
           LinkBlocks<Planar>::operations(tree, tree.closures_of(RowKind::velocity));
  };
  EXPECT_LT(ratio(4), 2);
  EXPECT_GT(ratio(12), 16);
  EXPECT_NEAR(std::log2(ratio(16) / ratio(8)), 3, 0.3);
}

TEST(Graph, AgreesWithSparseLuOnMeshesInJointCoordinates) {
  for (const int size : {4, 12}) {  // along the joints; by blocks
    const auto equations = make_relative_equations(planar_mesh(size));
    EXPECT_LE(relative_error(accelerations(*equations, "graph"), accelerations(*equations, "sparse-lu")), ladder_bound)
        << size;
  }
}

template <class Space>
void expect_agreement_in_joint_coordinates(unsigned seeds) {
  for (const RandomMechanism& options : random_mechanisms(seeds)) {
    if (options.driven) continue;  // its bodies would have to be placed in motion
    SCOPED_TRACE(testing::Message() << Space::name << ": " << options);
    const auto equations = make_relative_equations(random_mechanism<Space>(options));
    equations->set(equations->initial_state());
    const AugmentedMatrix matrix{MatrixKind::velocity, &equations->M(), &equations->G(), nullptr};
    const Eigen::MatrixXd A = full_matrix(matrix);
    if (A.rows() == 0 || condition(A) > 1e8) continue;
    Eigen::VectorXd right(A.rows());
    right << equations->f(), equations->gamma();
    const Eigen::VectorXd reference = reference_solution(A, right);
    const double bound = 1e3 * 2.2e-16 * condition(A);  // as in random_mechanisms_test.cpp
    EXPECT_LE(relative_error(accelerations(*equations, "graph"), reference), bound);

    const auto solver = make_linear_solver("graph", *equations);
    ASSERT_TRUE(solver->analyze(*equations));
    ASSERT_TRUE(solver->factor(MatrixKind::velocity));
    std::mt19937 generator(options.seed);
    std::normal_distribution<double> normal;
    for (double& value : right) value = normal(generator);
    const Eigen::VectorXd other = reference_solution(A, right);
    EXPECT_LE(relative_error(solve(*solver, right, matrix.M->rows()), other), bound) << "any right side";
    ASSERT_TRUE(solver->factor(matrix));
    EXPECT_LE(relative_error(solve(*solver, right, matrix.M->rows()), other), bound) << "assembled";
  }
}

TEST(Graph, SolvesRandomMechanismsInJointCoordinatesInThePlane) { expect_agreement_in_joint_coordinates<Planar>(4); }
TEST(Graph, SolvesRandomMechanismsInJointCoordinatesInSpace) { expect_agreement_in_joint_coordinates<Spatial>(2); }

TEST(Graph, DoesNotAllocateOnceItHasFactored) {
  if (!allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  for (const auto& equations :
       {make_absolute_equations(planar_ladder(8)), make_relative_equations(spatial_ladder(4))}) {
    const State start = equations->initial_state();
    equations->set(start);
    const auto solver = make_linear_solver("graph", *equations);
    ASSERT_TRUE(solver->analyze(*equations));
    Eigen::VectorXd a, lambda;
    ASSERT_TRUE(solver->accelerations(a, lambda));
    const long before = allocations;
    bool fine = true;
    for (int i = 0; i < 3; ++i) {
      equations->set(start);
      fine = fine && solver->accelerations(a, lambda);
      solver->solve(a, lambda, a, lambda);
    }
    EXPECT_EQ(allocations, before) << equations->formulation_name();
    EXPECT_TRUE(fine);
  }
}

std::string failure(EquationsOfMotion& equations) {
  equations.set(equations.initial_state());
  const auto solver = make_linear_solver("graph", equations);
  Eigen::VectorXd a, lambda;
  Outcome outcome = solver->analyze(equations);
  if (outcome) outcome = solver->accelerations(a, lambda);
  return outcome ? "no failure" : outcome.reason();
}

TEST(Graph, NamesRedundantConstraintsInJointCoordinates) {
  const auto equations = make_relative_equations(planar_ladder(3, true));
  EXPECT_NE(failure(*equations)
                .find("is redundant at t = 0 s: other constraints of model 'planar ladder' hold what it "
                      "holds; use 'redundant', or take it away."),
            std::string::npos)
      << failure(*equations);
}

TEST(Graph, NamesRedundantConstraintsOfLargeSystemsToo) {
  const auto equations = make_absolute_equations(planar_ladder(40, true));
  const std::string reason = failure(*equations);
  EXPECT_NE(reason.find("after the elimination of what lies before it; use 'sparse-lu', or 'redundant' if constraints "
                        "of model 'planar ladder' depend on each other."),
            std::string::npos)
      << reason;
}

/// Massless frames along a spine, each with a weight on a hinge: a mass hangs on every joint, none is on the spine.
/// On every third frame a spine of its own begins.
SpatialModel massless_spine(int frames) {
  SpatialModel model("massless spine");
  model.set_gravity({1, 2, -9.81});
  std::vector<Frame<Spatial>> ends{model.ground().origin()};
  std::vector<Eigen::Vector3d> places{Eigen::Vector3d::Zero()};
  for (int i = 0; i < frames; ++i) {
    const std::string number = std::to_string(i);
    const auto end = static_cast<std::size_t>(i % 3 == 0 ? 2 * i / 3 : static_cast<int>(ends.size()) - 1);
    const Eigen::Vector3d place = places[end] + Eigen::Vector3d(0.5, 0.1 * (i % 2), 0);
    auto frame = model.add_body<MasslessFrame>("frame " + number);
    auto weight = model.add_body("weight " + number, MassProperties::box(1 + i % 2, {0.1, 0.2, 0.3}));
    frame.place(place);
    weight.place(place - Eigen::Vector3d(0, 0, 0.3));
    model.add_joint<Revolute>("pin " + number, ends[end], frame.at(places[end] - place), i % 2 ? Axis::x() : Axis::y());
    model.add_joint<Revolute>("hinge " + number, frame.origin(), weight.at({0, 0, 0.3}), Axis::z());
    ends.push_back(frame.at({0.5, 0, 0}));
    places.push_back(place + Eigen::Vector3d(0.5, 0, 0));
  }
  return model;
}

TEST(Graph, TakesTreesOfManyMasslessBodies) {
  const SpatialModel small = massless_spine(40), large = massless_spine(1000);
  // Rounding errors times condition numbers of up to 1e6.
  for (const auto& equations : {make_absolute_equations(small), make_mixed_equations(small)})
    EXPECT_LE(relative_error(accelerations(*equations, "graph"), accelerations(*equations, "dense-lu")), 1e-9)
        << equations->formulation_name();
  for (const auto& equations : {make_absolute_equations(large), make_mixed_equations(large)}) {
    const int nv = equations->dimensions().v;
    const Eigen::VectorXd a = accelerations(*equations, "graph").head(nv);
    EXPECT_LE(relative_error(a, accelerations(*equations, "sparse-lu").head(nv)), 1e-9)
        << equations->formulation_name();
    EXPECT_LE(relative_error(a, accelerations(*equations, "auto").head(nv)), 1e-9) << equations->formulation_name();
  }
}

/// A chain of weak bodies; `closed`: both ends are held by the ground.
BlockGraph weak_chain(int bodies, bool closed) {
  GraphOfBodies out;
  int last = -1;
  for (int i = 0; i < bodies; ++i) {
    const int body = out.add_body(Kind::weak);
    out.add_joint(last, body);
    last = body;
  }
  if (closed) out.add_joint(last, -1);
  return out.graph;
}

TEST(EliminationPlan, SplitsWeakBodiesWhereTheyWouldBeOneLargePivot) {
  const EliminationPlan together = plan_elimination(weak_chain(20, false));
  EXPECT_EQ(together.pivots.size(), 1u);  // 20 bodies of three velocities with two rows each
  EXPECT_EQ(together.largest_pivot, 100);
  const EliminationPlan split = plan_elimination(weak_chain(21, false));
  EXPECT_EQ(split.pivots.size(), 21u);
  EXPECT_EQ(split.largest_pivot, 5);
  EXPECT_EQ(split.peak_width, 10);
  EXPECT_LT(growth([](int n) { return weak_chain(n, false); }, 64, 1024), 1.01);
  // Nothing of a ring of weak bodies can go before all of it.
  for (const int bodies : {30, 300}) {
    const EliminationPlan ring = plan_elimination(weak_chain(bodies, true));
    EXPECT_EQ(ring.member.size(), static_cast<std::size_t>(2 * bodies + 1));
  }
}

TEST(Graph, TakesChainsWithoutAnyMass) {
  TreeRecipe recipe;
  for (int i = 0; i < 40; ++i) recipe.nodes.push_back({i - 1, 2, 2, 0});
  PosedTree equations(recipe);
  EXPECT_EQ(failure(equations), "no failure");
}

TEST(Graph, RefusesFriction) {
  PosedTree equations(TreeRecipe{.nodes = {{-1, 3, 2}, {0, 3, 2}}});
  const auto solver = make_linear_solver("graph", equations);
  ASSERT_TRUE(solver->analyze(equations));
  EXPECT_EQ(solver->factor(equations.matrix(MatrixKind::friction)).reason(),
            "graph: the matrix [M, G^T - F; G, 0] of the friction variant is unsymmetric and this solver needs "
            "symmetry; use 'dense-lu' or 'sparse-lu'.");
}

TEST(Graph, IsChosenWhereThereAreManyClosures) {
  for (const auto& equations :
       {make_absolute_equations(planar_ladder(40)), make_relative_equations(spatial_ladder(12))}) {
    const auto solver = make_linear_solver("auto", *equations);
    EXPECT_EQ(solver->name(), "graph") << equations->formulation_name();
  }
}

}  // namespace graph_elimination_test
}  // namespace linkwork::test
