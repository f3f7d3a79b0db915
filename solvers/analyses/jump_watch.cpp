#include <linkwork/solvers/analyses/jump_watch.hpp>

#include <cstddef>

namespace linkwork {

void JumpWatch::begin(const EquationsOfMotion& equations, double t) {
  t_ = t;
  drives_ = drives_of(equations);
  before_.clear();
  for (const Drive& drive : drives_) before_.push_back(drive.input(t));
}

std::optional<JumpWatch::Jump> JumpWatch::look(double t) {
  std::optional<Jump> first;
  if (!(t > t_)) return first;
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const InputValue now = drives_[i].input(t);
    const std::optional<double> jump = find_jump(drives_[i], t_, t, before_[i], now);
    if (jump && (!first || *jump < first->t)) first = Jump{*jump, drives_[i].name};
    before_[i] = now;
  }
  t_ = t;
  return first;
}

}  // namespace linkwork
