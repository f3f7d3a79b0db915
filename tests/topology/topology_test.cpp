#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/topology/elimination_plan.hpp>
#include <linkwork/topology/graph_topology.hpp>

#include "../core/expect_error.hpp"
#include "../random_mechanism.hpp"

#include <algorithm>
#include <random>
#include <sstream>

namespace linkwork::test {
namespace topology_test {

using Names = std::vector<std::string>;
using Role = Topology::Role;

/// A graph by names; the ground is "ground".
class Graph {
 public:
  Graph() { add({"ground", "ground", 0, false}); }
  Graph& body(const std::string& name, int freedoms = 3, bool massless = false) {
    add({name, "body", freedoms, massless});
    return *this;
  }
  Graph& bodies(const Names& names) {
    for (const std::string& name : names) body(name);
    return *this;
  }
  Graph& joint(const std::string& name, const std::string& a, const std::string& b, int rows = 2) {
    return edge({name, "joint", EdgeKind::joint, elements_++, rows, true, true}, a, {b});
  }
  Graph& constraint(const std::string& name, const std::string& a, const Names& others, int rows = 1,
                    bool holonomic = true) {
    return edge({name, "constraint", EdgeKind::constraint, elements_++, rows, holonomic, others.size() == 1}, a,
                others);
  }
  Graph& force(const std::string& name, const std::string& a, const std::string& b) {
    return edge({name, "force", EdgeKind::force, forces_++, 0, true, true}, a, {b});
  }
  Topology analyze() const { return linkwork::analyze(graph_); }

 private:
  void add(const GraphVertex& properties) {
    const auto vertex = add_vertex(graph_);  // g++ 12 warns falsely of Boost's other add_vertex when sanitizers are on
    graph_[vertex] = properties;
    vertices_.emplace_back(vertex, properties.name);
  }
  Graph& edge(const GraphEdge& properties, const std::string& a, const Names& others) {
    for (const std::string& b : others) add_edge(find(a), find(b), properties, graph_);
    return *this;
  }
  std::size_t find(const std::string& name) const {
    return std::find_if(vertices_.begin(), vertices_.end(), [&](const auto& v) { return v.second == name; })->first;
  }
  ModelGraph graph_;
  std::vector<std::pair<std::size_t, std::string>> vertices_;
  int elements_ = 0, forces_ = 0;
};

using detail::at;

/// Bodies in the order of their labels, each with its father: "crank<ground".
Names tree(const Topology& topology) {
  Names out;
  for (std::size_t label = 1; label < topology.nodes.size(); ++label)
    out.push_back(topology.nodes[label].name + "<" + topology.nodes[at(topology.nodes[label].father)].name);
  return out;
}
Names cuts(const Topology& topology) {
  Names out;
  for (const int cut : topology.cuts) out.push_back(topology.elements[at(cut)].name);
  return out;
}

TEST(Topology, LabelsAChainFromTheGround) {
  const Topology chain = Graph()
                             .bodies({"c", "a", "b"})
                             .joint("b-c", "b", "c")
                             .joint("ground-a", "a", "ground")
                             .joint("a-b", "b", "a")
                             .analyze();
  EXPECT_EQ(tree(chain), (Names{"a<ground", "b<a", "c<b"}));
  EXPECT_EQ(chain.label_of_body, (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(chain.elements[at(chain.nodes[2].edge)].name, "a-b");
  EXPECT_TRUE(chain.cuts.empty());
  EXPECT_TRUE(chain.warnings.empty());
  EXPECT_EQ(chain.components, 1);
  EXPECT_EQ(chain.mobility(), 3);
  EXPECT_EQ(chain.mass_blocks, 3);
  EXPECT_EQ(chain.constraint_blocks, 5);
}

TEST(Topology, LabelsATreeDepthFirst) {
  const Topology branched = Graph()
                                .bodies({"trunk", "left", "right", "leaf"})
                                .joint("root", "ground", "trunk")
                                .joint("l", "trunk", "left")
                                .joint("r", "trunk", "right")
                                .joint("tip", "left", "leaf")
                                .analyze();
  EXPECT_EQ(tree(branched), (Names{"trunk<ground", "left<trunk", "leaf<left", "right<trunk"}));
}

TEST(Topology, CutsARingFarFromTheGround) {
  const Topology ring = Graph()
                            .bodies({"crank", "coupler", "rocker"})
                            .joint("1", "ground", "crank")
                            .joint("2", "crank", "coupler")
                            .joint("3", "coupler", "rocker")
                            .joint("4", "rocker", "ground")
                            .analyze();
  EXPECT_EQ(tree(ring), (Names{"crank<ground", "coupler<crank", "rocker<ground"}));
  EXPECT_EQ(cuts(ring), (Names{"3"}));
  Names loop = ring.loop_names(ring.cuts[0]);
  EXPECT_EQ(loop.back(), "3");
  std::sort(loop.begin(), loop.end());
  EXPECT_EQ(loop, (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(ring.mobility(), 1);
}

TEST(Topology, CutsTheElementsWithFewestRows) {
  const Topology ring = Graph()
                            .bodies({"a", "b"})
                            .constraint("rod", "ground", {"b"}, 1)
                            .joint("slider", "b", "a", 2)
                            .joint("weld", "ground", "a", 3)
                            .analyze();
  EXPECT_EQ(tree(ring), (Names{"a<ground", "b<a"}));
  EXPECT_EQ(cuts(ring), (Names{"rod"}));
}

TEST(Topology, PutsJointsIntoTheTreeBeforeConstraints) {
  const Topology ring = Graph().body("a").constraint("c", "ground", {"a"}, 3).joint("j", "ground", "a", 1).analyze();
  EXPECT_EQ(ring.elements[at(ring.nodes[1].edge)].name, "j");
}

TEST(Topology, TakesANonholonomicConstraintIntoTheTree) {
  const Topology sleigh = Graph().body("sleigh").constraint("edge", "sleigh", {"ground"}, 1, false).analyze();
  EXPECT_EQ(sleigh.elements[0].role, Role::tree);
  EXPECT_EQ(sleigh.elements[0].node, 1);
  EXPECT_FALSE(sleigh.elements[0].holonomic);
  EXPECT_EQ(sleigh.mobility(), 2);
}

TEST(Topology, CutsALadderOncePerRung) {
  constexpr int rungs = 50;
  Graph graph;
  for (int i = 0; i < rungs; ++i) graph.bodies({concat("left ", i), concat("right ", i)});
  for (int i = 0; i < rungs; ++i) {
    graph.joint(concat("l ", i), i == 0 ? "ground" : concat("left ", i - 1), concat("left ", i));
    graph.joint(concat("r ", i), i == 0 ? "ground" : concat("right ", i - 1), concat("right ", i));
    graph.joint(concat("rung ", i), concat("left ", i), concat("right ", i));
  }
  const Topology ladder = graph.analyze();
  ASSERT_EQ(ladder.cuts.size(), at(rungs));
  for (const int cut : ladder.cuts) EXPECT_EQ(ladder.elements[at(cut)].name.substr(0, 4), "rung");
  EXPECT_EQ(ladder.loop(ladder.cuts[0]).size(), 3u);
}

TEST(Topology, KeepsParallelEdgesThatFitTheSonsFreedoms) {
  const Topology doubled = Graph()
                               .body("a")
                               .joint("first", "ground", "a", 1)
                               .joint("second", "a", "ground", 2)
                               .constraint("third", "ground", {"a"}, 1)
                               .analyze();
  EXPECT_EQ(doubled.elements[1].role, Role::tree) << "the one with most rows";
  EXPECT_EQ(doubled.elements[0].role, Role::parallel);
  EXPECT_EQ(doubled.elements[0].node, 1);
  EXPECT_EQ(doubled.elements[2].role, Role::cut) << "four rows on three freedoms";
  EXPECT_EQ(cuts(doubled), (Names{"third"}));
}

TEST(Topology, GivesLooseComponentsRootsOfTheirOwn) {
  const Topology loose = Graph()
                             .body("node", 2, true)
                             .bodies({"fixed", "x", "y", "sprung"})
                             .joint("1", "ground", "fixed")
                             .joint("2", "node", "x")
                             .joint("3", "x", "y")
                             .force("spring", "sprung", "fixed")
                             .analyze();
  EXPECT_EQ(tree(loose), (Names{"fixed<ground", "x<ground", "node<x", "y<x", "sprung<ground"}))
      << "a root with mass is preferred";
  EXPECT_EQ(loose.nodes[2].edge, -1);
  EXPECT_EQ(loose.components, 3);
  EXPECT_EQ(loose.nodes[1].component, 0);
  EXPECT_NE(loose.nodes[2].component, 0);
  EXPECT_EQ(loose.warnings, (Names{"body 'node' with 2 more connected to it has no path to the ground by joints or "
                                   "forces: left free by mistake? If so, add a joint."}));
}

TEST(Topology, NeverPutsAConstraintOnThreeBodiesIntoTheTree) {
  const Topology coupled = Graph()
                               .bodies({"a", "b", "c"})
                               .joint("1", "ground", "a")
                               .joint("2", "a", "b")
                               .constraint("midway", "a", {"b", "c"}, 2)
                               .analyze();
  EXPECT_EQ(tree(coupled), (Names{"a<ground", "b<a", "c<ground"}));
  EXPECT_EQ(coupled.nodes[3].edge, -1);
  EXPECT_EQ(coupled.components, 1);
  EXPECT_EQ(coupled.elements[2].ends, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(cuts(coupled), (Names{"midway"}));
  EXPECT_EQ(coupled.constraint_blocks, 6);
  EXPECT_TRUE(coupled.warnings.empty());
}

TEST(Topology, TreatsMasslessBodiesByTheEdgeWithMostRows) {
  const Topology topology = Graph()
                                .body("arm")
                                .body("node", 2, true)
                                .joint("hinge", "ground", "arm")
                                .constraint("rod", "ground", {"node"}, 1)
                                .joint("pin", "arm", "node", 2)
                                .analyze();
  EXPECT_EQ(tree(topology), (Names{"arm<ground", "node<arm"}));
  EXPECT_EQ(topology.mass_blocks, 1);
}

TEST(Topology, HoldsForRandomGraphs) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    const int bodies = 1 + pick(20), edges = pick(40);
    Graph graph;
    const auto name = [](int i) { return i == 0 ? std::string("ground") : concat("body ", i); };
    for (int i = 1; i <= bodies; ++i) graph.body(name(i), 3, pick(5) == 0);
    for (int i = 0; i < edges; ++i) {
      const int a = pick(bodies + 1), b = (a + 1 + pick(bodies)) % (bodies + 1);
      if (pick(2) == 0)
        graph.joint(concat("joint ", i), name(a), name(b), 1 + pick(3));
      else
        graph.constraint(concat("constraint ", i), name(a), {name(b)}, 1 + pick(3), pick(2) == 0);
    }
    const Topology topology = graph.analyze();

    ASSERT_EQ(topology.bodies(), bodies);
    std::vector<int> role_count(3, 0), rows(topology.nodes.size(), 0);
    for (int label = 1; label <= bodies; ++label) {
      const Topology::Node& node = topology.nodes[at(label)];
      EXPECT_LT(node.father, label) << "monotone";
      EXPECT_EQ(topology.label_of_body[at(node.body)], label);
      if (node.edge < 0) continue;
      const Topology::Element& edge = topology.elements[at(node.edge)];
      EXPECT_EQ(edge.node, label);
      EXPECT_EQ(std::max(edge.ends[0], edge.ends[1]), label);
      EXPECT_EQ(std::min(edge.ends[0], edge.ends[1]), node.father);
    }
    for (const Topology::Element& element : topology.elements) {
      ++role_count[static_cast<std::size_t>(element.role)];
      if (element.role != Role::cut) rows[at(element.node)] += element.rows;
    }
    EXPECT_EQ(at(role_count[static_cast<std::size_t>(Role::cut)]), topology.cuts.size());
    for (const int count : rows) EXPECT_LE(count, 3);
    for (const int cut : topology.cuts) {  // a loop passes each body an even number of times
      std::vector<int> passes(topology.nodes.size(), 0);
      for (const int element : topology.loop(cut))
        for (const int end : topology.elements[at(element)].ends) ++passes[at(end)];
      for (const int count : passes) EXPECT_EQ(count % 2, 0);
    }
    const Topology again = graph.analyze();
    EXPECT_EQ(tree(topology), tree(again));
    EXPECT_EQ(topology.cuts, again.cuts);
  }
}

TEST(Topology, ReadsAModel) {
  const auto model = random_mechanism<Spatial>({.seed = 4, .rigid_bodies = 8, .loops = 2});
  const Topology topology = analyze(model);
  EXPECT_EQ(topology.bodies(), 8);
  EXPECT_EQ(topology.freedoms, 48);
  EXPECT_EQ(topology.elements.size(), model.data().constraints.size());
  EXPECT_EQ(topology.forces.size(), model.data().forces.size());
  EXPECT_EQ(topology.cuts.size(), 2u);
}

TEST(Topology, RefusesAGraphWithoutBodies) {
  expect_error<ModelError>("topology: the model has no body; add one with add_body.", [] { Graph().analyze(); });
}

TEST(Topology, PrintsItself) {
  const Topology ring = Graph()
                            .bodies({"crank", "rod"})
                            .joint("main bearing", "ground", "crank")
                            .joint("big end", "crank", "rod")
                            .constraint("slot", "rod", {"ground"}, 1)
                            .force("spring", "crank", "ground")
                            .analyze();
  EXPECT_EQ(ring.summary(),
            "2 bodies, 3 joints and constraints, 1 forces, 1 component\n"
            "mobility 1: 6 freedoms less 5 constraint rows\n"
            "blocks: 2 of the mass matrix, 4 of the constraint matrix\n"
            "tree (label, body, label of the father, joint):\n"
            "  1  crank  0  main bearing\n"
            "  2  rod  1  big end\n"
            "cut: slot, loop: big end, main bearing, slot\n"
            "elimination along the tree: at most 1 closure rows carried, 1 open at once; loops of 2 tree joints "
            "together; about 514 multiply-adds with closures eliminated where they meet, 514 with C T^-1 C^T\n"
            "elimination along the graph, absolute coordinates: " +
                plan_elimination(block_graph(ring)).summary() + "\n");
}

TEST(Topology, WritesGraphvizWithItsEdgesApart) {
  const Topology topology = Graph()
                                .bodies({"cr\"ank", "rod"})
                                .joint("main", "ground", "cr\"ank")
                                .constraint("rub", "ground", {"cr\"ank"}, 1)
                                .joint("big end", "cr\"ank", "rod")
                                .constraint("slot", "rod", {"ground"}, 1)
                                .force("spring", "rod", "ground")
                                .analyze();
  std::ostringstream out;
  write_graphviz(out, topology);
  EXPECT_EQ(out.str(),
            "digraph mechanism {\n"
            "  node [shape=ellipse];\n"
            "  0 [label=\"ground\", shape=box];\n"
            "  1 [label=\"1: cr\\\"ank\"];\n"
            "  2 [label=\"2: rod\"];\n"
            "  0 -> 1 [label=\"main\", style=solid];\n"
            "  0 -> 1 [label=\"rub\", style=solid, color=gray, dir=none];\n"
            "  1 -> 2 [label=\"big end\", style=solid];\n"
            "  2 -> 0 [label=\"slot\", style=dashed, color=red, dir=none, constraint=false];\n"
            "  2 -> 0 [label=\"spring\", style=dotted, color=blue, dir=none, constraint=false];\n"
            "}\n");
}

}  // namespace topology_test
}  // namespace linkwork::test
