#include <linkwork/solvers/pictures/page_charts.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/core/measure.hpp>
#include <linkwork/solvers/pictures/page_numbers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

namespace linkwork {
namespace {

using Json = nlohmann::json;

/// One that is drawn on a logarithmic scale.
PageCurve from_zero(const std::string& name) { return {.name = name, .offset = 0}; }

class ResidualCurves {
 public:
  explicit ResidualCurves(const Trajectory& path) {
    if (path.equations().dimensions().constraints() == 0) return;
    path.visit(ends_of_steps(path), [&](const State& state, EquationsOfMotion& at) { read(state, at); });
  }

  void add_to(Json& charts) const {
    if (times_.empty()) return;
    std::vector<const PageCurve*> seen;
    for (const PageCurve& curve : curves_)
      if (std::any_of(curve.values.begin(), curve.values.end(), [](float value) { return value > 0; }))
        seen.push_back(&curve);
    if (seen.empty()) return;
    Json out = page_chart("residuals of the constraints", seen);
    out.update({{"t", base64(times_)}, {"logarithmic", true}});
    charts.push_back(out);
  }

 private:
  /// Some of them where they are many.
  static OutputPoints ends_of_steps(const Trajectory& path) {
    const std::vector<TrajectorySegment>& segments = path.segments();
    constexpr std::size_t most = 500;
    const std::size_t stride = 1 + segments.size() / most;
    std::vector<double> times;
    for (std::size_t i = 0; i < segments.size(); i += stride)
      if (times.empty() || segments[i].end.t > times.back()) times.push_back(segments[i].end.t);
    return OutputPoints::given(std::move(times));
  }
  void read(const State& state, EquationsOfMotion& equations) {
    times_.push_back(state.t);
    ConstraintResidual off{unknown, unknown, unknown, unknown, unknown};
    std::array<double, 2> acceleration{unknown, unknown};
    try {
      off = equations.constraint_residual();
      acceleration = acceleration_residual(state, equations);
    } catch (const RecoverableFailure&) {  // a gap
    }
    const std::array<double, 6> values{off.position_m,         off.position_rad, off.velocity_m_per_s,
                                       off.velocity_rad_per_s, acceleration[0],  acceleration[1]};
    for (std::size_t i = 0; i < values.size(); ++i) curves_[i].add(values[i]);
  }
  /// Of lengths and of angles.
  static std::array<double, 2> acceleration_residual(const State& state, EquationsOfMotion& equations) {
    Eigen::VectorXd off = -equations.gamma();
    equations.G().multiply_add(1.0, state.a, off);
    std::array<double, 2> out{};
    for (int row = 0; row < static_cast<int>(off.size()); ++row) {
      double& largest = out[equations.constraint_measure(row) == Measure::angle];
      largest = std::isfinite(off[row]) ? std::max(largest, std::abs(off[row])) : off[row];
    }
    return out;
  }

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> times_;
  std::array<PageCurve, 6> curves_{from_zero("position [m]"),         from_zero("position [rad]"),
                                   from_zero("velocity [m/s]"),       from_zero("velocity [rad/s]"),
                                   from_zero("acceleration [m/s^2]"), from_zero("acceleration [rad/s^2]")};
};

/// For a run that does not tell of attempts; its steps have no orders.
std::vector<StepAttempt> segments_as_attempts(const Trajectory& path) {
  std::vector<StepAttempt> out;
  for (const TrajectorySegment& each : path.segments())
    if (const double step = each.end.t - each.begin.t; step > 0) out.push_back({each.begin.t, step, 0, true});
  return out;
}

/// Where accepted or rejected ones are many, some of them, evenly, so that a page stays small.
std::vector<StepAttempt> some_of(const std::vector<StepAttempt>& attempts) {
  constexpr std::size_t most = 5000;
  std::array<std::size_t, 2> counts{}, strides{};
  for (const StepAttempt& each : attempts) ++counts[each.accepted];
  for (std::size_t kind = 0; kind < strides.size(); ++kind) strides[kind] = 1 + counts[kind] / most;
  counts = {};
  std::vector<StepAttempt> seen;
  for (const StepAttempt& each : attempts)
    if (counts[each.accepted]++ % strides[each.accepted] == 0) seen.push_back(each);
  return seen;
}

}  // namespace

Json page_chart(const std::string& title, const std::vector<const PageCurve*>& curves) {
  Json list = Json::array();
  for (const PageCurve* curve : curves)
    list.push_back({{"name", curve->name},
                    {"offset", std::isfinite(curve->offset) ? curve->offset : 0.0},
                    {"values", base64(curve->values)}});
  return {{"title", title}, {"curves", list}};
}

void add_residuals(const Trajectory& path, Json& charts) { ResidualCurves(path).add_to(charts); }

void add_steps(const Trajectory& path, Json& charts) {
  std::vector<double> times;
  PageCurve accepted = from_zero("step"), rejected = from_zero("rejected"), order = from_zero("order");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const bool knows_attempts = !path.attempts().empty();
  for (const StepAttempt& attempt : some_of(knows_attempts ? path.attempts() : segments_as_attempts(path))) {
    times.push_back(attempt.t);
    accepted.add(attempt.accepted ? attempt.step : none);
    rejected.add(attempt.accepted ? none : attempt.step);
    order.add(attempt.accepted ? attempt.order : none);
  }
  if (times.empty()) return;
  const std::string t = base64(times);
  if (knows_attempts) {
    Json orders = page_chart("order", {&order});
    orders.update({{"t", t}, {"marks", true}, {"connected", true}});
    charts.push_back(orders);
  }
  std::vector<const PageCurve*> lengths{&accepted};
  if (knows_attempts) lengths.push_back(&rejected);
  Json steps = page_chart("lengths of steps [s]", lengths);
  steps.update({{"t", t}, {"logarithmic", true}, {"marks", true}, {"connected", true}});
  if (knows_attempts) steps["curves"][1]["points"] = true;
  charts.push_back(steps);
}

}  // namespace linkwork
