#include <linkwork/solvers/formulations/drives.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

namespace linkwork {

namespace {

constexpr std::array lengths{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};  // of the intervals [s]
constexpr double value_noise = 1e-14;                                          // of values, relative

struct Comparison {
  double end = 0, change = 0, integral = 0;
  bool is_decidable = false, agrees = false;
};

Comparison compare(const Input& input, double InputValue::*value, double InputValue::*rate, double time, double length,
                   double tolerance) {
  Comparison out{.end = time + length};
  const double first = input(time).*value, last = input(out.end).*value;
  out.change = last - first;
  out.integral =
      boost::math::quadrature::gauss<double, 7>::integrate([&](double t) { return input(t).*rate; }, time, out.end);
  const double size = std::max(std::abs(out.change), std::abs(out.integral));
  // Rounding errors of the values, and of the time that they are asked at.
  const double noise = value_noise * (std::max(std::abs(first), std::abs(last)) + std::abs(time) / length * size);
  out.is_decidable = size == 0 || (std::isfinite(size) && size * tolerance > noise);
  out.agrees = std::abs(out.change - out.integral) <= tolerance * size;
  return out;
}

std::string false_derivative(const Input& input, double InputValue::*value, double InputValue::*rate, double time,
                             double tolerance, const char* value_name, const char* rate_name) {
  Comparison longest;  // that can tell
  for (const double length : lengths) {
    Comparison here;
    try {
      here = compare(input, value, rate, time, length, tolerance);
    } catch (const std::exception&) {
      continue;  // beyond where the function is defined
    }
    if (!here.is_decidable) continue;
    if (here.agrees) return "";
    if (!longest.is_decidable) longest = here;
  }
  if (!longest.is_decidable) return "";
  return concat("the declared ", rate_name, " is not the derivative of the ", value_name, ": from t = ", time, " s to ",
                longest.end, " s the ", value_name, " changes by ", longest.change, ", and the ", rate_name,
                " adds up to ", longest.integral, "; give value, rate and acceleration of one function of time.");
}

/// Whether a number goes from a to b faster than its rates allow by far.
bool jumps(double a, double b, double rate_a, double rate_b, double time, double limit) {
  constexpr double rounding = 1e-12, steep = 100;  // of the values, and of the rates
  return std::abs(b - a) > steep * time * std::max(std::abs(rate_a), std::abs(rate_b)) +
                               rounding * std::max(std::abs(a), std::abs(b)) + limit;
}

struct Interval {
  double begin = 0, end = 0;
  InputValue first, last;
  double suspicion = 0;
};

/// How far the values at both ends of an interval are from following from the rates there, over what is smooth enough
/// to hide no jump above the limits: above 1 where one may be inside. Of positions by the cubic through values and
/// accelerations, which a jump of the rate changes too, but for one in the very middle.
double suspicion(Level level, const Interval& in, const JumpLimits& limits) {
  constexpr double share = 0.05, middle = 0.25, epsilon = std::numeric_limits<double>::epsilon();
  if (level == Level::servo) return 0;  // accelerations may jump
  const InputValue &a = in.first, &b = in.last;
  const double h = in.end - in.begin, change = b.value - a.value;
  const double noise = 16 * epsilon * std::max(std::abs(a.value), std::abs(b.value)) +
                       4 * epsilon * std::abs(in.end) * std::max(std::abs(a.rate), std::abs(b.rate));
  const double by_rates = h / 2 * (a.rate + b.rate);
  if (level != Level::holonomic) return std::abs(change - by_rates) / (share * limits.value + noise);
  const double by_both = by_rates + h * h / 12 * (a.acceleration - b.acceleration), change_of_rate = b.rate - a.rate;
  const double usual = std::max({std::abs(change_of_rate), h * std::abs(a.acceleration), h * std::abs(b.acceleration)});
  return std::max(std::abs(change - by_both) / (share * std::min(limits.value, h * limits.rate) + noise),
                  std::abs(change_of_rate - h / 2 * (a.acceleration + b.acceleration)) /
                      (middle * usual + limits.rate + std::numeric_limits<double>::min()));
}

}  // namespace

std::vector<Drive> drives_of(const EquationsOfMotion& equations) {
  std::vector<Drive> out;
  const auto collect = [&](const auto* graph) {
    if (graph) out = graph->drives();
  };
  collect(dynamic_cast<const GraphEquations<Planar>*>(&equations));
  collect(dynamic_cast<const GraphEquations<Spatial>*>(&equations));
  return out;
}

double width_of_jumps(double t) {
  constexpr double shortest = 1e-9, roundings = 16 * std::numeric_limits<double>::epsilon();
  return std::max(shortest, roundings * std::abs(t));
}

std::optional<double> find_jump(const Drive& drive, double begin, double end, const InputValue& before,
                                const InputValue& after, const JumpLimits& limits) {
  constexpr int most_calls = 1000;
  std::vector<Interval> open;
  const auto part = [&](double from, double to, const InputValue& first, const InputValue& last) {
    Interval out{from, to, first, last};
    out.suspicion = suspicion(drive.level, out, limits);
    return out;
  };
  const auto look_into = [&open](const Interval& in) {
    if (in.suspicion > 1) open.push_back(in);
  };
  look_into(part(begin, end, before, after));
  for (int calls = 0; !open.empty() && calls < most_calls; ++calls) {
    const Interval in = open.back();
    open.pop_back();
    if (in.end - in.begin <= width_of_jumps(in.end)) {
      if (!jump_between(in.first, in.last, in.end - in.begin, drive.asks_acceleration(), limits).empty()) return in.end;
      continue;
    }
    const double middle = in.begin + (in.end - in.begin) / 2;
    const InputValue between = drive.input(middle);
    Interval next = part(in.begin, middle, in.first, between), later = part(middle, in.end, between, in.last);
    if (next.suspicion > later.suspicion) std::swap(next, later);  // the more suspicious half is the next one out
    look_into(next);
    look_into(later);
  }
  return std::nullopt;
}

std::string jump_between(const InputValue& before, const InputValue& after, double time_between, bool with_rate,
                         const JumpLimits& limits) {
  if (jumps(before.value, after.value, before.rate, after.rate, time_between, limits.value))
    return concat("u from ", before.value, " to ", after.value);
  if (with_rate && jumps(before.rate, after.rate, before.acceleration, after.acceleration, time_between, limits.rate))
    return concat("u' from ", before.rate, " to ", after.rate);
  return "";
}

std::string false_rates(const Input& input, double time, double tolerance, bool with_acceleration) {
  std::string out = false_derivative(input, &InputValue::value, &InputValue::rate, time, tolerance, "value", "rate");
  if (out.empty() && with_acceleration)
    out =
        false_derivative(input, &InputValue::rate, &InputValue::acceleration, time, tolerance, "rate", "acceleration");
  return out;
}

}  // namespace linkwork
