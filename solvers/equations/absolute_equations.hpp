#pragma once

// Internal: the class behind make_absolute_equations. Its functions are in absolute_layout_impl.hpp (what is done
// once, and names) and absolute_evaluation_impl.hpp (the hot paths).

#include <linkwork/solvers/equations/graph_equations.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork {

template <class Space>
class AbsoluteEquations : public GraphEquations<Space> {
 public:
  AbsoluteEquations(const Model<Space>& model, const TopologyOptions& topology, AuxiliaryUnknowns auxiliary);

  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  ConstraintResidual constraint_residual() override;

  std::string formulation_name() const override { return "absolute"; }
  std::string position_name(int i) const override;
  std::string velocity_name(int i) const override;
  Measure position_measure(int i) const override;
  Measure velocity_measure(int i) const override;
  State initial_state() const override;

  const BlockTree* velocity_tree() const override { return &velocity_tree_; }
  const BlockTree* position_tree() const override { return &position_tree_; }

 protected:
  using Base = GraphEquations<Space>;
  using Base::angular;
  using Base::dimension;
  using Base::n;
  using typename Base::ConstraintSlot;
  using typename Base::ForceSlot;
  using typename Base::FrameColumns;
  using typename Base::FrameSlot;

  /// Where the coordinates of a body stand.
  struct Place {
    const Body<Space>* body = nullptr;
    int index = -1;    ///< of the body in the model
    int p = 0, v = 0;  ///< first entries
    bool rotates = false;
    int linear_p() const { return p + (rotates ? (dimension == 3 ? 4 : 1) : 0); }
    int linear_v() const { return v + (rotates ? angular : 0); }
  };
  /// Where the rows of a constraint's frame go: offset in the values of G, and of C. Ground frames go nowhere.
  static constexpr std::ptrdiff_t nowhere = -1;

  /// For those who add coordinates: bodies are numbered, the rest is theirs.
  struct BodiesOnly {};
  AbsoluteEquations(const Model<Space>& model, const TopologyOptions& topology, AuxiliaryUnknowns auxiliary,
                    BodiesOnly);
  /// Those of the elements, and p, v and normalisation of the bodies.
  Dimensions body_dimensions() const;
  void add_mass_blocks();
  void add_constraint_blocks();
  void add_force_jacobian_blocks();
  int block_on(const ConstraintSlot& slot, int label) const;

  void do_position() override;
  void do_velocity() override;
  void do_M(BlockMatrix& /*M*/) override {}
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override;
  bool has_position_rows() const override { return this->has_position_rows_; }
  void do_C(BlockMatrix& C) override;
  void do_f(Eigen::VectorXd& f) override;

  FrameColumns frame_columns(const FrameSlot& slot, int acts_from, int reads_from) const override;
  void add_rates(Unknown unknown, PatternBuilder& builder) const override;
  void add_inertia(Unknown unknown, PatternBuilder& builder) const override;

  void place_bodies() override;
  void move_bodies() override;
  void accelerate_bodies(const Eigen::VectorXd& a) override;
  double do_element_power() override;
  void do_add_generalised_force(int label, const Vector<Space>& arm, const Wrench<Space>& wrench,
                                Eigen::VectorXd& f) override;

  void map_rows(const ConstraintSlot& slot, double* values) const;
  void add_gyroscopic_torques(Eigen::VectorXd& f) const;
  void add_wrench(int frame, const Wrench<Space>& wrench, const ForceSlot& slot, Eigen::VectorXd& f) const;
  void do_add_position_change(const Eigen::VectorXd& velocity, Eigen::VectorXd& p) const override;

  std::vector<Place> places_;                ///< by label
  std::vector<std::ptrdiff_t> row_targets_;  ///< by frame of a constraint
  std::vector<int> first_block_;             ///< of G, by constraint slot, and one past the end
  Eigen::VectorXd gravity_;                  ///< generalised force of gravity, constant
  Eigen::VectorXd own_force_;

 private:
  void number_bodies();
  void build_trees();

  BlockTree velocity_tree_, position_tree_;
};

extern template class AbsoluteEquations<Planar>;
extern template class AbsoluteEquations<Spatial>;

}  // namespace linkwork
