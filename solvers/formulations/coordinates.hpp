#pragma once

// Internal: what a formulation is to the equations of a graph.

#include <linkwork/core/block_tree.hpp>
#include <linkwork/core/dependencies.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/measure.hpp>
#include <linkwork/core/state.hpp>
#include <linkwork/solvers/formulations/body_graph.hpp>
#include <linkwork/solvers/formulations/coordinate_places.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkwork {

class PatternBuilder;
template <class Space>
struct FrameImpulse;
template <class Space>
class TreeRecursions;

/// What is known of coordinates as soon as they are numbered. Pointers are to what stays at its place.
template <class Space>
struct CoordinateLayout {
  const char* formulation = "";
  int p = 0, v = 0, normalisation = 0;       ///< see Dimensions
  int independent_p = 0, independent_v = 0;  ///< entries from here on follow from those before
  bool has_biases = false;                   ///< whether bodies accelerate at v' = 0
  /// By joint or constraint of the model: where its coordinates stand, if it has any; only without, its own rows count.
  std::vector<std::optional<CoordinatePlaces>> places;
  /// Joints whose coordinates are tied to those of their bodies by a relation of n rows each, turning before moving.
  /// These rows stand between those of the holonomic and the nonholonomic constraints, in this order.
  std::vector<int> relations;
  const BlockTree *velocity_tree = nullptr, *position_tree = nullptr;  ///< see EquationsOfMotion
  AnyJointTree joint_tree;
  AnyMixedTree mixed_tree;
  /// Along joint_tree, where there is one: M, G, f and all that follows from them is theirs then.
  TreeRecursions<Space>* recursions = nullptr;
};

/// What an entry of p or v is called and what it measures.
struct CoordinateName {
  std::string name;
  Measure measure = Measure::unknown;
};

/// Entries of v in a velocity, and the entries of p that their factors change with.
struct MotionColumns {
  std::vector<int> v, p;
};
/// The entries of p and v that the motion of a frame depends on, in any order, perhaps repeated.
struct FrameColumns {
  std::vector<int> position, rotation;  ///< of p
  std::vector<MotionColumns> velocity, angular_velocity;
};

/// The coordinates of a formulation: how p and v move the bodies of a graph, and what rows and wrenches on frames mean
/// in them. The graph is given to their constructor with its bodies numbered, and read whenever they are asked; the
/// current point is the graph's. Functions that do nothing here are for coordinates that have something to do there.
template <class Space>
class Coordinates {
 public:
  Coordinates() = default;
  Coordinates(const Coordinates&) = delete;
  Coordinates& operator=(const Coordinates&) = delete;
  virtual ~Coordinates() = default;

  // What is done once, in this order, and names.
  virtual const CoordinateLayout<Space>& layout() const = 0;
  /// Lays out what goes by rows and forces, when all elements are numbered: the blocks of the matrices, trees. Here the
  /// values of a constant M are written.
  virtual void lay_out(BlockMatrix& M, BlockMatrix& G, BlockMatrix& C, BlockMatrix& F) = 0;
  /// p and v that fit the bodies as they are placed.
  /// @param length  characteristic length [m]: what an angle counts
  virtual void start(double length, State& state) = 0;
  virtual CoordinateName position(int i) const = 0;
  virtual CoordinateName velocity(int i) const = 0;

  // Motion: of joints first, and of bodies where somebody asks for it (see BodyGraph).
  virtual void renew_position() {}
  virtual void renew_velocity() {}
  virtual void place_bodies(std::vector<Pose<Space>>& poses) = 0;
  virtual void move_bodies(std::vector<Twist<Space>>& twists) = 0;
  virtual void bias_bodies(std::vector<Twist<Space>>& /*biases*/) {}
  /// With v' = a.
  virtual void accelerate_bodies(const Eigen::VectorXd& a, std::vector<Twist<Space>>& accelerations) = 0;
  /// p += Z(current p) x
  virtual void add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const = 0;
  /// See EquationsOfMotion; `near` and p may be one.
  virtual void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const = 0;
  /// The largest change that normalise would make to the norm of redundant coordinates.
  virtual double norm_error() = 0;

  // Rows and wrenches, by the graph's.
  /// Writes G or C, or the rows of the joint tree's closures.
  /// @param rates  what rows change by themselves, by row; those of relations are written
  virtual void map_rows(RowKind kind, BlockMatrix& matrix, Eigen::VectorXd& rates) = 0;
  /// Refreshes the mixed tree, from G or C.
  virtual void renew_mixed_tree(RowKind /*kind*/, const BlockMatrix& /*matrix*/) {}
  /// Entries of g and gamma of relations.
  virtual void write_relation_residuals(Eigen::VectorXd& /*g*/) const {}
  virtual void write_relation_biases(Eigen::VectorXd& /*gamma*/) const {}
  /// Forces of gravity and inertia, and those of the elements: added to f, or to the links of the joint tree.
  virtual void start_forces(Eigen::VectorXd& f) = 0;
  virtual void add_wrenches(Eigen::VectorXd& f) = 0;
  /// Adds the generalised force of a wrench on a body (label), `arm` away from its centre of mass, ground axes.
  virtual void add_wrench(int label, const Vector<Space>& arm, const Wrench<Space>& wrench, Eigen::VectorXd& f) = 0;

  // Reactions of joints without rows.
  /// Wrench on the son of a joint, at its frame, in ground axes.
  virtual Wrench<Space> reaction(int /*constraint*/) const { return {}; }
  /// Makes `reaction` give the impulses of a jump of velocities, with the multipliers set to theirs.
  virtual void pass_impulses(const Eigen::VectorXd& /*jump*/, const std::vector<FrameImpulse<Space>>& /*applied*/) {}
  /// Adds what joints that move by themselves do [W].
  virtual void add_drive_power(double& /*power*/) const {}

  // Sparsity.
  /// In joint coordinates a frame acts on the joints between it and one link, and its motion is read from another on.
  virtual FrameColumns frame_columns(int frame, int acts_from, int reads_from) const = 0;
  /// Entries that are no element's: of Z x, of M a and the forces of inertia and gravity, of relations.
  virtual void add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const = 0;
};

}  // namespace linkwork
