#pragma once

#include <linkwork/solvers/reductions/constraint_system.hpp>
#include <linkwork/solvers/reductions/reduced_equations.hpp>

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace linkwork {

/// Independent coordinates q = E p and velocities w = E' v of partitioning and svd (REDUCE 2 and 5). Dependent ones
/// follow from the constraints by Newton's method on [g; E p - q] = 0 from the start of the step, to rounding, with the
/// matrix of the step's start as long as that converges well. Others are chosen where the dependent ones have become
/// several times as large, measured by one motion of all independent ones, as when they were chosen.
class IndependentCoordinates : public ReducedEquations {
 public:
  using ReducedEquations::ReducedEquations;

  Outcome begin(const State& full) final;
  Outcome accept(State& full, double h, ReductionChange& change) final;

  /// The state where the constraints hold and the independent coordinates are those of one that violates them a little.
  /// @throws RecoverableFailure
  State closed(const State& violated);
  /// What accept does with a state where the constraints hold.
  Outcome accept_closed(const State& full, ReductionChange& change);

  // Moves p, near the start of the step, and v, at the position of the full equations, to where the constraints hold
  // and the independent coordinates are what they are. @throws RecoverableFailure
  void close_position(double t, Eigen::VectorXd& p);
  void prepare_velocities() final;
  void close_direction(Eigen::VectorXd& v) const;
  void find_rest_velocity(Eigen::VectorXd& v) const final;
  /// The largest velocity that one unit of each independent velocity makes, or of each rate of an independent position,
  /// in sizes that no unit decides: what is lost of digits by this choice. At the last accepted position.
  double growth();

 protected:
  /// E and E' at a full state that the full equations are at.
  struct Choice {
    std::vector<int> position_rows, velocity_rows;
    Combinations positions, velocities;
  };
  virtual Choice choose() = 0;
  /// Whether others should be chosen at an accepted state, which the full equations are at, though they lose few
  /// digits.
  virtual bool has_worn_out(const State& /*full*/) { return false; }
  const Combinations& positions() const { return position_->combinations(); }
  const Combinations& velocities() const { return velocity_->combinations(); }

 private:
  double growth(ConstraintSystem& system, const Eigen::VectorXd& sizes) const;
  bool has_grown();
  Outcome take_choice(const State& full);
  Outcome expect_agreement();
  void find_position(double t, const Eigen::VectorXd& q, Eigen::VectorXd& p) final;
  void find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const final;
  void independent_position(const Eigen::VectorXd& p, Eigen::VectorXd& q) const final { positions().apply(p, q); }
  void independent_velocity(const Eigen::VectorXd& v, Eigen::VectorXd& w) const final { velocities().apply(v, w); }
  void independent_rate(const Eigen::VectorXd& rate, Eigen::VectorXd& q) const final { positions().apply(rate, q); }
  void independent_acceleration(const Eigen::VectorXd& a, Eigen::VectorXd& w) final { velocities().apply(a, w); }
  [[noreturn]] void refuse(double t, const char* what);

  std::unique_ptr<ConstraintSystem> position_, position_here_, velocity_;
  Eigen::VectorXd start_, sizes_;  // p at the start of the step; what counts as one of each velocity
  Eigen::VectorXd step_, moved_, combined_;
  double growth_when_chosen_ = 0;  // 0: not measured yet
};

}  // namespace linkwork
