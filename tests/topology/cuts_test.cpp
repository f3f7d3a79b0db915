#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/linkwork.hpp>
#include <linkwork/topology/graph_topology.hpp>
#include <linkwork/topology/short_loops.hpp>
#include <linkwork/topology/tree_paths.hpp>

#include "../core/expect_error.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace linkwork::test {
namespace cuts_test {

using Names = std::vector<std::string>;

using detail::at;

/// A graph of bodies with six freedoms by number, 0 being the ground, and joints with five rows.
ModelGraph graph_of(int bodies, const std::vector<std::pair<int, int>>& joints) {
  ModelGraph graph(at(bodies + 1));
  graph[0].name = "ground";
  for (int b = 1; b <= bodies; ++b) graph[at(b)] = {concat("body ", b), "body", 6, false};
  int element = 0;
  for (const auto& [a, b] : joints)
    add_edge(at(a), at(b), {concat("joint ", element), "joint", EdgeKind::joint, element, 5}, graph), ++element;
  return graph;
}

Topology shortest_loops(const ModelGraph& graph) { return analyze(graph, {.strategy = CutStrategy::shortest_loops}); }

/// Two rails of K links and K rungs between them; bodies 3k + 1 (left), 3k + 2 (right), 3k + 3 (rung).
ModelGraph ladder(int K, bool right_rail_on_ground) {
  std::vector<std::pair<int, int>> joints;
  for (int k = 0; k < K; ++k) {
    const int left = 3 * k + 1, right = left + 1, rung = left + 2;
    joints.emplace_back(k == 0 ? 0 : left - 3, left);
    if (k > 0 || right_rail_on_ground) joints.emplace_back(k == 0 ? 0 : right - 3, right);
    joints.emplace_back(left, rung);
    joints.emplace_back(rung, right);
  }
  return graph_of(3 * K, joints);
}

/// rows x columns bodies, joined to their neighbours, the first row or only the first body to the ground.
ModelGraph mesh(int rows, int columns, bool by_its_row) {
  std::vector<std::pair<int, int>> joints;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const int body = 1 + i * columns + j;
      if (i == 0 && (by_its_row || j == 0)) joints.emplace_back(0, body);
      if (i > 0) joints.emplace_back(body - columns, body);
      if (j > 0) joints.emplace_back(body - 1, body);
    }
  return graph_of(rows * columns, joints);
}

TEST(Cuts, OfShortestLoopsKeepLaddersNarrow) {
  // The loops of a ladder have 6 joints, so that five in the tree and two loops at a joint are the least there can be.
  for (const bool both : {false, true})
    for (const int K : {4, 64, 2048}) {
      const Topology topology = shortest_loops(ladder(K, both));
      EXPECT_EQ(topology.cuts.size(), at(both ? K : K - 1));
      EXPECT_LE(topology.measures.width, 2 * 5) << "K = " << K << (both ? ", both rails on the ground" : "");
      EXPECT_LE(topology.measures.loop_length, 6 * K);
    }
  EXPECT_EQ(analyze(ladder(64, true)).measures.width, 64 * 5)
      << "the breadth-first tree carries all rows to the ground";
}

TEST(Cuts, OfShortestLoopsKeepMeshesAsNarrowAsTheirShorterSide) {
  for (const bool by_its_row : {false, true})
    for (const auto& [rows, columns] : {std::pair(200, 4), std::pair(4, 200)}) {
      const Topology topology = shortest_loops(mesh(rows, columns, by_its_row));
      EXPECT_LE(topology.measures.width, 4 * 4 * 5) << rows << " x " << columns << ' ' << by_its_row;
    }
}

TEST(Cuts, OfShortestLoopsLeaveARingOneLoop) {
  std::vector<std::pair<int, int>> joints;
  for (int i = 0; i < 128; ++i) joints.emplace_back(i, i + 1);
  joints.emplace_back(128, 0);
  const Topology ring = shortest_loops(graph_of(128, joints));
  EXPECT_EQ(ring.measures.width, 5);
  EXPECT_EQ(ring.measures.loop_length, 128);
}

TEST(Cuts, OfShortestLoopsAreNeverLongerThanThoseOfFewestRows) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    const int bodies = 3 + pick(30);
    std::vector<std::pair<int, int>> joints;
    for (int b = 1; b <= bodies; ++b) joints.emplace_back(pick(b), b);
    for (int extra = pick(20); extra > 0; --extra) {
      const int a = pick(bodies + 1);
      joints.emplace_back(a, (a + 1 + pick(bodies)) % (bodies + 1));
    }
    std::shuffle(joints.begin(), joints.end(), random);
    const ModelGraph graph = graph_of(bodies, joints);
    const Topology least = shortest_loops(graph), broad = analyze(graph, {.joint_tree = true});
    const Topology tree = analyze(graph, {.strategy = CutStrategy::shortest_loops, .joint_tree = true});
    EXPECT_EQ(tree.cuts.size(), broad.cuts.size()) << "seed " << seed;
    EXPECT_LE(tree.measures.loop_length, broad.measures.loop_length) << "seed " << seed;
    EXPECT_EQ(least.bodies(), bodies);
    EXPECT_EQ(shortest_loops(graph).cuts, least.cuts) << "repeats itself";
  }
}

TEST(Cuts, MeasuresCountRowsOnTheWay) {
  // A chain of three bodies, its tip tied to the ground: 5 rows pass every joint.
  const Topology ring =
      analyze(graph_of(3, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}), {.strategy = CutStrategy::given, .cuts = {"joint 3"}});
  EXPECT_EQ(ring.measures.width, 5);
  EXPECT_EQ(ring.measures.front, 5);
  EXPECT_EQ(ring.measures.loop_length, 3);
  // Cranks 1, 2, 3 on the ground, a rod between neighbours hung on the first: with early elimination the ground has
  // to hold the rows of one closure at a time.
  const ModelGraph cranks = graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {4, 2}, {2, 5}, {5, 3}});
  const Topology windows = analyze(cranks, {.strategy = CutStrategy::given, .cuts = {"joint 4", "joint 6"}});
  EXPECT_EQ(windows.measures.width, 10);
  EXPECT_EQ(windows.measures.front, 10);
  EXPECT_EQ(windows.measures.loop_length, 6);
}

TEST(Cuts, EarlyEliminationIsPredictedToBeLinearOnALadder) {
  const auto operations = [](int K) { return shortest_loops(ladder(K, true)).measures; };
  const Topology::Measures small = operations(256), large = operations(1024);
  EXPECT_NEAR(large.early_operations / small.early_operations, 4, 0.1);
  EXPECT_GT(large.closure_operations / small.closure_operations, 30) << "cubic";
}

TEST(Cuts, GivenAreCut) {
  const ModelGraph ring = graph_of(3, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  for (int joint = 0; joint < 4; ++joint)
    EXPECT_EQ(analyze(ring, {.strategy = CutStrategy::given, .cuts = {concat("joint ", joint)}}).cuts,
              std::vector<int>{joint});
}

TEST(Cuts, GivenLeaveOtherLoopsToFewestRows) {
  const Topology both =
      analyze(graph_of(2, {{0, 1}, {1, 2}, {2, 0}, {0, 2}}), {.strategy = CutStrategy::given, .cuts = {"joint 1"}});
  EXPECT_EQ(both.cuts, (std::vector<int>{1, 3}));
}

TEST(Cuts, GivenThatLeaveNoWayAreRefused) {
  const ModelGraph chain = graph_of(2, {{0, 1}, {1, 2}});
  expect_error<ModelError>(
      "topology: with 'joint 1' cut, body 'body 2' has no way left to 'ground'; leave 'joint 1' uncut.",
      [&] { analyze(chain, {.strategy = CutStrategy::given, .cuts = {"joint 1"}}); });
}

TEST(Cuts, GivenMustBeElementsOfTheGraph) {
  const ModelGraph chain = graph_of(1, {{0, 1}});
  expect_error<ModelError>("topology: there is no joint or constraint 'elbow' that could be cut.",
                           [&] { analyze(chain, {.strategy = CutStrategy::given, .cuts = {"elbow"}}); });
  expect_error<ModelError>("topology: the cuts are to be those given, and none is given; name joints or constraints.",
                           [&] { analyze(chain, {.strategy = CutStrategy::given}); });
  expect_error<ModelError>(
      "topology: cuts are given (joint 0), but the strategy chooses its own; set it to CutStrategy::given.",
      [&] { analyze(chain, {.cuts = {"joint 0"}}); });
}

/// A planar four-bar with a point mass hung on its rocker, and a friction that reads the reaction of one joint.
PlanarModel four_bar() {
  PlanarModel model("four-bar");
  const auto rod = MassProperties::rod(1, 1);
  auto crank = model.add_body("crank", rod), coupler = model.add_body("coupler", rod);
  auto rocker = model.add_body("rocker", rod), bob = model.add_body<PointMass>("bob", 1.0);
  model.add_joint<Revolute>("A", model.ground().origin(), crank.at({-0.5, 0}));
  model.add_joint<Revolute>("B", crank.at({0.5, 0}), coupler.at({-0.5, 0}));
  model.add_joint<Revolute>("C", coupler.at({0.5, 0}), rocker.at({0.5, 0}));
  model.add_joint<Revolute>("D", model.ground().at({1, 0}), rocker.at({-0.5, 0}));
  model.add_constraint<Rod>("wire", rocker.origin(), bob.origin(), 0.3);
  return model;
}

TEST(Cuts, GivenForAModelAreLookedUpByName) {
  const PlanarModel model = four_bar();
  const Topology topology = analyze(model, {.strategy = CutStrategy::given, .cuts = {"A"}, .joint_tree = true});
  EXPECT_EQ(topology.loop_names(topology.cuts[0]), (Names{"D", "C", "B", "A"}));
  expect_error<ModelError>(
      "constraint: model 'four-bar' has no constraint 'CC'; there are: 'C', 'A', 'B', 'D', 'wire'.",
      [&] { analyze(model, {.strategy = CutStrategy::given, .cuts = {"CC"}}); });
  expect_error<ModelError>(
      "constraint: model 'four-bar' has no constraint 'crank' ('crank' is a body); there are: 'A', 'B', 'C', 'D', "
      "'wire'.",
      [&] { analyze(model, {.strategy = CutStrategy::given, .cuts = {"crank"}}); });
}

TEST(Cuts, SayWhyAJointCanNotBePartOfATree) {
  PlanarModel model("pendulum");
  auto bob = model.add_body<PointMass>("bob", 1.0);
  auto arm = model.add_body("arm", MassProperties::rod(1, 1));
  model.add_joint<Revolute>("hinge", model.ground().origin(), arm.at({-0.5, 0}));
  model.add_joint<Revolute>("pin", arm.at({0.5, 0}), bob.origin());
  EXPECT_EQ(analyze(model).elements[1].obstacle, "");
  const Topology topology = analyze(model, {.joint_tree = true});
  EXPECT_EQ(topology.elements[1].obstacle, "body 'bob' does not rotate");
  EXPECT_EQ(topology.nodes[at(topology.label_of_body[0])].edge, -1) << "a root of its own";
  EXPECT_NE(topology.summary().find("not in the tree: pin, body 'bob' does not rotate\n"), std::string::npos);
}

TEST(Cuts, SayWhyAnElementCanNotBePartOfATreeOfJoints) {
  PlanarModel model("slider");
  auto block = model.add_body("block", MassProperties::planar(1, 1)),
       arm = model.add_body("arm", MassProperties::rod(1, 1));
  const auto rail = model.add_joint<Prismatic>("rail", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<DryFriction<Planar>>(
      "friction", rail, model.ground().origin(), block.origin(),
      DryFriction<Planar>::Options{.coefficient = 0.3, .normal = {0, 1}, .tangent = {1, 0}, .speed = 1e-3});
  model.add_constraint<Rod>("wire", block.origin(), arm.origin(), 0.3);
  model.add_joint<Revolute>("hinge", model.ground().origin(), block.origin());
  const Topology topology = analyze(model, {.joint_tree = true});
  EXPECT_EQ(topology.elements[0].obstacle, "its reaction is read by force 'friction'");
  EXPECT_EQ(topology.elements[1].obstacle, "it has no coordinates of its own");
  EXPECT_NE(topology.summary().find("not in the tree: rail, its reaction is read by force 'friction'\n"),
            std::string::npos);
  expect_error<ModelError>(
      "topology: with 'hinge' cut, body 'block' has no way left to 'ground'; leave 'hinge' uncut. The joint 'rail' "
      "can't lead to it: its reaction is read by force 'friction'.",
      [&] { analyze(model, {.strategy = CutStrategy::given, .cuts = {"hinge"}, .joint_tree = true}); });
}

TEST(TreePaths, FindMeetingsAndAncestors) {
  std::mt19937 random(7);
  std::vector<int> father{0};
  for (int label = 1; label < 500; ++label)
    father.push_back(std::uniform_int_distribution<int>(std::max(0, label - 4), label - 1)(random));
  const TreePaths paths(father);
  const auto walk = [&](int a, int b) {
    while (a != b) (a > b ? a : b) = father[at(std::max(a, b))];
    return a;
  };
  for (int i = 0; i < 2000; ++i) {
    const int a = std::uniform_int_distribution<int>(0, 499)(random),
              b = std::uniform_int_distribution<int>(0, 499)(random);
    const int meeting = walk(a, b);
    ASSERT_EQ(paths.meeting(a, b), meeting);
    ASSERT_EQ(paths.ancestor_at_depth(a, paths.depth(meeting)), meeting);
  }
}

}  // namespace cuts_test
}  // namespace linkwork::test
