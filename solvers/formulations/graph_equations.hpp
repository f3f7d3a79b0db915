#pragma once

// Internal: the class behind all equations that are made from a model.

#include <linkwork/core/small_system.hpp>
#include <linkwork/core/step_memory.hpp>
#include <linkwork/solvers/formulations/auxiliary_unknowns.hpp>
#include <linkwork/solvers/formulations/coordinates.hpp>
#include <linkwork/solvers/formulations/drives.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

namespace detail {
template <class Space>
struct ElementPoint;
}

/// The options with a tree of joints, for formulations that have joint coordinates.
inline TopologyOptions with_joint_tree(TopologyOptions options) {
  options.joint_tree = true;
  return options;
}

/// The equations of motion of a graph of bodies, joints and forces. Elements see the motion of their frames in the
/// ground, whatever the coordinates; these say how bodies move and what rows and wrenches on frames mean in them.
template <class Space>
class GraphEquations final : public EquationsOfMotion, public StepMemory {
 public:
  using MakeCoordinates = std::function<std::unique_ptr<Coordinates<Space>>(const BodyGraph<Space>& graph)>;

  /// @param topology   whose tree the labels come from
  /// @param auxiliary  what becomes of w and s
  GraphEquations(const Model<Space>& model, const TopologyOptions& topology, AuxiliaryUnknowns auxiliary,
                 const MakeCoordinates& make_coordinates);

  bool forces_read_multipliers() const override { return !graph_.readings.empty(); }
  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override { coordinates_->normalise(near, p); }
  State initial_state() const override { return initial_state_; }
  bool is_dependent_position(int i) const override { return i >= layout_.independent_p; }
  bool is_dependent_velocity(int i) const override { return i >= layout_.independent_v; }
  const BlockTree* velocity_tree() const override { return layout_.velocity_tree; }
  const BlockTree* position_tree() const override { return layout_.position_tree; }
  AnyJointTree joint_tree() const override { return layout_.joint_tree; }
  AnyMixedTree mixed_tree() const override { return layout_.mixed_tree; }

  Dependencies dependencies(EquationPart part, Unknown unknown) const override;

  /// Where the coordinates of a joint stand in p and v; none where it has none of its own in this formulation.
  /// @param constraint  index of the joint in the model
  std::optional<CoordinatePlaces> joint_places(int constraint) const { return layout_.places[detail::at(constraint)]; }

  /// See solvers/declarations.hpp.
  std::vector<std::string> undeclared_uses();
  /// The functions of elements that do not fit each other at the current point (see core/element_check.hpp), one
  /// sentence for each.
  std::vector<std::string> false_functions();
  /// What constraints prescribe, in their order.
  std::vector<Drive> drives() const;

  int inputs() const override { return static_cast<int>(inputs_.size()); }
  std::string input_name(int i) const override { return input_names_[detail::at(checked_input(i))]; }
  InputValue input(int i) override {
    const Input& asked = own_input(i);
    need_position();
    return asked(graph_.now);
  }

  void remember(bool restart, int crossed) override;
  void forget() override;
  Eigen::VectorXd memory() const override;
  void recall(const Eigen::VectorXd& memory) override;
  int switches() const override { return static_cast<int>(switch_owner_.size()); }
  double switching_function(int index) override;
  std::string switch_name(int index) const override {
    return entry_name(graph_.forces, &ForceSlot::first_switch, "switch", index);
  }

  Energies energies() override;
  double element_power() override;
  ConstraintResidual constraint_residual() override;

  std::string model_name() const override { return graph_.data->name; }
  std::string formulation_name() const override { return layout_.formulation; }
  /// The elements that the equations are made of.
  const ModelData<Space>& model() const { return *graph_.data; }
  /// Whose tree the labels come from.
  const Topology& topology() const { return graph_.topology; }
  std::string space_name() const override { return Space::name; }
  std::string position_name(int i) const override { return coordinates_->position(i).name; }
  std::string velocity_name(int i) const override { return coordinates_->velocity(i).name; }
  Measure position_measure(int i) const override { return position_measures_[detail::at(i)]; }
  Measure velocity_measure(int i) const override { return velocity_measures_[detail::at(i)]; }
  std::string state_name(int i) const override { return entry_name(graph_.forces, &ForceSlot::state, "state", i); }
  std::string auxiliary_name(int i) const override {
    return entry_name(graph_.forces, &ForceSlot::auxiliary, "auxiliary variable", i);
  }
  std::string contact_name(int i) const override {
    return entry_name(graph_.constraints, &ConstraintSlot::contact, "contact coordinate", i);
  }
  std::string constraint_name(int row) const override {
    return constraint_element(row) + ": row " + std::to_string(row_place(row).row + 1);
  }
  std::string constraint_element(int row) const override { return name_of_constraint(row_place(row).element); }
  Measure constraint_measure(int row) const override {
    return row_place(row).is_angular ? Measure::angle : Measure::length;
  }
  std::vector<std::string> elements_of_row(int row) const override;
  std::string invariant_name(int i) const override { return graph_.data->invariants[detail::at(i)].name; }
  std::string invariant_unit(int i) const override { return graph_.data->invariants[detail::at(i)].unit; }
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
  int body_count() const { return static_cast<int>(graph_.bodies.size()) - 1; }
  const BodyEntry<Space>& body_entry(int i) const {
    return graph_.data->bodies[detail::at(graph_.bodies[detail::at(i + 1)].index)];
  }
  /// Brings the two below up to date with the current point.
  void need_body_motions() {
    need_velocity();
    need_bodies();
  }
  /// Poses and velocities of the centres of mass, ground axes.
  const Pose<Space>& body_pose(int i) const { return graph_.poses[detail::at(i + 1)]; }
  const Twist<Space>& body_twist(int i) const { return graph_.twists[detail::at(i + 1)]; }

 private:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  static constexpr int angular = Space::angular;
  using FrameSlot = typename BodyGraph<Space>::FrameSlot;
  using ConstraintSlot = typename BodyGraph<Space>::ConstraintSlot;
  using ForceSlot = typename BodyGraph<Space>::ForceSlot;
  class View;

  // Layout (graph_layout_impl.hpp): what is done once.
  void refuse_elements_without_effect() const;
  void collect_inputs();
  double length_without_arms() const;
  int checked_input(int i) const;
  const Input& own_input(int i) const { return inputs_[detail::at(checked_input(i))]; }
  void number_constraints();
  void number_forces();
  Dimensions sizes() const;
  /// After the blocks are laid out: workspaces, eliminated unknowns, the initial state, what elements remember, last
  /// checks.
  void start();
  void make_workspaces();
  /// Initial r, w and s of elements.
  void add_element_states(State& state) const;
  void refuse_torques_on_points();
  void refuse_energy_that_is_not_conserved();
  void refuse_energy_beside_servos(const std::string& whose) const;

  // Evaluation (graph_evaluation_impl.hpp, graph_memory_impl.hpp).
  void do_position() override;
  void do_velocity() override;
  bool mass_is_constant() const override { return !layout_.recursions; }
  void do_M(BlockMatrix& M) override;
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override;
  bool has_position_rows() const override { return has_position_rows_; }
  void do_C(BlockMatrix& C) override;
  void do_g(Eigen::VectorXd& g) override;
  void do_f(Eigen::VectorXd& f) override;
  void do_gamma(Eigen::VectorXd& gamma) override;
  void do_r_rate(Eigen::VectorXd& rate) override;
  void do_d(Eigen::VectorXd& d) override;
  void do_c(Eigen::VectorXd& c) override;
  void do_invariants(Eigen::VectorXd& values) override;
  void do_start_auxiliary(Eigen::VectorXd& w) const override { w = last_auxiliary_; }
  void do_start_contacts(Eigen::VectorXd& s) const override {  // as if they went on as at the last accepted state
    s = last_contacts_ + (time() - last_time_) * contact_rates_;
  }
  void do_solve_auxiliary(Eigen::VectorXd& w) override;
  void do_solve_contacts(Eigen::VectorXd& s) override;
  void do_offset_input(int i, const InputValue& offset) override { input_offsets_.set(own_input(i), offset); }
  void do_velocity_residual(Eigen::VectorXd& residual) override;
  void do_multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) override;
  void do_dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Eigen::VectorXd& residual) override;
  void do_joint_tree(RowKind kind) override;
  void do_joint_tree_forces() override {
    if (layout_.recursions) sum_forces(own_force_);
  }
  void do_add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const override {
    coordinates_->add_position_change(x, p);
  }

  /// poses at the current position, twists at the current velocity: where no element has a frame, only reports ask.
  void need_poses() {
    if (!bodies_placed_) coordinates_->place_bodies(graph_.poses);
    bodies_placed_ = true;
  }
  void need_bodies() {
    need_poses();
    if (!bodies_moved_) coordinates_->move_bodies(graph_.twists);
    bodies_moved_ = true;
  }
  /// accelerations with v' = a.
  void accelerate_bodies(const Eigen::VectorXd& a) {
    need_velocity();
    coordinates_->accelerate_bodies(a, graph_.accelerations);
    last_a_ = a;
    reactions_known_ = false;
  }
  void need_constraint_velocities();
  Twist<Space> frame_velocity(int label, const Vector<Space>& arm) const {
    const Twist<Space>& body = graph_.twists[detail::at(label)];
    return {body.angular, body.linear + cross(body.angular, arm)};
  }

  /// Elements write into rooms that were measured once: one whose sizes have changed since is refused before it does.
  void expect_sizes(const ConstraintSlot& slot) const;
  void expect_sizes(const ForceSlot& slot) const;
  /// What is wrong with its sizes; "" as long as they are what they were.
  static std::string changed_sizes(const ConstraintSlot& slot);
  static std::string changed_sizes(const ForceSlot& slot);
  Motion<Space> motion(const ConstraintSlot& slot) const;
  Motion<Space> motion(const ForceSlot& slot) const;
  template <class Slot>
  std::string entry_name(const std::vector<Slot>& slots, int Slot::*first, const char* what, int i) const {
    const Slot& slot = detail::slot_with(slots, first, i);
    return name(slot) + ": " + what + ' ' + std::to_string(i - slot.*first + 1);
  }
  const std::string& name_of_constraint(int index) const { return graph_.data->constraints[detail::at(index)].name; }
  const std::string& name(const ConstraintSlot& slot) const { return name_of_constraint(slot.index); }
  const std::string& name(const ForceSlot& slot) const { return graph_.data->forces[detail::at(slot.index)].name; }
  /// Calls a function of an element; a failure that it reports gets the element's name and the time.
  template <class Slot, class Function>
  void with_name(const Slot& slot, Function&& function) const;
  /// The same of a function that writes as much as the element has.
  template <class Slot, class Function>
  void ask(const Slot& slot, Function&& function) const {
    expect_sizes(slot);
    with_name(slot, function);
  }
  /// Solves an element's own equations for its own unknowns.
  template <class Slot, class Typical, class Residual>
  void solve(const Slot& slot, int count, double* x, const Typical& typical, const Residual& residual,
             const char* equations);

  /// The graph's rows of one constraint.
  void evaluate_rows(const ConstraintSlot& slot, RowKind kind, double* rate);
  /// Those that its reaction is made of.
  const double* rows_of_last_frame(const ConstraintSlot& slot);
  /// D in place of them, of a servo that has forces of its own.
  void evaluate_force_rows(const ConstraintSlot& slot);
  /// D - C at one frame of it.
  void write_own_force_rows(const ConstraintSlot& slot, int frame, double* rows);
  /// phi of nonlinear constraints, and zero for servos, in place of what rows times velocities give.
  void write_residuals_that_read_velocities(Eigen::VectorXd& residual);
  /// Of constraints whose rows read velocities.
  double power_of_rows_that_read_velocities();
  /// Evaluates those of all constraints, and has them mapped.
  void map_rows(RowKind kind, BlockMatrix& matrix);
  /// All forces: those of the graph's wrenches, gravity and inertia.
  void sum_forces(Eigen::VectorXd& f);
  /// The graph's wrenches of one force.
  void evaluate_force(const ForceSlot& slot);
  Wrench<Space>* wrenches_of(const ForceSlot& slot) {
    return graph_.wrenches.data() + (detail::at(slot.frame) - graph_.first_force_frame);
  }
  [[noreturn]] void refuse_infinite_wrench(const ForceSlot& slot);
  void refuse_torque_on_point(const ForceSlot& slot);
  void update_readings();
  bool eliminates_auxiliary() const { return last_auxiliary_.size() > 0; }
  bool eliminates_contacts() const { return last_contacts_.size() > 0; }
  void remember_eliminated();

  // Sparsity (graph_dependencies_impl.hpp).
  void add_contact_equations(Unknown unknown, PatternBuilder& builder) const;
  void append_poses(const ConstraintSlot& slot, std::vector<int>& p) const;
  void append_readings(const ForceSlot& slot, Unknown unknown, std::vector<int>& out) const;
  bool declares(const ForceSlot& slot, const std::optional<ForceUse>& use) const;
  std::vector<int> read_by(const ForceSlot& slot, const ForceUse& use, Unknown unknown) const;
  void add_forces(Unknown unknown, PatternBuilder& builder, bool& complete) const;
  void add_element_equations(EquationPart part, Unknown unknown, PatternBuilder& builder, bool& complete) const;

  // Reports (graph_reports_impl.hpp, graph_reactions_impl.hpp, graph_invariants_impl.hpp).
  template <class Function>
  double named(const char* kind, const std::string& name, Function&& function) const;
  struct Work {
    double power = 0, gain = 0;  ///< [W]
    bool is_stored = false;      ///< one is the negative of the other
  };
  Work work_of(const ForceSlot& slot);
  /// Whose row it is (index of a joint or constraint in the model), and which of its rows.
  struct RowPlace {
    int element = -1, row = 0;
    bool is_angular = false;
  };
  RowPlace row_place(int row) const;
  /// Wrench of a constraint on its last frame, ground axes.
  Wrench<Space> reaction(const ConstraintSlot& slot, const double* rows) const;
  /// Of an element of the model, as Snapshot::reaction gives it, after accelerate_bodies.
  Wrench<Space> reaction_of(int constraint);
  /// Of a joint that is no row here. Forces are evaluated only where somebody asks for this.
  Wrench<Space> reaction_without_rows(int constraint);
  void need_joint_wrenches();
  /// The multiplier that such a joint would have as a constraint: -rows^T lambda is its reaction.
  double multiplier_without_rows(int constraint, int row);
  /// Those of all elements, n numbers each: torques over the length, then forces [N].
  Eigen::VectorXd reactions(double length);
  bool may_have_redundant_rows() const;
  /// Where rows are redundant, the multipliers become those of all that move the bodies alike whose reactions() have
  /// the least norm: the same in all formulations. Rows of more than 600 are left as a solver chose them. After
  /// accelerate_bodies(a), which is renewed.
  void choose_least_reactions(const Eigen::VectorXd& a);

  // Declarations (graph_declarations_impl.hpp).
  Pose<Space> seen_pose(const Joint<Space>& joint) const;
  Pose<Space> nearest_pose(const Joint<Space>& joint) const;
  detail::ElementPoint<Space> point_of(const ForceSlot& slot) const;
  detail::ElementPoint<Space> point_of(const ConstraintSlot& slot) const;
  /// @param kind    of element
  /// @param remedy  for one use
  template <class Slot, class Element, class Remedy>
  void find_undeclared_uses(const char* kind, const Slot& slot, const Element& element, const Remedy& remedy,
                            std::vector<std::string>& out) const;

  BodyGraph<Space> graph_;
  const AuxiliaryUnknowns unknowns_;
  std::unique_ptr<Coordinates<Space>> coordinates_;
  std::vector<Measure> position_measures_, velocity_measures_;
  CoordinateLayout<Space> layout_;
  State initial_state_;
  bool bodies_placed_ = false, bodies_moved_ = false;

  std::vector<int> slot_of_constraint_;  ///< by index in the model; -1: no row here
  bool has_position_rows_ = false;
  std::array<Eigen::VectorXd, 2> rates_;  ///< what the rows change by themselves, by RowKind
  bool constraint_velocities_stale_ = true;

  int auxiliary_count_ = 0, contact_count_ = 0;
  detail::SmallNewton newton_;
  Eigen::VectorXd last_auxiliary_, last_contacts_, contact_rates_;  ///< at the last accepted state, where eliminated
  double last_time_ = 0;
  std::vector<int> contact_readings_;  ///< entries of s that force elements read
  std::vector<double> read_contacts_;  ///< their values
  std::vector<Input> inputs_;
  std::vector<std::string> input_names_;
  InputOffsets input_offsets_;
  std::vector<double> reading_rows_;
  std::vector<Wrench<Space>> reactions_;
  bool readings_stale_ = true;
  std::vector<int> switch_owner_;  ///< force
  int rank_of_reactions_ = -1;     ///< of the rows where reactions were asked for; -1: unknown since the last start
  Eigen::VectorXd own_force_, last_a_;  ///< f without elements; what bodies were accelerated with
  bool reactions_known_ = false;        ///< of joints without rows, with last_a_
  std::vector<double> constraint_memory_, force_memory_, memory_before_;
};

extern template class GraphEquations<Planar>;
extern template class GraphEquations<Spatial>;

}  // namespace linkwork
