#include <linkwork/solvers/integrators/first_order_system.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

namespace linkwork {

FirstOrderSystem::FirstOrderSystem(EquationsOfMotion& equations, LinearSolver& solver)
    : equations_(equations), solver_(solver), v_rate_(equations.dimensions().v), lambda_(0) {}

Outcome FirstOrderSystem::takes(const EquationsOfMotion& equations, std::string_view method) {
  const Dimensions& n = equations.dimensions();
  if (const int rows = n.constraints(); rows > 0)
    return Outcome::failure(
        concat(method, ": model '", equations.model_name(), "' has ", rows,
               rows == 1 ? " constraint row in " : " constraint rows in ", equations.formulation_name(),
               " coordinates, and this method takes none; use extrapolation, bdf or radau, or for a "
               "tree of joints relative coordinates."));
  if (n.w > 0 || n.s > 0)
    return Outcome::failure(concat(method, ": model '", equations.model_name(), "' has ", n.w,
                                   " auxiliary variables w and ", n.s,
                                   " contact coordinates s as unknowns, which this method does not take; use bdf or "
                                   "radau, or solve for them inside the equations."));
  return {};
}

void FirstOrderSystem::copy_from_state(const State& state, Eigen::Ref<Eigen::VectorXd> y) const {
  y << state.p, state.v, state.r;
}

void FirstOrderSystem::copy_to_state(const Eigen::Ref<const Eigen::VectorXd>& y, State& state) const {
  const Dimensions& n = equations_.dimensions();
  state.p = y.head(n.p);
  state.v = y.segment(n.p, n.v);
  state.r = y.tail(n.r);
}

void FirstOrderSystem::rates(double t, const Eigen::Ref<const Eigen::VectorXd>& y, Eigen::Ref<Eigen::VectorXd> y_rate) {
  const Dimensions& n = equations_.dimensions();
  p_ = y.head(n.p);
  v_ = y.segment(n.p, n.v);
  r_ = y.tail(n.r);
  equations_.set_position(t, p_);
  equations_.set_velocity(v_);
  equations_.set_states(r_);
  if (const Outcome solved = solver_.accelerations(v_rate_, lambda_); !solved)
    throw RecoverableFailure(solved.reason());
  equations_.position_rate(p_rate_);
  y_rate.head(n.p) = p_rate_;
  y_rate.segment(n.p, n.v) = v_rate_;
  y_rate.tail(n.r) = equations_.r_rate();
}

std::string FirstOrderSystem::unknown_name(Eigen::Index i) const {
  const Dimensions& n = equations_.dimensions();
  const auto k = static_cast<int>(i);
  if (k < n.p) return equations_.position_name(k);
  if (k < n.p + n.v) return concat("the velocity of ", equations_.velocity_name(k - n.p));
  return equations_.state_name(k - n.p - n.v);
}

}  // namespace linkwork
