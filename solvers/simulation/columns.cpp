#include <linkwork/solvers/simulation/columns.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation/name_patterns.hpp>
#include <linkwork/solvers/simulation/solution_reader.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace linkwork {

namespace {

constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

/// The components that dense output has in every segment; all of them if there is none. A segment with an event may
/// have more than were selected.
std::vector<int> selected(const std::vector<TrajectorySegment>& segments,
                          DensePolynomial::Group DensePolynomial::*group, Eigen::Index size) {
  std::vector<int> fewest(static_cast<std::size_t>(size));
  std::iota(fewest.begin(), fewest.end(), 0);
  for (const TrajectorySegment& segment : segments)
    if (segment.dense && ((*segment.dense).*group).components.size() < fewest.size())
      fewest = ((*segment.dense).*group).components;
  return fewest;
}

/// What a column of a kind is, and what a chart of such columns shows.
struct Words {
  const char *column, *chart;
};
const Words& words_of(Columns::Kind kind) {
  static constexpr Words words[] = {
      {"position", "coordinates"},      {"velocity", "velocities"},       {"state", "states"},
      {"auxiliary variable", "states"}, {"contact coordinate", "states"}, {"observable", "observables"},
      {"element", "elements"}};  // as Kind counts
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace

Columns::Columns(const EquationsOfMotion& equations, const std::vector<TrajectorySegment>& segments)
    : equations_(&equations) {
  const Dimensions& n = equations.dimensions();
  const bool everything = std::all_of(segments.begin(), segments.end(),
                                      [&](const TrajectorySegment& segment) { return is_readable(segment, n); });
  const auto add = [&](Kind kind, std::string name, std::string unit, std::size_t index) {
    if (!taken_.insert(name).second) name = concat(name, " (", words_of(kind).column, ')');
    columns_.push_back({std::move(name), std::move(unit), kind, index});
  };
  const auto add_group = [&](Kind kind, const std::vector<int>& components, const auto& name_of, const auto& unit_of) {
    for (const int i : components) add(kind, name_of(i), unit_of(i), static_cast<std::size_t>(i));
  };
  const auto no_unit = [](int) { return ""; };
  /// w and s, as unknowns or solved for.
  const auto solved = [&](DensePolynomial::Group DensePolynomial::*group, int unknowns, Eigen::Index size) {
    return unknowns > 0 ? selected(segments, group, unknowns) : selected({}, group, everything ? size : 0);
  };
  add_group(
      Kind::position, selected(segments, &DensePolynomial::p, n.p), [&](int i) { return equations.position_name(i); },
      [&](int i) { return unit_of(equations.position_measure(i)); });
  add_group(
      Kind::velocity, selected(segments, &DensePolynomial::v, n.v), [&](int i) { return equations.velocity_name(i); },
      [&](int i) { return rate_unit_of(equations.velocity_measure(i)); });
  add_group(
      Kind::state, selected(segments, &DensePolynomial::r, n.r), [&](int i) { return equations.state_name(i); },
      no_unit);
  add_group(
      Kind::auxiliary, solved(&DensePolynomial::w, n.w, equations.auxiliary().size()),
      [&](int i) { return equations.auxiliary_name(i); }, no_unit);
  add_group(
      Kind::contact, solved(&DensePolynomial::s, n.s, equations.contacts().size()),
      [&](int i) { return equations.contact_name(i); }, no_unit);
  if (!everything) return;
  const std::vector<std::string> names = equations.observable_names(), units = observable_units(equations);
  for (std::size_t i = 0; i < names.size(); ++i) add(Kind::observable, names[i], units[i], i);
  has_elements_ = false;
}

void Columns::add_elements() {
  if (std::exchange(has_elements_, true)) return;
  elements_ = ElementQuantities(*equations_);
  for (std::size_t i = 0; i < elements_.names().size(); ++i)
    if (taken_.insert(elements_.names()[i]).second)
      columns_.push_back({elements_.names()[i], elements_.units()[i], Kind::element, i});
}

std::vector<std::string> Columns::names() const {
  std::vector<std::string> out;
  for (const Column& column : columns_) out.push_back(column.name);
  return out;
}

std::vector<std::size_t> Columns::of_kinds(Kind first, Kind last) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].kind >= first && columns_[i].kind <= last) out.push_back(i);
  return out;
}

std::vector<std::size_t> Columns::chosen(const char* asked_by, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return of_kinds(Kind::position, Kind::observable);
  add_elements();
  return names_that_fit(asked_by, "column", names(), patterns);
}

std::vector<std::size_t> Columns::as_curves(const char* asked_by, const std::vector<std::string>& patterns) {
  constexpr std::size_t most_coordinates = 60;
  if (!patterns.empty()) return chosen(asked_by, patterns);
  std::vector<std::size_t> out = of_kinds(Kind::observable, Kind::observable);
  if (!out.empty()) return out;
  out = of_kinds(Kind::position, Kind::position);
  out.resize(std::min(out.size(), most_coordinates));
  return out;
}

std::string Columns::title_of_chart(std::size_t i) const {
  const Column& column = columns_[i];
  const char* what = words_of(column.kind).chart;
  return column.unit.empty() ? what : concat(what, " [", column.unit, ']');
}

std::optional<std::size_t> Columns::find(const std::string& name) {
  const auto look = [&]() -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].name == name) return i;
    return {};
  };
  const std::optional<std::size_t> found = look();
  if (found) return found;
  add_elements();
  return look();
}

void Columns::read_observables(const State& state, EquationsOfMotion& equations) {
  try {
    equations.observables(state, observables_);
  } catch (const RecoverableFailure&) {
    if (state.a.allFinite() && state.lambda.allFinite()) throw;
    observables_.setConstant(static_cast<Eigen::Index>(equations.observable_names().size()), unknown_value);
  }
}

void Columns::read(const State& state, EquationsOfMotion& equations, const std::vector<std::size_t>& which,
                   std::vector<double>& row) {
  const auto is_of = [&](Kind kind) { return [this, kind](std::size_t i) { return columns_[i].kind == kind; }; };
  if (std::any_of(which.begin(), which.end(), is_of(Kind::observable))) read_observables(state, equations);
  told_.clear();
  for (const std::size_t i : which)
    if (columns_[i].kind == Kind::element) told_.push_back(columns_[i].index);
  told_values_.resize(told_.size());
  elements_.read(equations, state, told_, told_values_.data());

  auto value_of = [&, told = std::size_t{0}](const Column& column) mutable {
    const auto i = static_cast<Eigen::Index>(column.index);
    switch (column.kind) {
      case Kind::position:
        return state.p[i];
      case Kind::velocity:
        return state.v[i];
      case Kind::state:
        return state.r[i];
      case Kind::auxiliary:
        return state.w[i];
      case Kind::contact:
        return state.s[i];
      case Kind::observable:
        return observables_[i];
      case Kind::element:
        break;
    }
    return told_values_[told++];
  };
  for (std::size_t k = 0; k < which.size(); ++k) row[k] = value_of(columns_[which[k]]);
}

}  // namespace linkwork
