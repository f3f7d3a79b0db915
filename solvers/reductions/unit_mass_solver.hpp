#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <string_view>

namespace linkwork {

/// Accelerations of equations whose mass matrix is the unit matrix and that have no rows: those are the forces.
class UnitMassSolver final : public LinearSolver {
 public:
  std::string_view name() const override { return "unit-mass"; }

 private:
  Outcome do_analyze() override { return {}; }
  Outcome do_factor(const AugmentedMatrix&) override { return {}; }
  Outcome do_factor_current(MatrixKind, const BlockMatrix*) override { return {}; }
  Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd&) override {
    a = equations_->f();
    return {};
  }
  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd&, Eigen::VectorXd& w, Eigen::VectorXd&) override {
    w = f;
  }
};

}  // namespace linkwork
