#include <linkwork/solvers/reductions/null_space.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/reductions/independent_columns.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

namespace linkwork {

namespace {

constexpr double least_column_independence = 0.1;  // of columns of B from the rows and each other: below, B is renewed

Eigen::MatrixXd upper_triangle(const Eigen::MatrixXd& packed, Eigen::Index size) {
  return packed.topLeftCorner(size, size).triangularView<Eigen::Upper>();
}

}  // namespace

NullSpaceProjection::NullSpaceProjection(EquationsOfMotion& full, LinearSolver& solver, const ReductionOptions& options,
                                         const Tolerances& tolerances)
    : ReducedEquations(full, solver, options),
      tolerances_(tolerances),
      sizes_(velocity_sizes(full, full.characteristic_length())) {}

std::string NullSpaceProjection::velocity_name(int i) const {
  return concat("velocity ", i + 1, " along the null space");
}

Outcome NullSpaceProjection::begin(const State& full) {
  full_.set(full);
  return choose_basis();
}

Outcome NullSpaceProjection::choose_basis() {
  const Dimensions& n = full_.dimensions();
  const IndependentColumns columns = choose_columns(full_, full_.G(), PartitionPivoting::full, true);
  rows_ = columns.rows;
  row_sizes_ = constraint_sizes(full_, full_.characteristic_length())(rows_);
  const auto count = static_cast<Eigen::Index>(columns.independent.size());
  set_independent(n.p, static_cast<int>(count), n.normalisation);
  ++choices_;
  switch (options_.basis) {
    case NullSpaceBasis::svd:
      B_ = Eigen::MatrixXd::Identity(n.v, n.v);
      if (!rows_.empty()) B_ = SingularValues(rows_at_position(), Eigen::ComputeFullV).V().rightCols(count);
      break;
    case NullSpaceBasis::lu:
      B_ = Eigen::MatrixXd::Zero(n.v, count);
      for (Eigen::Index k = 0; k < count; ++k) B_(columns.independent[detail::at(k)], k) = 1;
      break;
    case NullSpaceBasis::given:
      if (options_.given_basis.rows() != count || options_.given_basis.cols() != n.v)
        return Outcome::failure(concat("null-space: given_basis is a matrix of ", options_.given_basis.rows(), " x ",
                                       options_.given_basis.cols(), " entries; model '", full_.model_name(), "' has ",
                                       count, " independent velocities of ", n.v, ", so that it needs ", count, " x ",
                                       n.v, "."));
      B_ = sizes_.asDiagonal() * options_.given_basis.transpose();
      B_.colwise().normalize();
  }
  if (orthonormalise()) return {};
  return Outcome::failure(
      "null-space: the rows of given_basis depend on the constraints or on each other; give others.",
      Failure::singular);
}

Eigen::MatrixXd NullSpaceProjection::rows_at_position() {
  const Eigen::MatrixXd G = full_.G().dense();
  return row_sizes_.cwiseInverse().asDiagonal() * G(rows_, Eigen::all) * sizes_.asDiagonal();
}

bool NullSpaceProjection::orthonormalise() {
  constexpr double smallest = 1e-8;
  const auto rank = static_cast<Eigen::Index>(rows_.size());
  Eigen::MatrixXd rest = B_;
  if (rank > 0) {
    QrFactors factors;
    factors.compute(rows_at_position().transpose());
    V_rows_ = factors.columns_of_Q(rank);
    R_rows_ = upper_triangle(factors.packed(), rank);
    for (int pass = 0; pass < 2; ++pass) rest -= V_rows_ * (V_rows_.transpose() * rest);  // twice is enough
  }
  if (B_.cols() == 0) {
    V_ = rest;
    R_.resize(0, 0);
    return true;
  }
  QrFactors factors;
  factors.compute(rest);
  V_ = factors.columns_of_Q(B_.cols());
  R_ = upper_triangle(factors.packed(), B_.cols());
  for (Eigen::Index i = 0; i < R_.rows(); ++i) {  // Gram-Schmidt's has a positive diagonal, so that V is continuous
    if (R_(i, i) >= 0) continue;
    R_.row(i) *= -1;
    V_.col(i) *= -1;
  }
  return R_.diagonal().minCoeff() > smallest;
}

void NullSpaceProjection::prepare_velocities() {
  if (!orthonormalise())
    throw RecoverableFailure(concat("the basis of the null space is lost at t = ", full_.time(),
                                    " s: the step turns it into the constraints"));
}

void NullSpaceProjection::find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const {
  v = sizes_.cwiseProduct(V_ * x);
}

void NullSpaceProjection::find_rest_velocity(Eigen::VectorXd& v) const {
  v.setZero(sizes_.size());
  if (rows_.empty()) return;
  const Eigen::VectorXd offset = full_.velocity_offset()(rows_).cwiseQuotient(row_sizes_);
  v = -sizes_.cwiseProduct(V_rows_ * R_rows_.transpose().triangularView<Eigen::Lower>().solve(offset));
}

void NullSpaceProjection::independent_velocity(const Eigen::VectorXd& v, Eigen::VectorXd& w) const {
  w = V_.transpose() * v.cwiseQuotient(sizes_);
}

Eigen::MatrixXd NullSpaceProjection::rows_rate() {
  constexpr double reach = 1e-5;  // characteristic lengths and radians: the cube root of rounding
  const double speed = point_.v.size() > 0 ? point_.v.cwiseQuotient(sizes_).cwiseAbs().maxCoeff() : 0;
  const double dt = reach / std::max(speed, 1.0);
  Eigen::VectorXd ahead, behind;
  full_.position_step(dt * point_.v, ahead);
  full_.position_step(-dt * point_.v, behind);
  full_.set_position(point_.t + dt, ahead);
  Eigen::MatrixXd rate = rows_at_position();
  full_.set_position(point_.t - dt, behind);
  rate -= rows_at_position();
  const Eigen::VectorXd multipliers = full_.multipliers();
  full_.set_position(point_.t, point_.p);
  full_.set_velocity(point_.v);
  full_.set_states(states());
  full_.set_multipliers(multipliers);
  return rate / (2 * dt);
}

/// V^T V': its lower triangle is that of V^T P' B R^-1, P = 1 - Q^+ Q, as R' R^-1 is upper triangular; and it is skew.
Eigen::MatrixXd NullSpaceProjection::skew_part(const Eigen::MatrixXd& rate) const {
  const Eigen::MatrixXd of_basis = R_rows_.triangularView<Eigen::Upper>().solve(V_rows_.transpose() * B_);
  const Eigen::MatrixXd Y =
      R_.transpose().triangularView<Eigen::Lower>().solve(of_basis.transpose()).transpose();  // Q^+T B R^-1
  const Eigen::MatrixXd lower = (-(rate * V_).transpose() * Y).triangularView<Eigen::StrictlyLower>();
  return lower - lower.transpose();
}

void NullSpaceProjection::independent_acceleration(const Eigen::VectorXd& a, Eigen::VectorXd& out) {
  out = V_.transpose() * a.cwiseQuotient(sizes_);
  if (rows_.empty()) return;
  const Eigen::MatrixXd rate = rows_rate();
  out -= skew_part(rate) * velocity();
  if (full_.velocity_offset().isZero(0)) return;
  Eigen::VectorXd offset = full_.velocity_offset()(rows_).cwiseQuotient(row_sizes_);
  R_rows_.transpose().triangularView<Eigen::Lower>().solveInPlace(offset);
  R_rows_.triangularView<Eigen::Upper>().solveInPlace(offset);
  out += (rate * V_).transpose() * offset;
}

const Eigen::MatrixXd& NullSpaceProjection::basis() {
  need_position();
  return V_;
}

/// V' = V (V^T V') - Q^+ Q' V
Eigen::MatrixXd NullSpaceProjection::basis_rate() {
  need_velocity();
  if (rows_.empty()) return Eigen::MatrixXd::Zero(V_.rows(), V_.cols());
  const Eigen::MatrixXd rate = rows_rate();
  return V_ * skew_part(rate) - V_rows_ * R_rows_.transpose().triangularView<Eigen::Lower>().solve(rate * V_);
}

// ------------------------------------------------------------------------------------------- ends of steps

/// The rows that the linear solver does not leave out, where it counts as many.
void NullSpaceProjection::take_rows_of_solver() {
  const std::vector<int> left_out = solver_.redundant_rows();
  std::vector<int> rows;
  for (int row = 0; row < full_.dimensions().constraints(); ++row)
    if (!std::binary_search(left_out.begin(), left_out.end(), row)) rows.push_back(row);
  if (rows.size() != rows_.size()) return;
  rows_ = std::move(rows);
  row_sizes_ = constraint_sizes(full_, full_.characteristic_length())(rows_);
}

Outcome NullSpaceProjection::accept(State& full, double /*h*/, ReductionChange& change) {
  point_.lambda = full.lambda;
  full_.set(full);
  bool rows_changed = false;
  if (Outcome renewed = renew_independent_rows(full, rows_changed); !renewed) return renewed;
  if (rows_changed) take_rows_of_solver();
  if (options_.corrects_positions && is_violated(full, tolerances_)) {
    correct(full);
    change.state = true;
  }
  prepare_velocities();
  const bool wears_out = R_.size() > 0 && R_.diagonal().minCoeff() < least_column_independence;
  if (!wears_out && !rows_changed && !options_.renews_basis_at_every_step) return {};
  B_ = V_;
  orthonormalise();
  ++choices_;
  change.coordinates = true;
  return {};
}

/// Newton's method with the smallest changes; velocities are those along the null space that moves with it.
void NullSpaceProjection::correct(State& full) {
  constexpr int most_iterations = 20;
  constexpr double rounding = 1e-14;
  prepare_velocities();
  Eigen::VectorXd along, rest, step, moved;
  independent_velocity(full.v, along);
  std::vector<int> holonomic;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(holonomic),
               [&](int row) { return row < full_.dimensions().lambda; });
  const Eigen::VectorXd sizes = constraint_sizes(full_, full_.characteristic_length())(holonomic);
  for (int k = 0; k < most_iterations && !holonomic.empty(); ++k) {
    const Eigen::VectorXd residual = full_.g()(holonomic).cwiseQuotient(sizes);
    const Eigen::MatrixXd C =
        sizes.cwiseInverse().asDiagonal() * full_.C().dense()(holonomic, Eigen::all) * sizes_.asDiagonal();
    step = OrthogonalFactors(C).solve(residual);
    full_.position_step(-sizes_.cwiseProduct(step), moved);
    full_.normalise(full.p, moved);
    full.p = moved;
    full_.set_position(full.t, full.p);
    ++corrections_;
    if (step.cwiseAbs().maxCoeff() <= rounding) break;
  }
  prepare_velocities();
  find_direction(along, full.v);
  find_rest_velocity(rest);
  full.v += rest;
  full_.set(full);
}

std::unique_ptr<ReducedEquations> make_projected(EquationsOfMotion& full, LinearSolver& solver,
                                                 const ReductionOptions& options, const Tolerances& tolerances) {
  return std::make_unique<NullSpaceProjection>(full, solver, options, tolerances);
}

}  // namespace linkwork
