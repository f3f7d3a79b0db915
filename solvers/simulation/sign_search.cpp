#include <linkwork/solvers/simulation/sign_search.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace linkwork {

namespace {

constexpr double safety = 4;  // errors of the polynomial elsewhere, in those that were met
// error, in the largest value, at which zeros near the ends and crossings are seen
constexpr double resolved_share = 1e-4;
constexpr double exact = 1e-12;    // the same, at which the polynomial is believed at every extremum
constexpr int deepest = 20;        // halvings in a row
constexpr int most_values = 5000;  // from then on nothing is halved
constexpr int most_points = 40;

/// Points inside of [0, 1], each where the product of its distances to the ones before and to the ends is largest; the
/// first one is off the middle, so that nothing that repeats itself is met in its rhythm.
std::array<double, most_points> leja_points() {
  constexpr int candidates = 1000;
  std::array<double, most_points> out{};
  std::vector<double> product(candidates), x(candidates);
  for (int i = 0; i < candidates; ++i) {
    const auto k = static_cast<std::size_t>(i);
    x[k] = 0.5 - 0.5 * std::cos(std::numbers::pi * (i + 0.37) / candidates);
    product[k] = x[k] * (1 - x[k]);
  }
  for (std::size_t n = 0; n < out.size(); ++n) {
    const auto largest = std::max_element(product.begin(), product.end()) - product.begin();
    out[n] = n == 0 ? 0.42 : x[static_cast<std::size_t>(largest)];
    for (std::size_t k = 0; k < x.size(); ++k) product[k] *= 4 * std::abs(x[k] - out[n]);
  }
  return out;
}

double point(int i) {
  static const std::array<double, most_points> points = leja_points();
  return points[static_cast<std::size_t>(i)];
}

}  // namespace

// ----------------------------------------------------------------------------------------------- interpolation

double NewtonInterpolant::add(double x, double value) {
  double unused = 0, product = 1;
  for (double node : nodes_) product *= x - node;
  const double off = value - (nodes_.empty() ? 0.0 : evaluate(x, unused));
  nodes_.push_back(x);
  coefficients_.push_back(off / product);
  return std::abs(off);
}

double NewtonInterpolant::evaluate(double x, double& slope) const {
  double value = coefficients_.back();
  slope = 0;
  for (std::size_t i = nodes_.size() - 1; i-- > 0;) {
    slope = slope * (x - nodes_[i]) + value;
    value = value * (x - nodes_[i]) + coefficients_[i];
  }
  return value;
}

double NewtonInterpolant::slope(double x) const {
  double out = 0;
  evaluate(x, out);
  return out;
}

// --------------------------------------------------------------------------------------------------- the search

void SignSearch::search(const Function& function, const Sample& left, const Sample& right,
                        const std::vector<Sample>& past, int degree, double zero, const Visitor& visit) {
  function_ = &function;
  degree_ = degree;
  zero_ = zero;
  length_ = right.t - left.t;
  size_ = std::max(std::abs(left.value), std::abs(right.value));
  is_noise_measured_ = false;
  values_ = 0;
  has_inside_ = false;
  if (is_clear(left, right, past)) {
    visit(right, is_noise(right));
    return;
  }
  search_part(left, right, 0, visit);
}

double SignSearch::value_at(double t) {
  const double value = (*function_)(t);
  ++values_;
  size_ = std::max(size_, std::abs(value));
  return value;
}

/// Whether the polynomial through the ends of steps foretold the end of this one and a point inside, closely enough for
/// the distance to zero that it keeps.
bool SignSearch::is_clear(const Sample& left, const Sample& right, const std::vector<Sample>& past) {
  if (past.size() < longest_past - 1 || left.value == 0 || sign_of(left.value) != sign_of(right.value)) return false;
  begin_part(left, right);
  shape_.clear();
  const std::size_t first = past.size() > longest_past ? past.size() - longest_past : 0;
  for (std::size_t i = first; i < past.size(); ++i) shape_.add((past[i].t - left.t) / length_, past[i].value);
  shape_.add(0, left.value);
  double error = shape_.add(1, right.value);
  const auto keeps_away = [&] {
    find_extrema();
    double nearest = std::numeric_limits<double>::infinity();
    for (const Extremum& e : extrema_) nearest = std::min(nearest, e.value * sign_of(left.value));
    return nearest > 2 * safety * error;
  };
  if (!keeps_away()) return false;
  inside_ = value_at(left.t + point(0) * length_);
  has_inside_ = true;
  error = std::max(error, shape_.add(point(0), inside_));
  return keeps_away();
}

void SignSearch::begin_part(const Sample& left, const Sample& right) {
  from_ = left;
  to_ = right;
  samples_.assign({left, right});
  shape_.clear();
}

/// A value at a place in [0, 1] of the part; returns how far the polynomial was off.
double SignSearch::sample(double x) {
  Sample more{from_.t + x * (to_.t - from_.t), inside_};
  if (!has_inside_) more.value = value_at(more.t);
  has_inside_ = false;
  samples_.insert(std::upper_bound(samples_.begin(), samples_.end(), more,
                                   [](const Sample& a, const Sample& b) { return a.t < b.t; }),
                  more);
  return shape_.add(x, more.value);
}

bool SignSearch::search_part(const Sample& left, const Sample& right, int depth, const Visitor& visit) {
  begin_part(left, right);
  shape_.add(0, left.value);
  shape_.add(1, right.value);
  const bool is_whole = depth == 0;
  const int fewest = is_whole ? std::max(3, degree_ / 2 + 2) : 3;
  const int most = is_whole ? std::min(std::max(5, degree_ + 3), most_points) : 6;
  double before = 0, error = 0;
  bool is_done = false;
  for (int i = 0; i < most && !is_done; ++i) {
    const double off = sample(point(i));
    error = std::max(off, before);
    before = off;
    if (i + 1 < fewest) continue;
    find_extrema();
    is_done = is_resolved(error);
    const double nearest = nearest_to_zero();
    if (!is_done || nearest < 0) continue;
    error = std::max(error, sample(nearest));  // the polynomial has to be right where it matters
    find_extrema();
    is_done = is_resolved(error);
  }
  if (!is_done && !is_noise_measured_) {
    measure_noise();
    is_done = is_resolved(error);
  }
  if (is_done || depth == deepest || values_ > most_values) {
    sample_hidden_lobes();
    return pass(visit);
  }
  const double middle = 0.5 * (left.t + right.t);
  const Sample split = *std::min_element(
      samples_.begin() + 1, samples_.end() - 1,
      [&](const Sample& a, const Sample& b) { return std::abs(a.t - middle) < std::abs(b.t - middle); });
  return search_part(left, split, depth + 1, visit) && search_part(split, right, depth + 1, visit);
}

/// Extrema of the polynomial on [0, 1], by the signs of its slope on a grid that is dense at the ends.
void SignSearch::find_extrema() {
  constexpr int halvings = 60;
  constexpr double narrow = 1e-8;  // of the place: a flight that begins at 0 may be short
  double unused = 0;
  const auto at = [&](double x) { return Extremum{x, shape_.evaluate(x, unused)}; };
  extrema_.assign(1, at(0));
  const int cells = 4 * shape_.points();
  double x = 0, slope = shape_.slope(0);
  for (int j = 1; j <= cells; ++j) {
    const double next = 0.5 - 0.5 * std::cos(std::numbers::pi * j / cells), next_slope = shape_.slope(next);
    if (sign_of(slope) * sign_of(next_slope) < 0) {
      double a = x, b = next;
      for (int i = 0; i < halvings && b - a > narrow * b; ++i) {
        const double middle = 0.5 * (a + b);
        (sign_of(shape_.slope(middle)) == sign_of(slope) ? a : b) = middle;
      }
      extrema_.push_back(at(0.5 * (a + b)));
    }
    x = next;
    slope = next_slope;
  }
  extrema_.push_back(at(1));
}

/// See the class: the values at the ends are known, and count for a distance only.
bool SignSearch::is_resolved(double error) const {
  double largest = 0;
  bool changes = false, is_far = true;
  int sign = 0;
  const double trusted = std::max(noise(), exact * size_);
  for (std::size_t i = 0; i < extrema_.size(); ++i) {
    const double size = std::abs(extrema_[i].value);
    largest = std::max(largest, size);
    const bool is_end = i == 0 || i + 1 == extrema_.size();
    if (size <= std::max(zero_, noise())) continue;
    if (!is_end && size <= safety * error) is_far = false;
    const int own = sign_of(extrema_[i].value);
    changes = changes || (sign != 0 && own != sign);
    sign = own;
  }
  if (error <= trusted) return true;
  if (!is_far) return false;
  if (changes) return error <= resolved_share * largest;
  // Without an extremum inside the nearest points are the ends.
  const double at_ends = std::min(std::abs(from_.value), std::abs(to_.value));
  return at_ends > safety * error || error <= resolved_share * largest;
}

/// Where the polynomial comes nearest to zero inside and turns back, unless there is a sample; else -1.
double SignSearch::nearest_to_zero() const {
  constexpr double close = 1e-3;
  const Extremum* nearest = nullptr;
  for (std::size_t i = 1; i + 1 < extrema_.size(); ++i) {
    const Extremum& e = extrema_[i];
    const int sign = sign_of(e.value);
    const bool turns_back =
        extrema_[i - 1].value * sign > e.value * sign && extrema_[i + 1].value * sign > e.value * sign;
    if (turns_back && (!nearest || std::abs(e.value) < std::abs(nearest->value))) nearest = &e;
  }
  if (!nearest) return -1;
  const bool is_seen = std::any_of(samples_.begin(), samples_.end(), [&](const Sample& s) {
    return std::abs((s.t - from_.t) / (to_.t - from_.t) - nearest->x) < close;
  });
  return is_seen ? -1 : nearest->x;
}

/// Between two zeros of the polynomial there has to be a sample.
void SignSearch::sample_hidden_lobes() {
  find_extrema();
  const std::vector<Extremum> extrema = extrema_;
  const double width = to_.t - from_.t, no_sign = std::max(zero_, noise());
  for (std::size_t i = 1; i + 1 < extrema.size(); ++i) {
    const int sign = sign_of(extrema[i].value);
    if (std::abs(extrema[i].value) <= no_sign) continue;
    const auto is_other = [&](const Extremum& e) { return sign_of(e.value) != sign || std::abs(e.value) <= no_sign; };
    if (!is_other(extrema[i - 1]) && !is_other(extrema[i + 1])) continue;
    const bool is_seen = std::any_of(samples_.begin(), samples_.end(), [&](const Sample& s) {
      const double x = (s.t - from_.t) / width;
      return x > extrema[i - 1].x && x < extrema[i + 1].x && sign_of(s.value) == sign && std::abs(s.value) > no_sign;
    });
    if (!is_seen) sample(extrema[i].x);
  }
}

double SignSearch::noise() const { return safety * noise_; }

/// By second differences over so little that what is smooth has none.
void SignSearch::measure_noise() {
  constexpr double little = 1e-9;
  const double middle = from_.t + point(0) * (to_.t - from_.t), h = little * length_;
  std::array<double, 9> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_at(middle + (static_cast<double>(i) - 4) * h);
  is_noise_measured_ = true;
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    noise_ = std::max(noise_, std::abs(values[i - 1] - 2 * values[i] + values[i + 1]));
}

bool SignSearch::pass(const Visitor& visit) {
  for (std::size_t i = 1; i < samples_.size(); ++i)
    if (!visit(samples_[i], is_noise(samples_[i]))) return false;
  return true;
}

}  // namespace linkwork
