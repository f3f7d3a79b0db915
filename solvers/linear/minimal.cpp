#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace linkwork {

namespace {

// The choice of independent velocities is kept while dependent ones move at most this many times faster, both scaled.
constexpr double largest_ratio = 100;

/// Reduction to minimal form (MEXX 3.3, 3.4), on the equilibrated matrix. Velocities are split into dependent ones, as
/// many as constraints, and independent ones: G = [K J]. With Z = [-K^-1 J; I], the null space of G, and the particular
/// solution c = [K^-1 g; 0]:
///   (Z^T M Z) q'' = Z^T (f - M c),   w = c + Z q'',   lambda = K^-T (f - M w)_dependent
/// M may be semidefinite. The small matrix is full: worth it where few freedoms are left.
class Minimal final : public LinearSolver {
 public:
  std::string_view name() const override { return "minimal"; }

 private:
  struct Factors {
    Equilibration scaling;
    Eigen::VectorXi order;  // dependent velocities, then independent ones
    bool has_order = false;
    Eigen::MatrixXd augmented;  // equilibrated
    Eigen::MatrixXd M, K, Z, MZ, A;
    LuFactors factors_of_K;
    CholeskyFactors factors_of_A;
    Eigen::VectorXd right, solution, w, residual, x, q, solution_of_K;

    Eigen::Index rows() const { return K.rows(); }
    Eigen::Index freedoms() const { return A.rows(); }
    Eigen::Index velocities() const { return rows() + freedoms(); }

    void resize(int nv, int constraints) {
      const int unknowns = nv + constraints, independent = nv - constraints;
      scaling.resize(unknowns);
      has_order = false;
      order.resize(nv);
      augmented.resize(unknowns, unknowns);
      M.resize(nv, nv);
      K.resize(constraints, constraints);
      Z.resize(nv, independent);
      MZ.resize(nv, independent);
      A.resize(independent, independent);
      right.resize(unknowns);
      solution.resize(unknowns);
      w.resize(nv);
      residual.resize(nv);
      x.resize(constraints);
      q.resize(independent);
      solution_of_K.resize(constraints);
    }

    void choose_order(const AugmentedMatrix& matrix, Equilibration::Start start) {
      scaling.compute(matrix, start);
      scaling.write_scaled(matrix, augmented);
      FullyPivotedLu pivoted;
      pivoted.compute(augmented.bottomLeftCorner(rows(), velocities()));
      order = pivoted.column_order();
      has_order = true;
    }

    /// @return whether the dependent velocities follow from the independent ones
    bool eliminate_dependent(const AugmentedMatrix& matrix) {
      scaling.write_scaled(matrix, augmented);
      for (Eigen::Index j = 0; j < velocities(); ++j)
        for (Eigen::Index i = 0; i < velocities(); ++i) M(i, j) = augmented(order[i], order[j]);
      for (Eigen::Index j = 0; j < rows(); ++j) K.col(j) = augmented.col(order[j]).tail(rows());
      if (rows() > 0) {
        factors_of_K.compute(K);
        if (!factors_of_K.pivot_sizes().are_above(singular_pivot)) return false;
      }
      for (Eigen::Index j = 0; j < freedoms(); ++j) {
        x = -augmented.col(order[rows() + j]).tail(rows());
        solve_K();
        Z.col(j).head(rows()) = x;
        Z.col(j).tail(freedoms()).setZero();
        Z(rows() + j, j) = 1;
      }
      return true;
    }
    bool is_well_chosen() const { return Z.size() == 0 || Z.cwiseAbs().maxCoeff() <= largest_ratio; }

    /// In a new order. @return an unknown that nothing determines, or -1
    int factor(const AugmentedMatrix& matrix, Equilibration::Start start) {
      choose_order(matrix, start);
      return eliminate_dependent(matrix) ? factor_minimal() : static_cast<int>(velocities());
    }

    /// @return the number of a velocity that has no inertia, or -1
    int factor_minimal() {
      if (freedoms() == 0) return -1;
      MZ.noalias() = M * Z;
      A.noalias() = Z.transpose() * MZ;
      double largest = 0;
      for (Eigen::Index i = 0; i < freedoms(); ++i) largest = std::max(largest, A(i, i));
      const bool is_definite = factors_of_A.compute(A);
      Eigen::Index smallest = 0;
      const double least = factors_of_A.packed().diagonal().minCoeff(&smallest);
      const bool regular = is_definite && least * least > singular_pivot * largest;
      return regular ? -1 : order[rows() + smallest];
    }

    // In x, in place.
    void solve_K() {
      if (rows() == 0) return;
      factors_of_K.solve(x, solution_of_K);
      x = solution_of_K;
    }
    void solve_K_transposed() {
      if (rows() == 0) return;
      factors_of_K.solve_transposed(x, solution_of_K);
      x = solution_of_K;
    }

    /// `right` to `solution`, both equilibrated.
    void solve() {
      const Eigen::Index nv = velocities();
      x = right.tail(rows());
      solve_K();
      w.head(rows()) = x;
      w.tail(freedoms()).setZero();
      update_residual();
      if (freedoms() > 0) {
        q.noalias() = Z.transpose() * residual;
        factors_of_A.solve_in_place(q);
        w.noalias() += Z * q;
        update_residual();
      }
      x = residual.head(rows());
      solve_K_transposed();
      for (Eigen::Index i = 0; i < nv; ++i) solution[order[i]] = w[i];
      solution.tail(rows()) = x;
    }
    /// f - M w, in the order of the elimination.
    void update_residual() {
      for (Eigen::Index i = 0; i < velocities(); ++i) residual[i] = right[order[i]];
      residual.noalias() -= M * w;
    }
  };

  Outcome do_analyze() override {
    for (Factors& factors : factors_) factors.resize(0, 0);
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    Factors& factors = factors_[index_of(matrix.kind)];
    current_ = &factors;
    const int nv = matrix.M->rows(), rows = matrix.G->rows();
    if (rows > nv) return singular_matrix(name(), *equations_, matrix, nv + rows - 1);
    if (factors.velocities() != nv || factors.rows() != rows) factors.resize(nv, rows);
    if (factors.has_order && factors.eliminate_dependent(matrix) && factors.is_well_chosen() &&
        factors.factor_minimal() < 0)
      return {};
    ++statistics_.analyses;
    const int singular = by_either_start([&](auto start) { return factors.factor(matrix, start); });
    return singular < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, singular);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    current_->scaling.scale(f, g, current_->right);
    current_->solve();
    current_->scaling.unscale(current_->solution, w, lambda);
  }

  std::array<Factors, 2> factors_;  // velocity and position
  Factors* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_minimal() { return std::make_unique<Minimal>(); }

}  // namespace linkwork
