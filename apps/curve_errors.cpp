#include "curve_errors.hpp"

#include "zoo_simulation.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork::apps {
namespace {

double largest_error(const Eigen::VectorXd& x, const Eigen::VectorXd& exact) {
  return x.size() == 0 ? 0 : ((x - exact).array().abs() / (1 + exact.array().abs())).maxCoeff();
}

/// Quaternions of one attitude are compared with the same sign.
void take_larger(double& p, double& v, State state, const State& exact, const EquationsOfMotion& equations) {
  equations.normalise(exact.p, state.p);
  p = std::max(p, largest_error(state.p, exact.p));
  v = std::max(v, largest_error(state.v, exact.v));
}

}  // namespace

const std::vector<CurveCase>& curve_cases() {
  static const std::vector<CurveCase> cases = {{"andrews", {}, 0.03},
                                               {"appell_hamel", {}, 1},
                                               {"atv", {}, 0.3},
                                               {"axle_on_stamp", {}, 0.2},
                                               {"bricard", {}, 2},
                                               {"cable_drum", {}, 4},
                                               {"cam_follower", {}, 1},
                                               {"cartesian_pendulum", {}, 5},
                                               {"chaplygin_sleigh", {}, 10},
                                               {"double_pendulum", {}, 2},
                                               {"double_rod_pendulum", {}, 2},
                                               {"four_bar", {}, 2},
                                               {"gimbal", {}, 1},
                                               {"heavy_top", {}, 0.2},
                                               {"humanoid", {}, 0.05},
                                               {"insulator_chain", {{"n", 3}}, 0.02},
                                               {"ladder", {{"n", 3}}, 0.5},
                                               {"ladder3d", {{"n", 2}}, 0.3},
                                               {"lane_change_car", {}, 0.5},
                                               {"mesh", {{"n", 2}}, 0.3},
                                               {"n_four_bar", {{"n", 2}}, 0.7},  // singular at 0.714 s
                                               {"pendulum", {}, 5},
                                               {"pendulum_chain", {{"n", 4}}, 5},
                                               {"ring", {{"n", 6}}, 0.3},
                                               {"rolling_disc", {}, 2},
                                               {"spatial_slider_crank", {}, 1},
                                               {"sprocket_chain", {{"links", 28}}, 0.01},
                                               {"train_carriage", {}, 0.5},
                                               {"truck", {}, 1},
                                               {"truck9", {}, 1}};
  return cases;
}

IntegratorOptions integrator_options(const std::string& name, double tolerance) {
  if (name == "extrapolation") return ExtrapolationOptions{.rtol = tolerance, .atol = tolerance};
  if (name == "bdf") {
    BdfOptions options;
    options.rtol = options.atol = tolerance;
    return options;
  }
  if (name != "radau") throw ModelError(concat("there is no integrator '", name, "' with one tolerance."));
  RadauOptions options;
  options.rtol = options.atol = tolerance;
  return options;
}

double CurveErrors::share_of_promise(double tolerance) const {
  const auto share = [tolerance](double between, double at_steps) {
    return between / (10 * at_steps + 10 * tolerance);
  };
  return std::max(share(p_points, p_steps), share(v_points, v_steps));
}

CurveComparison::CurveComparison(const CurveCase& chosen, Formulation formulation, int points)
    : case_(chosen), formulation_(formulation), points_(points) {
  RadauOptions exact;
  exact.rtol = exact.atol = 1e-12;
  exact.maximum_step = case_.t_end / points;
  reference_ = simulation(exact).run(0, case_.t_end);
}

Simulation CurveComparison::simulation(IntegratorOptions integrator) const {
  const ZooModel& model = find_model(case_.model);
  SimulationOptions options;
  options.formulation = formulation_;
  options.integrator = std::move(integrator);
  return make_simulation(model, model.parameters_with(case_.changes), std::move(options));
}

CurveErrors CurveComparison::errors_of(const std::string& integrator, double tolerance) const {
  CurveErrors out;
  Simulation run = simulation(integrator_options(integrator, tolerance));
  try {
    run.run(0, case_.t_end);
  } catch (const RunError& error) {
    out.failure = error.what();
  }
  const Trajectory& path = run.trajectory();
  out.steps = path.segments().size();
  if (path.empty()) return out;
  const auto compare = [&](double t, double& p, double& v) {
    take_larger(p, v, path.at(t), reference_.at(t), run.equations());
  };
  for (const TrajectorySegment& segment : path.segments()) compare(segment.end.t, out.p_steps, out.v_steps);
  for (int k = 0; k < points_; ++k) {
    const double t = case_.t_end * k / (points_ - 1);
    if (t <= path.t_end()) compare(t, out.p_points, out.v_points);
  }
  return out;
}

}  // namespace linkwork::apps
