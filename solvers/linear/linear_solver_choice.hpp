#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace linkwork {

/// Makes a linear solver of one's own; called for every run, and once more for what is read of its trajectory.
using LinearSolverFactory = std::function<std::unique_ptr<LinearSolver>()>;

/// The linear solver of a run, as a value: a name, or one's own.
class LinearSolverChoice {
 public:
  /// @param name  one of linear_solver_names()
  LinearSolverChoice(std::string name) : name_(std::move(name)) {}
  LinearSolverChoice(const char* name) : name_(name) {}
  /// @param name  for reports
  LinearSolverChoice(std::string name, LinearSolverFactory factory)
      : name_(std::move(name)), factory_(std::move(factory)), is_own_(true) {}

  const std::string& name() const { return name_; }
  /// An analysed solver.
  /// @param friction  as in make_linear_solver
  /// @throws ModelError as make_linear_solver, for a factory that is empty or gives nothing, and for a solver that
  /// refuses the
  ///         structure
  std::unique_ptr<LinearSolver> make(EquationsOfMotion& equations, bool friction) const;

 private:
  std::string name_;
  LinearSolverFactory factory_;
  bool is_own_ = false;
};

}  // namespace linkwork
