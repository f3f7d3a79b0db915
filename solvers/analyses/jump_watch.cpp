#include <linkwork/solvers/analyses/jump_watch.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

JumpWatch::JumpWatch(const EquationsOfMotion& equations, const Tolerances& tolerances)
    : rtol_(tolerances.rtol), atol_(std::min(tolerances.atol, tolerances.of_ratios())) {
  for (Drive& drive : drives_of(equations)) {
    const std::string name = equations.input_name(drive.number);
    watched_.push_back({std::move(drive), name, {}, {}});
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
    const std::optional<double> jump = find_jump(watched.drive, t_, t, watched.before, now, limits_of(watched, now));
    if (jump && (!first || *jump < first->t)) first = Jump{*jump, watched.name};
    watched.before = now;
  }
  t_ = t;
  return first;
}

JumpLimits JumpWatch::limits_of(Watched& watched, const InputValue& now) const {
  JumpLimits& largest = watched.largest;
  largest.value = std::max({largest.value, std::abs(now.value), std::abs(watched.before.value)});
  largest.rate = std::max({largest.rate, std::abs(now.rate), std::abs(watched.before.rate)});
  return {atol_ + rtol_ * largest.value, atol_ + rtol_ * largest.rate};
}

}  // namespace linkwork
