#include <linkwork/solvers/linear/linear_solver.hpp>

#include <linkwork/core/concat.hpp>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace linkwork {

namespace {

/// While it lives, numbers below the smallest normal one (1e-308) count as zero. Couplings that fade along a chain pass
/// through that range, where each operation takes a hundred times longer and no digit is worth it.
class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | flush_results | flush_operands); }
  ~FlushDenormals() { _mm_setcsr(saved_); }

 private:
  static constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
  unsigned saved_;
#else
  FlushDenormals() {}  // not trivial, so that an object of it is no unused variable
#endif
 public:
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace

Outcome LinearSolver::analyze(EquationsOfMotion& equations) {
  equations_ = &equations;
  statistics_ = {};
  rows_ = -1;
  return do_analyze();
}

void LinearSolver::require_analysed(const char* function) const {
  if (!equations_) throw ModelError(concat(name(), ": ", function, " was called before analyze; call analyze first."));
}

Outcome LinearSolver::factor(const AugmentedMatrix& matrix) {
  require_analysed("factor");
  const int nv = equations_->dimensions().v;
  if (!matrix.M || !matrix.G || matrix.M->rows() != nv || matrix.G->columns() != nv)
    throw ModelError(concat(name(), ": the matrices to factor do not belong to the analysed equations, which have ", nv,
                            " velocities; analyze again."));
  ++statistics_.factorizations;
  const FlushDenormals flush;
  Outcome outcome = nv + matrix.G->rows() > 0 ? do_factor(matrix) : Outcome();
  rows_ = outcome ? matrix.G->rows() : -1;
  return outcome;
}

Outcome LinearSolver::factor(MatrixKind kind, const BlockMatrix* F) {
  require_analysed("factor");
  ++statistics_.factorizations;
  const FlushDenormals flush;
  const Dimensions& sizes = equations_->dimensions();
  const int rows = kind == MatrixKind::position ? sizes.lambda : sizes.constraints();
  Outcome outcome = sizes.v + rows > 0 ? do_factor_current(kind, F) : Outcome();
  rows_ = outcome ? rows : -1;
  return outcome;
}

Outcome LinearSolver::accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  require_analysed("accelerations");
  const Dimensions& sizes = equations_->dimensions();
  a.resize(sizes.v);
  lambda.resize(sizes.constraints());
  const FlushDenormals flush;
  ++statistics_.factorizations;
  ++statistics_.solves;
  Outcome outcome = sizes.v + sizes.constraints() > 0 ? do_accelerations(a, lambda) : Outcome();
  rows_ = outcome ? sizes.constraints() : -1;
  return outcome;
}

Outcome LinearSolver::settle(bool& rank_changed) {
  require_analysed("settle");
  rank_changed = false;
  return do_settle(rank_changed);
}

Outcome LinearSolver::do_factor_current(MatrixKind kind, const BlockMatrix* F) {
  const BlockMatrix& M = equations_->M();
  const BlockMatrix& G = kind == MatrixKind::position ? equations_->C() : equations_->G();
  return do_factor({kind, &M, &G, F});
}

Outcome LinearSolver::do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  Outcome outcome = do_factor_current(MatrixKind::velocity, nullptr);
  if (outcome) do_solve(equations_->f(), equations_->gamma(), a, lambda);
  return outcome;
}

void LinearSolver::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                         Eigen::VectorXd& lambda) {
  if (rows_ < 0) throw ModelError(concat(name(), ": solve was called without a factored matrix; call factor first."));
  if (f.size() != equations_->dimensions().v || g.size() != rows_)
    throw ModelError(concat(name(), ": right side of ", f.size(), " + ", g.size(), " entries; expected ",
                            equations_->dimensions().v, " + ", rows_, "."));
  ++statistics_.solves;
  w.resize(f.size());
  lambda.resize(g.size());
  const FlushDenormals flush;
  if (f.size() + g.size() > 0) do_solve(f, g, w, lambda);
}

}  // namespace linkwork
