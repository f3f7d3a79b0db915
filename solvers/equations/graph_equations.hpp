#pragma once

// Internal: what the equations of a graph have in common, whatever their coordinates. Elements see the motion of their
// frames in the ground; a formulation says how bodies move and what rows and wrenches on frames mean in its
// coordinates. Functions are in graph_layout_impl.hpp (what is done once), graph_evaluation_impl.hpp (the hot paths),
// graph_reports_impl.hpp, graph_reactions_impl.hpp and graph_invariants_impl.hpp.

#include <linkwork/core/at.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/link_algebra.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/small_system.hpp>
#include <linkwork/core/step_memory.hpp>
#include <linkwork/solvers/coordinate_places.hpp>
#include <linkwork/solvers/equations/auxiliary_unknowns.hpp>
#include <linkwork/topology/topology.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

class PatternBuilder;
template <class Space>
struct FrameImpulse;
namespace detail {
template <class Space>
struct ElementPoint;
}

/// The options with a tree of joints, for formulations that have joint coordinates.
inline TopologyOptions with_joint_tree(TopologyOptions options) {
  options.joint_tree = true;
  return options;
}

/// All arrays of bodies go by label, with the ground at 0, so that frames on the ground need no branch.
template <class Space>
class GraphEquations : public EquationsOfMotion, public StepMemory {
 public:
  bool forces_read_multipliers() const override { return !readings_.empty(); }

  Dependencies dependencies(EquationPart part, Unknown unknown) const override;

  /// Where the coordinates of a joint stand in p and v; none where it has none of its own in this formulation.
  /// @param constraint  index of the joint in the model
  virtual std::optional<CoordinatePlaces> joint_places(int /*constraint*/) const { return {}; }

  /// See solvers/declarations.hpp.
  std::vector<std::string> undeclared_uses();
  /// The functions of elements that do not fit each other at the current point (see core/element_check.hpp), one
  /// sentence for each.
  std::vector<std::string> false_functions();
  /// The inputs of constraints that declare false rates, one sentence for each (see false_rates).
  std::vector<std::string> false_drives(double tolerance) const;

  int inputs() const override { return static_cast<int>(inputs_.size()); }
  std::string input_name(int i) const override;
  InputValue input(int i) override;

  void remember(bool restart, int crossed) override;
  void forget() override;
  Eigen::VectorXd memory() const override;
  void recall(const Eigen::VectorXd& memory) override;
  int switches() const override { return static_cast<int>(switch_owner_.size()); }
  double switching_function(int index) override;
  std::string switch_name(int index) const override;

  Energies energies() override;
  double element_power() override;
  ConstraintResidual constraint_residual() override;

  std::string model_name() const override { return data_->name; }
  /// The elements that the equations are made of.
  const ModelData<Space>& model() const { return *data_; }
  std::string space_name() const override { return Space::name; }
  std::string state_name(int i) const override;
  std::string auxiliary_name(int i) const override;
  std::string contact_name(int i) const override;
  std::string constraint_name(int row) const override;
  std::string constraint_element(int row) const override;
  Measure constraint_measure(int row) const override;
  /// Names of the elements that hold each other in a row: that of the constraint, in joint coordinates those of the
  /// loop that it closes.
  std::vector<std::string> elements_of_row(int row) const;
  std::string invariant_name(int i) const override;
  std::string invariant_unit(int i) const override;
  double characteristic_length() const override;

  std::vector<std::string> observable_names() const override;
  void observables(const State& state, Eigen::VectorXd& values) override;
  /// Adds the generalised force of a wrench on a frame, ground axes, at the current position.
  /// @throws ModelError for a frame of another model, and for a torque on a body that does not rotate
  void add_generalised_force(const Frame<Space>& frame, const Wrench<Space>& wrench, Eigen::VectorXd& f);
  /// See solvers/impulses.hpp: for each joint and constraint the impulse on its last frame, at that frame, ground axes.
  /// Leaves the multipliers at those of the impulses.
  std::vector<Wrench<Space>> reaction_impulses(const Eigen::VectorXd& jump, const Eigen::VectorXd& multipliers,
                                               const std::vector<FrameImpulse<Space>>& applied);
  /// See solvers/quantities.hpp.
  double measure(const State& state, const std::function<double(const Snapshot<Space>&)>& value);

  // The bodies, for solvers/body_metric.hpp: numbered from 0 in the order of the tree.
  int body_count() const { return static_cast<int>(bodies_.size()) - 1; }
  const BodyEntry<Space>& body_entry(int i) const {
    return data_->bodies[detail::at(bodies_[detail::at(i + 1)].index)];
  }
  /// Brings the two below up to date with the current point.
  void need_body_motions() {
    need_velocity();
    need_bodies();
  }
  /// Poses and velocities of the centres of mass, ground axes.
  const Pose<Space>& body_pose(int i) const { return poses_[detail::at(i + 1)]; }
  const Twist<Space>& body_twist(int i) const { return twists_[detail::at(i + 1)]; }

 protected:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  static constexpr int angular = Space::angular;

  struct BodySlot {
    const Body<Space>* body = nullptr;
    int index = -1;  ///< in the model
    bool rotates = false;
  };
  /// A frame of an element, relative to the centre of mass of its body.
  struct FrameSlot {
    int body = 0;  ///< label
    bool turned = false;
    Vector<Space> arm = Vector<Space>::Zero();               ///< body axes
    Rotation<Space> rotation = Rotation<Space>::Identity();  ///< in the body
    double angle = 0;                                        ///< planar: of the rotation
  };
  struct ConstraintSlot {
    const Constraint<Space>* constraint = nullptr;
    int index = -1;  ///< in the model
    int row = 0, rows = 0;
    int frame = 0, frames = 0;
    int memory = 0;
    int contact = 0, contacts = 0;
  };
  struct ForceSlot {
    const ForceElement<Space>* force = nullptr;
    int index = -1;  ///< in the model
    int frame = 0, frames = 0;
    int state = 0, states = 0, memory = 0, first_switch = 0;
    int reading = 0;
    int auxiliary = 0, auxiliaries = 0, contact = 0;  ///< the last one in read_contacts_
  };
  /// A reaction that a force element reads: the rows of the constraint's last frame at the current position.
  struct Reading {
    int constraint = 0;  ///< slot
    int rows = 0;        ///< first value in reading_rows_
  };
  class View;

  /// @param topology   whose tree the labels come from
  /// @param auxiliary  what becomes of w and s
  GraphEquations(const Model<Space>& model, const TopologyOptions& topology, AuxiliaryUnknowns auxiliary);
  /// Numbers the constraints that are rows of their own in this formulation.
  /// @param is_row  asked with elements of the model
  /// @param more    holonomic rows of the formulation's own, between the holonomic and the nonholonomic constraints
  void number_constraints(const std::function<bool(int)>& is_row, int more = 0);
  void number_forces();
  /// Sizes of r, w, s, lambda, mu and eta; p, v and normalisation are the formulation's.
  Dimensions element_dimensions() const;
  /// After set_dimensions and the blocks: workspaces, eliminated unknowns, the initial state, what elements remember,
  /// last checks.
  void start();
  FrameSlot frame_slot(const Frame<Space>& frame) const;
  /// Pose of a frame from that of its body; returns the arm from the centre of mass in ground axes.
  Vector<Space> place(const FrameSlot& slot, Pose<Space>& pose) const;

  // Sparsity (graph_dependencies_impl.hpp).
  /// Entries of v in a velocity, and the entries of p that their factors change with.
  struct MotionColumns {
    std::vector<int> v, p;
  };
  /// The entries of p and v that the motion of a frame depends on, in any order, perhaps repeated.
  struct FrameColumns {
    std::vector<int> position, rotation;  ///< of p
    std::vector<MotionColumns> velocity, angular_velocity;
  };
  /// Consecutive frames of a row. In joint coordinates it acts on the joints between them and one link, and depends on
  /// those between them and another (labels).
  struct RowFrames {
    int first = 0, count = 0;
    int acts_from = 0, reads_from = 0;
    int contact = 0, contacts = 0;  ///< entries of s that the row depends on
  };
  void add_row(EquationPart part, Unknown unknown, int row, const RowFrames& frames,
               const std::function<RowUse(int)>& use, PatternBuilder& builder) const;
  void add_joint_rates(Unknown unknown, const Joint<Space>& joint, int q, int v, PatternBuilder& builder) const;
  virtual FrameColumns frame_columns(const FrameSlot& slot, int acts_from, int reads_from) const = 0;
  /// Of Z x.
  virtual void add_rates(Unknown unknown, PatternBuilder& builder) const = 0;
  /// Of M a and of the forces of inertia and gravity.
  virtual void add_inertia(Unknown unknown, PatternBuilder& builder) const = 0;
  /// Rows that are no constraint's.
  virtual void add_own_rows(EquationPart /*part*/, Unknown /*unknown*/, PatternBuilder& /*builder*/) const {}
  /// The link that the rows of a constraint slot act from.
  virtual int meeting(std::size_t /*slot*/) const { return 0; }

  // What a formulation gives. Poses and velocities are those of the centres of mass, in ground axes.
  /// poses_ at the current position.
  virtual void place_bodies() = 0;
  /// twists_ at the current velocity.
  virtual void move_bodies() = 0;
  /// biases_ (accelerations at v' = 0); they stay zero where this does nothing.
  virtual void bias_bodies() {}
  /// accelerations_ with v' = a.
  virtual void accelerate_bodies(const Eigen::VectorXd& a) = 0;
  /// Whether joints of the tree have no rows, so that a row stands for the whole loop that it closes.
  virtual bool rows_close_loops() const { return false; }
  /// Before any of the reports on bodies that no element needs.
  virtual void need_bodies() {}
  /// Adds the generalised force of a wrench on the body with a label, `arm` away from its centre of mass, ground axes.
  virtual void do_add_generalised_force(int label, const Vector<Space>& arm, const Wrench<Space>& wrench,
                                        Eigen::VectorXd& f) = 0;
  /// Makes tree_reaction give impulses: those of a jump of velocities, with the multipliers set to their impulses.
  virtual void pass_impulses(const Eigen::VectorXd& /*jump*/, const std::vector<FrameImpulse<Space>>& /*applied*/) {}
  /// Wrench on the son of a joint that is no row here, at its frame, in ground axes; after accelerate_bodies.
  virtual Wrench<Space> tree_reaction(int constraint);
  /// The multiplier that such a joint would have as a constraint: -rows^T lambda is its reaction.
  double tree_multiplier(int constraint, int row);
  /// With everything at the current point: see element_power.
  virtual double do_element_power() = 0;

  /// Renews now(): the first thing that do_position does.
  void renew_time();
  /// The time with the offsets of inputs, as elements get it.
  Instant now() const { return now_; }

  // The two levels, for do_position and do_velocity of a formulation.
  void place_frames();
  void move_frames();

  /// Elements write into rooms that were measured once: one whose sizes have changed since is refused before it does.
  void expect_sizes(const ConstraintSlot& slot) const;
  void expect_sizes(const ForceSlot& slot) const;
  /// What is wrong with its sizes; "" as long as they are what they were.
  std::string changed_sizes(const ConstraintSlot& slot) const;
  std::string changed_sizes(const ForceSlot& slot) const;

  /// Ground-axis rows of all frames of a constraint, in rows_; valid until the next call.
  void evaluate_rows(const ConstraintSlot& slot, RowKind which, double* rate);
  /// The wrenches on the frames of one force element, in wrenches_.
  void evaluate_force(const ForceSlot& slot);
  [[noreturn]] void refuse_infinite_wrench(const ForceSlot& slot) const;
  void refuse_torque_on_point(const ForceSlot& slot, int label, const Wrench<Space>& wrench) const;
  void update_readings();

  void do_g(Eigen::VectorXd& g) override;
  void do_gamma(Eigen::VectorXd& gamma) override;
  void do_r_rate(Eigen::VectorXd& rate) override;
  void do_d(Eigen::VectorXd& d) override;
  void do_c(Eigen::VectorXd& c) override;
  void do_invariants(Eigen::VectorXd& values) override;
  void do_offset_input(int i, const InputValue& offset) override;

  Motion<Space> motion(const ConstraintSlot& slot) const;
  Motion<Space> motion(const ForceSlot& slot) const;
  const std::string& name(const ConstraintSlot& slot) const;
  const std::string& name(const ForceSlot& slot) const;
  const std::string& body_name(int label) const;
  /// Calls a function of an element; a failure that it reports gets the element's name and the time.
  template <class Slot, class Function>
  void with_name(const Slot& slot, Function&& function) const;
  /// Initial r, w and s of elements.
  void add_element_states(State& state) const;

  std::shared_ptr<const ModelData<Space>> data_;
  Topology topology_;

  std::vector<BodySlot> bodies_;
  std::vector<Pose<Space>> poses_;                             ///< centre of mass and body axes
  std::vector<Twist<Space>> twists_, biases_, accelerations_;  ///< of the centre of mass
  bool has_body_biases_ = false;

  std::vector<FrameSlot> frame_slots_;  ///< those of constraints, then those of forces
  std::vector<FrameMotion<Space>> frames_;
  std::vector<Vector<Space>> arms_;  ///< from the centre of mass, ground axes

  std::vector<ConstraintSlot> constraints_;  ///< in the order of their rows
  std::vector<int> slot_of_constraint_;      ///< by index in the model; -1: no row here
  std::vector<double> rows_, rates_;
  bool has_position_rows_ = false;

  std::vector<ForceSlot> forces_;  ///< as in the model
  std::vector<Wrench<Space>> wrenches_;

 private:
  void need_constraint_velocities();
  template <class Function>
  double named(const char* kind, const std::string& name, Function&& function) const;
  struct Work {
    double power = 0, gain = 0;  ///< [W]
    bool is_stored = false;      ///< one is the negative of the other
  };
  Work work_of(const ForceSlot& slot);
  void refuse_energy_that_is_not_conserved();
  void do_start_auxiliary(Eigen::VectorXd& w) const override { w = last_auxiliary_; }
  void do_start_contacts(Eigen::VectorXd& s) const override;
  void do_solve_auxiliary(Eigen::VectorXd& w) override;
  void do_solve_contacts(Eigen::VectorXd& s) override;
  bool eliminates_auxiliary() const { return last_auxiliary_.size() > 0; }
  bool eliminates_contacts() const { return last_contacts_.size() > 0; }
  void remember_eliminated();
  Twist<Space> frame_velocity(int label, const Vector<Space>& arm) const;
  Wrench<Space> reaction(const ConstraintSlot& slot, const double* rows_of_last_frame) const;
  /// Of an element of the model, as Snapshot::reaction gives it, after accelerate_bodies.
  Wrench<Space> reaction_of(int constraint);
  /// Those of all elements, n numbers each: torques over the length, then forces [N].
  Eigen::VectorXd reactions(double length);
  bool may_have_redundant_rows() const;
  /// Where rows are redundant, the multipliers become those of all that move the bodies alike whose reactions() have
  /// the least norm: the same in all formulations. Rows of more than 600 are left as a solver chose them. After
  /// accelerate_bodies(a), which is renewed.
  void choose_least_reactions(const Eigen::VectorXd& a);
  void add_contact_equations(Unknown unknown, PatternBuilder& builder) const;
  void append_poses(const ConstraintSlot& slot, std::vector<int>& p) const;
  void append_readings(const ForceSlot& slot, Unknown unknown, std::vector<int>& out) const;
  bool declares(const ForceSlot& slot, const std::optional<ForceUse>& use) const;
  std::vector<int> read_by(const ForceSlot& slot, const ForceUse& use, Unknown unknown) const;
  void add_forces(Unknown unknown, PatternBuilder& builder, bool& complete) const;
  void add_own_equations(EquationPart part, Unknown unknown, PatternBuilder& builder, bool& complete) const;
  Pose<Space> seen_pose(const Joint<Space>& joint) const;
  Pose<Space> nearest_pose(const Joint<Space>& joint) const;
  detail::ElementPoint<Space> point_of(const ForceSlot& slot) const;
  detail::ElementPoint<Space> point_of(const ConstraintSlot& slot) const;
  void find_undeclared_uses(const ForceSlot& slot, std::vector<std::string>& out) const;
  void find_undeclared_uses(const ConstraintSlot& slot, std::vector<std::string>& out) const;
  void refuse_elements_without_effect() const;
  void collect_inputs();
  void add_inputs(const std::vector<Input>& of_element, const std::string& element);
  const Input& own_input(int i) const;
  void refuse_torques_on_points();

  const AuxiliaryUnknowns unknowns_;
  int auxiliary_count_ = 0, contact_count_ = 0;
  detail::SmallNewton newton_;
  Eigen::VectorXd last_auxiliary_, last_contacts_, contact_rates_;  ///< at the last accepted state, where eliminated
  double last_time_ = 0;
  std::vector<int> contact_readings_;  ///< entries of s that force elements read
  std::vector<double> read_contacts_;  ///< their values
  std::vector<Input> inputs_;
  std::vector<std::string> input_names_;
  InputOffsets input_offsets_;
  Instant now_ = 0.0;
  std::size_t constraint_frames_ = 0;
  bool constraint_velocities_stale_ = true;
  std::vector<Reading> readings_;
  std::vector<double> reading_rows_;
  std::vector<Wrench<Space>> reactions_;
  bool readings_stale_ = true;
  std::vector<int> switch_owner_;  ///< force
  int rank_of_reactions_ = -1;     ///< of the rows where reactions were asked for; -1: unknown since the last start
  std::vector<double> constraint_memory_, force_memory_, memory_before_;

 protected:
  const std::vector<Reading>& readings() const { return readings_; }
};

extern template class GraphEquations<Planar>;
extern template class GraphEquations<Spatial>;

namespace detail {

template <class Space>
bool has_inertia(const Body<Space>& body) {
  return body.mass() > 0 || (body.rotates() && !body.inertia().isZero(0));
}

/// Reading and adding angular parts, a number in the plane and three in space.
inline void load(const double* from, double& angular) { angular = from[0]; }
inline void load(const double* from, Eigen::Vector3d& angular) { angular = Eigen::Vector3d::Map(from); }
inline void add(double* to, double angular) { to[0] += angular; }
inline void add(double* to, const Eigen::Vector3d& angular) {
  for (int i = 0; i < 3; ++i) to[i] += angular[i];
}
inline void add(double* to, const Eigen::Vector2d& linear) {
  for (int i = 0; i < 2; ++i) to[i] += linear[i];
}

/// The last slot whose first entry is not beyond i.
template <class Slot>
const Slot& slot_with(const std::vector<Slot>& slots, int Slot::*first, int i) {
  return *std::prev(std::upper_bound(slots.begin(), slots.end(), i,
                                     [first](int value, const Slot& slot) { return value < slot.*first; }));
}

}  // namespace detail

}  // namespace linkwork
