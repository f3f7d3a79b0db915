#pragma once

// Internal: the coordinates behind make_relative_equations. Functions are in relative_layout_impl.hpp (what is done
// once, initial values, sparsity, names) and relative_evaluation_impl.hpp (the hot paths).

#include <linkwork/joints/free.hpp>
#include <linkwork/solvers/formulations/coordinates.hpp>
#include <linkwork/solvers/formulations/joint_kinematics.hpp>
#include <linkwork/solvers/formulations/tree_recursions.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork {

class TreePaths;

/// Those of the joints of a spanning tree.
template <class Space>
class RelativeCoordinates final : public Coordinates<Space> {
 public:
  /// @param rough_placement  whether joints may start beside where the bodies are placed
  RelativeCoordinates(const BodyGraph<Space>& graph, bool rough_placement);

  const CoordinateLayout<Space>& layout() const override { return layout_; }
  void lay_out(BlockMatrix& M, BlockMatrix& G, BlockMatrix& C, BlockMatrix& F) override;
  void start(double length, State& state) override;
  CoordinateName position(int i) const override;
  CoordinateName velocity(int i) const override;

  void renew_position() override;
  void renew_velocity() override;
  void place_bodies(std::vector<Pose<Space>>& poses) override;
  void move_bodies(std::vector<Twist<Space>>& twists) override;
  void bias_bodies(std::vector<Twist<Space>>& biases) override;
  void accelerate_bodies(const Eigen::VectorXd& a, std::vector<Twist<Space>>& accelerations) override;
  void add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const override;
  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  double norm_error() override;

  void map_rows(RowKind kind, BlockMatrix& matrix, Eigen::VectorXd& rates) override;
  void start_forces(Eigen::VectorXd& f) override;
  void add_wrenches(Eigen::VectorXd& f) override;
  void add_wrench(int label, const Vector<Space>& arm, const Wrench<Space>& wrench, Eigen::VectorXd& f) override;
  Wrench<Space> reaction(int constraint) const override;
  void pass_impulses(const Eigen::VectorXd& jump, const std::vector<FrameImpulse<Space>>& applied) override;
  void add_drive_power(double& power) const override;

  FrameColumns frame_columns(int frame, int acts_from, int reads_from) const override;
  void add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const override;

 private:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  static constexpr int angular = Space::angular;
  using ConstraintSlot = typename BodyGraph<Space>::ConstraintSlot;
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

  // Layout.
  void lay_out_links();
  void lay_out_link(int label, TreeJoint<Space>& joint);
  Pose<Space> frame_in_link(const Frame<Space>& frame, int label) const;
  void set_inertia(int label);
  void lay_out_closures();
  int meeting_of(const ConstraintSlot& slot, const TreePaths& paths) const;
  void start_joint(int label, const std::vector<Pose<Space>>& placed, double length, State& state);
  void add_force_blocks(BlockMatrix& F) const;
  const std::string& owner_name(int label) const;
  int link_with(int LinkSlot::*first, int i) const;

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
  void add_inertia_entries(Unknown unknown, PatternBuilder& builder) const;

  // Evaluation.
  void write_closure_rows(const ConstraintSlot& slot, const Closure& closure,
                          std::vector<Components<Space>>& rows) const;
  /// Takes a wrench at a point, ground axes, from what acts on a link, at its origin and in its axes.
  void subtract_wrench(int label, const Vector<Space>& point, const Wrench<Space>& wrench, Wrench<Space>& from) const;
  Twist<Space> center_acceleration(std::size_t label, const Twist<Space>& A) const;

  const BodyGraph<Space>& graph_;
  CoordinateLayout<Space> layout_;
  JointTree<Space> tree_;
  std::unique_ptr<JointKinematics<Space>> kinematics_;
  std::unique_ptr<TreeRecursions<Space>> recursions_;
  Free<Space> free_;
  FreeTranslation<Space> free_translation_;
  std::vector<LinkSlot> links_;                ///< by label
  std::vector<CoordinatesSlot> coordinates_;   ///< by label
  std::vector<const Joint<Space>*> joints_;    ///< by label
  std::vector<int> link_of_joint_;             ///< by element of the model; -1: not in the tree
  std::vector<Pose<Space>> link_poses_;        ///< in the ground
  std::vector<char> plain_;                    ///< by label: Body::is_plain
  std::vector<Wrench<Space>> inertial_force_;  ///< tree_.force before forces act, where there are any
  bool forces_act_ = false;
  const bool rough_placement_;
  Eigen::VectorXd work_p_, work_v_;
};

}  // namespace linkwork
