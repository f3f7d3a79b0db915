#include <linkwork/solvers/newton/strangeness_free_equations.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/newton/sparse_patterns.hpp>
#include <linkwork/solvers/newton/unit_sizes.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

bool has_position_level(EquationForm form) { return form != EquationForm::index_2 && form != EquationForm::index_1; }

bool is_strangeness_free(EquationForm form) {
  return form == EquationForm::strangeness_free || form == EquationForm::strangeness_free_with_invariants;
}

bool has_acceleration_level(EquationForm form) { return is_strangeness_free(form) || form == EquationForm::index_1; }

/// Rows that are not redundant, from `first` to `last`.
std::vector<int> independent(const std::vector<char>& redundant, int first, int last) {
  std::vector<int> rows;
  for (int row = first; row < last; ++row)
    if (redundant[detail::at(row)] == 0) rows.push_back(row);
  return rows;
}

std::vector<char> flags(const std::vector<int>& numbers, int count) {
  std::vector<char> out(detail::at(count), 0);
  for (const int number : numbers) out[detail::at(number)] = 1;
  return out;
}

int count_eta(const StrangenessFreeEquations::Options& options, const Dimensions& n) {
  if (options.form != EquationForm::stabilised) return 0;
  const auto redundant = std::count_if(options.redundant_rows.begin(), options.redundant_rows.end(),
                                       [&](int row) { return row < n.lambda; });
  return n.lambda - static_cast<int>(redundant);
}

}  // namespace

StrangenessFreeEquations::StrangenessFreeEquations(EquationsOfMotion& equations, const Options& options)
    : ResidualFunction(StrangenessFreeLayout(equations.dimensions(), count_eta(options, equations.dimensions())).size),
      equations_(equations),
      options_(options),
      n_(equations.dimensions()),
      redundant_(flags(options.redundant_rows, n_.constraints())),
      at_(n_, count_eta(options, n_)),
      multiplier_columns_known_(!equations.forces_read_multipliers()),
      Z_(equations),
      metric_(velocity_metric(equations)),
      position_sizes_(position_sizes(equations)),
      eta_(Eigen::VectorXd::Zero(n_.constraints())),
      motion_(n_.v),
      p_rate_(n_.p),
      dynamics_(n_.v),
      hidden_(n_.constraints()) {
  find_norms();
  number_rows();
  find_dependencies();
}

bool StrangenessFreeEquations::selects_positions() const {
  return is_strangeness_free(options_.form) || options_.form == EquationForm::without_acceleration_level;
}

bool StrangenessFreeEquations::selects_velocities() const { return is_strangeness_free(options_.form); }

int StrangenessFreeEquations::invariant_rows() const {
  return options_.form == EquationForm::strangeness_free_with_invariants ? n_.e : 0;
}

// ---------------------------------------------------------------------------------------------------- rows

/// Positions that have a norm are those that normalisation moves together.
void StrangenessFreeEquations::find_norms() {
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

StrangenessFreeEquations::Rows StrangenessFreeEquations::append(std::size_t count) {
  const Rows rows{row_count_, static_cast<int>(count)};
  row_count_ += rows.count;
  return rows;
}

void StrangenessFreeEquations::number_rows() {
  const EquationForm form = options_.form;
  if (has_position_level(form)) position_rows_ = independent(redundant_, 0, n_.lambda);
  if (form != EquationForm::index_1)
    velocity_rows_ = independent(redundant_, form == EquationForm::index_3 ? n_.lambda : 0, n_.constraints());
  if (has_acceleration_level(form)) acceleration_rows_ = independent(redundant_, 0, n_.constraints());
  if (form == EquationForm::stabilised) eta_rows_ = independent(redundant_, 0, n_.lambda);
  position_rate_ = append(detail::at(n_.p));
  velocity_rate_ = append(detail::at(n_.v));
  state_rate_ = append(detail::at(n_.r));
  contact_ = append(detail::at(n_.s));
  position_ = append(position_rows_.size() + norms_.size());
  velocity_ = append(velocity_rows_.size() + detail::at(invariant_rows()));
  auxiliary_ = append(detail::at(n_.w));
  acceleration_ = append(detail::at(n_.v) + acceleration_rows_.size() + options_.redundant_rows.size());
  set_equations(row_count_);
}

// ------------------------------------------------------------------------------------------------ function

void StrangenessFreeEquations::set_point(double t, const Eigen::VectorXd& y) {
  write(y, point_);
  point_.t = t;
  for (std::size_t k = 0; k < eta_rows_.size(); ++k) eta_[eta_rows_[k]] = y[at_.eta + static_cast<int>(k)];
  const bool is_there = n_.s == 0 && t == equations_.time() && point_.p == equations_.position();
  if (!is_there) return equations_.set(point_);
  equations_.set_velocity(point_.v);  // what depends on positions alone is kept
  equations_.set_states(point_.r);
  equations_.set_multipliers(point_.lambda);
  if (n_.w > 0) equations_.set_auxiliary(point_.w);
}

void StrangenessFreeEquations::evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate,
                                        Eigen::VectorXd& F) {
  set_point(t, y);
  F.resize(row_count_);
  motion_ = point_.v;
  if (!eta_rows_.empty()) {
    dynamics_.setZero(n_.v);
    equations_.G().transpose_multiply_add(1.0, eta_, dynamics_);
    motion_ -= metric_.cwiseProduct(dynamics_);
  }
  equations_.multiply_Z(motion_, p_rate_);
  F.segment(position_rate_.first, n_.p) = y_rate.segment(at_.p, n_.p) - p_rate_;
  F.segment(velocity_rate_.first, n_.v) = y_rate.segment(at_.v, n_.v) - point_.a;
  if (n_.r > 0) F.segment(state_rate_.first, n_.r) = y_rate.segment(at_.r, n_.r) - equations_.r_rate();

  if (n_.s > 0) F.segment(contact_.first, n_.s) = equations_.c();
  for (std::size_t k = 0; k < position_rows_.size(); ++k)
    F[level_row(position_, k)] = equations_.g()[position_rows_[k]];
  if (!norms_.empty()) {
    normalised_ = point_.p;
    equations_.normalise(point_.p, normalised_);
    for (std::size_t k = 0; k < norms_.size(); ++k) {
      double& residual = F[level_row(position_, position_rows_.size() + k)];
      residual = 0;  // |q| - 1
      for (const int i : norms_[k]) residual += normalised_[i] * (point_.p[i] - normalised_[i]);
    }
  }
  for (std::size_t k = 0; k < velocity_rows_.size(); ++k)
    F[level_row(velocity_, k)] = equations_.velocity_residual()[velocity_rows_[k]];
  if (invariant_rows() > 0) F.segment(velocity_.last() - n_.e, n_.e) = equations_.e();

  if (n_.w > 0) F.segment(auxiliary_.first, n_.w) = equations_.d();
  equations_.dynamic_residual(point_.a, point_.lambda, dynamics_);
  F.segment(dynamics(), n_.v) = dynamics_;
  if (!acceleration_rows_.empty()) {
    hidden_ = -equations_.gamma();
    equations_.G().multiply_add(1.0, point_.a, hidden_);
    for (std::size_t k = 0; k < acceleration_rows_.size(); ++k)
      F[hidden() + static_cast<int>(k)] = hidden_[acceleration_rows_[k]];
  }
  for (std::size_t k = 0; k < options_.redundant_rows.size(); ++k)
    F[fixed() + static_cast<int>(k)] = point_.lambda[options_.redundant_rows[k]];
}

void StrangenessFreeEquations::write(const Eigen::VectorXd& y, State& state) const {
  at_.copy_to_state(y, state);
  state.a = y.segment(at_.a, n_.v);
}

void StrangenessFreeEquations::read(const State& state, Eigen::VectorXd& y) const {
  y.setZero(at_.size);
  at_.copy_from_state(state, y);
  y.segment(at_.a, n_.v) = state.a;
}

// -------------------------------------------------------------------------------------------- known entries

template <class Visit>
void StrangenessFreeEquations::visit_known(const Visit& visit) {
  Z_.update();
  for (int j = 0; Z_.is_known() && j < n_.v; ++j)
    for (const int i : Z_.rows(j)) visit(position_rate_.first + i, at_.v + j, -Z_.value(i, j));
  for (int i = 0; i < n_.v; ++i) visit(velocity_rate_.first + i, at_.a + i, -1.0);
  detail::visit_blocks(equations_.M(), [&](int i, int j, double value) { visit(dynamics() + i, at_.a + j, value); });

  std::vector<int> velocity_row(detail::at(n_.constraints()), -1), hidden_row = velocity_row, eta_column = velocity_row;
  for (std::size_t k = 0; k < velocity_rows_.size(); ++k)
    velocity_row[detail::at(velocity_rows_[k])] = level_row(velocity_, k);
  for (std::size_t k = 0; k < acceleration_rows_.size(); ++k)
    hidden_row[detail::at(acceleration_rows_[k])] = hidden() + static_cast<int>(k);
  for (std::size_t k = 0; k < eta_rows_.size(); ++k)
    eta_column[detail::at(eta_rows_[k])] = at_.eta + static_cast<int>(k);
  detail::visit_blocks(equations_.G(), [&](int i, int j, double value) {
    if (const int row = velocity_row[detail::at(i)]; row >= 0) visit(row, at_.v + j, value);
    if (const int row = hidden_row[detail::at(i)]; row >= 0) visit(row, at_.a + j, value);
    if (multiplier_columns_known_) visit(dynamics() + j, at_.lambda + i, value);
    if (const int column = eta_column[detail::at(i)]; column >= 0 && Z_.is_known())
      for (const int k : Z_.rows(j)) visit(position_rate_.first + k, column, Z_.value(k, j) * metric_[j] * value);
  });
  for (std::size_t k = 0; k < options_.redundant_rows.size(); ++k)
    visit(fixed() + static_cast<int>(k), at_.lambda + options_.redundant_rows[k], 1.0);
}

void StrangenessFreeEquations::rate_matrix(double, const Eigen::VectorXd&, const Eigen::VectorXd&,
                                           SparseMatrix& matrix) {
  for (int i = 0; i < at_.differential(); ++i) detail::write(matrix, position_rate_.first + i, at_.p + i, 1.0);
}

void StrangenessFreeEquations::known_entries(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&,
                                             SparseMatrix& matrix) {
  set_point(t, y);
  visit_known([&](int row, int column, double value) { detail::write(matrix, row, column, value); });
}

Eigen::VectorXd StrangenessFreeEquations::unknown_sizes() const {
  Eigen::VectorXd out = Eigen::VectorXd::Ones(size());
  out.segment(at_.p, n_.p) = position_sizes_;
  out.segment(at_.v, n_.v) = velocity_sizes(equations_);
  return out;
}

void StrangenessFreeEquations::scale_by_coefficient(double, Eigen::VectorXd& rows, Eigen::VectorXd& columns) const {
  const UnitScaling units = unit_scaling(equations_);
  columns.segment(at_.p, n_.p) = position_sizes_;
  columns.segment(at_.v, n_.v) = columns.segment(at_.a, n_.v) = units.velocities;
  columns.segment(at_.lambda, n_.constraints()) = units.multipliers;
  for (std::size_t k = 0; k < eta_rows_.size(); ++k)
    columns[at_.eta + static_cast<int>(k)] = units.stabilisers[eta_rows_[k]];

  rows.segment(position_rate_.first, n_.p) = position_sizes_.cwiseInverse();
  rows.segment(velocity_rate_.first, n_.v) = units.velocities.cwiseInverse();
  rows.segment(dynamics(), n_.v) = units.dynamics;
  for (std::size_t k = 0; k < position_rows_.size(); ++k)
    rows[level_row(position_, k)] = units.constraints[position_rows_[k]];
  for (std::size_t k = 0; k < velocity_rows_.size(); ++k)
    rows[level_row(velocity_, k)] = units.constraints[velocity_rows_[k]];
  for (std::size_t k = 0; k < acceleration_rows_.size(); ++k)
    rows[hidden() + static_cast<int>(k)] = units.constraints[acceleration_rows_[k]];
  for (std::size_t k = 0; k < options_.redundant_rows.size(); ++k)
    rows[fixed() + static_cast<int>(k)] = 1 / units.multipliers[options_.redundant_rows[k]];
}

// ------------------------------------------------------------------------------------------------ patterns

void StrangenessFreeEquations::add_part(EquationPart part, int first_row, Unknown unknown, int first_column) {
  const Dependencies some = equations_.dependencies(part, unknown);
  dependencies_.complete = dependencies_.complete && some.complete;
  for (std::size_t i = 0; i < some.pattern.rows.size(); ++i)
    for (const int column : some.pattern.rows[i])
      dependencies_.pattern.rows[detail::at(first_row) + i].push_back(first_column + column);
}

/// The chosen rows of a part.
void StrangenessFreeEquations::add_rows(const std::vector<int>& rows, const Dependencies& some, int first_row,
                                        int first_column) {
  dependencies_.complete = dependencies_.complete && some.complete;
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const int column : some.pattern.rows[detail::at(rows[k])])
      dependencies_.pattern.rows[detail::at(first_row) + k].push_back(first_column + column);
}

void StrangenessFreeEquations::find_dependencies() {
  using U = Unknown;
  using Part = EquationPart;
  dependencies_ = {SparsityPattern(row_count_, at_.size), true};
  const std::pair<U, int> all[] = {{U::p, at_.p}, {U::v, at_.v}, {U::r, at_.r},
                                   {U::w, at_.w}, {U::s, at_.s}, {U::lambda, at_.lambda}};
  add_part(Part::position_rate, position_rate_.first, U::p, at_.p);
  add_part(Part::position_rate, position_rate_.first, U::factor, at_.v);
  for (const auto& [unknown, column] : all) {
    add_part(Part::state_rate, state_rate_.first, unknown, column);
    add_part(Part::auxiliary, auxiliary_.first, unknown, column);
    add_part(Part::dynamics, dynamics(), unknown, column);
  }
  add_part(Part::dynamics, dynamics(), U::a, at_.a);
  add_part(Part::contact, contact_.first, U::p, at_.p);
  add_part(Part::contact, contact_.first, U::s, at_.s);
  add_level_dependencies();

  rate_pattern_ = known_pattern_ = SparsityPattern(row_count_, at_.size);
  for (int i = 0; i < at_.differential(); ++i) rate_pattern_.rows[detail::at(i)].push_back(i);
  visit_known([&](int row, int column, double) { known_pattern_.rows[detail::at(row)].push_back(column); });
  detail::sort_rows(known_pattern_);
  for (SparsityPattern* part : {&rate_pattern_, &known_pattern_})
    for (std::size_t i = 0; i < part->rows.size(); ++i)
      dependencies_.pattern.rows[i].insert(dependencies_.pattern.rows[i].end(), part->rows[i].begin(),
                                           part->rows[i].end());
  detail::sort_rows(dependencies_.pattern);
}

void StrangenessFreeEquations::add_level_dependencies() {
  using U = Unknown;
  using Part = EquationPart;
  for (const auto& [unknown, column] : {std::pair{U::p, at_.p}, std::pair{U::s, at_.s}}) {
    add_rows(position_rows_, equations_.dependencies(Part::position_constraint, unknown), position_.first, column);
    add_rows(velocity_rows_, equations_.dependencies(Part::velocity_constraint, unknown), velocity_.first, column);
  }
  add_rows(velocity_rows_, equations_.dependencies(Part::velocity_constraint, U::v), velocity_.first, at_.v);
  for (std::size_t k = 0; k < norms_.size(); ++k)
    for (const int i : norms_[k])
      dependencies_.pattern.rows[detail::at(level_row(position_, position_rows_.size() + k))].push_back(at_.p + i);
  for (int row = velocity_.last() - invariant_rows(); row < velocity_.last();
       ++row) {  // of all positions and velocities
    std::vector<int>& to = dependencies_.pattern.rows[detail::at(row)];
    for (int j = at_.p; j < at_.r; ++j) to.push_back(j);
    for (int j = at_.s; j < at_.lambda; ++j) to.push_back(j);
  }
  if (!acceleration_rows_.empty()) add_hidden_dependencies();
}

/// gamma comes from the derivative of G v + offset along the motion: it depends on the positions and contact
/// coordinates that the velocity residual depends on, on the velocities in that, and on those that move the former.
void StrangenessFreeEquations::add_hidden_dependencies() {
  using U = Unknown;
  using Part = EquationPart;
  const Dependencies by_p = equations_.dependencies(Part::velocity_constraint, U::p);
  const Dependencies by_s = equations_.dependencies(Part::velocity_constraint, U::s);
  const Dependencies by_v = equations_.dependencies(Part::velocity_constraint, U::v);
  const SparsityPattern contact_p = equations_.dependencies(Part::contact, U::p).pattern;
  const SparsityPattern contact_s = equations_.dependencies(Part::contact, U::s).pattern;
  const SparsityPattern Z = equations_.dependencies(Part::position_rate, U::factor).pattern;
  const SparsityPattern Z_p = equations_.dependencies(Part::position_rate, U::p).pattern;
  const auto add_all = [](const std::vector<int>& from, std::vector<int>& to) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::size_t k = 0; k < acceleration_rows_.size(); ++k) {
    const std::size_t row = detail::at(acceleration_rows_[k]);
    std::vector<int> positions = by_p.pattern.rows[row], contacts = by_s.pattern.rows[row],
                     velocities = by_v.pattern.rows[row];
    for (const int s : by_s.pattern.rows[row]) {
      add_all(contact_p.rows[detail::at(s)], positions);
      add_all(contact_s.rows[detail::at(s)], contacts);
    }
    std::vector<int> moved = positions;
    for (const int p : positions) {
      add_all(Z.rows[detail::at(p)], velocities);
      add_all(Z_p.rows[detail::at(p)], moved);
    }
    std::vector<int>& to = dependencies_.pattern.rows[detail::at(hidden()) + k];
    for (const int p : moved) to.push_back(at_.p + p);
    for (const int s : contacts) to.push_back(at_.s + s);
    for (const int v : velocities) to.push_back(at_.v + v);
  }
  dependencies_.complete = dependencies_.complete && by_p.complete && by_s.complete && by_v.complete;
}

// --------------------------------------------------------------------------------------------------- names

std::string StrangenessFreeEquations::unknown_name(int j) const {
  if (j < at_.a) return at_.name(equations_, j);
  if (j < at_.eta) return "the acceleration of " + equations_.velocity_name(j - at_.a);
  return "the stabilising multiplier of " + equations_.constraint_name(eta_rows_[detail::at(j - at_.eta)]);
}

std::string StrangenessFreeEquations::equation_name(int i) const {
  if (i < velocity_rate_.first) return "the rate of " + equations_.position_name(i);
  if (i < state_rate_.first) return "the rate of the velocity of " + equations_.velocity_name(i - velocity_rate_.first);
  if (i < contact_.first) return "the rate of " + equations_.state_name(i - state_rate_.first);
  if (i < position_.first) return "the equation of " + equations_.contact_name(i - contact_.first);
  if (i < velocity_.first) {
    const auto k = detail::at(i - position_.first);
    return k < position_rows_.size()
               ? equations_.constraint_name(position_rows_[k])
               : "the norm of " + equations_.position_name(norms_[k - position_rows_.size()].front());
  }
  if (i >= auxiliary_.first - invariant_rows() && i < auxiliary_.first)
    return "the invariant " + equations_.invariant_name(i - auxiliary_.first + invariant_rows());
  if (i < auxiliary_.first)
    return "the velocity constraint of " + equations_.constraint_name(velocity_rows_[detail::at(i - velocity_.first)]);
  if (i < dynamics()) return "the equation of " + equations_.auxiliary_name(i - auxiliary_.first);
  if (i < hidden()) return "the motion equation of " + equations_.velocity_name(i - dynamics());
  if (i < fixed())
    return "the acceleration constraint of " + equations_.constraint_name(acceleration_rows_[detail::at(i - hidden())]);
  return "the redundant row " + equations_.constraint_name(options_.redundant_rows[detail::at(i - fixed())]);
}

}  // namespace linkwork
