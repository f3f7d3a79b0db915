#pragma once

#include <cstddef>
#include <vector>

namespace linkwork {

/// How M and the constraint matrix of a system fall into blocks along a tree of bodies, published by formulations in
/// which bodies are coupled by constraints only (MEXX 3.5 to 3.10). Plain indices: a solver reads it once, in analyze.
///
/// Rows of a constraint that touches a body and its father only are kept with the body; the rest are closures.
struct BlockTree {
  /// Rows that couple a body to its father (or tie it to the ground).
  struct Rows {
    int row = 0, count = 0;  ///< consecutive rows of the constraint matrix
    int own_block = -1;      ///< number of the block on the body
    int father_block = -1;   ///< number of the block on the father; -1 if the ground
  };
  struct Node {
    int father = -1;      ///< a smaller label; -1 for a root (its father is the ground)
    int column = 0;       ///< first entry of the body in v
    int size = 0;         ///< freedoms of the body
    int mass_block = -1;  ///< number of its block of M; -1 if the body has no mass at all
    std::vector<Rows> rows;
  };
  /// Rows of a cut joint, or of a constraint among bodies that are no father and son.
  struct Closure {
    struct Part {
      int node = 0;
      int block = -1;
    };
    int row = 0, count = 0;
    std::vector<Part> parts;
  };

  int width = 6;            ///< largest size of a node: 3 planar, 6 spatial
  std::vector<Node> nodes;  ///< by label, so that nodes[k].father < k
  std::vector<Closure> closures;
};

}  // namespace linkwork
