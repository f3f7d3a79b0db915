#include "bench/workload.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace linkwork::apps {
namespace {

struct NamedOperation {
  std::string name;
  Operation operation;
};
const std::vector<NamedOperation>& operations() {
  static const std::vector<NamedOperation> all = {{"factor_solve", &Workload::factor_solve},
                                                  {"forward_dynamics", &Workload::forward_dynamics},
                                                  {"inverse_dynamics", &Workload::inverse_dynamics},
                                                  {"mass_matrix", &Workload::mass_matrix}};
  return all;
}

void require(const Outcome& outcome) {
  if (!outcome) throw ModelError(outcome.reason());
}

/// No entry is small: a pull at one end of a long chain fades into denormal numbers, which take many times longer.
Eigen::VectorXd waves(Eigen::Index size) {
  return Eigen::VectorXd::NullaryExpr(size, [](Eigen::Index i) { return std::cos(static_cast<double>(i)); });
}

}  // namespace

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const NamedOperation& known : operations()) names.push_back(known.name);
  return names;
}

Operation find_operation(const std::string& benchmark) {
  for (const NamedOperation& known : operations())
    if (known.name == benchmark) return known.operation;
  throw ModelError(concat("unknown benchmark '", benchmark, "'; there are: ", listed(benchmark_names()), "."));
}

Workload::Workload(const BenchJob& job) {
  BenchMechanism mechanism = job.bench_case->build(job.size, job.formulation);
  equations_ = std::move(mechanism.equations);
  applied_force_ = std::move(mechanism.applied_force);
  refuse_large_dense(job);
  solver_ = make_linear_solver(job.solver, *equations_);
  right_side_ = waves(equations_->dimensions().v);
  row_right_side_ = waves(equations_->dimensions().constraints());
  state_ = equations_->initial_state();
  equations_->set(state_);
  equations_->remember(true, -1);
  require(solver_->analyze(*equations_));
  equations_->set_applied_force(applied_force_);
  require(solver_->accelerations(a_, lambda_));
  state_.a = a_;
  state_.lambda = lambda_;
  factor_solve();  // the first factorisation of a kind may look at positions nearby
}

void Workload::factor_solve() {
  require(solver_->factor(MatrixKind::velocity));
  solver_->solve(right_side_, row_right_side_, a_, lambda_);
}

void Workload::forward_dynamics() {
  equations_->set_position(state_.t, state_.p);
  equations_->set_velocity(state_.v);
  equations_->set_applied_force(applied_force_);
  require(solver_->accelerations(a_, lambda_));
}

void Workload::inverse_dynamics() {
  equations_->set_position(state_.t, state_.p);
  equations_->set_velocity(state_.v);
  equations_->dynamic_residual(state_.a, state_.lambda, residual_);
}

void Workload::mass_matrix() {
  equations_->set_position(state_.t, state_.p);
  equations_->M();
}

double Workload::observable(const std::string& name) {
  const std::vector<std::string> names = equations_->observable_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd values;
  equations_->observables(state_, values);
  return values[found - names.begin()];
}

void Workload::refuse_large_dense(const BenchJob& job) const {
  constexpr int largest = 3000;  // rows; about a second per factorisation
  const Dimensions& sizes = equations_->dimensions();
  const bool dense_matrix = job.benchmark == "mass_matrix" && job.formulation == Formulation::relative;
  constexpr const char* dense_solvers[] = {"dense-lu", "ldlt", "cholesky-qr", "minimal"};
  const bool dense_solver =
      std::find(std::begin(dense_solvers), std::end(dense_solvers), job.solver) != std::end(dense_solvers);
  const int rows = sizes.v + (dense_matrix ? 0 : sizes.constraints());
  if ((dense_matrix || dense_solver) && rows > largest)
    throw ModelError(concat(dense_matrix ? job.benchmark : job.solver, ": case '", job.bench_case->name, "' of size ",
                            job.size, " has ", rows, " unknowns, a dense ", dense_matrix ? "matrix" : "solver",
                            " takes ", largest, " at most; give smaller --sizes, or another ",
                            dense_matrix ? "--formulation." : "--linear."));
}

}  // namespace linkwork::apps
