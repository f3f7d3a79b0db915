#pragma once

// Internal: the coordinates behind make_absolute_equations. Functions are in absolute_layout_impl.hpp (what is done
// once, sparsity, names) and absolute_evaluation_impl.hpp (the hot paths).

#include <linkwork/solvers/formulations/coordinates.hpp>

#include <vector>

namespace linkwork {

/// Position and velocity of each body.
template <class Space>
class AbsoluteCoordinates final : public Coordinates<Space> {
 public:
  using ConstraintSlot = typename BodyGraph<Space>::ConstraintSlot;
  /// Where the coordinates of a body stand.
  struct Place {
    const Body<Space>* body = nullptr;
    int index = -1;    ///< of the body in the model
    int p = 0, v = 0;  ///< first entries
    bool rotates = false;
    int linear_p() const { return p + (rotates ? (Space::dimension == 3 ? 4 : 1) : 0); }
    int linear_v() const { return v + (rotates ? Space::angular : 0); }
  };

  explicit AbsoluteCoordinates(const BodyGraph<Space>& graph);

  const CoordinateLayout<Space>& layout() const override { return layout_; }
  void lay_out(BlockMatrix& M, BlockMatrix& G, BlockMatrix& C, BlockMatrix& F) override;
  void start(double length, State& state) override;
  CoordinateName position(int i) const override;
  CoordinateName velocity(int i) const override;

  void place_bodies(std::vector<Pose<Space>>& poses) override;
  void move_bodies(std::vector<Twist<Space>>& twists) override { to_ground(graph_.point.velocity().data(), twists); }
  void accelerate_bodies(const Eigen::VectorXd& a, std::vector<Twist<Space>>& accelerations) override {
    to_ground(a.data(), accelerations);
  }
  void add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const override;
  void normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const override;
  double norm_error() override;

  void map_rows(RowKind kind, BlockMatrix& matrix, Eigen::VectorXd& rates) override;
  void start_forces(Eigen::VectorXd& f) override;
  void add_wrenches(Eigen::VectorXd& f) override;
  void add_wrench(int label, const Vector<Space>& arm, const Wrench<Space>& wrench, Eigen::VectorXd& f) override;

  FrameColumns frame_columns(int frame, int acts_from, int reads_from) const override;
  void add_own_entries(EquationPart part, Unknown unknown, PatternBuilder& builder) const override;

  // For coordinates that go on from these.
  const Place& place(int label) const { return places_[detail::at(label)]; }
  void add_mass_blocks(BlockMatrix& M) const;
  /// One block per constraint and moving body. Holonomic rows come first, so that C has the same first blocks.
  void add_row_blocks(BlockMatrix& G, BlockMatrix& C);
  void add_force_blocks(BlockMatrix& F) const;
  /// The frame's rows go to values of G (or C) from `value` on.
  void set_row_target(int frame, std::size_t value);
  std::ptrdiff_t row_target(int frame) const { return row_targets_[detail::at(frame)]; }
  /// Rows on consecutive frames, as they are in BodyGraph::rows, to their targets.
  void map_rows(int frame, int frames, int rows, const double* row, double* values) const;

 private:
  static constexpr int n = Space::n;
  static constexpr int dimension = Space::dimension;
  static constexpr int angular = Space::angular;
  /// Of frames on the ground, whose rows go nowhere.
  static constexpr std::ptrdiff_t nowhere = -1;

  void to_ground(const double* v, std::vector<Twist<Space>>& twists) const;
  int block_on(const BlockMatrix& G, const ConstraintSlot& slot, int label) const;
  void build_trees(const BlockMatrix& G);
  void add_inertia_entries(Unknown unknown, PatternBuilder& builder) const;
  void add_rate_entries(Unknown unknown, PatternBuilder& builder) const;

  const BodyGraph<Space>& graph_;
  CoordinateLayout<Space> layout_;
  std::vector<Place> places_;                ///< by label
  std::vector<std::ptrdiff_t> row_targets_;  ///< by frame: where its rows go, first value of G and of C
  std::vector<int> first_block_;             ///< of G, by constraint slot
  Eigen::VectorXd gravity_;                  ///< generalised force of gravity, constant
  BlockTree velocity_tree_, position_tree_;
};

extern template class AbsoluteCoordinates<Planar>;
extern template class AbsoluteCoordinates<Spatial>;

}  // namespace linkwork
