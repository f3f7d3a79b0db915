#include <linkwork/solvers/formulations/drives.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <exception>

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
bool jumps(double a, double b, double rate_a, double rate_b, double time) {
  constexpr double rounding = 1e-12, steep = 100;  // of the values, and of the rates
  return std::abs(b - a) >
         steep * time * std::max(std::abs(rate_a), std::abs(rate_b)) + rounding * std::max(std::abs(a), std::abs(b));
}

/// How much of the change of a quantity its rates at both ends don't explain, relative to what they do, by the cubic
/// through both: of the order of the fourth power of the interval where it is smooth, 1 where it jumps.
double unexplained(double a, double b, double rate_a, double rate_b, double second_a, double second_b, double h) {
  constexpr double rounding = 1e-12;
  const double size = std::max({std::abs(b - a), h * std::abs(rate_a), h * std::abs(rate_b)});
  const double left = b - a - h / 2 * (rate_a + rate_b) - h * h / 12 * (second_a - second_b);
  return std::abs(left) <= rounding * std::max(std::abs(a), std::abs(b)) ? 0.0 : std::abs(left) / size;
}

double unexplained(const Drive& drive, const InputValue& a, const InputValue& b, double h) {
  if (drive.level == Level::servo) return 0;  // accelerations may jump
  if (!drive.asks_acceleration()) return unexplained(a.value, b.value, a.rate, b.rate, 0, 0, h);
  return std::max(unexplained(a.value, b.value, a.rate, b.rate, a.acceleration, b.acceleration, h),
                  unexplained(a.rate, b.rate, a.acceleration, b.acceleration, 0, 0, h));
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

std::optional<double> find_jump(const Drive& drive, double begin, double end, const InputValue& before,
                                const InputValue& after) {
  constexpr double smooth = 1e-3, shortest = 1e-9;  // [s], or of the time
  InputValue first = before, last = after;
  while (end - begin > shortest * std::max(1.0, std::abs(end))) {
    if (unexplained(drive, first, last, end - begin) <= smooth) return std::nullopt;
    const double middle = begin + (end - begin) / 2;
    const InputValue between = drive.input(middle);
    const double length = middle - begin;
    if (unexplained(drive, first, between, length) > unexplained(drive, between, last, length)) {
      end = middle;
      last = between;
    } else {
      begin = middle;
      first = between;
    }
  }
  if (jump_between(first, last, end - begin, drive.asks_acceleration()).empty()) return std::nullopt;
  return end;
}

std::string jump_between(const InputValue& before, const InputValue& after, double time_between, bool with_rate) {
  if (jumps(before.value, after.value, before.rate, after.rate, time_between))
    return concat("u from ", before.value, " to ", after.value);
  if (with_rate && jumps(before.rate, after.rate, before.acceleration, after.acceleration, time_between))
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
