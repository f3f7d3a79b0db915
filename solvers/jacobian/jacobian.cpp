#include <linkwork/solvers/jacobian/jacobian.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/topology/column_groups.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <utility>

namespace linkwork {

namespace {

// Second derivatives are differences of four values of F: between truncation, which grows with the increments, and
// rounding, which falls with the product of both, the fourth root of epsilon for the unknown as for the input.
const double input_increment = std::sqrt(root_epsilon);
const double increment_ratio = input_increment / root_epsilon;
constexpr double noise_share = 4;  // changes of a quotient up to so many times its rounding error count as zero

constexpr int most_waits = 10;  // trials in vain double the wait for the next one up to 2^10 evaluations

// At the second look for entries unknowns are moved by up to this share of them, or of what counts as one of them: much
// against rounding, of the size of an angle or of a length of the mechanism.
constexpr double probing_share = 0.3;

/// "Recently" of CORR 3.1: no more than two steps ago.
constexpr double recent_steps = 2;

void unite(SparsityPattern& pattern, const SparsityPattern& other) {
  std::vector<int> merged;
  for (std::size_t i = 0; i < pattern.rows.size(); ++i) {
    merged.clear();
    std::set_union(pattern.rows[i].begin(), pattern.rows[i].end(), other.rows[i].begin(), other.rows[i].end(),
                   std::back_inserter(merged));
    pattern.rows[i] = merged;
  }
}

int nonzeros(const SparsityPattern& pattern) {
  std::size_t count = 0;
  for (const std::vector<int>& row : pattern.rows) count += row.size();
  return static_cast<int>(count);
}

std::vector<int> places_in(const SparseMatrix& whole, const SparseMatrix& part) {
  std::vector<int> places;
  for (int column = 0; column < part.columns(); ++column)
    for (int k = part.begin(column); k < part.end(column); ++k) places.push_back(whole.place(part.row(k), column));
  return places;
}

/// Keeps an input's offset for as long as it lives.
class InputOffset {
 public:
  InputOffset(ResidualFunction& function, int input, double InputValue::*order, double offset)
      : function_(function), input_(input) {
    InputValue value;
    value.*order = offset;
    function_.offset_input(input_, value);
  }
  ~InputOffset() { function_.offset_input(input_, {}); }
  InputOffset(const InputOffset&) = delete;
  InputOffset& operator=(const InputOffset&) = delete;

 private:
  ResidualFunction& function_;
  int input_;
};

}  // namespace

void Jacobian::Lists::sort(const std::vector<int>& list_of, int lists) {
  starts.assign(detail::at(lists) + 1, 0);
  for (int list : list_of)
    if (list >= 0) ++starts[detail::at(list) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  items.resize(detail::at(starts.back()));
  std::vector<int> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < list_of.size(); ++i)
    if (list_of[i] >= 0) items[detail::at(next[detail::at(list_of[i])]++)] = static_cast<int>(i);
}

Jacobian::Jacobian(ResidualFunction& function, const JacobianOptions& options)
    : function_(function), options_(options), quotients_(function, options.increments, !function.knows_rate_matrix()) {
  if (const std::string reason = options.why_invalid(); !reason.empty())
    throw ModelError(concat("JacobianOptions: ", reason));
  if (!function.knows_rate_matrix() && updates_apart())
    throw ModelError(
        "Jacobian: partitioned updates need dF/dy', which this function does not know; give it rate_matrix(), or take "
        "PartitionedUpdates::off.");
  if (!function.knows_rate_matrix() && options.refresh == JacobianRefresh::blocks)
    throw ModelError(
        "Jacobian: the refresh of single blocks needs dF/dy', which this function does not know; give it "
        "rate_matrix(), or take JacobianRefresh::whole.");
  if (function.knows_rate_matrix()) {
    rate_ = SparseMatrix(function.rate_pattern());
    known_ = SparseMatrix(options.known_entries ? function.known_pattern()
                                                : SparsityPattern(function.equations(), function.size()));
  } else {
    rate_ = known_ = SparseMatrix(SparsityPattern(function.equations(), function.size()));
  }
  const bool trusts_declared = options.pattern == JacobianPattern::exact;
  const Dependencies declared = function.dependencies();
  if (trusts_declared) {
    pattern_ = declared.pattern;
    pattern_is_whole_ = declared.complete;
  } else {
    pattern_ = SparsityPattern(function.equations(), function.size());
  }
  if (options.differences == Differences::dense && !pattern_is_whole_) {
    pattern_ = SparsityPattern::full(function.equations(), function.size());
    pattern_is_whole_ = true;
  }
  inputs_.resize(detail::at(function.inputs()));
  inputs_of_now_ = inputs_;
  expected_.setZero(function.equations());
  largest_term_.setZero(function.equations());
  F_of_input_.setZero(function.equations());
  rounding_.setZero(function.equations());
  sizes_ = function.unknown_sizes();
  if (pattern_is_whole_) set_pattern(SparsityPattern(function.equations(), function.size()));
}

Outcome Jacobian::renew(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) {
  Means means = next_means(point, cause);
  Outcome outcome = apply(means, point, F);
  // An update that leaves the Jacobian as it was can't help an iteration that does not converge.
  if (outcome && means == Means::update && cause == JacobianCause::convergence && change_ < options_.stale_share)
    outcome = apply(after(means), point, F);
  return outcome;
}

bool Jacobian::can_improve(double t) const { return after(t == tried_time_ ? tried_ : Means::none) != Means::none; }

Jacobian::Means Jacobian::next_means(const JacobianPoint& point, JacobianCause cause) const {
  if (tried_ == Means::none || cause == JacobianCause::start) return Means::difference;
  if (cause == JacobianCause::coefficient) return updates_apart() ? Means::update : Means::difference;
  const Means tried = point.t == tried_time_ ? tried_ : Means::none;
  const bool is_recent = std::abs(point.t - differenced_time_) <= recent_steps * std::abs(point.step);
  if (is_recent && tried < Means::pattern && may_search()) return Means::pattern;
  const Means next = after(tried);
  return next == Means::none ? Means::difference : next;
}

Jacobian::Means Jacobian::after(Means tried) const {
  switch (tried) {
    case Means::none:
      return updates_apart() ? Means::update : after(Means::update);
    case Means::update:
      return may_refresh() ? Means::blocks : Means::difference;
    case Means::blocks:
      return Means::difference;
    case Means::difference:
      return may_search() ? Means::pattern : Means::none;
    case Means::pattern:
      break;
  }
  return Means::none;
}

Outcome Jacobian::apply(Means means, const JacobianPoint& point, const Eigen::VectorXd& F) {
  switch (means) {
    case Means::update:
      return update(point);
    case Means::blocks:
      return refresh_blocks(point, F);
    case Means::pattern:
      return search_pattern(point, F);
    default:
      return difference(point, F);
  }
}

void Jacobian::note(Means means, double t) {
  tried_ = means;
  tried_time_ = t;
  if (means >= Means::blocks) differenced_time_ = t;
  statistics_.function_calls = quotients_.function_calls();
  statistics_.retries = quotients_.retries();
}

bool Jacobian::Waits::are_over(std::int64_t evaluations_now) const {
  return evaluations_now - evaluations >= (std::int64_t{1} << std::min(vain, most_waits)) - 1;
}

void Jacobian::Waits::note(bool has_paid, std::int64_t evaluations_now) {
  vain = has_paid ? 0 : vain + 1;
  evaluations = evaluations_now;
}

bool Jacobian::may_search() const { return !pattern_is_whole_ && searches_.are_over(evaluations()); }

bool Jacobian::may_refresh() const {
  // Probes that cost half of what all columns cost, or more, leave too little to gain.
  return options_.refresh == JacobianRefresh::blocks && 2 * block_groups_.count() <= groups_.count() &&
         refreshes_.are_over(evaluations());
}

void Jacobian::set_pattern(const SparsityPattern& detected) {
  unite(pattern_, detected);
  unite(pattern_, rate_.pattern());
  unite(pattern_, known_.pattern());
  matrix_ = SparseMatrix(pattern_);
  rate_places_ = places_in(matrix_, rate_);
  known_places_ = places_in(matrix_, known_);
  const std::size_t places = matrix_.values().size();
  differenced_.assign(places, 0.0);
  state_part_.assign(places, 0.0);
  combined_.assign(places, 0.0);
  quotients_of_input_.assign(places, 0.0);
  unshifted_quotients_.assign(places, 0.0);
  is_known_.assign(places, 0);
  for (int place : known_places_) is_known_[detail::at(place)] = 1;
  input_derivatives_.clear();
  ++pattern_version_;

  const SparsityPattern differenced = unknown_entries();
  find_groups(differenced);
  if (options_.refresh == JacobianRefresh::blocks) find_blocks(differenced);
}

SparsityPattern Jacobian::unknown_entries() const {
  SparsityPattern pattern(function_.equations(), function_.size());
  for (int column = 0; column < matrix_.columns(); ++column)
    for (int k = matrix_.begin(column); k < matrix_.end(column); ++k)
      if (!is_known_[detail::at(k)]) pattern.rows[detail::at(matrix_.row(k))].push_back(column);
  return pattern;
}

void Jacobian::find_groups(const SparsityPattern& differenced) {
  // A known entry needs no difference, but where its column is shifted for the sake of others it moves its row.
  std::vector<char> is_shifted(detail::at(function_.size()), 0);
  for (const std::vector<int>& row : differenced.rows)
    for (int column : row) is_shifted[detail::at(column)] = 1;
  SparsityPattern moved = differenced;
  for (std::size_t i = 0; i < moved.rows.size(); ++i) {
    if (moved.rows[i].empty()) continue;
    moved.rows[i].clear();
    for (int column : pattern_.rows[i])
      if (is_shifted[detail::at(column)]) moved.rows[i].push_back(column);
  }
  ColumnGroups groups = group_columns(moved);
  if (options_.differences == Differences::dense) {
    int count = 0;
    for (int& group : groups.group_of_column)
      if (group >= 0) group = count++;
    groups.count = count;
    groups.ordering = "natural";
  }
  groups_.sort(groups.group_of_column, groups.count);
  statistics_.nonzeros = nonzeros(pattern_);
  statistics_.groups = groups.count;
  statistics_.lower_bound = groups.lower_bound;
  statistics_.ordering = groups.ordering;
}

void Jacobian::find_blocks(const SparsityPattern& differenced) {
  const SparseMatrix entries(differenced);
  std::map<std::vector<int>, int> block_of_rows;
  block_of_column_.assign(detail::at(entries.columns()), -1);
  for (int column = 0; column < entries.columns(); ++column) {
    if (entries.begin(column) == entries.end(column)) continue;
    const std::vector<int> rows(entries.row_numbers().begin() + entries.begin(column),
                                entries.row_numbers().begin() + entries.end(column));
    block_of_column_[detail::at(column)] =
        block_of_rows.emplace(rows, static_cast<int>(block_of_rows.size())).first->second;
  }
  blocks_.sort(block_of_column_, static_cast<int>(block_of_rows.size()));
  SparsityPattern by_block(function_.equations(), blocks_.count());
  for (const auto& [rows, block] : block_of_rows)
    for (int row : rows) by_block.rows[detail::at(row)].push_back(block);
  for (std::vector<int>& row : by_block.rows) std::sort(row.begin(), row.end());
  const ColumnGroups groups = group_columns(by_block);
  block_groups_.sort(groups.group_of_column, groups.count);
  has_changed_.assign(detail::at(blocks_.count()), 0);
  probed_.reserve(detail::at(function_.size()));
  changed_.reserve(detail::at(function_.size()));
}

Outcome Jacobian::difference_columns(const Eigen::VectorXd& F, const int* first, const int* last,
                                     std::vector<double>& values) {
  return quotients_.shift(first, last, [&](const int* begin, const int* end) {
    for (const int* column = begin; column != end; ++column)
      for (int k = matrix_.begin(*column); k < matrix_.end(*column); ++k)
        if (!is_known_[detail::at(k)])
          values[detail::at(k)] = (quotients_.F()[matrix_.row(k)] - F[matrix_.row(k)]) / quotients_.shift_of(*column);
  });
}

Outcome Jacobian::difference_groups(const Eigen::VectorXd& F, std::vector<double>& values) {
  for (int group = 0; group < groups_.count(); ++group)
    if (Outcome outcome = difference_columns(F, groups_.begin(group), groups_.end(group), values); !outcome)
      return outcome;
  return {};
}

Outcome Jacobian::renew_known_parts(const JacobianPoint& point) {
  if (!function_.knows_rate_matrix()) return {};
  rate_.set_zero();
  known_.set_zero();
  try {
    function_.rate_matrix(point.t, point.y, point.y_rate, rate_);
    if (known_.nonzeros() > 0) function_.known_entries(point.t, point.y, point.y_rate, known_);
    for (std::size_t i = 0; i < inputs_of_now_.size(); ++i)
      inputs_of_now_[i] = function_.input(static_cast<int>(i), point.t);
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(
        concat("the known parts of the Jacobian can't be evaluated at t = ", point.t, " s: ", failure.what()),
        Failure::not_evaluated);
  }
  return {};
}

double Jacobian::combine(const JacobianPoint& point) {
  std::copy(differenced_.begin(), differenced_.end(), state_part_.begin());
  for (const InputDerivative& derivative : input_derivatives_) {
    if (derivative.is_zero) continue;
    const double change = inputs_of_now_[detail::at(derivative.input)].*derivative.order -
                          inputs_[detail::at(derivative.input)].*derivative.order;
    for (std::size_t k = 0; k < state_part_.size(); ++k) state_part_[k] += change * derivative.values[k];
  }
  for (std::size_t k = 0; k < known_places_.size(); ++k) state_part_[detail::at(known_places_[k])] = known_.values()[k];

  combined_.assign(state_part_.begin(), state_part_.end());
  for (std::size_t k = 0; k < rate_places_.size(); ++k)
    combined_[detail::at(rate_places_[k])] += point.alpha * rate_.values()[k];
  measure_rows(combined_);
  double change = 0;
  for (int column = 0; column < matrix_.columns(); ++column)
    for (int k = matrix_.begin(column); k < matrix_.end(column); ++k) {
      const double term = std::abs((combined_[detail::at(k)] - matrix_.value(k)) * quotients_.increment(column));
      if (term > change * largest_term_[matrix_.row(k)]) change = term / largest_term_[matrix_.row(k)];
    }
  matrix_.values().swap(combined_);
  alpha_ = point.alpha;
  return change;
}

void Jacobian::measure_rows(const std::vector<double>& values) {
  largest_term_.setZero();
  for (int column = 0; column < matrix_.columns(); ++column)
    for (int k = matrix_.begin(column); k < matrix_.end(column); ++k) {
      double& largest = largest_term_[matrix_.row(k)];
      largest = std::max(largest, std::abs(values[detail::at(k)] * quotients_.increment(column)));
    }
}

Outcome Jacobian::difference(const JacobianPoint& point, const Eigen::VectorXd& F) {
  if (pattern_version_ == 0) return search_pattern(point, F);
  quotients_.move_to(point);
  if (Outcome outcome = renew_known_parts(point); !outcome) return outcome;
  if (Outcome outcome = difference_groups(F, differenced_); !outcome) return outcome;
  return finish_difference(point, F, Means::difference);
}

Outcome Jacobian::finish_difference(const JacobianPoint& point, const Eigen::VectorXd& F, Means means) {
  ++statistics_.differenced;
  inputs_ = inputs_of_now_;
  const bool wants_derivatives = options_.partitioned == PartitionedUpdates::extended &&
                                 (input_derivatives_.empty() || options_.renew_input_derivatives);
  Outcome outcome = wants_derivatives ? difference_inputs(F) : Outcome();
  change_ = combine(point);
  note(means, point.t);
  return outcome;
}

Outcome Jacobian::update(const JacobianPoint& point) {
  quotients_.move_to(point);
  if (Outcome outcome = renew_known_parts(point); !outcome) return outcome;
  change_ = combine(point);
  ++statistics_.updates;
  note(Means::update, point.t);
  return {};
}

Outcome Jacobian::difference_inputs(const Eigen::VectorXd& F) {
  if (input_derivatives_.empty())
    for (int input = 0; input < function_.inputs(); ++input)
      for (double InputValue::*order : {&InputValue::value, &InputValue::rate, &InputValue::acceleration})
        input_derivatives_.push_back({input, order, true, std::vector<double>(differenced_.size(), 0.0)});
  quotients_.scale_increments(increment_ratio);
  Outcome outcome = difference_groups(F, unshifted_quotients_);
  measure_rounding();
  for (InputDerivative& derivative : input_derivatives_)
    if (outcome) outcome = difference_input(derivative);
  quotients_.scale_increments(1 / increment_ratio);
  return outcome;
}

/// Rounding errors of F: those of its terms. Positions and velocities are known to epsilon of their sizes at best, as
/// they add up to places and speeds in space.
void Jacobian::measure_rounding() {
  rounding_.setZero();
  for (int column = 0; column < matrix_.columns(); ++column)
    for (int k = matrix_.begin(column); k < matrix_.end(column); ++k) {
      const double term =
          std::abs(unshifted_quotients_[detail::at(k)]) * std::max(std::abs(quotients_.value(column)), sizes_[column]);
      double& rounding = rounding_[matrix_.row(k)];
      rounding = std::max(rounding, std::numeric_limits<double>::epsilon() * term);
    }
}

Outcome Jacobian::difference_input(InputDerivative& derivative) {
  const double value = inputs_[detail::at(derivative.input)].*derivative.order;
  double increment = input_increment * std::max(std::abs(value), 1.0);
  for (int sign : {1, -1}) {
    increment *= sign;
    const InputOffset offset(function_, derivative.input, derivative.order, increment);
    if (!quotients_.evaluate(nullptr, nullptr, 0)) continue;
    F_of_input_ = quotients_.F();
    derivative.is_zero = true;
    if (Outcome outcome = difference_groups(F_of_input_, quotients_of_input_); !outcome) return outcome;
    for (int column = 0; column < matrix_.columns(); ++column)
      for (int k = matrix_.begin(column); k < matrix_.end(column); ++k) {
        if (is_known_[detail::at(k)]) continue;
        const double change = quotients_of_input_[detail::at(k)] - unshifted_quotients_[detail::at(k)];
        const double noise = rounding_[matrix_.row(k)] / std::abs(quotients_.increment(column));
        const bool is_noise = !(std::abs(change) > noise_share * noise);
        derivative.values[detail::at(k)] = is_noise ? 0.0 : change / increment;
        derivative.is_zero = derivative.is_zero && is_noise;
      }
    return {};
  }
  return Outcome::failure(concat("the Jacobian's derivative with respect to the input ",
                                 function_.input_name(derivative.input), " (value ", value,
                                 ") can't be found: ", quotients_.reason()));
}

Outcome Jacobian::refresh_blocks(const JacobianPoint& point, const Eigen::VectorXd& F) {
  quotients_.move_to(point);
  const std::int64_t calls_before = quotients_.function_calls();
  if (Outcome outcome = renew_known_parts(point); !outcome) return outcome;
  combine(point);
  differenced_ = state_part_;
  inputs_ = inputs_of_now_;
  mark_changed_blocks(F);
  for (int group = 0; group < groups_.count(); ++group) {
    changed_.clear();
    for (const int* column = groups_.begin(group); column != groups_.end(group); ++column)
      if (has_changed_[detail::at(block_of_column_[detail::at(*column)])]) changed_.push_back(*column);
    if (changed_.empty()) continue;
    if (Outcome outcome = difference_columns(F, changed_.data(), changed_.data() + changed_.size(), differenced_);
        !outcome)
      return outcome;
  }
  change_ = combine(point);
  ++statistics_.refreshed;
  refreshes_.note(quotients_.function_calls() - calls_before < groups_.count(), evaluations());
  note(Means::blocks, point.t);
  return {};
}

void Jacobian::mark_changed_blocks(const Eigen::VectorXd& F) {
  measure_rows(matrix_.values());
  for (int group = 0; group < block_groups_.count(); ++group) {
    probed_.clear();
    for (const int* block = block_groups_.begin(group); block != block_groups_.end(group); ++block)
      probed_.insert(probed_.end(), blocks_.begin(*block), blocks_.end(*block));
    const bool evaluated = quotients_.probe(probed_.data(), probed_.data() + probed_.size());
    expected_ = F;
    for (int column : probed_)
      for (int k = matrix_.begin(column); k < matrix_.end(column); ++k)
        expected_[matrix_.row(k)] += state_part_[detail::at(k)] * quotients_.shift_of(column);
    for (const int* block = block_groups_.begin(group); block != block_groups_.end(group); ++block) {
      const int column = *blocks_.begin(*block);
      char& has_changed = has_changed_[detail::at(*block)];
      has_changed = !evaluated;
      for (int k = matrix_.begin(column); k < matrix_.end(column); ++k) {
        const int row = matrix_.row(k);
        if (!is_known_[detail::at(k)] &&
            std::abs(quotients_.F()[row] - expected_[row]) > options_.stale_share * largest_term_[row])
          has_changed = 1;
      }
    }
  }
}

Outcome Jacobian::search_pattern(const JacobianPoint& point, const Eigen::VectorXd& F) {
  const bool is_first = pattern_version_ == 0;
  const int entries_before = statistics_.nonzeros;
  quotients_.move_to(point);
  if (Outcome outcome = renew_known_parts(point); !outcome) return outcome;
  std::vector<Quotient> found;
  if (Outcome outcome = difference_densely(F, found); !outcome) return outcome;
  SparsityPattern detected(function_.equations(), function_.size());
  for (const Quotient& quotient : found) detected.rows[detail::at(quotient.row)].push_back(quotient.column);
  if (is_first && options_.pattern == JacobianPattern::exact) look_nearby(point, detected);
  if (is_first || adds_entries(detected)) set_pattern(detected);
  std::fill(differenced_.begin(), differenced_.end(), 0.0);
  for (const Quotient& quotient : found)
    differenced_[detail::at(matrix_.place(quotient.row, quotient.column))] = quotient.value;

  Outcome outcome = finish_difference(point, F, Means::pattern);
  if (!is_first) {
    ++statistics_.pattern_updates;
    searches_.note(statistics_.nonzeros > entries_before, evaluations());
  }
  return outcome;
}

Outcome Jacobian::difference_densely(const Eigen::VectorXd& F, std::vector<Quotient>& found) {
  for (int column = 0; column < function_.size(); ++column) {
    Outcome outcome = quotients_.shift(&column, &column + 1, [&](const int*, const int*) {
      for (int row = 0; row < function_.equations(); ++row)
        if (const double change = quotients_.F()[row] - F[row]; change != 0)
          found.push_back({row, column, change / quotients_.shift_of(column)});
    });
    if (!outcome) return outcome;
  }
  return {};
}

void Jacobian::look_nearby(const JacobianPoint& point, SparsityPattern& detected) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-probing_share, probing_share);
  const auto moved = [&](const Eigen::VectorXd& x) {
    Eigen::VectorXd y = x;
    for (Eigen::Index j = 0; j < y.size(); ++j) y[j] += uniform(generator) * std::max(std::abs(x[j]), sizes_[j]);
    return y;
  };
  const Eigen::VectorXd y = moved(point.y), y_rate = moved(point.y_rate);
  quotients_.move_to({point.t, y, y_rate, point.alpha, point.step, point.weights});
  // Where the function can't be evaluated there it tells nothing; entries missed now are searched when they are missed.
  std::vector<Quotient> found;
  if (quotients_.evaluate(nullptr, nullptr, 0) && difference_densely(Eigen::VectorXd(quotients_.F()), found)) {
    SparsityPattern others(function_.equations(), function_.size());
    for (const Quotient& quotient : found) others.rows[detail::at(quotient.row)].push_back(quotient.column);
    unite(detected, others);
  }
  quotients_.move_to(point);
}

bool Jacobian::adds_entries(const SparsityPattern& detected) const {
  for (std::size_t i = 0; i < detected.rows.size(); ++i)
    if (!std::includes(pattern_.rows[i].begin(), pattern_.rows[i].end(), detected.rows[i].begin(),
                       detected.rows[i].end()))
      return true;
  return false;
}

}  // namespace linkwork
