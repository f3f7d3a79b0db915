#include <linkwork/solvers/analyses/jump_watch.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

JumpWatch::JumpWatch(const EquationsOfMotion& equations, const Tolerances& tolerances)
    : rtol_(tolerances.rtol), atol_(std::min(tolerances.atol, tolerances.of_ratios())) {
  for (Drive& drive : drives_of(equations)) {
    const std::string name = equations.input_name(drive.number);
    watched_.push_back({std::move(drive), name, {}});
  }
}

void JumpWatch::begin(double t) {
  t_ = t;
  for (Watched& watched : watched_) watched.before = watched.drive.input(t);
}

std::optional<JumpWatch::Jump> JumpWatch::look(double t) {
  std::optional<Jump> first;
  if (!(t > t_)) return first;
  for (Watched& watched : watched_) {
    const InputValue now = watched.drive.input(t);
    const InputValue& before = watched.before;
    watched.largest_value = std::max({watched.largest_value, std::abs(before.value), std::abs(now.value)});
    watched.largest_rate = std::max({watched.largest_rate, std::abs(before.rate), std::abs(now.rate)});
    const JumpLimits limits{atol_ + rtol_ * watched.largest_value, atol_ + rtol_ * watched.largest_rate};
    const std::optional<double> jump = find_jump(watched.drive, t_, t, before, now, limits);
    if (jump && (!first || *jump < first->t)) first = Jump{*jump, watched.name};
    watched.before = now;
  }
  t_ = t;
  return first;
}

}  // namespace linkwork
