#include <linkwork/core/concat.hpp>
#include <linkwork/core/residual_text.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/null_space.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/linear/refinement.hpp>
#include <linkwork/solvers/linear/row_elimination.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

// Before anything was projected positions are as exact as a user typed them.
constexpr RankLimits at_the_start{.redundant = 1e-5};
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

/// Independent rows are given to a solver for regular matrices. With N the null space of G^T (see NullSpace):
///   the part of g in N is dropped, which solves redundant rows by least squares;
///   the part of lambda in N is taken away, which leaves the reactions of least norm.
/// The rank is decided where positions have been projected (decide_rank), and kept in between together with the choice
/// of rows, so that within a step all matrices are smooth functions of the position.
class Redundant final : public LinearSolver {
 public:
  Redundant() { is_by_another_ = true; }
  std::string_view name() const override { return "redundant"; }
  std::vector<int> redundant_rows() const override {
    return current_ ? current_->rank.redundant_rows : std::vector<int>();
  }

 private:
  /// Which rows are redundant, and the multipliers that they leave open.
  struct Choice {
    SparseRank rank;
    std::unique_ptr<NullSpace> null_space;
  };
  struct Kind : Choice {
    bool is_decided = false;  // if only by positions as they were given ...
    bool is_settled = false;  // ... or by projected ones
    bool is_factored = false;
    bool is_by_joints = false;  // factored last along the joints
    Eigen::VectorXd scales;
    std::unique_ptr<RowSelection> selection;
    std::unique_ptr<LinearSolver> solver;
    Refinement refinement;
    Eigen::VectorXd g, lambda, scaled;
    std::vector<double> selected_scale;  // AugmentedMatrix::scale of the selected rows

    bool has_redundant_rows() const { return !rank.redundant_rows.empty(); }
    void gather(const Eigen::VectorXd& all, Eigen::VectorXd& selected) const {
      for (std::size_t i = 0; i < rank.independent_rows.size(); ++i)
        selected[static_cast<Eigen::Index>(i)] = all[rank.independent_rows[i]];
    }
    const double* scale_of_selected(const double* all, int velocities) {
      selected_scale.assign(all, all + velocities);
      for (const int row : rank.independent_rows) selected_scale.push_back(all[velocities + row]);
      return selected_scale.data();
    }
    void scatter(const Eigen::VectorXd& selected, Eigen::VectorXd& all) const {
      for (const int row : rank.redundant_rows) all[row] = 0;
      for (std::size_t i = 0; i < rank.independent_rows.size(); ++i)
        all[rank.independent_rows[i]] = selected[static_cast<Eigen::Index>(i)];
    }
  };

  Outcome do_analyze() override {
    for (Kind& kind : kinds_) kind = {};
    current_ = nullptr;
    joints_.reset();
    joints_refuse_ = false;
    if (equations_->dimensions().constraints() > few_rows) joints_ = make_relative_graph(equations_->joint_tree());
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    current_ = &kinds_[index_of(matrix.kind)];
    current_->is_by_joints = false;
    Outcome factored = factor_by(*matrix.G, [&] { return factor_selected(*current_, matrix); });
    if (!factored) return renamed(factored, current_->solver->name(), name());
    if (matrix.F && current_->has_redundant_rows()) return refuse_friction(*current_);
    return factored;
  }

  /// In joint coordinates M would be full along the tree: many rows are eliminated along the joints instead, if the
  /// graph is one to do that.
  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    const BlockMatrix* G = joints_ && kind != MatrixKind::friction ? &constraint_matrix(*equations_, kind) : nullptr;
    if (!G || G->rows() <= few_rows) return LinearSolver::do_factor_current(kind, F);
    current_ = &kinds_[index_of(kind)];
    current_->is_by_joints = true;
    Outcome factored = factor_by(*G, [&] { return factor_joints(*current_, kind, *G); });
    if (joints_refuse_) joints_.reset();  // whatever the rows
    return factored ? factored : LinearSolver::do_factor_current(kind, F);
  }

  /// @param factor  with the rows that are chosen
  template <class Factor>
  Outcome factor_by(const BlockMatrix& G, Factor&& factor) {
    Kind& kind = *current_;
    const auto factor_with = [&](Choice choice) {
      Outcome outcome = adopt(kind, std::move(choice), G);
      if (outcome) outcome = factor();
      if (outcome) count_operations(kind);
      return outcome;
    };
    Outcome factored = kind.is_decided ? factor() : factor_with(choose(kind, G, -1, false, at_the_start));
    if (factored || (kind.is_by_joints && joints_refuse_)) return factored;
    // The chosen rows are no good here; others of the same number may be. Else it is a singular position.
    factored = factor_with(choose(kind, G, kind.rank.rank, true));
    return factored ? factored : factor_with(choose(kind, G, -1, false));
  }

  void count_operations(Kind& kind) {
    if (kind.is_by_joints) return;
    const double of_solution = kind.solver->statistics().factor_operations;
    const double of_null_space = kind.has_redundant_rows() ? kind.null_space->operations() : 0;
    statistics_.factor_operations = of_solution < 0 || of_null_space < 0 ? -1 : of_solution + of_null_space;
  }

  Outcome refuse_friction(const Kind& kind) const {
    return Outcome::failure(concat(name(), ": forces depend on constraint forces that are not unique: ",
                                   equations_->constraint_name(kind.rank.redundant_rows.front()),
                                   " is redundant; take it away, or use joints with more freedoms."));
  }

  /// @param known_rank, force  as in find_redundancy
  Choice choose(Kind& kind, const BlockMatrix& G, int known_rank, bool force, const RankLimits& limits = {}) const {
    if (kind.scales.size() != G.rows()) kind.scales = row_scales(*equations_).head(G.rows());
    const double length = equations_->characteristic_length();
    Choice out;
    if (G.rows() <= few_rows) {
      const Redundancy found = find_redundancy(G.dense(), kind.scales, length, known_rank, force, limits);
      static_cast<RowRank&>(out.rank) = found;
      out.null_space = make_dense_null_space(found, kind.scales);
    } else {
      const bool is_known = kind.is_decided && !force;
      out.rank = find_sparse_rank(G, kind.scales, length, known_rank, force, limits, is_known ? &kind.rank : nullptr);
      out.null_space = make_sparse_null_space(out.rank, kind.scales, G);
    }
    return out;
  }

  /// A solver for the independent rows, and room for everything of their number.
  Outcome adopt(Kind& kind, Choice choice, const BlockMatrix& G) {
    kind.is_decided = true;
    kind.refinement = {};  // of other rows, which may have blocks of the same sizes elsewhere
    kind.is_factored = false;
    static_cast<Choice&>(kind) = std::move(choice);
    kind.selection = std::make_unique<RowSelection>(G, kind.rank.independent_rows);
    kind.solver = make_direct(equations_->dimensions().v + kind.rank.rank);
    kind.g.resize(kind.rank.rank);
    kind.lambda.resize(kind.rank.rank);
    kind.scaled.resize(G.rows());
    ++statistics_.analyses;
    return kind.solver->analyze(*equations_);
  }

  Outcome factor_selected(Kind& kind, const AugmentedMatrix& matrix) {
    if (!kind.has_redundant_rows()) {
      Outcome factored = kind.solver->factor(matrix);
      kind.is_factored = static_cast<bool>(factored);
      return factored;
    }
    AugmentedMatrix selected = matrix;
    selected.G = &kind.selection->take(*matrix.G);
    selected.F = nullptr;
    if (matrix.scale) selected.scale = kind.scale_of_selected(matrix.scale, matrix.M->rows());
    Outcome factored = kind.solver->factor(selected);
    if (matrix.G->rows() > few_rows) kind.refinement.keep(*selected.M, *selected.G);
    if (factored && !kind.null_space->follow(*matrix.G, *kind.solver))
      factored = Outcome::failure(concat(kind.solver->name(), ": the rows of model '", equations_->model_name(),
                                         "' that depend on each other change at t = ", equations_->time(), " s."));
    kind.is_factored = static_cast<bool>(factored);
    return factored;
  }

  Outcome factor_joints(Kind& kind, MatrixKind which, const BlockMatrix& G) {
    const RowKind rows = row_kind(which);
    equations_->update_joint_tree(rows);
    joints_refuse_ = !joints_->leave_out(rows, kind.rank.redundant_rows);
    const bool is_singular = joints_refuse_ || joints_->factor(rows);
    joints_refuse_ = joints_refuse_ || !joints_->refusal().empty();
    if (is_singular || joints_refuse_ || (kind.has_redundant_rows() && !kind.null_space->follow(G, *kind.solver)))
      return Outcome::failure(concat(name(), ": the elimination along the joints ends at a singular pivot."));
    kind.is_factored = true;
    return {};
  }

  void solve_selected(Kind& kind, const Eigen::VectorXd& f, Eigen::VectorXd& w) {
    kind.gather(kind.scaled, kind.g);
    const auto solve = [&](auto&&... sides) { kind.solver->solve(sides...); };
    if (kind.scaled.size() <= few_rows)
      solve(f, kind.g, w, kind.lambda);
    else
      kind.refinement(solve, f, kind.g, w, kind.lambda);
    kind.scatter(kind.lambda, kind.scaled);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    Kind& kind = *current_;
    const bool is_open = kind.has_redundant_rows();
    if (!is_open && !kind.is_by_joints) {
      kind.solver->solve(f, g, w, lambda);
      return;
    }
    kind.scaled = g.cwiseProduct(kind.scales);
    if (is_open) kind.null_space->drop_from(kind.scaled);
    kind.scaled = kind.scaled.cwiseQuotient(kind.scales);
    if (kind.is_by_joints)
      joints_->solve(f.data(), kind.scaled.data(), w.data(), kind.scaled.data());
    else
      solve_selected(kind, f, w);
    kind.scaled = kind.scaled.cwiseQuotient(kind.scales);
    if (is_open) kind.null_space->drop_from(kind.scaled);
    lambda = kind.scaled.cwiseProduct(kind.scales);
  }

  Outcome do_decide_rank(bool& rank_changed) override {
    Kind& position = kinds_[index_of(MatrixKind::position)];
    if (position.is_decided) {
      const PositionResidual residual = position_residual(position);
      const double length = equations_->characteristic_length(), drift = drift_per_residual * residual.independent;
      // Redundant rows are closed with the independent ones. Rows that were dropped at a singular position are not.
      const bool is_drift = residual.redundant <= rounding_of_residuals * length + drift;
      if (Outcome outcome = decide_again(position, equations_->C(), is_drift, rank_changed); !outcome) return outcome;
      if (rank_changed) return {};
      if (!position.is_factored) {  // others of the same number were chosen, and solutions go on being asked for
        const auto factor_again = [&] {
          return position.is_by_joints && joints_ ? factor_joints(position, MatrixKind::position, equations_->C())
                                                  : factor_selected(position, current_matrix(MatrixKind::position));
        };
        if (Outcome factored = factor_again(); !factored) return factored;
      }
      if (residual.redundant > largest_drift * length + drift) return refuse_contradiction();
    }
    for (const MatrixKind which : {MatrixKind::velocity, MatrixKind::friction}) {
      Kind& kind = kinds_[index_of(which)];
      if (!kind.is_decided) continue;
      const bool keep = !position.is_decided || kind.rank.redundant_rows.size() <= position.rank.redundant_rows.size();
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
    kind.scaled = equations_->g().cwiseProduct(kind.scales);
    const double all = kind.scaled.squaredNorm();
    kind.null_space->drop_from(kind.scaled);
    const double independent = kind.scaled.squaredNorm();
    return {std::sqrt(independent), std::sqrt(std::max(all - independent, 0.0))};
  }

  /// @param keep  the rank, as long as its gap is there
  /// @param more  becomes true where there are more independent rows than before
  Outcome decide_again(Kind& kind, const BlockMatrix& G, bool keep, bool& more) {
    Choice found = choose(kind, G, kind.is_settled && keep ? kind.rank.rank : -1, false);
    kind.is_settled = true;
    more = found.rank.rank > kind.rank.rank;
    if (found.rank.rank == kind.rank.rank && kind.null_space->is_as_good_as(found.rank)) return {};
    return adopt(kind, std::move(found), G);
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
  std::unique_ptr<RelativeElimination> joints_;  // of many rows in joint coordinates
  bool joints_refuse_ = false;                   // the last elimination along them, whatever the rows
};

}  // namespace

std::unique_ptr<LinearSolver> make_redundant() { return std::make_unique<Redundant>(); }

}  // namespace linkwork
