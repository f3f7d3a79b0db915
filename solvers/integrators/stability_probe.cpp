#include <linkwork/solvers/integrators/stability_probe.hpp>

#include <cmath>

namespace linkwork {

void StabilityProbe::Direction::divide(double by) {
  p /= by;
  v /= by;
  r /= by;
}

void StabilityProbe::look(const State& state) {
  const Dimensions& n = equations_.dimensions();
  if (n.v == 0) return;
  if (direction_.v.size() != n.v) {
    direction_.p.setZero(n.v);
    direction_.v.setLinSpaced(n.v, 1, 2);  // along no mode in particular
    direction_.r.setOnes(n.r);
  }
  const double length = direction_.size();
  if (!(length > 0 && std::isfinite(length))) {
    direction_ = {};
    return;
  }
  direction_.divide(length);
  // Differences of what has the size of the state lose half of the digits.
  const double step = 1e-7 * (1 + std::sqrt(state.p.squaredNorm() + state.v.squaredNorm() + state.r.squaredNorm()));

  equations_.set(state);
  image_.p = direction_.v;
  image_.r = -equations_.r_rate();
  equations_.position_step(step * direction_.p, beside_.p);
  equations_.set_position(state.t, beside_.p);
  equations_.set_velocity(state.v + step * direction_.v);
  equations_.set_states(state.r + step * direction_.r);
  equations_.set_multipliers(state.lambda);
  if (Outcome solved = solver_.accelerations(image_.v, beside_.lambda); !solved) return;
  image_.v = (image_.v - state.a) / step;
  image_.r = (image_.r + equations_.r_rate()) / step;

  // An oscillation hands its growth to position and velocity by turns.
  const double growth = image_.size();
  if (last_growth_ > 0) fastest_rate_ = std::sqrt(growth * last_growth_);
  last_growth_ = growth;
  std::swap(direction_, image_);
}

}  // namespace linkwork
