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

Outcome LinearSolver::factor(const AugmentedMatrix& matrix) {
  if (!equations_) throw ModelError(concat(name(), ": factor was called before analyze; call analyze first."));
  const int nv = equations_->dimensions().v;
  if (!matrix.M || !matrix.G || matrix.M->rows() != nv || matrix.G->columns() != nv)
    throw ModelError(concat(name(), ": the matrices to factor do not belong to the analysed equations, which have ", nv,
                            " velocities; analyze again."));
  ++statistics_.factorizations;
  const FlushDenormals flush;
  Outcome outcome = do_factor(matrix);
  rows_ = outcome ? matrix.G->rows() : -1;
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
  do_solve(f, g, w, lambda);
}

}  // namespace linkwork
