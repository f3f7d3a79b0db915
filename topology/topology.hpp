#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace linkwork {

template <class Space>
class Model;

/// How the loops of a mechanism are cut open.
enum class CutStrategy {
  fewest_rows,     ///< joints with much freedom are cut, so that few constraint rows remain
  shortest_loops,  ///< loops close within few bodies, so that eliminations along the tree have little to carry
  given            ///< by the user: the elements in TopologyOptions::cuts are cut; loops that are left, by fewest rows
};

struct TopologyOptions {
  CutStrategy strategy = CutStrategy::fewest_rows;
  std::vector<std::string> cuts = {};  ///< names of joints and constraints, for CutStrategy::given
  /// Tree edges are only the joints that can lead to a body in joint coordinates: no other constraints, no joint at a
  /// body that does not rotate, no joint whose reaction a force element reads. All others are cuts, none is parallel.
  bool joint_tree = false;
};

/// What the graph of a model says about its structure, as plain arrays. Label 0 is the ground; bodies are labelled from
/// 1 in depth-first preorder, so that a father's label is smaller than its sons' and chains are contiguous.
///
/// The spanning tree of fewest rows takes joints before other constraints and elements with many rows before those with
/// few; among equals it is the breadth-first tree. That of shortest loops makes the sum of rows times loop length over
/// all cuts small; a ladder gets one rail with teeth, although the breadth-first tree would have both. Bodies that no
/// tree edge ties to the ground get a root of their own, without a tree edge; a body with mass is preferred.
struct Topology {
  enum class Role {
    tree,      ///< ties a body to its father
    parallel,  ///< between a body and its father too, kept with the tree edge: their rows fit the body's freedoms
    cut        ///< closes a loop, or couples more than two bodies
  };
  struct Node {
    std::string name;
    int body = -1;   ///< index in the model; -1 for the ground
    int father = 0;  ///< label
    int edge = -1;   ///< element of the tree edge; -1 for the ground and for a root of its own
    int freedoms = 0;
    int component = 0;  ///< of bodies connected by joints and constraints; 0 is the ground's
  };
  /// A joint or constraint.
  struct Element {
    std::string name, type;
    int rows = 0;
    bool holonomic = true;
    bool is_joint = true;
    std::string obstacle;  ///< why it can't be a tree edge; "" if it can
    Role role = Role::cut;
    int node = -1;          ///< label of the body that the rows are kept with; -1 for a cut
    std::vector<int> ends;  ///< labels of its bodies, in its own order
  };
  struct Force {
    std::string name, type;
    std::vector<int> ends;  ///< labels
  };

  /// What an elimination along the tree costs, from the leaves to the roots. It carries a row of a closure from the
  /// closure's ends up to where they meet: there the row is blind to the motion of all that hangs below, and can be
  /// eliminated early, or it waits for C T^-1 C^T. In joint coordinates constraints that are no joints meet at the
  /// ground. Operations are estimates, to rank trees: pivots of the joint's freedoms in joint coordinates, of the
  /// body's freedoms and the rows kept with it else.
  struct Measures {
    int width = 0;                  ///< largest number of rows carried from a node to its father
    int front = 0;                  ///< largest number of rows open at once with early elimination, son after son
    std::int64_t loop_length = 0;   ///< tree edges on the loops of all cuts
    double closure_operations = 0;  ///< multiply-adds of a factorisation with C T^-1 C^T, dense
    double early_operations = 0;    ///< the same with closures eliminated where they meet
  };

  std::vector<Node> nodes;         ///< by label
  std::vector<int> label_of_body;  ///< by index in the model
  std::vector<Element> elements;   ///< joints and constraints, as they are numbered in the model
  std::vector<Force> forces;       ///< as they are numbered in the model
  std::vector<int> cuts;           ///< elements, ascending
  int components = 0;              ///< the ground's included
  int freedoms = 0, rows = 0;      ///< of all bodies, of all elements
  int mass_blocks = 0;             ///< blocks of M: bodies with mass
  int constraint_blocks = 0;       ///< blocks of the constraint matrix: pairs of an element and a moving body
  Measures measures;
  std::vector<std::string> warnings;  ///< bodies left free by mistake

  int bodies() const { return static_cast<int>(nodes.size()) - 1; }
  /// Freedoms less rows; redundant rows make the true mobility larger.
  int mobility() const { return freedoms - rows; }
  /// The fundamental loop that a cut closes, in the order in which one walks around it: the elements of the tree paths
  /// that join its ends, from the first end on, then the cut itself. Cost: the length of the paths.
  std::vector<int> loop(int cut) const;
  std::vector<std::string> loop_names(int cut) const;
  /// For a person: counts, tree, cuts, loops, costs of eliminations, warnings.
  std::string summary() const;
};

/// @throws ModelError if the model has no body, and for cuts that are unknown, given for another strategy, or that
/// leave a body without a way to its root. Instantiated for Planar and Spatial.
template <class Space>
Topology analyze(const Model<Space>& model, const TopologyOptions& options = {});

/// Graphviz text of the labelled graph: tree edges solid, pointing to the son; cuts dashed and red; forces dotted and
/// blue.
void write_graphviz(std::ostream& out, const Topology& topology);

}  // namespace linkwork
