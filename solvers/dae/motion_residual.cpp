#include <linkwork/solvers/dae/motion_residual.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/power_of_two.hpp>
#include <linkwork/solvers/dae/sparse_patterns.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <cmath>
#include <utility>

namespace linkwork {

namespace {

bool has_position_level(EquationForm form) { return form != EquationForm::index_2 && form != EquationForm::index_1; }

bool is_strangeness_free(EquationForm form) {
  return form == EquationForm::strangeness_free || form == EquationForm::strangeness_free_with_invariants;
}

bool has_acceleration_level(EquationForm form) { return is_strangeness_free(form) || form == EquationForm::index_1; }

std::vector<char> flags(const std::vector<int>& numbers, int count) {
  std::vector<char> out(detail::at(count), 0);
  for (const int number : numbers) out[detail::at(number)] = 1;
  return out;
}

/// Numbers that are not flagged, from `first` to `last`.
std::vector<int> unflagged(const std::vector<char>& flagged, int first, int last) {
  std::vector<int> out;
  for (int i = first; i < last; ++i)
    if (flagged[detail::at(i)] == 0) out.push_back(i);
  return out;
}

MotionLayout layout_of(const Dimensions& n, const MotionResidual::Options& options) {
  std::vector<int> eta_rows;
  if (options.form == EquationForm::stabilised)
    eta_rows = unflagged(flags(options.redundant_rows, n.constraints()), 0, n.lambda);
  return {n, options.acceleration_unknowns, std::move(eta_rows)};
}

}  // namespace

MotionLayout::MotionLayout(const Dimensions& n, bool acceleration_unknowns, std::vector<int> rows_of_eta)
    : StateLayout(n),
      a(end),
      eta(a + (acceleration_unknowns ? n.v : 0)),
      size(eta + static_cast<int>(rows_of_eta.size())),
      eta_rows(std::move(rows_of_eta)) {}

MotionResidual::MotionResidual(EquationsOfMotion& equations, const Options& options)
    : ResidualFunction(layout_of(equations.dimensions(), options).size),
      equations_(equations),
      options_(options),
      n_(equations.dimensions()),
      redundant_(flags(options.redundant_rows, n_.constraints())),
      at_(layout_of(n_, options)),
      multiplier_columns_known_(!equations.forces_read_multipliers()),
      Z_(equations),
      metric_(stabilising_metric(equations)),
      position_sizes_(position_sizes(equations)),
      offsets_(detail::at(equations.inputs())),
      eta_(Eigen::VectorXd::Zero(n_.constraints())),
      motion_(n_.v),
      p_rate_(n_.p),
      dynamic_residual_(n_.v) {
  if (!options.acceleration_unknowns && options.formalism == Formalism::explicit_inverse)
    inverse_mass_ = std::make_unique<InverseMass>(equations);
  find_norms();
  number_rows();
  find_patterns();
}

bool MotionResidual::selects_positions() const {
  return is_strangeness_free(options_.form) || options_.form == EquationForm::without_acceleration_level;
}

bool MotionResidual::selects_velocities() const { return is_strangeness_free(options_.form); }

// ---------------------------------------------------------------------------------------------------- rows

/// Positions that have a norm are those that normalisation moves together.
void MotionResidual::find_norms() {
  if (n_.normalisation == 0 || !selects_positions()) return;
  constexpr double move = 0.3, moved = 1e-9;
  const Eigen::VectorXd start = equations_.position();
  DisjointSets sets(detail::at(n_.p));
  std::vector<char> has_norm(detail::at(n_.p), 0);
  Eigen::VectorXd p, normalised;
  for (int i = 0; i < n_.p; ++i) {
    p = start;
    p[i] += p[i] < 0 ? -move : move;
    normalised = p;
    equations_.normalise(start, normalised);
    for (int j = 0; j < n_.p; ++j) {
      if (!(std::abs(normalised[j] - p[j]) > moved)) continue;
      has_norm[detail::at(i)] = has_norm[detail::at(j)] = 1;
      sets.unite(i, j);
    }
  }
  std::vector<int> norm_of_set(detail::at(n_.p), -1);
  for (int i = 0; i < n_.p; ++i) {
    if (has_norm[detail::at(i)] == 0) continue;
    int& norm = norm_of_set[detail::at(sets.find(i))];
    if (norm < 0) {
      norm = static_cast<int>(norms_.size());
      norms_.emplace_back();
    }
    norms_[detail::at(norm)].push_back(i);
  }
}

MotionResidual::Rows MotionResidual::append(std::size_t count) {
  const Rows rows{row_count_, static_cast<int>(count)};
  row_count_ += rows.count;
  return rows;
}

std::vector<int> MotionResidual::independent(int first, int last) const { return unflagged(redundant_, first, last); }

/// With accelerations as unknowns level by level, as selectors need them; else each beside its unknown.
void MotionResidual::number_rows() {
  const EquationForm form = options_.form;
  if (has_position_level(form)) position_rows_ = independent(0, n_.lambda);
  const int first_servo = n_.constraints() - n_.servo;
  if (form != EquationForm::index_1)
    velocity_rows_ = independent(form == EquationForm::index_3 ? n_.lambda : 0, first_servo);
  acceleration_rows_ = independent(has_acceleration_level(form) ? 0 : first_servo, n_.constraints());

  const auto states = [&] { state_rate_ = append(detail::at(n_.r)); };
  const auto contacts = [&] { contact_ = append(detail::at(n_.s)); };
  const auto auxiliary = [&] { auxiliary_ = append(detail::at(n_.w)); };
  const auto dynamics = [&] { dynamics_ = append(detail::at(n_.v)); };
  const auto positions = [&] {
    position_ = append(position_rows_.size());
    norm_ = append(norms_.size());
  };
  const auto velocities = [&] {
    velocity_ = append(velocity_rows_.size());
    invariant_ = append(form == EquationForm::strangeness_free_with_invariants ? detail::at(n_.e) : 0);
  };
  const auto hidden = [&] {
    hidden_ = append(acceleration_rows_.size());
    fixed_ = append(options_.redundant_rows.size());
  };
  position_rate_ = append(detail::at(n_.p));
  if (options_.acceleration_unknowns) {
    velocity_rate_ = append(detail::at(n_.v));
    states();
    contacts();
    positions();
    velocities();
    auxiliary();
    dynamics();
    hidden();
  } else {
    dynamics();
    states();
    auxiliary();
    contacts();
    velocities();
    hidden();
    positions();
  }
  set_equations(row_count_);

  velocity_equation_.assign(detail::at(n_.constraints()), -1);
  hidden_equation_ = eta_column_ = velocity_equation_;
  const auto number = [](const std::vector<int>& rows, int first, std::vector<int>& out) {
    for (const int row : rows) out[detail::at(row)] = first++;
  };
  number(velocity_rows_, velocity_.first, velocity_equation_);
  number(acceleration_rows_, hidden_.first, hidden_equation_);
  number(at_.eta_rows, at_.eta, eta_column_);
}

// ------------------------------------------------------------------------------------------------ function

void MotionResidual::set_point(double t, const Eigen::VectorXd& y) {
  write(y, point_);
  point_.t = t;
  for (std::size_t k = 0; k < at_.eta_rows.size(); ++k) eta_[at_.eta_rows[k]] = y[at_.eta + static_cast<int>(k)];
  const bool is_there = n_.s == 0 && t == equations_.time() && point_.p == equations_.position();
  if (!is_there) return equations_.set(point_);
  equations_.set_velocity(point_.v);  // what depends on positions alone is kept
  equations_.set_states(point_.r);
  equations_.set_multipliers(point_.lambda);
  if (n_.w > 0) equations_.set_auxiliary(point_.w);
}

void MotionResidual::evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate, Eigen::VectorXd& F) {
  set_point(t, y);
  F.resize(row_count_);
  motion_ = point_.v;
  if (!at_.eta_rows.empty()) {
    dynamic_residual_.setZero();
    equations_.G().transpose_multiply_add(1.0, eta_, dynamic_residual_);
    motion_ -= metric_.cwiseProduct(dynamic_residual_);
  }
  equations_.multiply_Z(motion_, p_rate_);
  equations_.add_position_drift(1, p_rate_);
  F.segment(position_rate_.first, n_.p) = y_rate.segment(at_.p, n_.p) - p_rate_;
  if (options_.acceleration_unknowns) {
    a_ = point_.a;
    F.segment(velocity_rate_.first, n_.v) = y_rate.segment(at_.v, n_.v) - a_;
  } else {
    a_ = y_rate.segment(at_.v, n_.v);
  }
  if (n_.r > 0) F.segment(state_rate_.first, n_.r) = y_rate.segment(at_.r, n_.r) - equations_.r_rate();
  evaluate_constraints(F);
  evaluate_accelerations(a_, F);
}

/// The levels of positions and velocities.
void MotionResidual::evaluate_constraints(Eigen::VectorXd& F) {
  if (n_.s > 0) F.segment(contact_.first, n_.s) = equations_.c();
  int row = position_.first;
  for (const int i : position_rows_) F[row++] = equations_.g()[i];
  if (!norms_.empty()) {
    normalised_ = point_.p;
    equations_.normalise(point_.p, normalised_);
    row = norm_.first;
    for (const std::vector<int>& norm : norms_) {
      double residual = 0;  // |q| - 1
      for (const int i : norm) residual += normalised_[i] * (point_.p[i] - normalised_[i]);
      F[row++] = residual;
    }
  }
  row = velocity_.first;
  for (const int i : velocity_rows_) F[row++] = equations_.velocity_residual()[i];
  if (invariant_.count > 0) F.segment(invariant_.first, invariant_.count) = equations_.e();
}

void MotionResidual::evaluate_accelerations(const Eigen::VectorXd& a, Eigen::VectorXd& F) {
  if (n_.w > 0) F.segment(auxiliary_.first, n_.w) = equations_.d();
  if (inverse_mass_) {
    motion_.setZero();
    equations_.dynamic_residual(motion_, point_.lambda, dynamic_residual_);
    inverse_mass_->factor();
    inverse_mass_->multiply(dynamic_residual_);
    F.segment(dynamics_.first, n_.v) = a + dynamic_residual_;
  } else {
    equations_.dynamic_residual(a, point_.lambda, dynamic_residual_);
    F.segment(dynamics_.first, n_.v) = dynamic_residual_;
  }
  if (!acceleration_rows_.empty()) {
    hidden_residual_ = -equations_.gamma();
    equations_.G().multiply_add(1.0, a, hidden_residual_);
    int row = hidden_.first;
    for (const int i : acceleration_rows_) F[row++] = hidden_residual_[i];
  }
  int row = fixed_.first;
  for (const int i : options_.redundant_rows) F[row++] = point_.lambda[i];
}

void MotionResidual::write(const Eigen::VectorXd& y, State& state) const {
  at_.copy_to_state(y, state);
  if (options_.acceleration_unknowns) state.a = y.segment(at_.a, n_.v);
}

void MotionResidual::read(const State& state, Eigen::VectorXd& y) const {
  y.setZero(at_.size);
  at_.copy_from_state(state, y);
  if (options_.acceleration_unknowns) y.segment(at_.a, n_.v) = state.a;
}

InputValue MotionResidual::input(int i, double t) {
  equations_.set_position(t, equations_.position());
  InputValue u = equations_.input(i);
  const InputValue& offset = offsets_[detail::at(i)];
  u.value -= offset.value;
  u.rate -= offset.rate;
  u.acceleration -= offset.acceleration;
  return u;
}

void MotionResidual::offset_input(int i, const InputValue& offset) {
  equations_.offset_input(i, offset);
  offsets_[detail::at(i)] = offset;
}

// ---------------------------------------------------------------------------------------- matrices and sizes

template <class Visit>
void MotionResidual::visit_accelerations(const Visit& visit) {
  if (inverse_mass_)
    for (int i = 0; i < n_.v; ++i) visit(dynamics_.first + i, acceleration_column(i), 1.0);
  else
    detail::visit_blocks(
        equations_.M(), [&](int i, int j, double value) { visit(dynamics_.first + i, acceleration_column(j), value); });
  if (hidden_.count == 0) return;
  detail::visit_blocks(equations_.G(), [&](int i, int j, double value) {
    if (const int row = hidden_equation_[detail::at(i)]; row >= 0) visit(row, acceleration_column(j), value);
  });
}

/// -Z, the columns of a, lambda and eta, and the velocity rows, but M^-1 G^T.
template <class Visit>
void MotionResidual::visit_known(const Visit& visit) {
  Z_.update();
  for (int j = 0; Z_.is_known() && j < n_.v; ++j)
    for (const int i : Z_.rows(j)) visit(position_rate_.first + i, at_.v + j, -Z_.value(i, j));
  if (options_.acceleration_unknowns) {
    for (int i = 0; i < n_.v; ++i) visit(velocity_rate_.first + i, at_.a + i, -1.0);
    visit_accelerations(visit);
  }
  const bool has_multiplier_columns = multiplier_columns_known_ && !inverse_mass_;
  detail::visit_blocks(equations_.G(), [&](int i, int j, double value) {
    if (const int row = velocity_equation_[detail::at(i)]; row >= 0) visit(row, at_.v + j, value);
    if (has_multiplier_columns) visit(dynamics_.first + j, at_.lambda + i, value);
    if (const int column = eta_column_[detail::at(i)]; column >= 0 && Z_.is_known())
      for (const int k : Z_.rows(j)) visit(position_rate_.first + k, column, Z_.value(k, j) * metric_[j] * value);
  });
  for (int k = 0; k < fixed_.count; ++k)
    visit(fixed_.first + k, at_.lambda + options_.redundant_rows[detail::at(k)], 1.0);
}

void MotionResidual::rate_matrix(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&, SparseMatrix& matrix) {
  const auto is_rate = [&](int i) { return options_.acceleration_unknowns || i < at_.v || i >= at_.r; };
  for (int i = 0; i < at_.differential(); ++i)
    if (is_rate(i)) detail::write(matrix, i, i, 1.0);
  if (options_.acceleration_unknowns) return;
  set_point(t, y);
  visit_accelerations([&](int row, int column, double value) { detail::write(matrix, row, column, value); });
}

void MotionResidual::known_entries(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&, SparseMatrix& matrix) {
  set_point(t, y);
  visit_known([&](int row, int column, double value) { detail::write(matrix, row, column, value); });
  if (inverse_mass_ && multiplier_columns_known_) write_inverse_mass_columns(matrix);
}

/// Columns M^-1 G^T.
void MotionResidual::write_inverse_mass_columns(SparseMatrix& matrix) {
  inverse_mass_->factor();
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n_.constraints());
  for (const int row : independent(0, n_.constraints())) {
    unit[row] = 1;
    dynamic_residual_.setZero();
    equations_.G().transpose_multiply_add(1.0, unit, dynamic_residual_);
    unit[row] = 0;
    inverse_mass_->multiply(dynamic_residual_);
    const int column = at_.lambda + row;
    for (int place = matrix.begin(column); place < matrix.end(column); ++place)
      if (const int i = matrix.row(place) - dynamics_.first; i >= 0 && i < n_.v)
        matrix.value(place) = dynamic_residual_[i];
  }
}

Eigen::VectorXd MotionResidual::unknown_sizes() const {
  Eigen::VectorXd out = Eigen::VectorXd::Ones(size());
  out.segment(at_.p, n_.p) = position_sizes_;
  out.segment(at_.v, n_.v) = velocity_sizes(equations_);
  return out;
}

void MotionResidual::scale_by_coefficient(double alpha, Eigen::VectorXd& rows, Eigen::VectorXd& columns) const {
  const double coefficient = options_.acceleration_unknowns ? 1 : detail::nearest_power_of_two(alpha);
  const UnitScaling units = unit_scaling(equations_);
  columns.segment(at_.p, n_.p) = position_sizes_;
  columns.segment(at_.v, n_.v) = units.velocities;
  columns.segment(at_.lambda, n_.constraints()) = coefficient * units.multipliers;
  if (options_.acceleration_unknowns) columns.segment(at_.a, n_.v) = units.velocities;
  for (std::size_t k = 0; k < at_.eta_rows.size(); ++k)
    columns[at_.eta + static_cast<int>(k)] = coefficient * units.stabilisers[at_.eta_rows[k]];

  rows.segment(position_rate_.first, n_.p) = position_sizes_.cwiseInverse();
  rows.segment(velocity_rate_.first, velocity_rate_.count) = units.velocities.head(velocity_rate_.count).cwiseInverse();
  rows.segment(dynamics_.first, n_.v) = inverse_mass_ ? units.velocities.cwiseInverse() : units.dynamics;
  const auto constraints = [&](int row, const std::vector<int>& of) {
    for (const int i : of) rows[row++] = units.constraints[i];
  };
  constraints(position_.first, position_rows_);
  constraints(velocity_.first, velocity_rows_);
  constraints(hidden_.first, acceleration_rows_);
  int row = fixed_.first;
  for (const int i : options_.redundant_rows) rows[row++] = 1 / (coefficient * units.multipliers[i]);
  rows.head(at_.differential()) /= coefficient;
}

// --------------------------------------------------------------------------------------------------- names

std::string MotionResidual::unknown_name(int j) const {
  if (j < at_.end) return at_.name(equations_, j);
  if (j < at_.eta) return "the acceleration of " + equations_.velocity_name(j - at_.a);
  return "the stabilising multiplier of " + equations_.constraint_name(at_.eta_rows[detail::at(j - at_.eta)]);
}

std::string MotionResidual::equation_name(int i) const {
  const auto constraint = [&](const Rows& rows, const std::vector<int>& of) {
    return equations_.constraint_name(of[detail::at(i - rows.first)]);
  };
  if (position_rate_.has(i)) return "the rate of " + equations_.position_name(i - position_rate_.first);
  if (velocity_rate_.has(i)) return "the rate of the velocity of " + equations_.velocity_name(i - velocity_rate_.first);
  if (dynamics_.has(i)) return "the motion equation of " + equations_.velocity_name(i - dynamics_.first);
  if (state_rate_.has(i)) return "the rate of " + equations_.state_name(i - state_rate_.first);
  if (contact_.has(i)) return "the equation of " + equations_.contact_name(i - contact_.first);
  if (auxiliary_.has(i)) return "the equation of " + equations_.auxiliary_name(i - auxiliary_.first);
  if (position_.has(i)) return constraint(position_, position_rows_);
  if (norm_.has(i)) return "the norm of " + equations_.position_name(norms_[detail::at(i - norm_.first)].front());
  if (invariant_.has(i)) return "the invariant " + equations_.invariant_name(i - invariant_.first);
  if (velocity_.has(i)) return "the velocity constraint of " + constraint(velocity_, velocity_rows_);
  if (hidden_.has(i)) return "the acceleration constraint of " + constraint(hidden_, acceleration_rows_);
  return "the redundant row " + constraint(fixed_, options_.redundant_rows);
}

}  // namespace linkwork
