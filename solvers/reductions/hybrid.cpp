#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/manifold/projection.hpp>
#include <linkwork/solvers/reductions/constraint_stabilisation.hpp>
#include <linkwork/solvers/reductions/coordinate_partitioning.hpp>

#include <memory>
#include <utility>

namespace linkwork {

namespace {

/// Violations are damped, and those that exceed a share of the tolerance at the end of a step are taken away by
/// Newton's method (REDUCE 4): by the smallest change in the masses, because a change of dependent coordinates alone
/// would leave the error of a violation in the independent ones. Near singular positions, where damping may fail,
/// dependent coordinates follow from the independent ones wherever equations are evaluated, as by partitioning.
class Hybrid final : public ConstraintStabilisation {
 public:
  Hybrid(EquationsOfMotion& full, LinearSolver& solver, const ReductionOptions& options, const Tolerances& tolerances)
      : ConstraintStabilisation(full, solver, options),
        partition_(full, solver, options),
        projection_(full, solver),
        tolerances_(tolerances.by_component(full)),
        weights_(full) {}

  Outcome begin(const State& full) override {
    is_partitioned_ = false;
    if (Outcome begun = partition_.begin(full); !begun) return begun;
    return ConstraintStabilisation::begin(full);
  }
  Outcome accept(State& full, double h, ReductionChange& change) override;

 private:
  Outcome correct(State& full);
  void find_position(double t, const Eigen::VectorXd& q, Eigen::VectorXd& p) override {
    p = q;
    if (is_partitioned_) partition_.close_position(t, p);
  }
  void prepare_velocities() override {
    if (is_partitioned_) partition_.prepare_velocities();
  }
  void find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const override {
    v = x;
    if (is_partitioned_) partition_.close_direction(v);
  }
  void find_rest_velocity(Eigen::VectorXd& v) const override {
    if (is_partitioned_)
      partition_.find_rest_velocity(v);
    else
      ConstraintStabilisation::find_rest_velocity(v);
  }
  const Eigen::VectorXd* acceleration_correction() override {
    return is_partitioned_ ? nullptr : ConstraintStabilisation::acceleration_correction();
  }

  CoordinatePartitioning partition_;
  Projection projection_;
  Tolerances tolerances_;
  ErrorWeights weights_;
  bool is_partitioned_ = false;
};

Outcome Hybrid::correct(State& full) {
  weights_.renew(tolerances_, full, full);
  const Outcome closed = projection_.position(full.t, full.p, weights_.p);
  corrections_ += projection_.iterations();
  return closed ? projection_.velocity(full.v, weights_.v) : closed;
}

Outcome Hybrid::accept(State& full, double h, ReductionChange& change) {
  constexpr double near_singular = 10;
  if (Outcome accepted = ConstraintStabilisation::accept(full, h, change); !accepted) return accepted;
  if (is_partitioned_) {
    expand(reduced(full), full);
    change.state = true;
  } else if (is_violated(full, tolerances_)) {
    if (Outcome corrected = correct(full); !corrected) return corrected;
    change.state = true;
  }
  // What is violated is no state to judge a partition at: redundant rows agree, and depend on others, only where all of
  // them hold.
  const State closed = partition_.closed(full);
  ReductionChange of_partition;
  if (Outcome moved = partition_.accept_closed(closed, of_partition); !moved) return moved;
  choices_ += of_partition.coordinates ? 1 : 0;
  const bool was_partitioned = std::exchange(is_partitioned_, partition_.growth() > near_singular);
  change.coordinates = was_partitioned != is_partitioned_;
  return {};
}

}  // namespace

std::unique_ptr<ReducedEquations> make_hybrid(EquationsOfMotion& full, LinearSolver& solver,
                                              const ReductionOptions& options, const Tolerances& tolerances) {
  return std::make_unique<Hybrid>(full, solver, options, tolerances);
}

}  // namespace linkwork
