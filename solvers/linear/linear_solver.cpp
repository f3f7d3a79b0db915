#include <linkwork/solvers/linear/linear_solver.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/power_of_two.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/linear/refinement.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Velocities up to which M of joint coordinates, a full matrix, is assembled for the sake of refinement.
constexpr int most_assembled = 300;

// Against the heaviest: forces that suit the heavy bodies are a difference of two digits for the light ones.
constexpr double light_mass = 1e-2;

bool has_light_bodies(EquationsOfMotion& equations) {
  double lightest = std::numeric_limits<double>::infinity(), heaviest = 0;
  const auto look_at = [&](double mass) {
    if (!(mass > 0)) return;
    lightest = std::min(lightest, mass);
    heaviest = std::max(heaviest, mass);
  };
  if (equations.joint_tree().index() != 0) {
    with_tree(equations.joint_tree(), [&](const auto& tree) {
      for (const auto& inertia : tree.inertias) look_at(inertia.mass);
    });
  } else {
    const BlockMatrix& M = equations.M();
    for (const BlockMatrix::Block& block : M.blocks())
      for (int i = 0; i < block.height; ++i)
        for (int j = 0; j < block.width; ++j)
          if (block.row + i == block.column + j && equations.velocity_measure(block.row + i) == Measure::length)
            look_at(M.data()[block.offset + static_cast<std::size_t>(i * block.width + j)]);
  }
  return lightest < light_mass * heaviest;
}

/// What turns counts by the characteristic length, rounded to a power of two.
Eigen::VectorXd unit_scale(const EquationsOfMotion& equations, std::string_view solver) {
  const double given = equations.characteristic_length();
  if (!(given > 0 && std::isfinite(given)))
    throw ModelError(concat(solver, ": the characteristic length of model '", equations.model_name(), "' is ", given,
                            " m; override characteristic_length() by a length above 0."));
  const double length = detail::nearest_power_of_two(given);
  const Dimensions& n = equations.dimensions();
  Eigen::VectorXd scale(n.v + n.constraints());
  for (int i = 0; i < n.v; ++i) scale[i] = equations.velocity_measure(i) == Measure::angle ? 1 / length : 1;
  for (int i = 0; i < n.constraints(); ++i) scale[n.v + i] = row_scale(equations, i, length);
  return scale;
}

}  // namespace

LinearSolver::LinearSolver() = default;
LinearSolver::~LinearSolver() = default;

Outcome LinearSolver::analyze(EquationsOfMotion& equations) {
  equations_ = &equations;
  refinements_ = {};
  refinement_ = nullptr;
  is_delicate_ = false;
  light_bodies_ = LightBodies::unknown;
  statistics_ = {};
  rows_ = -1;
  unit_scale_ = unit_scale(equations, name());
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
  AugmentedMatrix scaled = matrix;
  const Dimensions& sizes = equations_->dimensions();
  const int rows = matrix.kind == MatrixKind::position ? sizes.lambda : sizes.constraints();
  if (!scaled.scale && matrix.G->rows() == rows) scaled.scale = unit_scale_.data();  // not of a selection of rows
  Outcome outcome = nv + matrix.G->rows() > 0 ? do_factor(scaled) : Outcome();
  refinement_ = nullptr;
  if (outcome && needs_refinement()) keep_for_refinement(matrix);
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
  refinement_ = nullptr;
  if (outcome && needs_refinement()) keep_current_for_refinement(kind, F);
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
  refinement_ = nullptr;
  if (outcome && needs_refinement()) improve_accelerations(a, lambda);
  rows_ = outcome ? sizes.constraints() : -1;
  return outcome;
}

Outcome LinearSolver::decide_rank(bool& rank_changed) {
  require_analysed("decide_rank");
  rank_changed = false;
  return do_decide_rank(rank_changed);
}

AugmentedMatrix LinearSolver::current_matrix(MatrixKind kind, const BlockMatrix* F) const {
  AugmentedMatrix matrix = linkwork::current_matrix(*equations_, kind, F);
  matrix.scale = unit_scale_.data();
  return matrix;
}

Outcome LinearSolver::do_factor_current(MatrixKind kind, const BlockMatrix* F) {
  return do_factor(current_matrix(kind, F));
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
  if (refinement_)
    (*refinement_)([this](auto&&... sides) { do_solve(sides...); }, f, g, w, lambda);
  else if (f.size() + g.size() > 0)
    do_solve(f, g, w, lambda);
}

bool LinearSolver::needs_refinement() {
  if (is_by_another_ || equations_->dimensions().v == 0) return false;
  if (light_bodies_ == LightBodies::unknown)
    light_bodies_ = has_light_bodies(*equations_) ? LightBodies::yes : LightBodies::no;
  return is_delicate_ || light_bodies_ == LightBodies::yes;
}

Refinement& LinearSolver::refinement_of(MatrixKind kind) {
  std::unique_ptr<Refinement>& out = refinements_[index_of(kind)];
  if (!out) out = std::make_unique<Refinement>();
  return *out;
}

void LinearSolver::keep_for_refinement(const AugmentedMatrix& matrix) {
  Refinement& refinement = refinement_of(matrix.kind);
  refinement.keep(*matrix.M, *matrix.G, matrix.F);
  refinement_ = &refinement;
}

/// M of joint coordinates is assembled for this, and only here.
void LinearSolver::keep_current_for_refinement(MatrixKind kind, const BlockMatrix* F) {
  if (equations_->joint_tree().index() != 0 && equations_->dimensions().v > most_assembled) return;
  keep_for_refinement(current_matrix(kind, F));
}

void LinearSolver::improve_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) {
  keep_current_for_refinement(MatrixKind::velocity, nullptr);
  const auto residual = [&](Eigen::VectorXd& f, Eigen::VectorXd& g) {
    equations_->dynamic_residual(a, lambda, f);
    f = -f;
    g = equations_->gamma();
    equations_->G().multiply_add(-1, a, g);
  };
  refinement_of(MatrixKind::velocity).improve([this](auto&&... sides) { do_solve(sides...); }, residual, a, lambda);
}

}  // namespace linkwork
