#include <linkwork/solvers/newton/stabilised_equations.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/sparse_patterns.hpp>
#include <linkwork/solvers/newton/unit_sizes.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace linkwork {

using detail::contains;
using detail::sort_rows;
using detail::visit_blocks;
using detail::write;

StabilisedEquations::StabilisedEquations(EquationsOfMotion& equations, const Options& options)
    : ResidualFunction(StabilisedLayout(equations.dimensions()).size),
      equations_(equations),
      options_(options),
      n_(equations.dimensions()),
      at_(n_),
      redundant_(static_cast<std::size_t>(n_.constraints()), 0),
      metric_(velocity_metric(equations)),
      position_sizes_(position_sizes(equations)),
      lambda_columns_known_(!equations.forces_read_multipliers()),
      Z_(equations),
      offsets_(static_cast<std::size_t>(equations.inputs())),
      eta_(Eigen::VectorXd::Zero(n_.constraints())),
      motion_(n_.v),
      p_rate_(n_.p),
      dynamics_(n_.v) {
  for (const int row : options.redundant_rows) redundant_[detail::at(row)] = 1;
  if (options.formalism == Formalism::explicit_inverse) inverse_mass_ = std::make_unique<InverseMass>(equations);
  dependencies_ = find_dependencies();
  rate_pattern_ = find_rate_pattern();
  known_pattern_ = find_known_pattern();
}

// ------------------------------------------------------------------------------------------------ function

void StabilisedEquations::set_point(double t, const Eigen::VectorXd& y) {
  at_.copy_to_state(y, point_);
  point_.t = t;
  eta_.head(n_.lambda) = y.segment(at_.eta, n_.lambda);
  equations_.set(point_);
}

void StabilisedEquations::evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate,
                                   Eigen::VectorXd& F) {
  set_point(t, y);
  F.resize(at_.size);

  motion_ = point_.v;
  if (n_.lambda > 0) {
    dynamics_.setZero();
    equations_.G().transpose_multiply_add(1.0, eta_, dynamics_);
    motion_ -= metric_.cwiseProduct(dynamics_);
  }
  equations_.multiply_Z(motion_, p_rate_);
  F.segment(at_.p, n_.p) = y_rate.segment(at_.p, n_.p) - p_rate_;

  a_ = y_rate.segment(at_.v, n_.v);
  if (inverse_mass_) {
    motion_.setZero();
    equations_.dynamic_residual(motion_, point_.lambda, dynamics_);
    inverse_mass_->factor();
    inverse_mass_->multiply(dynamics_);
    F.segment(at_.v, n_.v) = a_ + dynamics_;
  } else {
    equations_.dynamic_residual(a_, point_.lambda, dynamics_);
    F.segment(at_.v, n_.v) = dynamics_;
  }
  if (n_.r > 0) F.segment(at_.r, n_.r) = y_rate.segment(at_.r, n_.r) - equations_.r_rate();
  if (n_.w > 0) F.segment(at_.w, n_.w) = equations_.d();
  if (n_.s > 0) F.segment(at_.s, n_.s) = equations_.c();
  if (n_.constraints() > 0) F.segment(at_.lambda, n_.constraints()) = equations_.velocity_residual();
  if (n_.lambda > 0) F.segment(at_.eta, n_.lambda) = equations_.g();
  for (const int row : options_.redundant_rows) {
    F[at_.lambda + row] = point_.lambda[row];
    if (row < n_.lambda) F[at_.eta + row] = eta_[row];
  }
}

// ------------------------------------------------------------------------------------------------ patterns

void StabilisedEquations::add_part(Dependencies& all, EquationPart part, int first_row, Unknown unknown,
                                   int first_column) const {
  const Dependencies some = equations_.dependencies(part, unknown);
  all.complete = all.complete && some.complete;
  const bool are_constraints = part == EquationPart::velocity_constraint || part == EquationPart::position_constraint;
  for (std::size_t i = 0; i < some.pattern.rows.size(); ++i) {
    if (are_constraints && redundant_[i] != 0) continue;
    std::vector<int>& row = all.pattern.rows[detail::at(first_row) + i];
    for (const int column : some.pattern.rows[i]) row.push_back(first_column + column);
  }
}

Dependencies StabilisedEquations::find_dependencies() const {
  Dependencies all{SparsityPattern(at_.size, at_.size), true};
  const std::pair<Unknown, int> columns[] = {{Unknown::p, at_.p}, {Unknown::v, at_.v}, {Unknown::r, at_.r},
                                             {Unknown::w, at_.w}, {Unknown::s, at_.s}, {Unknown::lambda, at_.lambda}};
  const auto add = [&](EquationPart part, int row, std::initializer_list<Unknown> unknowns) {
    for (const auto& [unknown, column] : columns)
      if (std::find(unknowns.begin(), unknowns.end(), unknown) != unknowns.end())
        add_part(all, part, row, unknown, column);
  };
  using U = Unknown;
  add(EquationPart::dynamics, at_.v, {U::p, U::v, U::r, U::w, U::s, U::lambda});
  if (inverse_mass_)
    spread_by_inverse_mass(all.pattern);
  else
    add_part(all, EquationPart::dynamics, at_.v, U::a, at_.v);
  add(EquationPart::position_rate, at_.p, {U::p});
  add_part(all, EquationPart::position_rate, at_.p, U::factor, at_.v);
  add(EquationPart::state_rate, at_.r, {U::p, U::v, U::r, U::w, U::s, U::lambda});
  add(EquationPart::auxiliary, at_.w, {U::p, U::v, U::r, U::w, U::s, U::lambda});
  add(EquationPart::contact, at_.s, {U::p, U::s});
  add(EquationPart::velocity_constraint, at_.lambda, {U::p, U::v, U::s});
  add(EquationPart::position_constraint, at_.eta, {U::p, U::s});
  for (int i = 0; i < at_.differential(); ++i) all.pattern.rows[detail::at(i)].push_back(i);  // y'

  // Z D G^T eta: the product of two patterns.
  const SparsityPattern Z = equations_.dependencies(EquationPart::position_rate, U::factor).pattern;
  const Dependencies G_eta = equations_.dependencies(EquationPart::constraint_force, U::factor);
  std::vector<std::pair<SparsityPattern, int>> factors = {{G_eta.pattern, at_.eta}};
  if (options_.eta_derivative) {
    factors.emplace_back(equations_.dependencies(EquationPart::constraint_force, U::p).pattern, at_.p);
    factors.emplace_back(equations_.dependencies(EquationPart::constraint_force, U::s).pattern, at_.s);
  }
  for (const auto& [factor, column] : factors)
    for (std::size_t i = 0; i < Z.rows.size(); ++i)
      for (const int j : Z.rows[i])
        for (const int k : factor.rows[detail::at(j)])
          if (column != at_.eta || !is_redundant(k)) all.pattern.rows[i].push_back(column + k);

  if (!all.complete) {  // what M and G show is known all the same
    visit_blocks(equations_.M(),
                 [&](int i, int j, double) { all.pattern.rows[detail::at(at_.v + i)].push_back(at_.v + j); });
    visit_blocks(equations_.G(), [&](int i, int j, double) {
      all.pattern.rows[detail::at(at_.v + j)].push_back(at_.lambda + i);
      if (!is_redundant(i)) all.pattern.rows[detail::at(at_.lambda + i)].push_back(at_.v + j);
    });
  }
  for (const int row : options_.redundant_rows) {
    all.pattern.rows[detail::at(at_.lambda + row)] = {at_.lambda + row};
    if (row < n_.lambda) all.pattern.rows[detail::at(at_.eta + row)] = {at_.eta + row};
  }
  sort_rows(all.pattern);
  return all;
}

void StabilisedEquations::spread_by_inverse_mass(SparsityPattern& pattern) const {
  DisjointSets sets(detail::at(n_.v));
  visit_blocks(equations_.M(), [&](int i, int j, double) { sets.unite(i, j); });
  std::vector<std::vector<int>> together(detail::at(n_.v));
  for (int i = 0; i < n_.v; ++i) {
    const std::vector<int>& row = pattern.rows[detail::at(at_.v + i)];
    std::vector<int>& to = together[detail::at(sets.find(i))];
    to.insert(to.end(), row.begin(), row.end());
  }
  for (int i = 0; i < n_.v; ++i) pattern.rows[detail::at(at_.v + i)] = together[detail::at(sets.find(i))];
}

SparsityPattern StabilisedEquations::find_rate_pattern() const {
  SparsityPattern pattern(at_.size, at_.size);
  const auto add = [&](int i, int j) { pattern.rows[detail::at(i)].push_back(j); };
  for (int i = 0; i < at_.v; ++i) add(i, i);
  for (int i = at_.r; i < at_.differential(); ++i) add(i, i);
  if (inverse_mass_)
    for (int i = at_.v; i < at_.r; ++i) add(i, i);
  else
    visit_blocks(equations_.M(), [&](int i, int j, double) {
      if (contains(dependencies_.pattern.rows[detail::at(at_.v + i)], at_.v + j)) add(at_.v + i, at_.v + j);
    });
  sort_rows(pattern);
  return pattern;
}

template <class Visit>
void StabilisedEquations::visit_G(const Visit& visit) const {
  visit_blocks(equations_.G(), [&](int i, int j, double value) {
    if (!is_redundant(i) && contains(dependencies_.pattern.rows[detail::at(at_.lambda + i)], at_.v + j))
      visit(i, j, value);
  });
}

SparsityPattern StabilisedEquations::find_known_pattern() const {
  SparsityPattern pattern(at_.size, at_.size);
  const auto add = [&](int i, int j) { pattern.rows[detail::at(i)].push_back(j); };
  for (int j = 0; Z_.is_known() && j < n_.v; ++j)
    for (const int i : Z_.rows(j)) add(at_.p + i, at_.v + j);
  visit_G([&](int i, int j, double) {
    add(at_.lambda + i, at_.v + j);
    if (lambda_columns_known_) add(at_.v + j, at_.lambda + i);
    if (i >= n_.lambda || !Z_.is_known()) return;
    for (const int k : Z_.rows(j)) add(at_.p + k, at_.eta + i);
  });
  if (inverse_mass_ && lambda_columns_known_) spread_by_inverse_mass(pattern);
  for (const int row : options_.redundant_rows) {
    add(at_.lambda + row, at_.lambda + row);
    if (row < n_.lambda) add(at_.eta + row, at_.eta + row);
  }
  sort_rows(pattern);
  return pattern;
}

// -------------------------------------------------------------------------------------------- known entries

void StabilisedEquations::rate_matrix(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&,
                                      SparseMatrix& matrix) {
  for (int i = 0; i < at_.differential(); ++i)
    if (i < at_.v || i >= at_.r || inverse_mass_) write(matrix, i, i, 1.0);
  if (inverse_mass_) return;
  set_point(t, y);
  visit_blocks(equations_.M(), [&](int i, int j, double value) { write(matrix, at_.v + i, at_.v + j, value); });
}

void StabilisedEquations::known_entries(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&,
                                        SparseMatrix& matrix) {
  set_point(t, y);
  write_Z(matrix);
  write_G(matrix);
  if (inverse_mass_ && lambda_columns_known_) write_inverse_mass_columns(matrix);
  for (const int row : options_.redundant_rows) {
    write(matrix, at_.lambda + row, at_.lambda + row, 1.0);
    if (row < n_.lambda) write(matrix, at_.eta + row, at_.eta + row, 1.0);
  }
}

void StabilisedEquations::write_Z(SparseMatrix& matrix) {
  Z_.update();
  for (int j = 0; Z_.is_known() && j < n_.v; ++j)
    for (const int i : Z_.rows(j)) write(matrix, at_.p + i, at_.v + j, -Z_.value(i, j));
}

void StabilisedEquations::write_G(SparseMatrix& matrix) {
  visit_G([&](int i, int j, double value) {
    write(matrix, at_.lambda + i, at_.v + j, value);
    if (!inverse_mass_ && lambda_columns_known_) write(matrix, at_.v + j, at_.lambda + i, value);
    if (i >= n_.lambda || !Z_.is_known()) return;
    for (const int k : Z_.rows(j)) write(matrix, at_.p + k, at_.eta + i, Z_.value(k, j) * metric_[j] * value);
  });
}

/// Columns M^-1 G^T.
void StabilisedEquations::write_inverse_mass_columns(SparseMatrix& matrix) {
  inverse_mass_->factor();
  for (int row = 0; row < n_.constraints(); ++row) {
    if (is_redundant(row)) continue;
    eta_.setZero();
    eta_[row] = 1;
    dynamics_.setZero();
    equations_.G().transpose_multiply_add(1.0, eta_, dynamics_);
    inverse_mass_->multiply(dynamics_);
    const int column = at_.lambda + row;
    for (int place = matrix.begin(column); place < matrix.end(column); ++place)
      if (const int i = matrix.row(place) - at_.v; i >= 0 && i < n_.v) matrix.value(place) = dynamics_[i];
  }
  eta_.setZero();
}

// --------------------------------------------------------------------------------------------- inputs, names

InputValue StabilisedEquations::input(int i, double t) {
  equations_.set_position(t, equations_.position());
  InputValue u = equations_.input(i);
  const InputValue& offset = offsets_[detail::at(i)];
  u.value -= offset.value;
  u.rate -= offset.rate;
  u.acceleration -= offset.acceleration;
  return u;
}

void StabilisedEquations::offset_input(int i, const InputValue& offset) {
  equations_.offset_input(i, offset);
  offsets_[detail::at(i)] = offset;
}

Eigen::VectorXd StabilisedEquations::unknown_sizes() const {
  Eigen::VectorXd out = Eigen::VectorXd::Ones(size());
  out.segment(at_.p, n_.p) = position_sizes_;
  out.segment(at_.v, n_.v) = velocity_sizes(equations_);
  return out;
}

void StabilisedEquations::scale_by_coefficient(double alpha, Eigen::VectorXd& rows, Eigen::VectorXd& columns) const {
  const double coefficient = std::exp2(std::round(std::log2(alpha)));
  const UnitScaling units = unit_scaling(equations_);
  columns.segment(at_.p, n_.p) = position_sizes_;
  rows.segment(at_.p, n_.p) = position_sizes_.cwiseInverse();
  columns.segment(at_.v, n_.v) = units.velocities;
  rows.segment(at_.v, n_.v) = inverse_mass_ ? units.velocities.cwiseInverse() : units.dynamics;
  columns.segment(at_.lambda, n_.constraints()) = coefficient * units.multipliers;
  rows.segment(at_.lambda, n_.constraints()) = units.constraints;
  columns.segment(at_.eta, n_.lambda) = coefficient * units.stabilisers.head(n_.lambda);
  rows.segment(at_.eta, n_.lambda) = units.constraints.head(n_.lambda);
  rows.head(at_.differential()) /= coefficient;
}

std::string StabilisedEquations::unknown_name(int j) const {
  if (j < at_.eta) return at_.name(equations_, j);
  return "the stabilising multiplier of " + equations_.constraint_name(j - at_.eta);
}

std::string StabilisedEquations::equation_name(int i) const {
  if (i < at_.v) return "the rate of " + equations_.position_name(i);
  if (i < at_.r) return "the motion equation of " + equations_.velocity_name(i - at_.v);
  if (i < at_.w) return "the rate of " + equations_.state_name(i - at_.r);
  if (i < at_.s) return "the equation of " + equations_.auxiliary_name(i - at_.w);
  if (i < at_.lambda) return "the equation of " + equations_.contact_name(i - at_.s);
  if (i < at_.eta) return "the velocity constraint of " + equations_.constraint_name(i - at_.lambda);
  return equations_.constraint_name(i - at_.eta);
}

}  // namespace linkwork
