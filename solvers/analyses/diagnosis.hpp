#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/core/state.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// What the constraints of a mechanism do to it, by rank and by name. All counts are of absolute coordinates, in which
/// every joint has rows, so that every reaction is covered.
///
/// Rows are redundant at a position if they depend on other rows there. Those that also are at nearby positions on the
/// constraints are redundant permanently (Bricard's mechanism, planar loops in space); the others only here: a singular
/// position (a parallelogram whose bars lie in one line).
struct Diagnosis {
  /// A constraint row of an element that closes a loop.
  struct Row {
    std::string name;  ///< "translation along x", of the son in ground axes, or in those of the joint where it says so
    std::string unit;  ///< "m" or "rad"
    bool depends = false;  ///< on other rows
  };
  /// A fundamental loop.
  struct Loop {
    std::vector<std::string> elements;    ///< its joints and constraints, the closing one last
    std::vector<Row> rows;                ///< of the closing element
    int redundant = 0;                    ///< of them, within this loop alone, at the position
    int permanent = 0;                    ///< of them, also nearby
    std::vector<std::string> directions;  ///< of the redundant rows, such as "translation along z"
  };
  /// What a joint's or constraint's reaction can't say: components that the equations leave open.
  struct Reaction {
    std::string element;
    /// Such as "force along z"; at the son's joint frame. "multiplier" where none act on the son in sum.
    std::vector<std::string> components;
  };

  int freedoms = 0;   ///< of all bodies
  int rows = 0;       ///< of all constraints
  int redundant = 0;  ///< rows, at the position
  int permanent = 0;  ///< rows, also at nearby positions
  bool knows_ranks =
      false;  ///< false where the system is too large, or can't be assembled: nothing counts as redundant
  bool knows_nearby = false;  ///< false where it does not know the rank of nearby positions: permanent = redundant
  std::vector<Loop> loops;
  std::vector<Reaction> reactions;  ///< those that are not unique
  /// Bodies that can't move, neither at the position nor nearby; filled where the mechanism is not too large.
  std::vector<std::string> immovable;
  /// Loops that can't be assembled, with the smallest gap that was reached; empty where all close.
  std::vector<std::string> gaps;
  /// All findings for a person, one by one; empty where nothing is to be said.
  std::vector<std::string> sentences;

  int mobility() const { return freedoms - rows + redundant; }        ///< at the position
  int usual_mobility() const { return freedoms - rows + permanent; }  ///< at nearby positions
};

/// Diagnosis of a model at its initial position, projected onto the constraints; a model whose loops don't close gets
/// the loops and gaps. The model is in use from then on.
/// Cost: cubic in the rows of each group of loops that share joints, up to 1500 rows; assembly and nearby positions, up
/// to 300 velocities, are cubic in these. Above, counts are left at what the graph says and a sentence says so.
/// @throws ModelError for a model that no equations can be made of, or that can't be evaluated at its initial position
template <class Space>
Diagnosis diagnose(const Model<Space>& model);
/// The same at a state of the model's absolute equations; its positions have to satisfy the constraints.
/// @throws ModelError as above, and for a state of another size
template <class Space>
Diagnosis diagnose(const Model<Space>& model, const State& state);

extern template Diagnosis diagnose(const Model<Planar>&);
extern template Diagnosis diagnose(const Model<Spatial>&);
extern template Diagnosis diagnose(const Model<Planar>&, const State&);
extern template Diagnosis diagnose(const Model<Spatial>&, const State&);

}  // namespace linkwork
