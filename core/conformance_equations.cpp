#include <linkwork/core/conformance_equations.hpp>

#include <linkwork/core/conformance_findings.hpp>
#include <linkwork/core/conformance_motion.hpp>
#include <linkwork/core/equations_of_motion.hpp>

#include <algorithm>

namespace linkwork {

namespace {

using conformance::Derivative;
using conformance::Findings;
using conformance::Random;

/// What the functions of equations of motion claim about each other, tried at one point.
class EquationsAtPoint {
 public:
  /// @param at  the point; positions need not satisfy the constraints
  /// @param bound  of derivatives that equations give, relative to 1 + |derivative|
  EquationsAtPoint(EquationsOfMotion& equations, Findings& findings, const State& at, Random& random, double bound)
      : equations_(equations),
        findings_(findings),
        at_(at),
        bound_(bound),
        direction_(random.numbers(equations.dimensions().v)),
        other_(random.numbers(equations.dimensions().v)) {
    solve_implicit(at_);
    set(at_);
    equations_.multiply_Z(direction_, position_direction_);
  }

  void check_mass() {
    const Eigen::VectorXd Mx = times(equations_.M(), direction_), My = times(equations_.M(), other_);
    const double size = Mx.cwiseAbs().dot(other_.cwiseAbs()) + My.cwiseAbs().dot(direction_.cwiseAbs());
    compare({"do_M", "y . M x", "it equals x . M y, M is symmetric"}, other_.dot(Mx), direction_.dot(My), size);
    if (direction_.dot(Mx) < -rounding * direction_.cwiseAbs().dot(Mx.cwiseAbs()))
      findings_.fail(
          "do_M", "definite",
          concat("x . M x is ", direction_.dot(Mx), " for some x; expected none below zero, M is semidefinite"));
    Eigen::VectorXd product;
    equations_.multiply_mass(direction_, product);
    findings_.compare({"do_multiply_mass", "entry", "M x"}, product, Mx, rounding,
                      Eigen::VectorXd::Constant(Mx.size(), rounding * Mx.cwiseAbs().sum()));
  }

  void check_constraint_matrix() {
    const int holonomic = equations_.dimensions().lambda;
    if (holonomic == 0) return;
    const Eigen::VectorXd of_position = times(equations_.C(), direction_),
                          of_velocity = times(equations_.G(), direction_).head(holonomic);
    const Derivative along = difference(position_direction_, [&](double step) {
      set(moved(step, position_direction_, 0));
      return Eigen::VectorXd(equations_.g());
    });
    set(at_);
    // Rows of velocities need not be the derivative of g, where rows of positions are given beside them.
    const bool are_one =
        (of_position - of_velocity).cwiseAbs().maxCoeff() <= rounding * of_position.cwiseAbs().maxCoeff();
    findings_.compare({are_one ? "do_G" : "do_C", "row", "the derivative of g along Z x, in the row of G x"},
                      of_position, along, bound_);
    if (!are_one) return;
    const Derivative in_time = difference(Eigen::VectorXd::Ones(1), [&](double step) {
      State there = at_;
      there.t += step;
      solve_implicit(there);
      set(there);
      return Eigen::VectorXd(equations_.g());
    });
    set(at_);
    findings_.compare({"do_G", "velocity offset", "the derivative of g with respect to time"},
                      equations_.velocity_offset().head(holonomic), in_time, bound_);
  }

  void check_gamma() {
    if (equations_.dimensions().constraints() == 0) return;
    Eigen::VectorXd rate;
    equations_.position_rate(rate);
    const Eigen::VectorXd gamma = equations_.gamma();
    const Derivative along = difference(rate, [&](double step) {
      set(moved(step, rate, step));
      return Eigen::VectorXd(-equations_.velocity_residual());
    });
    set(at_);
    findings_.compare({"do_gamma", "row", "minus the derivative of G v + offset along the motion with v held"}, gamma,
                      along, bound_);
  }

  void check_force_jacobian() {
    const int rows = equations_.dimensions().constraints();
    if (rows == 0) return;
    const Eigen::VectorXd change = Eigen::VectorXd::Ones(rows);
    const Derivative along = difference(change, [&](double step) {
      State there = at_;
      there.lambda += step * change;
      set(there);
      if (equations_.dimensions().w > 0) equations_.solve_auxiliary();
      return Eigen::VectorXd(equations_.f());
    });
    set(at_);
    if (!equations_.forces_read_multipliers()) {
      findings_.compare({"forces_read_multipliers", "derivative of f", "f reads no multipliers"},
                        Eigen::VectorXd::Zero(along.value.size()), along, bound_);
      return;
    }
    findings_.compare({"do_force_jacobian", "row", "the derivative of f with respect to the multipliers"},
                      times(equations_.force_jacobian(), change), along, one_sided);
  }

  void check_invariants() {
    if (equations_.dimensions().e == 0) return;
    const InvariantJacobian jacobian = equations_.invariant_jacobian();
    const auto values_at = [&](const State& there) {
      set(there);
      return Eigen::VectorXd(equations_.invariants());
    };
    const Derivative by_position =
        difference(position_direction_, [&](double step) { return values_at(moved(step, position_direction_, 0)); });
    const Derivative by_velocity = difference(other_, [&](double step) {
      State there = at_;
      there.v += step * other_;
      return values_at(there);
    });
    set(at_);
    findings_.compare({"do_invariant_jacobian", "row", "the derivative of an invariant along Z x"},
                      jacobian.p * direction_, by_position, std::max(bound_, 1e-7));
    findings_.compare({"do_invariant_jacobian", "row", "the derivative of an invariant with respect to v"},
                      jacobian.v * other_, by_velocity, std::max(bound_, 1e-7));
  }

 private:
  static constexpr double rounding = 1e-9;          // of sums of products
  static constexpr double one_sided = 1e-4;         // of what may come by one-sided differences itself
  static constexpr double difference_step = 0.001;  // of positions, velocities, times: six of them are taken

  static Eigen::VectorXd times(const BlockMatrix& matrix, const Eigen::VectorXd& x) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(matrix.rows());
    matrix.multiply_add(1.0, x, out);
    return out;
  }
  void compare(const conformance::Claim& claim, double actual, double expected, double size) {
    findings_.compare(claim, Eigen::VectorXd::Constant(1, actual), Eigen::VectorXd::Constant(1, expected), rounding,
                      Eigen::VectorXd::Constant(1, rounding * size));
  }
  template <class Function>
  static Derivative difference(const Eigen::VectorXd& direction, Function&& function) {
    const double speed = direction.size() > 0 ? direction.cwiseAbs().maxCoeff() : 0.0;
    return conformance::derivative(conformance::step_for(difference_step, speed), function);
  }
  State moved(double step, const Eigen::VectorXd& direction, double time) const {
    State there = at_;
    there.t += time;
    there.p += step * direction;
    solve_implicit(there);
    return there;
  }
  /// Brings contact coordinates, where they are unknowns, to where they belong.
  void solve_implicit(State& state) const {
    if (equations_.dimensions().s == 0) return;
    set(state);
    equations_.solve_contacts();
    state.s = equations_.contacts();
  }
  void set(const State& state) const { equations_.set(state); }

  EquationsOfMotion& equations_;
  Findings& findings_;
  State at_;
  double bound_;
  Eigen::VectorXd direction_, other_, position_direction_;
};

using Stage = void (EquationsAtPoint::*)();
constexpr std::pair<const char*, Stage> stages[] = {{"do_M", &EquationsAtPoint::check_mass},
                                                    {"do_G", &EquationsAtPoint::check_constraint_matrix},
                                                    {"do_gamma", &EquationsAtPoint::check_gamma},
                                                    {"do_f", &EquationsAtPoint::check_force_jacobian},
                                                    {"do_invariants", &EquationsAtPoint::check_invariants}};

std::string name_of(const EquationsOfMotion& equations) {
  return concat("equations of motion '", equations.model_name(), "'");
}

/// A point near a state.
State near(EquationsOfMotion& equations, const State& start, Random& random, const ConformanceOptions& options) {
  const Dimensions& n = equations.dimensions();
  State out = start;
  out.t = random.time(options.last_time);
  equations.set(out);
  Eigen::VectorXd p;
  equations.position_step(options.reach * random.numbers(n.v), p);
  equations.normalise(out.p, p);
  out.p = p;
  out.v = random.numbers(n.v);
  out.lambda = random.numbers(n.constraints());
  return out;
}

}  // namespace

ConformanceReport check_equations(EquationsOfMotion& equations, const ConformanceOptions& options) {
  Findings findings(name_of(equations), options);
  const State start = equations.initial_state();
  std::vector<State> points;
  std::vector<double> times;
  findings.once("initial_state", [&] {
    for (int i = 0; i < options.samples; ++i) {
      Random random(options.seed, static_cast<std::size_t>(i));
      points.push_back(near(equations, start, random, options));
      times.push_back(points.back().t);
    }
  });
  findings.set_times(times);
  for (const auto& [function, stage] : stages)
    findings.at_every_sample(function, [&, check = stage](std::size_t sample) {
      Random random(options.seed + 1, sample);
      EquationsAtPoint at(equations, findings, points[sample], random, conformance::first_order_bound);
      (at.*check)();
    });
  return findings.report();
}

namespace conformance {

std::string first_fault(EquationsOfMotion& equations, const State& at) {
  constexpr double factors_and_signs = 1e-4;  // are what is looked for; derivatives may come by differences
  const ConformanceOptions one_sample{.samples = 1};
  Findings findings(name_of(equations), one_sample);
  findings.set_times({at.t});
  for (const auto& [function, stage] : stages) {
    Random random(one_sample.seed, 0);
    State point = at;
    // In motion, also where the start is at rest; forces may be particular about velocities.
    if (stage != &EquationsAtPoint::check_force_jacobian) point.v += random.numbers(equations.dimensions().v);
    try {
      EquationsAtPoint here(equations, findings, point, random, factors_and_signs);
      (here.*stage)();
    } catch (...) {  // no point to judge at: functions may refuse what is beside the start; else the run meets it too
    }
  }
  equations.set(at);
  const ConformanceReport report = findings.report();
  return report ? "" : report.failures().front().message;
}

}  // namespace conformance
}  // namespace linkwork
