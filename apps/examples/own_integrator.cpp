// A time integrator of your own: Heun's method, of order 2, with Euler's for the error estimate.
//
// To add another one, give an attempt at a step and what becomes of it. SteppingIntegrator repeats attempts, keeps
// tolerances, limits and accounts, and projects ends of steps onto the constraints. Options with a function
// make_integrator beside them choose the integrator, as the library's do.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <iostream>
#include <utility>

using namespace linkwork;
struct HeunOptions {
  double tolerance = 1e-6, maximum_step = 0;
};

class Heun final : public SteppingIntegrator {
 public:
  explicit Heun(const HeunOptions& o)
      : SteppingIntegrator({.tolerances = {.rtol = o.tolerance, .atol = o.tolerance}, .maximum_step = o.maximum_step}) {
  }
  std::string_view name() const override { return "heun"; }
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) override {
    step_ = 0;
    has_stepped_ = false;
    return start_consistently(equations, solver, start, [this] { return find_rates(state_, rates_); });
  }

 private:
  std::string_view options_name() const override { return "HeunOptions"; }
  double first_step(double t_limit) override { return first_share(1e-3, t_limit); }
  bool has_stepped() const override { return has_stepped_; }

  State moved(double h, const StateRates& rates) const {
    return {.t = state_.t + h,
            .p = state_.p + h * rates.p,
            .v = state_.v + h * rates.v,
            .r = state_.r + h * rates.r,
            .w = state_.w,
            .s = state_.s,
            .a = state_.a,
            .lambda = state_.lambda};
  }
  Outcome compute(const StepEnd& end) {
    end_ = moved(end.h, rates_);
    if (Outcome found = find_rates(end_, next_rates_); !found) return found;
    const StateRates mean{(rates_.p + next_rates_.p) / 2, (rates_.v + next_rates_.v) / 2,
                          (rates_.r + next_rates_.r) / 2};
    const State by_euler = std::exchange(end_, moved(end.h, mean));
    records_.back().error = distance_in_tolerances(by_euler, end_);
    end_.t = end.t;
    if (Outcome projected = move_to_manifold(end_); !projected) return projected;
    return find_rates(end_, next_rates_);
  }
  Verdict attempt(const StepEnd& end) override {
    StepRecord& record = records_.back();
    record.order = 2;
    const Outcome computed = compute(end);
    if (computed && record.error <= 1) return Verdict::accepted;
    record.reason = computed ? concat("the error is ", record.error, " tolerances") : computed.reason();
    return computed ? Verdict::large_error : Verdict::failure;
  }
  Outcome accept(double h) override {
    has_stepped_ = true;
    previous_ = std::exchange(state_, end_);
    previous_rates_ = std::exchange(rates_, next_rates_);
    step_ = step_for(h, records_.back().error, 2);
    return invariants_conserved();
  }
  void build_dense(bool /*all*/) override { interpolate_by_rates(previous_rates_, rates_); }

  StateRates rates_, next_rates_, previous_rates_;
  State end_;
  bool has_stepped_ = false;
};

std::unique_ptr<Integrator> make_integrator(const HeunOptions& options) { return std::make_unique<Heun>(options); }

int main() {
  PlanarModel model("lever on a torsion spring");
  auto lever = model.add_body("lever", MassProperties::planar(2, /*inertia*/ 0.1));
  lever.place({0.3 * std::cos(0.5), 0.3 * std::sin(0.5)}, 0.5);
  model.add_joint<Revolute>("bearing", model.ground().origin(), lever.at({-0.3, 0}));
  model.add_force<TorsionSpringDamper>("spring", model.ground().origin(), lever.origin(), {.stiffness = 7});
  model.add_observable("angle", "rad", [=](const Snapshot<Planar>& at) { return at.pose(lever.origin()).angle; });
  const double rate = std::sqrt(7 / (0.1 + 2 * 0.3 * 0.3));  // angle = 0.5 cos(rate t)
  const auto error = [&](const HeunOptions& options, double t) {
    const Trajectory path = Simulation(model, {.integrator = options}).run(0, t);
    return std::abs(path.values("angle").values.back() - 0.5 * std::cos(rate * t));
  };
  const double order = std::log2(error({.tolerance = 0.5, .maximum_step = 0.02}, 1) /
                                 error({.tolerance = 0.5, .maximum_step = 0.01}, 1));
  Simulation simulation(model, {.integrator = HeunOptions{}});
  simulation.add_event({.name = "centre", .observable = "angle"});
  const Trajectory path = simulation.run(0, 1);
  const double quarter = std::acos(0.0) / rate, middle = path.events().at(0).t;
  std::cout << simulation.summary() << "order " << order << ", through the centre " << middle - quarter << " s late\n";
  return std::abs(order - 2) < 0.1 && std::abs(middle - quarter) < 1e-5 ? 0 : 1;
}
