#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/row_elements.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

// The rank is decided by a full QR of the rows: for more rows than the first only where the known rank does not hold
// any more, for more than the second not at all.
constexpr int rows_decided_always = 300, most_rows = 3000;

// Before anything was projected positions are as exact as a user typed them.
constexpr RankLimits at_the_start{.redundant = 1e-5};
// Dependent rows are chosen anew when they are these combinations of the independent ones: that many times larger.
constexpr double largest_combination = 1e3;
// Of residuals of redundant rows, in characteristic lengths: more is a contradiction, and no drift of positions that
// were projected.
constexpr double largest_drift = 1e-6;
constexpr double rounding_of_residuals = 1e-12;
constexpr double drift_per_residual = 100;

/// The blocks of some rows of a block matrix.
class RowSelection {
 public:
  RowSelection(const BlockMatrix& matrix, const std::vector<int>& rows)
      : selected_(static_cast<int>(rows.size()), matrix.columns()) {
    std::vector<int> place(static_cast<std::size_t>(matrix.rows()), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) place[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
    for (const BlockMatrix::Block& block : matrix.blocks()) {
      for (int i = 0; i < block.height;) {
        int count = 0;
        while (i + count < block.height && place[static_cast<std::size_t>(block.row + i + count)] >= 0) ++count;
        if (count > 0) {
          const int first = place[static_cast<std::size_t>(block.row + i)];
          const int added = selected_.add_block(first, block.column, count, block.width);
          runs_.push_back({block.offset + static_cast<std::size_t>(i * block.width), added, count * block.width});
        }
        i += count + 1;
      }
    }
  }
  const BlockMatrix& take(const BlockMatrix& matrix) {
    for (const Run& run : runs_) std::copy_n(matrix.data() + run.from, run.count, selected_.values(run.block));
    return selected_;
  }

 private:
  struct Run {
    std::size_t from = 0;
    int block = 0, count = 0;
  };
  BlockMatrix selected_;
  std::vector<Run> runs_;
};

/// Independent rows are given to a solver for regular matrices. With N the null space of G^T, orthonormal in the norm
/// of scaled multipliers (see row_scales):
///   the part of g in N is dropped, which solves redundant rows by least squares;
///   the part of lambda in N is taken away, which leaves the reactions of least norm.
/// The rank is decided where positions have been projected (settle), and kept in between together with the choice of
/// rows, so that within a step all matrices are smooth functions of the position. N is continued to positions nearby by
///   [M, G^T; G, 0] [.; N_independent] = [-G_redundant^T; 0].
class Redundant final : public LinearSolver {
 public:
  Redundant() { is_by_another_ = true; }
  std::string_view name() const override { return "redundant"; }
  std::vector<int> redundant_rows() const override {
    return current_ ? current_->redundancy.redundant_rows : std::vector<int>();
  }

 private:
  struct Kind {
    bool is_decided = false;  // if only by positions as they were given ...
    bool is_settled = false;  // ... or by projected ones
    bool is_factored = false;
    Redundancy redundancy;
    Eigen::VectorXd scales;
    std::unique_ptr<RowSelection> selection;
    std::unique_ptr<LinearSolver> solver;
    Eigen::MatrixXd N;
    Eigen::VectorXd unit, f, g, w, lambda, consistent;

    bool has_redundant_rows() const { return !redundancy.redundant_rows.empty(); }
    void drop_dependent(Eigen::VectorXd& x) const {
      for (Eigen::Index j = 0; j < N.cols(); ++j) x -= N.col(j) * N.col(j).dot(x);
    }
    void gather(const Eigen::VectorXd& all, Eigen::VectorXd& selected) const {
      for (std::size_t i = 0; i < redundancy.independent_rows.size(); ++i)
        selected[static_cast<Eigen::Index>(i)] = all[redundancy.independent_rows[i]];
    }
    void scatter(const Eigen::VectorXd& selected, Eigen::VectorXd& all) const {
      for (const int row : redundancy.redundant_rows) all[row] = 0;
      for (std::size_t i = 0; i < redundancy.independent_rows.size(); ++i)
        all[redundancy.independent_rows[i]] = selected[static_cast<Eigen::Index>(i)];
    }
  };

  Outcome do_analyze() override {
    for (Kind& kind : kinds_) kind = {};
    current_ = nullptr;
    if (const int rows = equations_->dimensions().constraints(); rows > most_rows)
      return Outcome::failure(concat(name(), ": model '", equations_->model_name(), "' has ", rows,
                                     " constraint rows; the rank of at most ", most_rows,
                                     " is decided; use 'sparse-lu' on a model without redundant rows."));
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    Kind& kind = kinds_[index_of(matrix.kind)];
    current_ = &kind;
    if (!kind.is_decided) {
      if (Outcome adopted = adopt(kind, find(kind, *matrix.G, -1, false, at_the_start), *matrix.G); !adopted)
        return adopted;
    }
    Outcome factored = factor_selected(kind, matrix);
    if (!factored) {  // the chosen rows are no good here; others of the same number may be
      const Redundancy renewed = find(kind, *matrix.G, kind.redundancy.rank, true);
      if (Outcome adopted = adopt(kind, renewed, *matrix.G); !adopted) return adopted;
      factored = factor_selected(kind, matrix);
    }
    if (!factored) {  // a singular position
      if (Outcome adopted = adopt(kind, find(kind, *matrix.G, -1, false), *matrix.G); !adopted) return adopted;
      factored = factor_selected(kind, matrix);
    }
    if (!factored) return renamed(factored, kind.solver->name(), name());
    if (matrix.F && kind.has_redundant_rows()) return refuse_friction(kind);
    continue_null_space(kind, *matrix.G);
    return factored;
  }

  Outcome refuse_friction(const Kind& kind) const {
    return Outcome::failure(concat(name(), ": forces depend on constraint forces that are not unique: ",
                                   equations_->constraint_name(kind.redundancy.redundant_rows.front()),
                                   " is redundant; take it away, or use joints with more freedoms."));
  }

  Redundancy find(Kind& kind, const BlockMatrix& G, int known_rank, bool force, const RankLimits& limits = {}) const {
    const Eigen::MatrixXd dense = G.dense();
    if (kind.scales.size() != dense.rows()) kind.scales = row_scales(*equations_).head(dense.rows());
    return find_redundancy(dense, kind.scales, equations_->characteristic_length(), known_rank, force, limits);
  }

  /// A solver for the independent rows, and room for everything of their number.
  Outcome adopt(Kind& kind, Redundancy redundancy, const BlockMatrix& G) {
    kind.is_decided = true;
    kind.is_factored = false;
    kind.redundancy = std::move(redundancy);
    kind.selection = std::make_unique<RowSelection>(G, kind.redundancy.independent_rows);
    const Dimensions& sizes = equations_->dimensions();
    kind.solver = make_direct(sizes.v + kind.redundancy.rank);
    kind.f.resize(sizes.v);
    kind.w.resize(sizes.v);
    kind.g.resize(kind.redundancy.rank);
    kind.lambda.resize(kind.redundancy.rank);
    kind.consistent.resize(G.rows());
    kind.unit.setZero(G.rows());
    kind.N = kind.scales.cwiseInverse().asDiagonal() * kind.redundancy.combinations;
    for (Eigen::Index j = 0; j < kind.N.cols(); ++j) orthonormalise(kind.N, j);
    ++statistics_.analyses;
    return kind.solver->analyze(*equations_);
  }

  Outcome factor_selected(Kind& kind, const AugmentedMatrix& matrix) {
    AugmentedMatrix selected = matrix;
    if (kind.has_redundant_rows()) {
      selected.G = &kind.selection->take(*matrix.G);
      selected.F = nullptr;
    }
    Outcome factored = kind.solver->factor(selected);
    kind.is_factored = static_cast<bool>(factored);
    return factored;
  }

  void continue_null_space(Kind& kind, const BlockMatrix& G) {
    for (Eigen::Index j = 0; j < kind.N.cols(); ++j) {
      const int row = kind.redundancy.redundant_rows[static_cast<std::size_t>(j)];
      kind.unit[row] = 1;
      kind.f.setZero();
      G.transpose_multiply_add(-1, kind.unit, kind.f);
      kind.unit[row] = 0;
      kind.g.setZero();
      kind.solver->solve(kind.f, kind.g, kind.w, kind.lambda);
      kind.scatter(kind.lambda, kind.consistent);
      kind.consistent[row] = 1;
      kind.N.col(j) = kind.consistent.cwiseQuotient(kind.scales);
      orthonormalise(kind.N, j);
    }
  }

  /// Gram and Schmidt, twice, so that nothing is lost to rounding.
  static void orthonormalise(Eigen::MatrixXd& N, Eigen::Index j) {
    for (int pass = 0; pass < 2; ++pass) {
      N.col(j).normalize();
      for (Eigen::Index k = 0; k < j; ++k) N.col(j) -= N.col(k) * N.col(k).dot(N.col(j));
    }
    N.col(j).normalize();
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    Kind& kind = *current_;
    if (!kind.has_redundant_rows()) {
      kind.solver->solve(f, g, w, lambda);
      return;
    }
    kind.consistent = g.cwiseProduct(kind.scales);
    kind.drop_dependent(kind.consistent);
    kind.consistent = kind.consistent.cwiseQuotient(kind.scales);
    kind.gather(kind.consistent, kind.g);
    kind.solver->solve(f, kind.g, w, kind.lambda);
    kind.scatter(kind.lambda, kind.consistent);
    kind.consistent = kind.consistent.cwiseQuotient(kind.scales);
    kind.drop_dependent(kind.consistent);
    lambda = kind.consistent.cwiseProduct(kind.scales);
  }

  Outcome do_settle(bool& rank_changed) override {
    Kind& position = kinds_[index_of(MatrixKind::position)];
    if (position.is_decided) {
      const PositionResidual residual = position_residual(position);
      const double length = equations_->characteristic_length(), drift = drift_per_residual * residual.independent;
      // Redundant rows are closed with the independent ones. Rows that were dropped at a singular position are not.
      const bool is_drift = residual.redundant <= rounding_of_residuals * length + drift;
      if (Outcome outcome = decide_again(position, equations_->C(), is_drift, rank_changed); !outcome) return outcome;
      if (rank_changed) return {};
      if (!position.is_factored) {  // others of the same number were chosen, and solutions go on being asked for
        const AugmentedMatrix matrix{MatrixKind::position, &equations_->M(), &equations_->C(), nullptr};
        if (Outcome factored = factor_selected(position, matrix); !factored) return factored;
      }
      if (residual.redundant > largest_drift * length + drift) return refuse_contradiction();
    }
    for (const MatrixKind which : {MatrixKind::velocity, MatrixKind::friction}) {
      Kind& kind = kinds_[index_of(which)];
      if (!kind.is_decided) continue;
      const bool keep =
          !position.is_decided || kind.redundancy.redundant_rows.size() <= position.redundancy.redundant_rows.size();
      bool changed = false;
      if (Outcome outcome = decide_again(kind, equations_->G(), keep, changed); !outcome) return outcome;
    }
    return {};
  }

  /// Of scaled position residuals [m]: the part that the independent rows should have closed, and the rest.
  struct PositionResidual {
    double independent = 0, redundant = 0;
  };
  PositionResidual position_residual(Kind& kind) {
    if (!kind.has_redundant_rows()) return {};
    kind.consistent = equations_->g().cwiseProduct(kind.scales);
    const double all = kind.consistent.squaredNorm();
    kind.drop_dependent(kind.consistent);
    const double independent = kind.consistent.squaredNorm();
    return {std::sqrt(independent), std::sqrt(std::max(all - independent, 0.0))};
  }

  /// @param keep  the rank, as long as its gap is there
  /// @param more  becomes true where there are more independent rows than before
  Outcome decide_again(Kind& kind, const BlockMatrix& G, bool keep, bool& more) {
    if (kind.is_settled && keep && G.rows() > rows_decided_always && still_holds(kind, G)) return {};
    Redundancy found = find(kind, G, kind.is_settled && keep ? kind.redundancy.rank : -1, false);
    kind.is_settled = true;
    more = found.rank > kind.redundancy.rank;
    if (found.rank == kind.redundancy.rank && !has_large_combinations(kind)) return {};
    return adopt(kind, std::move(found), G);
  }

  bool has_large_combinations(const Kind& kind) const {
    for (std::size_t j = 0; j < kind.redundancy.redundant_rows.size(); ++j) {
      const auto column = kind.N.col(static_cast<Eigen::Index>(j)).cwiseAbs();
      if (column.maxCoeff() > largest_combination * column[kind.redundancy.redundant_rows[j]]) return true;
    }
    return false;
  }

  /// Whether the known null space is one still: a cheap look at what only a full decomposition decides.
  bool still_holds(Kind& kind, const BlockMatrix& G) const {
    for (Eigen::Index j = 0; j < kind.N.cols(); ++j) {
      kind.consistent = kind.N.col(j).cwiseProduct(kind.scales);
      kind.w.setZero();
      G.transpose_multiply_add(1, kind.consistent, kind.w);
      if (!(kind.w.cwiseAbs().maxCoeff() <= RankLimits().kept)) return false;
    }
    return true;
  }

  Outcome refuse_contradiction() const {
    const Eigen::VectorXd& g = equations_->g();
    Eigen::Index worst = 0;
    g.cwiseAbs().maxCoeff(&worst);
    return Outcome::failure(
        concat(name(), ": constraints of model '", equations_->model_name(), "' contradict each other at t = ",
               equations_->time(), " s: ", equations_->constraint_name(static_cast<int>(worst)), " stays off by ",
               residual_text(*equations_, static_cast<int>(worst), g[worst]),
               " although the constraints that it depends on are closed; correct the geometry, or take it away."));
  }

  std::array<Kind, 3> kinds_;
  Kind* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_redundant() { return std::make_unique<Redundant>(); }

}  // namespace linkwork
