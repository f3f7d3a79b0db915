#pragma once

// Internal: the class behind make_relative_equations. Its functions are in relative_layout_impl.hpp (what is done once,
// initial values, names), relative_evaluation_impl.hpp (the hot paths) and relative_assembly_impl.hpp (M and G, for
// those who ask).

#include <linkwork/core/link_algebra.hpp>
#include <linkwork/joints/free.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>
#include <linkwork/solvers/equations/joint_kinematics.hpp>
#include <linkwork/solvers/linear/vanishing_rows.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

class TreePaths;

template <class Space>
class RelativeEquations final : public GraphEquations<Space> {
 public:
  RelativeEquations(const Model<Space>& model, const TopologyOptions& topology, AuxiliaryUnknowns auxiliary,
                    bool rough_placement);

  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  ConstraintResidual constraint_residual() override;

  std::optional<CoordinatePlaces> joint_places(int constraint) const override;

  std::string formulation_name() const override { return "relative"; }
  std::string position_name(int i) const override;
  std::string velocity_name(int i) const override;
  Measure position_measure(int i) const override;
  Measure velocity_measure(int i) const override;
  State initial_state() const override { return initial_state_; }

  AnyJointTree joint_tree() const override { return &tree_; }

 private:
  using Base = GraphEquations<Space>;
  using Base::angular;
  using Base::dimension;
  using Base::n;
  using typename Base::BodySlot;
  using typename Base::ConstraintSlot;
  using typename Base::ForceSlot;
  using typename Base::FrameColumns;
  using typename Base::FrameSlot;
  using typename Base::MotionColumns;
  using Link = typename JointTree<Space>::Link;
  using Closure = typename JointTree<Space>::Closure;
  using Part = typename Closure::Part;

  /// A link as the joint that leads to it sees it.
  struct LinkSlot {
    int joint = -1;      ///< element of the model; -1: the body is free
    Pose<Space> center;  ///< centre of mass and body axes in the link
    int q = 0, v = 0;    ///< first entries
    int coordinates = 0;
    bool constant = false;  ///< q' = v
    double turns = 0;       ///< planar: full turns from the father on that the joint does not count [rad]
  };
  /// A block of G (or C) that the rows of a closure's part fill on their way to the root: the joint of a link.
  struct PathBlock {
    int link = 0, block = -1;  ///< -1: the joint has no freedoms
  };

  // Construction.
  void lay_out_links();
  Pose<Space> frame_in_link(const Frame<Space>& frame, int label) const;
  void set_inertia(int label);
  void lay_out_closures();
  int meeting_of(const ConstraintSlot& slot, const TreePaths& paths) const;
  void find_initial_state();
  void start_joint(int label, const std::vector<Pose<Space>>& placed, double length, State& state);
  void add_force_jacobian_blocks();
  const std::string& owner_name(int label) const;
  int link_with(int LinkSlot::*first, int i) const;
  std::vector<int> path_joints(std::vector<int> labels, int meeting) const;

  // Sparsity.
  /// Which coordinates of a joint turn its link or only shift it, and how it hangs in the tree.
  struct CoordinatesSlot {
    std::vector<int> turns, shifts;                   ///< counted from the joint's first
    bool father_turns = false, father_moves = false;  ///< at all, with its own fathers
    bool turning = false, moving = false;             ///< itself
    bool has_inertia = false;                         ///< or something that hangs on it
    bool has_changes = false;                         ///< what hangs on it moves, or is no plain body
  };
  void classify_coordinates();
  void append_coordinates(int label, bool shifts, bool of_p, std::vector<int>& out) const;
  FrameColumns frame_columns(const FrameSlot& slot, int acts_from, int reads_from) const override;
  void add_rates(Unknown unknown, PatternBuilder& builder) const override;
  void add_inertia(Unknown unknown, PatternBuilder& builder) const override;
  bool rows_close_loops() const override { return true; }
  int meeting(std::size_t slot) const override { return tree_.closures_of(RowKind::velocity).list[slot].meeting; }

  // Evaluation.
  void do_position() override;
  void do_velocity() override;
  void do_joint_tree(RowKind kind) override;
  void do_joint_tree_forces() override;
  void do_velocity_residual(Eigen::VectorXd& residual) override;
  void do_f(Eigen::VectorXd& f) override;
  void do_multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) override;
  void do_dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Eigen::VectorXd& out) override;
  void do_add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const override;

  void place_bodies() override;
  void move_bodies() override;
  void bias_bodies() override;
  void accelerate_bodies(const Eigen::VectorXd& a) override;
  void need_bodies() override;
  Wrench<Space> tree_reaction(int constraint) override;
  void find_reactions();
  void do_add_generalised_force(int label, const Vector<Space>& arm, const Wrench<Space>& wrench,
                                Eigen::VectorXd& f) override;
  void pass_impulses(const Eigen::VectorXd& jump, const std::vector<FrameImpulse<Space>>& applied) override;
  double do_element_power() override;

  void write_velocity_residual(Eigen::VectorXd& residual);
  void write_closure_rows(const ConstraintSlot& slot, const Closure& closure,
                          std::vector<Components<Space>>& rows) const;
  void subtract_force(const ForceSlot& slot);
  /// Takes a wrench at a point, ground axes, from what acts on a link, at its origin and in its axes.
  void subtract_wrench(int label, const Vector<Space>& point, const Wrench<Space>& wrench, Wrench<Space>& from) const;
  /// A of each link by joint accelerations alone, in work_twists_.
  void accelerate_links(const double* a);
  /// S^T of wrenches in work_wrenches_, passed inwards; the wrenches become those of the joints.
  void pass_inwards(Eigen::VectorXd& out);
  void add_inertial(std::vector<Wrench<Space>>& wrenches) const;
  void add_closure_forces(const Eigen::VectorXd& lambda, std::vector<Wrench<Space>>& wrenches) const;
  Twist<Space> center_acceleration(int label, const Twist<Space>& A) const;
  Twist<Space> joint_twist(const Link& link, const double* v) const;

  // Assembly.
  void do_M(BlockMatrix& M) override;
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override;
  bool has_position_rows() const override { return this->has_position_rows_; }
  void do_C(BlockMatrix& C) override;
  void lay_out_mass(BlockMatrix& M);
  void lay_out_rows(RowKind kind, BlockMatrix& G);
  void write_rows(RowKind kind, BlockMatrix& G);
  void clear_vanishing_rows(RowKind kind, BlockMatrix& G);
  double joint_component(const Link& link, int freedom, const Wrench<Space>& wrench) const;

  JointTree<Space> tree_;
  std::unique_ptr<JointKinematics<Space>> kinematics_;
  Free<Space> free_;
  FreeTranslation<Space> free_translation_;
  std::vector<LinkSlot> links_;                ///< by label
  std::vector<CoordinatesSlot> coordinates_;   ///< by label
  std::vector<const Joint<Space>*> joints_;    ///< by label
  std::vector<int> link_of_joint_;             ///< by element of the model; -1: not in the tree
  std::vector<Pose<Space>> link_poses_;        ///< in the ground
  std::vector<char> plain_;                    ///< by label: Body::is_plain
  std::vector<Wrench<Space>> inertial_force_;  ///< tree_.force before forces act, where there are any
  std::vector<Twist<Space>> work_twists_;
  std::vector<Wrench<Space>> work_wrenches_;
  std::array<Eigen::VectorXd, 2> rate_;                       ///< of the rows themselves, by RowKind
  std::array<std::vector<std::vector<PathBlock>>, 2> paths_;  ///< by RowKind and part
  std::array<VanishingRows<Space>, 2> vanishing_rows_;        ///< by RowKind
  std::vector<std::vector<int>> mass_blocks_;                 ///< by label: own block, then pairs with its ancestors
  std::vector<LinkInertia<Space>> composite_;
  std::array<bool, 2> rows_laid_out_{};  ///< by RowKind
  bool placed_ = false, moved_ = false, forces_act_ = false;
  bool reactions_known_ = false;  ///< work_wrenches_ are those of the joints
  Eigen::VectorXd work_v_, work_p_, last_a_;
  bool rough_placement_;
  State initial_state_;
};

}  // namespace linkwork
