#include <linkwork/solvers/reductions/reduced_integrator.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>
#include <linkwork/solvers/manifold/initial_projection.hpp>
#include <linkwork/solvers/reductions/branch_watch.hpp>
#include <linkwork/solvers/reductions/reduced_equations.hpp>
#include <linkwork/solvers/reductions/unit_mass_solver.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

std::vector<int> all_components(Eigen::Index count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// The polynomial through values at points of a step (columns), in Newton's form on theta = 0, 1/2 and 1.
DensePolynomial::Group group_through(const std::vector<double>& points, const Eigen::MatrixXd& values) {
  const auto count = static_cast<Eigen::Index>(points.size());
  DensePolynomial::Group group;
  group.components = all_components(values.rows());
  group.left_nodes = static_cast<int>((count - 1) / 3 + 1);
  group.middle_nodes = static_cast<int>((count - group.left_nodes) / 2);
  Eigen::MatrixXd terms(count, count);  // by point and degree
  for (Eigen::Index i = 0; i < count; ++i) {
    double product = 1;
    for (Eigen::Index k = 0; k < count; ++k) {
      terms(i, k) = product;
      const double node = k < group.left_nodes ? 0.0 : k < group.left_nodes + group.middle_nodes ? 0.5 : 1.0;
      product *= points[static_cast<std::size_t>(i)] - node;
    }
  }
  LuFactors factors;
  factors.compute(terms);
  group.coefficients = factors.solve_columns(values.transpose()).transpose();
  return group;
}

/// Chebyshev's points of a step, both ends among them.
std::vector<double> chebyshev_points(int degree) {
  std::vector<double> points;
  for (int i = 0; i <= degree; ++i) points.push_back(0.5 - 0.5 * std::cos(std::numbers::pi * i / degree));
  return points;
}

DensePolynomial::Group straight(const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  DensePolynomial::Group group;
  group.components = all_components(to.size());
  group.left_nodes = 1;
  group.coefficients.resize(to.size(), 2);
  group.coefficients << (from.size() == to.size() ? from : to), to - (from.size() == to.size() ? from : to);
  return group;
}

class ReducedIntegrator final : public Integrator {
 public:
  ReducedIntegrator(std::unique_ptr<Integrator> integrator, const ReductionOptions& options)
      : integrator_(std::move(integrator)),
        options_(options),
        name_(concat(integrator_->name(), ", ", name_of(options.method))) {
    constexpr double more = 1000;  // what begins again with each correction leaves violations to their damping
    if (!integrator_->can_shift()) options_.correction_share *= more;
  }

  std::string_view name() const override { return name_; }
  bool factors_force_jacobian() const override { return integrator_->factors_force_jacobian(); }
  bool keeps_invariants() const override { return !reduced_ && integrator_->keeps_invariants(); }
  Tolerances tolerances() const override { return integrator_->tolerances(); }
  double reach() const override { return integrator_->reach(); }
  bool repeats_steps() const override { return integrator_->repeats_steps(); }
  void keep_dense_output(bool wanted) override {
    keeps_dense_ = wanted;
    integrator_->keep_dense_output(wanted);
  }

  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override;
  Outcome step(double t_limit) override;
  const State& state() const override { return reduced_ ? state_ : integrator_->state(); }
  const State& previous_state() const override { return reduced_ ? previous_ : integrator_->previous_state(); }
  const DensePolynomial& dense(bool all) override;
  const IntegratorStatistics& statistics() const override { return reduced_ ? statistics_ : integrator_->statistics(); }
  const std::vector<StepRecord>& records() const override { return integrator_->records(); }

 private:
  Outcome project(State& start);
  Outcome begin_from_state();
  Outcome find_end(double t_limit);
  std::string why_stopped(const Outcome& stopped);
  void build_dense();
  void count();

  std::unique_ptr<Integrator> integrator_;
  ReductionOptions options_;
  std::string name_;
  bool keeps_dense_ = true;
  EquationsOfMotion* equations_ = nullptr;
  LinearSolver* solver_ = nullptr;
  const EquationsOfMotion* reduced_for_ = nullptr;
  std::unique_ptr<ReducedEquations> reduced_;
  UnitMassSolver unit_mass_;
  BranchWatch branches_;
  State state_, previous_;
  DensePolynomial dense_;
  bool has_dense_ = false;
  IntegratorStatistics statistics_;
};

Outcome ReducedIntegrator::initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  equations_ = &equations;
  solver_ = &solver;
  if (equations.dimensions().constraints() == 0) {
    reduced_.reset();
    integrator_->tighten(1);
    return integrator_->initialize(equations, solver, start);
  }
  // Tolerances are those of independent coordinates. What follows from them moves up to some times as fast; measured on
  // the zoo, errors are those of direct methods then. That of velocities along the null space is one among all
  // positions, in whose norm its error is diluted.
  integrator_->tighten(options_.method == Reduction::null_space ? 0.03 : 0.1);
  state_ = start;
  try {
    if (Outcome projected = project(state_); !projected) return projected;
    if (Outcome settled = settle_accelerations(equations, solver, state_); !settled) return settled;
    branches_.begin(equations, equations.dimensions().constraints() - static_cast<int>(solver.redundant_rows().size()));
    if (!reduced_ || reduced_for_ != &equations)
      reduced_ = make_reduced_equations(equations, solver, options_, tolerances());
    reduced_for_ = &equations;
    if (Outcome begun = reduced_->begin(state_); !begun) return begun;
    if (Outcome begun = begin_from_state(); !begun) return begun;
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(concat("the initial state can't be evaluated: ", failure.what()), Failure::not_evaluated);
  }
  previous_ = state_;
  has_dense_ = false;
  count();
  return {};
}

/// Leaves the equations at the start.
Outcome ReducedIntegrator::project(State& start) {
  const Dimensions& n = equations_->dimensions();
  start.a.setZero(n.v);
  if (start.lambda.size() != n.constraints()) start.lambda.setZero(n.constraints());
  equations_->set(start);
  if (!equations_->holds_invariants()) equations_->hold_invariants();
  if (!options_.project_start) return {};
  const Tolerances allowed = tolerances().by_component(*equations_);
  ErrorWeights weights(*equations_);
  weights.renew(allowed, start, start);
  Projection projection(*equations_, *solver_);
  return project_initial_values(*equations_, projection, allowed, options_.consent_to_projection, weights, start);
}

Outcome ReducedIntegrator::begin_from_state() {
  if (Outcome analysed = unit_mass_.analyze(*reduced_); !analysed) return analysed;
  return integrator_->initialize(*reduced_, unit_mass_, reduced_->reduced(state_));
}

Outcome ReducedIntegrator::step(double t_limit) {
  if (!reduced_) return integrator_->step(t_limit);
  reduced_->forget_point();
  has_dense_ = false;
  if (const Outcome stepped = integrator_->step(t_limit); !stepped) {
    const std::string why = why_stopped(stepped);
    if (why.empty()) return stepped;
    return Outcome::failure(as_sentence(stepped.reason()) + why);
  }
  std::swap(previous_, state_);
  try {
    if (Outcome found = find_end(t_limit); !found) return found;
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(concat("the end of the step can't be evaluated: ", as_sentence(failure.what()),
                                   branches_.why_near_singular(*equations_, previous_)),
                            Failure::not_evaluated);
  }
  count();
  return {};
}

/// What the other integrator can't know of: the constraints, and their damping. A sentence with a space before it, or
/// "".
std::string ReducedIntegrator::why_stopped(const Outcome& stopped) {
  const bool is_explicit = integrator_->statistics().jacobian_evaluations == 0;
  return (is_explicit && stopped.is(Failure::other) ? reduced_->why_steps_are_short(state_.t - previous_.t) : "") +
         branches_.why_near_singular(*equations_, state_);
}

/// The full state where the other integrator has come to, and what the reduction makes of it.
Outcome ReducedIntegrator::find_end(double t_limit) {
  state_ = previous_;
  reduced_->expand(integrator_->state(), state_);
  equations_->set(state_);
  if (Outcome settled = settle_accelerations(*equations_, *solver_, state_); !settled) return settled;
  if (state_.t < t_limit)  // its length is the integrator's choice
    if (Outcome smooth = branches_.look(*equations_, state_, state_.t - previous_.t); !smooth) return smooth;
  if (keeps_dense_) build_dense();  // by the coordinates of the step
  ReductionChange change;
  if (Outcome accepted = reduced_->accept(state_, state_.t - previous_.t, change); !accepted) return accepted;
  if (!change) return {};
  if (change.state) {
    equations_->set(state_);
    if (Outcome settled = settle_accelerations(*equations_, *solver_, state_); !settled) return settled;
  }
  if (!change.coordinates && integrator_->shift(reduced_->reduced(state_))) return {};
  const double h = state_.t - previous_.t;
  if (Outcome begun = begin_from_state(); !begun) return begun;
  if (integrator_->repeats_steps()) integrator_->begin_with_step(h);
  return {};
}

const DensePolynomial& ReducedIntegrator::dense(bool all) {
  if (!reduced_) return integrator_->dense(all);
  if (!has_dense_) build_dense();
  return dense_;
}

/// Full states of the step at as many points as the continuous solution of the other integrator can tell apart.
void ReducedIntegrator::build_dense() {
  constexpr int least_degree = 5, more = 2;
  const DensePolynomial& independent = integrator_->dense(true);
  const std::vector<double> points = chebyshev_points(std::max(least_degree, independent.differential_degree() + more));
  const auto count = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd p(state_.p.size(), count), v(state_.v.size(), count), r(state_.r.size(), count);
  State inside = integrator_->state(), full = state_;
  for (Eigen::Index i = 0; i < count; ++i) {
    const double theta = points[static_cast<std::size_t>(i)];
    const double t = independent.t_begin + theta * (independent.t_end - independent.t_begin);
    if (i == 0) {
      full = previous_;
    } else if (i + 1 == count) {
      full = state_;
    } else {
      independent.evaluate(t, inside);
      reduced_->expand(inside, full);
    }
    p.col(i) = full.p;
    v.col(i) = full.v;
    r.col(i) = full.r;
  }
  dense_.t_begin = independent.t_begin;
  dense_.t_end = independent.t_end;
  dense_.p = group_through(points, p);
  dense_.v = group_through(points, v);
  dense_.r = group_through(points, r);
  dense_.a = straight(previous_.a, state_.a);
  dense_.lambda = straight(previous_.lambda, state_.lambda);
  has_dense_ = true;
}

void ReducedIntegrator::count() {
  statistics_ = integrator_->statistics();
  statistics_.coordinate_choices = reduced_->choices();
  statistics_.constraint_corrections = reduced_->corrections();
  statistics_.constraint_closures = reduced_->closures();
}

}  // namespace

std::unique_ptr<Integrator> make_reduced_integrator(std::unique_ptr<Integrator> integrator,
                                                    const ReductionOptions& options) {
  if (!integrator) throw ModelError("make_reduced_integrator: the integrator is null; give one.");
  if (const std::string why = options.why_invalid(); !why.empty()) throw ModelError(concat("ReductionOptions: ", why));
  return std::make_unique<ReducedIntegrator>(std::move(integrator), options);
}

}  // namespace linkwork
