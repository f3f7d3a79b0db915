#pragma once

// Internal: the class behind make_mixed_equations.

#include <linkwork/solvers/equations/absolute_equations.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// Absolute coordinates, and behind them those of joints.
template <class Space>
class MixedEquations final : public AbsoluteEquations<Space> {
 public:
  MixedEquations(const Model<Space>& model, const TopologyOptions& topology, AuxiliaryUnknowns auxiliary);

  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  ConstraintResidual constraint_residual() override;

  std::optional<CoordinatePlaces> joint_places(int constraint) const override;

  std::string formulation_name() const override { return "mixed"; }
  std::string position_name(int i) const override;
  std::string velocity_name(int i) const override;
  std::string constraint_name(int row) const override;
  std::string constraint_element(int row) const override;
  Measure constraint_measure(int row) const override;
  Measure position_measure(int i) const override;
  Measure velocity_measure(int i) const override;
  State initial_state() const override;
  bool is_dependent_position(int i) const override { return i >= first_position_; }
  bool is_dependent_velocity(int i) const override { return i >= first_velocity_; }

  const BlockTree* velocity_tree() const override { return nullptr; }
  const BlockTree* position_tree() const override { return nullptr; }
  AnyMixedTree mixed_tree() const override { return &tree_; }

 private:
  using Base = AbsoluteEquations<Space>;
  using Base::angular;
  using Base::dimension;
  using Base::n;
  using typename Base::ConstraintSlot;

  /// A joint and its relation to the bodies it joins.
  struct JointSlot {
    const Joint<Space>* joint = nullptr;
    int index = -1;  ///< in the model
    int q = 0, v = 0, row = 0;
    int frame = 0;   ///< of the father; the son's is the next one
    int block = -1;  ///< on v, of G; -1 if the joint has no freedoms
    JointMotion<Space> motion;
  };

  bool is_relation(int constraint) const;
  bool is_relation_row(int row) const;
  void number_joints();
  void add_relation_blocks();
  void lay_out_tree();
  void lay_out_closures(RowKind kind);
  const std::string& name(const JointSlot& slot) const { return this->data_->constraints[detail::at(slot.index)].name; }
  const JointSlot& joint_with(int JointSlot::*first, int i) const { return detail::slot_with(joints_, first, i); }

  void add_rates(Unknown unknown, PatternBuilder& builder) const override;
  void add_own_rows(EquationPart part, Unknown unknown, PatternBuilder& builder) const override;

  void do_position() override;
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override;
  void do_C(BlockMatrix& C) override;
  void do_joint_tree(RowKind kind) override;
  void do_g(Eigen::VectorXd& g) override;
  void do_gamma(Eigen::VectorXd& gamma) override;
  void do_add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const override;
  Wrench<Space> tree_reaction(int constraint) override;
  void write_relations(BlockMatrix& G);
  Components<Space> relation_bias(const JointSlot& slot) const;

  std::vector<JointSlot> joints_;
  std::vector<int> slot_of_joint_;  ///< by element of the model; -1: a constraint like others
  MixedTree<Space> tree_;
  std::array<std::vector<std::size_t>, 2> closure_values_;  ///< by RowKind and part: the first value in G or C
  int first_position_ = 0, first_velocity_ = 0, first_row_ = 0;
};

}  // namespace linkwork
