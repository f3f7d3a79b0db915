#include "global_error.hpp"

#include "zoo_simulation.hpp"

#include <linkwork/core/errors.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork::apps {

namespace {

constexpr double reference_tolerance = 1e-12;
constexpr int samples = 200;

/// p and v at equidistant times, one column each.
Eigen::MatrixXd sampled_motion(const ComparedMotion& motion, Formulation formulation,
                               const IntegratorOptions& integrator) {
  const ZooModel& model = find_model(motion.model);
  Simulation simulation =
      make_simulation(model, model.parameters_with({}), {.formulation = formulation, .integrator = integrator});
  const Trajectory& path = simulation.run(0, motion.t_end);
  const Dimensions& n = simulation.equations().dimensions();
  Eigen::MatrixXd columns(n.p + n.v, samples);
  for (int k = 0; k < samples; ++k) {
    const State state = path.at(motion.t_end * (k + 1) / samples);
    columns.col(k) << state.p, state.v;
  }
  return columns;
}

struct Reference {
  ComparedMotion motion;
  Formulation formulation;
  Eigen::MatrixXd columns;
};

std::vector<Reference> make_references() {
  std::vector<Reference> references;
  for (const ComparedMotion& motion : compared_motions())
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative})
      references.push_back({motion, formulation,
                            sampled_motion(motion, formulation,
                                           RadauOptions{.rtol = reference_tolerance, .atol = reference_tolerance})});
  return references;
}

double error_of(const Reference& reference, const IntegratorOptions& integrator) {
  try {
    const Eigen::MatrixXd columns = sampled_motion(reference.motion, reference.formulation, integrator);
    return ((columns - reference.columns).array().abs() / (1 + reference.columns.array().abs())).maxCoeff();
  } catch (const RunError&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

const std::vector<ComparedMotion>& compared_motions() {
  static const std::vector<ComparedMotion> motions = {{"pendulum", 5}, {"double_pendulum", 2}, {"heavy_top", 1},
                                                      {"bricard", 3},  {"andrews", 0.02},      {"cam_follower", 1},
                                                      {"humanoid", 1}, {"rolling_disc", 3}};
  return motions;
}

GlobalErrors measure_global_errors(const std::function<IntegratorOptions(double)>& integrator,
                                   const std::vector<double>& tolerances) {
  static const std::vector<Reference> references = make_references();
  GlobalErrors errors{tolerances, {}};
  for (const double tolerance : tolerances) {
    std::vector<double>& column = errors.in_tolerances.emplace_back();
    for (const Reference& reference : references)
      column.push_back(error_of(reference, integrator(tolerance)) / tolerance);
    std::sort(column.begin(), column.end());
  }
  return errors;
}

double GlobalErrors::tolerance_for(double wanted, bool of_the_worst) const {
  const auto error = [&](std::size_t i) { return tolerances[i] * (of_the_worst ? worst(i) : median(i)); };
  for (std::size_t i = 0; i + 1 < tolerances.size(); ++i) {
    if (wanted > error(i) || wanted < error(i + 1)) continue;
    const double share = std::log(error(i) / wanted) / std::log(error(i) / error(i + 1));
    return tolerances[i] * std::pow(tolerances[i + 1] / tolerances[i], share);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace linkwork::apps
