#include <linkwork/solvers/reductions/reduced_equations.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <cmath>
#include <vector>

namespace linkwork {

namespace {

/// No positions yet, no rows.
Dimensions sizes_of(const EquationsOfMotion& full) {
  Dimensions n;
  n.r = full.dimensions().r;
  return n;
}

}  // namespace

ReducedEquations::ReducedEquations(EquationsOfMotion& full, LinearSolver& solver, const ReductionOptions& options)
    : EquationsOfMotion(sizes_of(full)), full_(full), solver_(solver), options_(options) {
  point_.lambda.setZero(full.dimensions().constraints());
}

ReducedEquations::~ReducedEquations() = default;

void ReducedEquations::set_independent(int positions, int velocities, int norms) {
  Dimensions n = dimensions();
  if (n.p == positions && n.v == velocities && n.normalisation == norms) return;
  n.p = positions;
  n.v = velocities;
  n.normalisation = norms;
  set_dimensions(n);
  for (int i = 0; i < velocities; ++i) M_.add_block(i, i, 1, 1);
}

State ReducedEquations::reduced(const State& full) {
  full_.set(full);
  State out;
  out.t = full.t;
  out.r = full.r;
  independent_position(full.p, out.p);
  prepare_velocities();
  independent_velocity(full.v, out.v);
  return out;
}

void ReducedEquations::expand(const State& independent, State& full) {
  set_position(independent.t, independent.p);
  set_velocity(independent.v);
  need_velocity();
  full.t = independent.t;
  full.p = point_.p;
  full.v = point_.v;
  full.r = independent.r;
}

Outcome ReducedEquations::renew_independent_rows(const State& full, bool& rows_changed) {
  const std::vector<int> before = solver_.redundant_rows();
  rows_changed = false;
  if (before.empty()) return {};
  full_.set(full);
  bool are_more = false;
  if (Outcome decided = solver_.decide_rank(are_more); !decided) return decided;
  rows_changed = solver_.redundant_rows() != before;
  return {};
}

bool ReducedEquations::is_violated(const State& full, const Tolerances& tolerances) {
  full_.set(full);
  const double length = tolerances.atol > 0 ? tolerances.atol : tolerances.rtol;
  const double angle = tolerances.atol_angle.value_or(length);
  const auto is_above = [&](const Eigen::VectorXd& residual) {
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      const bool is_angle = full_.constraint_measure(static_cast<int>(i)) == Measure::angle;
      if (!(std::abs(residual[i]) <= options_.correction_share * (is_angle ? angle : length))) return true;
    }
    return false;
  };
  return is_above(full_.g()) || is_above(full_.velocity_residual());
}

// ------------------------------------------------------------------------------------------------ a point

void ReducedEquations::do_position() {
  point_.t = time();
  find_position(point_.t, position(), point_.p);
  full_.set_position(point_.t, point_.p);
  prepare_velocities();
}

bool ReducedEquations::has_rest_velocity() const { return !full_.velocity_offset().isZero(0); }

void ReducedEquations::do_velocity() {
  find_direction(velocity(), point_.v);
  if (has_rest_velocity()) {
    Eigen::VectorXd rest;
    find_rest_velocity(rest);
    point_.v += rest;
  }
  full_.set_velocity(point_.v);
  is_settled_ = false;
}

/// a and lambda of the point, from the multipliers of the last accepted one on: what was evaluated before in the step
/// has no part in them.
void ReducedEquations::settle() {
  if (is_settled_ && point_.r == states()) return;
  point_.r = states();
  full_.set_states(point_.r);
  State at = point_;
  if (Outcome settled = settle_accelerations(full_, solver_, at, acceleration_correction()); !settled)
    throw RecoverableFailure(settled.reason());
  point_.a = at.a;
  full_.set_multipliers(at.lambda);
  is_settled_ = true;
}

void ReducedEquations::do_M(BlockMatrix& M) {
  for (std::size_t b = 0; b < M.blocks().size(); ++b) M.values(static_cast<int>(b))[0] = 1;
}

void ReducedEquations::do_f(Eigen::VectorXd& f) {
  settle();
  independent_acceleration(point_.a, f);
}

void ReducedEquations::do_r_rate(Eigen::VectorXd& rate) {
  settle();
  rate = full_.r_rate();
}

void ReducedEquations::do_add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& q) const {
  Eigen::VectorXd v, p_rate, q_rate;
  find_direction(x, v);
  full_.multiply_Z(v, p_rate);
  independent_rate(p_rate, q_rate);
  q += q_rate;
}

void ReducedEquations::do_add_position_drift(double factor, Eigen::VectorXd& q) const {
  if (!has_rest_velocity()) return;
  Eigen::VectorXd v, p_rate, q_rate;
  find_rest_velocity(v);
  full_.multiply_Z(v, p_rate);
  independent_rate(p_rate, q_rate);
  q += factor * q_rate;
}

// ------------------------------------------------------------------------------------------- masses and reports

Eigen::MatrixXd ReducedEquations::directions() {
  need_position();
  const int count = dimensions().v;
  Eigen::MatrixXd N(full_.dimensions().v, count);
  Eigen::VectorXd v;
  for (int j = 0; j < count; ++j) {
    find_direction(Eigen::VectorXd::Unit(count, j), v);
    N.col(j) = v;
  }
  return N;
}

Eigen::MatrixXd ReducedEquations::reduced_mass() {
  const Eigen::MatrixXd N = directions();
  return N.transpose() * full_.M().dense() * N;
}

Eigen::VectorXd ReducedEquations::reduced_force() {
  const Eigen::VectorXd rate = f();
  const Eigen::MatrixXd N = directions();
  Eigen::VectorXd inertial;
  full_.multiply_mass(point_.a - N * rate, inertial);
  return N.transpose() * (full_.f() - inertial);
}

std::unique_ptr<ReducedEquations> make_reduced_equations(EquationsOfMotion& full, LinearSolver& solver,
                                                         const ReductionOptions& options,
                                                         const Tolerances& tolerances) {
  if (options.method != Reduction::baumgarte && full.rows_read_velocity())
    throw ModelError(concat("reduction '", name_of(options.method), "': model '", full.model_name(), "': the rows of '",
                            full.constraint_element(full.dimensions().first_reading_velocity()),
                            "' are not linear in the velocities, which independent velocities have to be; take "
                            "'baumgarte', or none."));
  switch (options.method) {
    case Reduction::partitioning:
      return make_partitioned(full, solver, options);
    case Reduction::baumgarte:
      return make_stabilised(full, solver, options);
    case Reduction::hybrid:
      return make_hybrid(full, solver, options, tolerances);
    case Reduction::svd:
      return make_orthogonal(full, solver, options);
    case Reduction::null_space:
      return make_projected(full, solver, options, tolerances);
    case Reduction::none:
      break;
  }
  throw ModelError("make_reduced_equations: no method of reduction is given; choose one.");
}

Energies ReducedEquations::energies() {
  need_velocity();
  return full_.energies();
}

double ReducedEquations::element_power() {
  settle();
  return full_.element_power();
}

ConstraintResidual ReducedEquations::constraint_residual() {
  need_velocity();
  return full_.constraint_residual();
}

}  // namespace linkwork
