// The sparsity of the equations of motion: which equation depends on which unknown.

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/dae/sparse_patterns.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <utility>

namespace linkwork {

namespace {

void add_columns(const std::vector<int>& from, std::vector<int>& to, int shift = 0) {
  for (const int each : from) to.push_back(shift + each);
}

}  // namespace

void MotionResidual::find_patterns() {
  dependencies_ = {SparsityPattern(row_count_, at_.size), true};
  add_motion_dependencies();
  add_constraint_dependencies();
  if (!at_.eta_rows.empty()) add_stabiliser_dependencies();
  if (!dependencies_.complete) add_what_matrices_show();
  for (int i = 0; i < at_.differential(); ++i) dependencies_.pattern.rows[detail::at(i)].push_back(i);  // y'
  for (int k = 0; k < fixed_.count; ++k)
    dependencies_.pattern.rows[detail::at(fixed_.first + k)] = {at_.lambda + options_.redundant_rows[detail::at(k)]};
  detail::sort_rows(dependencies_.pattern);

  // Blocks of M and G have entries that are zero everywhere.
  const auto add_to = [&](SparsityPattern& pattern) {
    return [&](int row, int column, double) {
      if (detail::contains(dependencies_.pattern.rows[detail::at(row)], column))
        pattern.rows[detail::at(row)].push_back(column);
    };
  };
  rate_pattern_ = known_pattern_ = SparsityPattern(row_count_, at_.size);
  for (int i = 0; i < at_.differential(); ++i)
    if (options_.acceleration_unknowns || i < at_.v || i >= at_.r) rate_pattern_.rows[detail::at(i)].push_back(i);
  if (!options_.acceleration_unknowns) visit_accelerations(add_to(rate_pattern_));
  visit_known(add_to(known_pattern_));
  if (inverse_mass_ && multiplier_columns_known_) {
    detail::visit_blocks(equations_.G(), [&](int i, int j, double) {
      if (redundant_[detail::at(i)] == 0)
        known_pattern_.rows[detail::at(dynamics_.first + j)].push_back(at_.lambda + i);
    });
    spread_by_inverse_mass(known_pattern_);
  }
  detail::sort_rows(rate_pattern_);
  detail::sort_rows(known_pattern_);
}

void MotionResidual::add_part(EquationPart part, const Rows& rows, Unknown unknown, int first_column) {
  if (rows.count == 0) return;
  const Dependencies some = equations_.dependencies(part, unknown);
  dependencies_.complete = dependencies_.complete && some.complete;
  for (std::size_t i = 0; i < some.pattern.rows.size(); ++i)
    add_columns(some.pattern.rows[i], dependencies_.pattern.rows[detail::at(rows.first) + i], first_column);
}

void MotionResidual::add_part(EquationPart part, const std::vector<int>& chosen, const Rows& rows, Unknown unknown,
                              int first_column) {
  if (rows.count == 0) return;
  const Dependencies some = equations_.dependencies(part, unknown);
  dependencies_.complete = dependencies_.complete && some.complete;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    add_columns(some.pattern.rows[detail::at(chosen[k])], dependencies_.pattern.rows[detail::at(rows.first) + k],
                first_column);
}

void MotionResidual::add_motion_dependencies() {
  using U = Unknown;
  const std::pair<U, int> all[] = {{U::p, at_.p}, {U::v, at_.v}, {U::r, at_.r},
                                   {U::w, at_.w}, {U::s, at_.s}, {U::lambda, at_.lambda}};
  add_part(EquationPart::position_rate, position_rate_, U::p, at_.p);
  add_part(EquationPart::position_rate, position_rate_, U::factor, at_.v);
  for (int i = 0; i < velocity_rate_.count; ++i)
    dependencies_.pattern.rows[detail::at(velocity_rate_.first + i)].push_back(at_.a + i);
  for (const auto& [unknown, column] : all) {
    add_part(EquationPart::state_rate, state_rate_, unknown, column);
    add_part(EquationPart::auxiliary, auxiliary_, unknown, column);
    add_part(EquationPart::dynamics, dynamics_, unknown, column);
  }
  if (inverse_mass_)
    spread_by_inverse_mass(dependencies_.pattern);
  else
    add_part(EquationPart::dynamics, dynamics_, U::a, acceleration_column(0));
}

void MotionResidual::spread_by_inverse_mass(SparsityPattern& pattern) const {
  DisjointSets sets(detail::at(n_.v));
  detail::visit_blocks(equations_.M(), [&](int i, int j, double) { sets.unite(i, j); });
  std::vector<std::vector<int>> together(detail::at(n_.v));
  for (int i = 0; i < n_.v; ++i)
    add_columns(pattern.rows[detail::at(dynamics_.first + i)], together[detail::at(sets.find(i))]);
  for (int i = 0; i < n_.v; ++i) pattern.rows[detail::at(dynamics_.first + i)] = together[detail::at(sets.find(i))];
}

void MotionResidual::add_constraint_dependencies() {
  using Part = EquationPart;
  for (const auto& [unknown, column] : {std::pair{Unknown::p, at_.p}, std::pair{Unknown::s, at_.s}}) {
    add_part(Part::contact, contact_, unknown, column);
    add_part(Part::position_constraint, position_rows_, position_, unknown, column);
    add_part(Part::velocity_constraint, velocity_rows_, velocity_, unknown, column);
  }
  add_part(Part::velocity_constraint, velocity_rows_, velocity_, Unknown::v, at_.v);
  for (std::size_t k = 0; k < norms_.size(); ++k)
    add_columns(norms_[k], dependencies_.pattern.rows[detail::at(norm_.first) + k], at_.p);
  for (int row = invariant_.first; row < invariant_.last(); ++row) {  // of all positions and velocities
    std::vector<int>& to = dependencies_.pattern.rows[detail::at(row)];
    for (int j = at_.p; j < at_.r; ++j) to.push_back(j);
    for (int j = at_.s; j < at_.lambda; ++j) to.push_back(j);
  }
  if (hidden_.count > 0) add_hidden_dependencies();
}

/// gamma comes from the derivative of G v + offset along the motion: it depends on the positions and contact
/// coordinates that the velocity residual depends on, on the velocities in that, and on those that move the former.
void MotionResidual::add_hidden_dependencies() {
  using U = Unknown;
  using Part = EquationPart;
  const Dependencies by_p = equations_.dependencies(Part::velocity_constraint, U::p);
  const Dependencies by_s = equations_.dependencies(Part::velocity_constraint, U::s);
  const Dependencies by_v = equations_.dependencies(Part::velocity_constraint, U::v);
  const SparsityPattern contact_p = equations_.dependencies(Part::contact, U::p).pattern;
  const SparsityPattern contact_s = equations_.dependencies(Part::contact, U::s).pattern;
  const SparsityPattern Z = equations_.dependencies(Part::position_rate, U::factor).pattern;
  const SparsityPattern Z_p = equations_.dependencies(Part::position_rate, U::p).pattern;
  for (std::size_t k = 0; k < acceleration_rows_.size(); ++k) {
    const std::size_t row = detail::at(acceleration_rows_[k]);
    std::vector<int> positions = by_p.pattern.rows[row], contacts = by_s.pattern.rows[row],
                     velocities = by_v.pattern.rows[row];
    std::vector<int>& to = dependencies_.pattern.rows[detail::at(hidden_.first) + k];
    add_columns(velocities, to, acceleration_column(0));
    for (const int s : by_s.pattern.rows[row]) {
      add_columns(contact_p.rows[detail::at(s)], positions);
      add_columns(contact_s.rows[detail::at(s)], contacts);
    }
    std::vector<int> moved = positions;
    for (const int p : positions) {
      add_columns(Z.rows[detail::at(p)], velocities);
      add_columns(Z_p.rows[detail::at(p)], moved);
    }
    add_columns(moved, to, at_.p);
    add_columns(contacts, to, at_.s);
    add_columns(velocities, to, at_.v);
  }
  dependencies_.complete = dependencies_.complete && by_p.complete && by_s.complete && by_v.complete;
}

/// Of Z D G^T eta: the product of two patterns.
void MotionResidual::add_stabiliser_dependencies() {
  const SparsityPattern Z = equations_.dependencies(EquationPart::position_rate, Unknown::factor).pattern;
  const auto force = [&](Unknown unknown) {
    return equations_.dependencies(EquationPart::constraint_force, unknown).pattern;
  };
  const auto add = [&](const SparsityPattern& factor, const auto& column_of) {
    for (std::size_t i = 0; i < Z.rows.size(); ++i)
      for (const int j : Z.rows[i])
        for (const int k : factor.rows[detail::at(j)])
          if (const int column = column_of(k); column >= 0)
            dependencies_.pattern.rows[detail::at(position_rate_.first) + i].push_back(column);
  };
  add(force(Unknown::factor), [&](int row) { return eta_column_[detail::at(row)]; });
  if (!options_.eta_derivative) return;
  add(force(Unknown::p), [&](int p) { return at_.p + p; });
  add(force(Unknown::s), [&](int s) { return at_.s + s; });
}

/// What M, Z and G show is known where elements do not say what they depend on.
void MotionResidual::add_what_matrices_show() {
  const auto add = [&](int row, int column, double) { dependencies_.pattern.rows[detail::at(row)].push_back(column); };
  visit_known(add);
  visit_accelerations(add);
  detail::visit_blocks(equations_.G(), [&](int i, int j, double) { add(dynamics_.first + j, at_.lambda + i, 0); });
}

}  // namespace linkwork
