#pragma once

// Internal: the class behind make_absolute_equations. Its functions are in absolute_layout_impl.hpp (what is done
// once), absolute_evaluation_impl.hpp (the hot paths) and absolute_reports_impl.hpp.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/topology/topology.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork {

/// All arrays of bodies go by label, with the ground at 0, so that frames on the ground need no branch.
template <class Space>
class AbsoluteEquations final : public EquationsOfMotion {
 public:
  explicit AbsoluteEquations(const Model<Space>& model);

  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  bool forces_read_multipliers() const override { return !readings_.empty(); }

  void remember(bool restart, int crossed) override;
  void forget() override;
  int switches() const override { return static_cast<int>(switch_owner_.size()); }
  double switching_function(int index) override;
  std::string switch_name(int index) const override;

  Energies energies() override;
  ConstraintResidual constraint_residual() override;

  std::string model_name() const override { return data_->name; }
  std::string space_name() const override { return Space::name; }
  std::string formulation_name() const override { return "absolute"; }
  std::string position_name(int i) const override;
  std::string velocity_name(int i) const override;
  std::string state_name(int i) const override;
  std::string constraint_name(int row) const override;
  std::string position_unit(int i) const override;

  std::vector<std::string> observable_names() const override;
  void observables(const State& state, Eigen::VectorXd& values) override;
  State initial_state() const override;

  const BlockTree* velocity_tree() const override { return &velocity_tree_; }
  const BlockTree* position_tree() const override { return &position_tree_; }

 private:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  static constexpr int angular = Space::angular;

  struct BodySlot {
    const Body<Space>* body = nullptr;
    int index = -1;    ///< in the model
    int p = 0, v = 0;  ///< first entries
    bool rotates = false;
    int linear_p() const { return p + (rotates ? (dimension == 3 ? 4 : 1) : 0); }
    int linear_v() const { return v + (rotates ? angular : 0); }
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
  };
  struct ForceSlot {
    const ForceElement<Space>* force = nullptr;
    int index = -1;  ///< in the model
    int frame = 0, frames = 0;
    int state = 0, memory = 0, first_switch = 0;
    int reading = 0;
  };
  /// Where the rows of a constraint's frame go: offset in the values of G, and of C. Ground frames go nowhere.
  static constexpr std::ptrdiff_t nowhere = -1;
  /// A reaction that a force element reads: the rows of the constraint's last frame at the current position.
  struct Reading {
    int constraint = 0;  ///< slot
    int rows = 0;        ///< first value in reading_rows_
  };
  class View;

  // Construction.
  void number_bodies(const Topology& topology);
  void number_constraints(const Topology& topology);
  void number_forces();
  void add_mass_blocks();
  void add_constraint_blocks();
  void add_force_jacobian_blocks();
  void build_trees(const Topology& topology);
  void prepare_workspaces();
  void refuse_torques_on_points();
  FrameSlot frame_slot(const Frame<Space>& frame) const;
  int block_on(const ConstraintSlot& slot, int label) const;

  // Evaluation.
  void do_position() override;
  void do_velocity() override;
  void do_M(BlockMatrix& /*M*/) override {}
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override;
  bool has_position_rows() const override { return has_position_rows_; }
  void do_C(BlockMatrix& C) override;
  void do_g(Eigen::VectorXd& g) override;
  void do_f(Eigen::VectorXd& f) override;
  void do_gamma(Eigen::VectorXd& gamma) override;
  void do_r_rate(Eigen::VectorXd& rate) override;
  void do_position_rate(Eigen::VectorXd& p_rate) override;
  void do_position_step(const Eigen::VectorXd& step, Eigen::VectorXd& p_new) override;

  Vector<Space> place(const FrameSlot& slot, Pose<Space>& pose) const;
  Twist<Space> frame_velocity(int label, const Vector<Space>& arm) const;
  void need_constraint_velocities();
  /// Ground-axis rows of all frames of a constraint, in rows_; valid until the next call.
  enum class Rows { velocity, position };
  void evaluate_rows(const ConstraintSlot& slot, Rows which, double* rate);
  void map_rows(const ConstraintSlot& slot, double* values) const;
  Wrench<Space> reaction(const ConstraintSlot& slot, const double* rows_of_last_frame) const;
  void update_readings();
  void add_gyroscopic_torques(Eigen::VectorXd& f) const;
  void add_force_elements(Eigen::VectorXd& f);
  void evaluate_force(const ForceSlot& slot);
  void add_wrench(int frame, const Wrench<Space>& wrench, const ForceSlot& slot, Eigen::VectorXd& f) const;
  void add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const;

  Motion<Space> motion(const ConstraintSlot& slot) const;
  Motion<Space> motion(const ForceSlot& slot) const;
  const std::string& name(const ConstraintSlot& slot) const;
  const std::string& name(const ForceSlot& slot) const;
  const std::string& body_name(int label) const;
  /// Calls a function of an element; a failure that it reports gets the element's name and the time.
  template <class Slot, class Function>
  void with_name(const Slot& slot, Function&& function) const;

  std::shared_ptr<const ModelData<Space>> data_;

  std::vector<BodySlot> bodies_;
  std::vector<int> label_of_body_;    ///< by index in the model
  std::vector<Pose<Space>> poses_;    ///< centre of mass and body axes
  std::vector<Twist<Space>> twists_;  ///< of the centre of mass

  std::vector<FrameSlot> frame_slots_;  ///< those of constraints, then those of forces
  std::vector<FrameMotion<Space>> frames_;
  std::vector<Vector<Space>> arms_;  ///< from the centre of mass, ground axes
  std::size_t constraint_frames_ = 0;
  bool constraint_velocities_stale_ = true;

  std::vector<ConstraintSlot> constraints_;  ///< in the order of their rows
  std::vector<int> slot_of_constraint_;      ///< by index in the model
  std::vector<std::ptrdiff_t> row_targets_;  ///< by frame of a constraint
  std::vector<int> first_block_;             ///< of G, by constraint slot, and one past the end
  std::vector<double> rows_, rates_;
  bool has_position_rows_ = false;

  std::vector<ForceSlot> forces_;  ///< as in the model
  std::vector<Wrench<Space>> wrenches_;
  std::vector<Reading> readings_;
  std::vector<double> reading_rows_;
  std::vector<Wrench<Space>> reactions_;
  bool readings_stale_ = true;
  std::vector<int> switch_owner_;  ///< force

  std::vector<double> constraint_memory_, force_memory_, memory_before_;
  Eigen::VectorXd gravity_;  ///< generalised force of gravity, constant
  Eigen::VectorXd work_v_;
  BlockTree velocity_tree_, position_tree_;
};

}  // namespace linkwork
