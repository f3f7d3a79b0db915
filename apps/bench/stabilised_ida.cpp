#include "bench/stabilised_ida.hpp"

#include "bench/cpu_clock.hpp"
#include "bench/sundials.hpp"

#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <algorithm>

namespace linkwork::apps {
namespace {

using VectorMap = Eigen::Map<Eigen::VectorXd>;

VectorMap values_of(N_Vector vector) { return {NV_DATA_S(vector), NV_LENGTH_S(vector)}; }

JacobianOptions grouped_differences() {
  JacobianOptions options;
  options.partitioned = PartitionedUpdates::off;
  return options;
}

/// What IDA's callbacks work on.
struct Problem {
  /// IDA's differences see eta as it is, so that their pattern needs the derivative of Z D G^T eta.
  explicit Problem(EquationsOfMotion& equations)
      : system(equations, {.eta_derivative = true}),
        jacobian(system, grouped_differences()),
        weights(Eigen::VectorXd::Ones(system.size())),
        F(system.size()) {}

  MotionResidual system;
  Jacobian jacobian;
  Eigen::VectorXd weights, y, y_rate, F;
  void* ida = nullptr;
  N_Vector error_weights = nullptr;
};

/// y and y' at a consistent state.
void write_start(MotionResidual& system, const State& start, N_Vector y, N_Vector rate) {
  EquationsOfMotion& equations = system.equations_of_motion();
  const MotionLayout& at = system.layout();
  equations.set(start);
  Eigen::VectorXd p_rate;
  equations.position_rate(p_rate);
  Eigen::VectorXd unknowns = Eigen::VectorXd::Zero(at.size);
  at.copy_from_state(start, unknowns);
  values_of(y) = unknowns;
  values_of(rate).setZero();
  values_of(rate).head(at.w) << p_rate, start.a, equations.r_rate();
}

/// 1 asks IDA for a smaller step.
int residual(realtype t, N_Vector y, N_Vector rate, N_Vector r, void* data) {
  Problem& problem = *static_cast<Problem*>(data);
  problem.y = values_of(y);
  problem.y_rate = values_of(rate);
  try {
    problem.system.evaluate(t, problem.y, problem.y_rate, problem.F);
  } catch (const RecoverableFailure&) {
    return 1;
  }
  values_of(r) = problem.F;
  return 0;
}

int grouped_jacobian(realtype t, realtype alpha, N_Vector y, N_Vector rate, N_Vector r, SUNMatrix J, void* data,
                     N_Vector, N_Vector, N_Vector) {
  Problem& problem = *static_cast<Problem*>(data);
  problem.y = values_of(y);
  problem.y_rate = values_of(rate);
  problem.F = values_of(r);
  double step = 0;
  IDAGetCurrentStep(problem.ida, &step);
  IDAGetErrWeights(problem.ida, problem.error_weights);
  // Unknowns that weigh nothing have increments of their own size, from 1 on.
  problem.weights = values_of(problem.error_weights).cwiseInverse().cwiseMin(1.0);
  if (!problem.jacobian.difference({t, problem.y, problem.y_rate, alpha, step, problem.weights}, problem.F)) return 1;
  const SparseMatrix& matrix = problem.jacobian.matrix();
  std::copy(matrix.column_starts().begin(), matrix.column_starts().end(), SUNSparseMatrix_IndexPointers(J));
  std::copy(matrix.row_numbers().begin(), matrix.row_numbers().end(), SUNSparseMatrix_IndexValues(J));
  std::copy(matrix.values().begin(), matrix.values().end(), SUNSparseMatrix_Data(J));
  return 0;
}

}  // namespace

StabilisedIdaResult integrate_with_ida(EquationsOfMotion& equations, const State& start, double t_end, double rtol,
                                       double atol, IdaJacobian kind) {
  using namespace sundials;
  constexpr double no_weight = 1e20;
  equations.set(start);
  Problem problem(equations);
  const MotionLayout& at = problem.system.layout();
  const int n = problem.system.size();
  const bool dense = kind == IdaJacobian::dense_differences;

  const ContextOwner context = make_context();
  const VectorOwner y(N_VNew_Serial(n, context.get()));
  const VectorOwner rate(N_VClone(y.get())), is_differential(N_VClone(y.get())), absolute(N_VClone(y.get())),
      weights(N_VClone(y.get()));
  write_start(problem.system, start, y.get(), rate.get());
  values_of(is_differential.get()).setZero();
  values_of(is_differential.get()).head(at.differential()).setOnes();
  values_of(absolute.get()).setConstant(atol);
  values_of(absolute.get()).tail(n - at.lambda).setConstant(no_weight);

  const MatrixOwner matrix(dense ? SUNDenseMatrix(n, n, context.get())
                                 : SUNSparseMatrix(n, n, problem.jacobian.matrix().nonzeros(), CSC_MAT, context.get()));
  const SolverOwner solver(dense ? SUNLinSol_Dense(y.get(), matrix.get(), context.get())
                                 : SUNLinSol_KLU(y.get(), matrix.get(), context.get()));
  const FileOwner nowhere(std::fopen("/dev/null", "w"));
  const IdaOwner ida(IDACreate(context.get()));
  problem.ida = ida.get();
  problem.error_weights = weights.get();

  IDASetErrFile(ida.get(), nowhere.get());
  IDAInit(ida.get(), residual, start.t, y.get(), rate.get());
  IDASVtolerances(ida.get(), rtol, absolute.get());
  IDASetUserData(ida.get(), &problem);
  IDASetId(ida.get(), is_differential.get());
  IDASetSuppressAlg(ida.get(), SUNTRUE);
  IDASetMaxNumSteps(ida.get(), 10000000);
  IDASetStopTime(ida.get(), t_end);
  IDASetLinearSolver(ida.get(), solver.get(), matrix.get());
  if (!dense) IDASetJacFn(ida.get(), grouped_jacobian);

  StabilisedIdaResult result;
  const double begin = cpu_seconds();
  result.finished = IDASolve(ida.get(), t_end, &result.end.t, y.get(), rate.get(), IDA_NORMAL) >= 0;
  result.cpu_seconds = cpu_seconds() - begin;
  IDAGetNumSteps(ida.get(), &result.steps);
  IDAGetNumJacEvals(ida.get(), &result.jacobians);
  IDAGetNumResEvals(ida.get(), &result.calls);
  IDAGetNumLinResEvals(ida.get(), &result.jacobian_calls);
  if (!dense) result.jacobian_calls = static_cast<long>(problem.jacobian.statistics().function_calls);
  result.calls += result.jacobian_calls;
  result.end.p = values_of(y.get()).segment(at.p, at.v - at.p);
  result.end.v = values_of(y.get()).segment(at.v, at.r - at.v);
  return result;
}

}  // namespace linkwork::apps
