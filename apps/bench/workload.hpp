#pragma once

#include "bench/cases.hpp"

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork::apps {

/// One thing to time: a benchmark on a case of some size, in one formulation with one linear solver.
struct BenchJob {
  std::string benchmark;
  const BenchCase* bench_case = nullptr;  ///< outlives the job
  int size = 0;
  Formulation formulation = Formulation::relative;
  std::string solver;
};

/// Equations in the state of a case, a solver that has analysed them, and room for results. The functions with a name
/// are what is timed; each can be called any number of times.
class Workload {
 public:
  /// @throws ModelError for unknown names, where the formulation or the solver refuses the case, and for dense matrices
  /// at sizes that make no sense; what building a model throws
  explicit Workload(const BenchJob& job);

  /// Numeric factorisation and one solve; the matrices or the joint tree are up to date.
  void factor_solve();
  /// Accelerations and multipliers at a position, a velocity and forces that are set anew.
  void forward_dynamics();
  /// M a - f + G^T lambda at a position and a velocity that are set anew, at given a and lambda.
  void inverse_dynamics();
  /// M at a position that is set anew.
  void mass_matrix();

  const EquationsOfMotion& equations() const { return *equations_; }
  /// The name of the solver at work, which "auto" has chosen.
  std::string solver_at_work() const { return std::string(solver_->name()); }
  /// An observable at the state with its accelerations; NaN where the case does not have it.
  double observable(const std::string& name);

 private:
  void refuse_large_dense(const BenchJob& job) const;

  std::unique_ptr<EquationsOfMotion> equations_;
  std::unique_ptr<LinearSolver> solver_;
  State state_;
  Eigen::VectorXd applied_force_, right_side_, row_right_side_, a_, lambda_, residual_;
};

using Operation = void (Workload::*)();

/// factor_solve, forward_dynamics, inverse_dynamics and mass_matrix, the functions of Workload.
std::vector<std::string> benchmark_names();
/// @throws ModelError for an unknown name, listing the known ones
Operation find_operation(const std::string& benchmark);

}  // namespace linkwork::apps
