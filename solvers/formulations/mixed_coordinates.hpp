#pragma once

// Internal: the coordinates behind make_mixed_equations.

#include <linkwork/solvers/formulations/absolute_coordinates.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace linkwork {

/// Those of the bodies, and behind them those of the joints, each tied to its bodies by a relation.
template <class Space>
class MixedCoordinates final : public Coordinates<Space> {
 public:
  explicit MixedCoordinates(const BodyGraph<Space>& graph);

  const CoordinateLayout<Space>& layout() const override { return layout_; }
  void lay_out(BlockMatrix& M, BlockMatrix& G, BlockMatrix& C, BlockMatrix& F) override;
  void start(double length, State& state) override;
  CoordinateName position(int i) const override;
  CoordinateName velocity(int i) const override;

  void renew_position() override;
  void place_bodies(std::vector<Pose<Space>>& poses) override { bodies_.place_bodies(poses); }
  void move_bodies(std::vector<Twist<Space>>& twists) override { bodies_.move_bodies(twists); }
  void accelerate_bodies(const Eigen::VectorXd& a, std::vector<Twist<Space>>& accelerations) override {
    bodies_.accelerate_bodies(a, accelerations);
  }
  void add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const override;
  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  double norm_error() override { return bodies_.norm_error(); }

  void map_rows(RowKind kind, BlockMatrix& matrix, Eigen::VectorXd& rates) override;
  void renew_mixed_tree(RowKind kind, const BlockMatrix& matrix) override;
  void write_relation_residuals(Eigen::VectorXd& g) const override;
  void write_relation_biases(Eigen::VectorXd& gamma) const override;
  void start_forces(Eigen::VectorXd& f) override;
  void add_wrenches(Eigen::VectorXd& f) override { bodies_.add_wrenches(f); }
  void add_wrench(int label, const Vector<Space>& arm, const Wrench<Space>& wrench, Eigen::VectorXd& f) override {
    bodies_.add_wrench(label, arm, wrench, f);
  }
  Wrench<Space> reaction(int constraint) const override;

  FrameColumns frame_columns(int frame, int acts_from, int reads_from) const override {
    return bodies_.frame_columns(frame, acts_from, reads_from);
  }
  void add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const override;

 private:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  static constexpr int angular = Space::angular;

  /// A joint and its relation to the bodies it joins.
  struct JointSlot {
    const Joint<Space>* joint = nullptr;
    int index = -1;  ///< in the model
    int q = 0, v = 0, row = 0;
    int frame = 0;   ///< of the father; the son's is the next one
    int block = -1;  ///< on v, of G; -1 if the joint has no freedoms
    JointMotion<Space> motion;
  };

  bool has_relation(int constraint) const;
  void add_joint(int index);
  void add_relation_blocks(BlockMatrix& G, BlockMatrix& C);
  void lay_out_tree();
  void lay_out_closures(RowKind kind);
  void write_relations(BlockMatrix& matrix);
  Components<Space> relation_bias(const JointSlot& slot) const;
  void add_relation_entries(const JointSlot& slot, EquationPart part, Unknown unknown, PatternBuilder& builder) const;
  const std::string& name(const JointSlot& slot) const { return graph_.data->constraints[detail::at(slot.index)].name; }

  const BodyGraph<Space>& graph_;
  AbsoluteCoordinates<Space> bodies_;
  CoordinateLayout<Space> layout_;
  std::vector<JointSlot> joints_;
  std::vector<int> slot_of_joint_;  ///< by element of the model; -1: a constraint like others
  MixedTree<Space> tree_;
  std::array<std::vector<std::size_t>, 2> closure_values_;  ///< by RowKind and part: the first value in G or C
};

}  // namespace linkwork
