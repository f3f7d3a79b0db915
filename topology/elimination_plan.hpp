#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace linkwork {

struct Topology;

/// The blocks of [M G^T; G 0] as a graph: a node for each block of velocities and each block of constraint rows, an
/// edge for each block outside the diagonal.
struct BlockGraph {
  enum class Kind {
    definite,   ///< velocities with a definite block of M
    weak,       ///< velocities whose own block of M does not determine them: massless, semidefinite or very light
    constraint  ///< rows of G
  };
  struct Node {
    int size = 0;
    Kind kind = Kind::definite;
  };
  std::vector<Node> nodes;
  std::vector<std::array<int, 2>> edges;
};

/// An order of small fill in which [M G^T; G 0] can be eliminated block by block without interchanges, as plain arrays.
///
/// Every pivot is regular, whatever the values, as long as the rows of G are independent and M is definite on ker G:
///  - velocities with a definite mass go at any time;
///  - a constraint goes after all its bodies; or after all but one, if what hangs on those is free of the ground and of
///    all bodies besides that one: then the rows act on its rigid motion (the elimination of trees, MEXX 3.10);
///  - weak velocities go together with all their constraints, after the other bodies of these: one pivot, indefinite.
///    Where that would be more than 100 unknowns, each goes with its constraint towards the ground, after its other
///    constraints (the elimination of trees again), as long as no loop forbids that.
/// The greedy order (least degree) is a postorder of its elimination tree, so that what is needed next was written
/// last. Rings, ladders and meshes of bounded width get a bounded number of neighbours, so that all figures are linear.
struct EliminationPlan {
  enum class Sign { positive, negative, indefinite };
  struct Pivot {
    int first_member = 0, members = 0;  ///< in `member`
    int size = 0;
    Sign sign = Sign::positive;
    int first_neighbour = 0, neighbours = 0;  ///< in `neighbour`
    int height = 0;                           ///< sizes of the neighbours together
  };
  std::vector<Pivot> pivots;   ///< in the order of the elimination
  std::vector<int> member;     ///< nodes of the block graph
  std::vector<int> neighbour;  ///< later pivots that the elimination couples, ascending

  std::int64_t factor_operations = 0;  ///< multiply-adds
  std::int64_t solve_operations = 0;   ///< multiply-adds per right side
  std::int64_t fill = 0;               ///< entries of the factors, one triangle
  int largest_pivot = 0;
  int peak_width = 0;  ///< largest pivot and its neighbours

  /// One line for a person.
  std::string summary() const;
};

/// Cost: about one set union per pivot; bounded by pivots times peak width.
EliminationPlan plan_elimination(const BlockGraph& graph);

/// The block graph of a model in absolute coordinates. Bodies are nodes 0 to bodies() - 1, elements follow.
BlockGraph block_graph(const Topology& topology);

}  // namespace linkwork
