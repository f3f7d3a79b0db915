#include <linkwork/solvers/reductions/independent_coordinates.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/residual_text.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

Outcome IndependentCoordinates::begin(const State& full) {
  sizes_ = velocity_sizes(full_, full_.characteristic_length());
  return take_choice(full);
}

Outcome IndependentCoordinates::take_choice(const State& full) {
  full_.set(full);
  const Choice choice = choose();
  position_ = std::make_unique<ConstraintSystem>(full_, RowKind::position, choice.position_rows, choice.positions);
  position_here_ = std::make_unique<ConstraintSystem>(full_, RowKind::position, choice.position_rows, choice.positions);
  velocity_ = std::make_unique<ConstraintSystem>(full_, RowKind::velocity, choice.velocity_rows, choice.velocities);
  set_independent(choice.positions.count(), choice.velocities.count());
  ++choices_;
  growth_when_chosen_ = 0;
  start_ = full.p;
  if (position_->factor() && velocity_->factor()) return {};
  return Outcome::failure(concat("independent coordinates can't be chosen at t = ", full.t,
                                 " s: the constraints with any of them make a singular matrix, as at a singular "
                                 "position; start elsewhere, or integrate without a reduction."),
                          Failure::singular);
}

Outcome IndependentCoordinates::accept(State& full, double /*h*/, ReductionChange& change) {
  return accept_closed(full, change);
}

State IndependentCoordinates::closed(const State& violated) {
  State out = violated;
  start_ = violated.p;
  expand(reduced(violated), out);
  return out;
}

Outcome IndependentCoordinates::accept_closed(const State& full, ReductionChange& change) {
  full_.set(full);
  point_.lambda = full.lambda;
  start_ = full.p;
  if (Outcome agreed = expect_agreement(); !agreed) return agreed;
  if (position_->factor() && !has_grown() && !has_worn_out(full)) return {};
  change.coordinates = true;
  return take_choice(full);
}

/// Positions wear out where velocities do not: angular velocities of a spinning body go on as they are, while the
/// combinations of its quaternion that were chosen no longer move with them.
bool IndependentCoordinates::has_grown() {
  constexpr double allowed = 4;
  prepare_velocities();
  const double now = growth();
  if (growth_when_chosen_ == 0) growth_when_chosen_ = std::max(now, 1.0);
  return now > allowed * growth_when_chosen_;
}

/// Rows that were left out hold because the others do, as long as they do.
Outcome IndependentCoordinates::expect_agreement() {
  constexpr double allowed = 1e-7;  // far above rounding, in characteristic lengths and radians
  const Eigen::VectorXd sizes = constraint_sizes(full_, full_.characteristic_length());
  const Eigen::VectorXd& g = full_.g();
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (!(std::abs(g[i]) <= allowed * sizes[i]))
      return Outcome::failure(
          concat("redundant constraints stop agreeing: ", full_.constraint_name(static_cast<int>(i)), " is off by ",
                 residual_text(full_, static_cast<int>(i), g[i]),
                 " where the independent ones hold; make the drives or lengths agree."));
  return {};
}

void IndependentCoordinates::find_position(double t, const Eigen::VectorXd& q, Eigen::VectorXd& p) {
  constexpr int most_iterations = 40;
  constexpr double slow = 0.1, rounding = 4 * std::numeric_limits<double>::epsilon(), stagnation = 1e-11;
  const auto rows = static_cast<Eigen::Index>(position_->rows().size());
  p = start_;
  bool is_far = false;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    full_.set_position(t, p);
    ++closures_;
    const Eigen::VectorXd& g = full_.g();
    step_.resize(sizes_.size());
    for (Eigen::Index i = 0; i < rows; ++i) step_[i] = -g[position_->rows()[detail::at(i)]];
    positions().apply(p, combined_);
    step_.tail(combined_.size()) = q - combined_;
    if (is_far && !position_here_->factor()) break;
    (is_far ? position_here_ : position_)->solve(step_);
    full_.position_step(step_, moved_);
    full_.normalise(p, moved_);
    p = moved_;
    const double size = step_.size() > 0 ? step_.cwiseQuotient(sizes_).cwiseAbs().maxCoeff() : 0.0;
    if (!std::isfinite(size)) break;
    if (size <= rounding || (size >= 0.5 * before && size <= stagnation)) return;
    is_far = is_far || size > slow * before;
    before = size;
  }
  refuse(t, "positions");
}

void IndependentCoordinates::refuse(double t, const char* what) {
  throw RecoverableFailure(concat("the dependent ", what, " of the reduction can't be found at t = ", t,
                                  " s: the constraints do not determine them near there"));
}

void IndependentCoordinates::prepare_velocities() {
  if (!velocity_->factor()) refuse(full_.time(), "velocities");
}

void IndependentCoordinates::find_direction(const Eigen::VectorXd& x, Eigen::VectorXd& v) const {
  v.setZero(sizes_.size());
  v.tail(x.size()) = x;
  velocity_->solve(v);
}

void IndependentCoordinates::find_rest_velocity(Eigen::VectorXd& v) const {
  v.setZero(sizes_.size());
  const Eigen::VectorXd& offset = full_.velocity_offset();
  for (std::size_t i = 0; i < velocity_->rows().size(); ++i)
    v[static_cast<Eigen::Index>(i)] = -offset[velocity_->rows()[i]];
  velocity_->solve(v);
}

void IndependentCoordinates::close_position(double t, Eigen::VectorXd& p) {
  Eigen::VectorXd q;
  positions().apply(p, q);
  find_position(t, q, p);
}

void IndependentCoordinates::close_direction(Eigen::VectorXd& v) const {
  Eigen::VectorXd w;
  velocities().apply(v, w);
  find_direction(w, v);
}

double IndependentCoordinates::growth() {
  const Eigen::VectorXd positions_sizes = position_sizes(full_, full_.characteristic_length());
  return std::max(growth(*position_, positions_sizes), growth(*velocity_, sizes_));
}

/// One unit of each independent component, with signs that no structure of a mechanism has.
double IndependentCoordinates::growth(ConstraintSystem& system, const Eigen::VectorXd& sizes) const {
  const Combinations& E = system.combinations();
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(sizes_.size());
  const Eigen::Index first = moved.size() - E.count();
  for (int j = 0; j < E.count(); ++j) {
    double& probe = moved[first + j];
    for (const auto& [component, factor] : E.rows[detail::at(j)])
      probe = std::max(probe, std::abs(factor) * sizes[component]);
    if (std::sin(1.0 + 2.3 * j) < 0) probe = -probe;
  }
  system.solve(moved);
  return moved.size() > 0 ? moved.cwiseQuotient(sizes_).cwiseAbs().maxCoeff() : 0.0;
}

}  // namespace linkwork
