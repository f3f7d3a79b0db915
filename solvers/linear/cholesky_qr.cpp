#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <Eigen/Householder>
#include <array>
#include <cmath>

namespace linkwork {

namespace {

/// With D M D = L L^T, D the inverse roots of M's diagonal, and L^-1 D G^T = Q [R; 0]:
///   lambda = R^-1 (Q1^T x - R^-T g),   w = D L^-T (x - Q1 (Q1^T x - R^-T g)),   x = L^-1 D f      (MEXX 3.2)
class CholeskyQr final : public LinearSolver {
 public:
  std::string_view name() const override { return "cholesky-qr"; }

 private:
  struct Factors {
    Eigen::VectorXd D;
    Eigen::MatrixXd L;   // in the lower triangle
    Eigen::MatrixXd QR;  // Householder vectors below the diagonal, R above
    Eigen::VectorXd tau, work, x, y;

    void resize(int nv, int rows) {
      D.resize(nv);
      L.resize(nv, nv);
      QR.resize(nv, rows);
      tau.resize(rows);
      work.resize(rows);
      x.resize(nv);
      y.resize(rows);
    }

    /// Householder vector of a column below its leading 1.
    auto essential(Eigen::Index k) const { return QR.col(k).tail(QR.rows() - k - 1); }

    auto lower() { return L.triangularView<Eigen::Lower>(); }

    /// @return the velocity without mass, or -1
    int factor_mass(const BlockMatrix& mass) {
      L.setZero();
      for (const BlockMatrix::Block& block : mass.blocks()) {
        const double* value = mass.data() + block.offset;
        for (int i = 0; i < block.height; ++i)
          for (int j = 0; j < block.width; ++j) L(block.row + i, block.column + j) = *value++;
      }
      for (int i = 0; i < L.rows(); ++i) {
        if (!(L(i, i) > 0)) return i;
        D[i] = 1 / std::sqrt(L(i, i));
      }
      for (int k = 0; k < L.cols(); ++k) {
        auto column = L.col(k).tail(L.rows() - k);
        column = (column.array() * D.tail(L.rows() - k).array() * D[k]).matrix();
        column.noalias() -= L.block(k, 0, L.rows() - k, k) * L.row(k).head(k).transpose();
        if (!(column[0] > singular_pivot)) return k;
        column /= std::sqrt(column[0]);
      }
      return -1;
    }

    /// @return the constraint row that depends on those before it, or -1
    int factor_constraints(const BlockMatrix& G) {
      if (QR.cols() == 0) return -1;
      QR.setZero();
      for (const BlockMatrix::Block& block : G.blocks()) {
        const double* value = G.data() + block.offset;
        for (int i = 0; i < block.height; ++i)
          for (int j = 0; j < block.width; ++j) QR(block.column + j, block.row + i) = *value++ * D[block.column + j];
      }
      lower().solveInPlace(QR);
      work = QR.colwise().norm();
      y = work;
      int dependent = -1;
      for (Eigen::Index k = 0; k < QR.cols(); ++k) {
        double beta = 0;
        auto column = QR.col(k).tail(QR.rows() - k);
        column.makeHouseholderInPlace(tau[k], beta);
        column[0] = beta;
        QR.bottomRightCorner(QR.rows() - k, QR.cols() - k - 1)
            .applyHouseholderOnTheLeft(essential(k), tau[k], work.data());
        if (dependent < 0 && !(std::abs(beta) > singular_pivot * y[k])) dependent = static_cast<int>(k);
      }
      return dependent;
    }

    void apply_Q_transposed() {
      for (Eigen::Index k = 0; k < QR.cols(); ++k)
        x.tail(QR.rows() - k).applyHouseholderOnTheLeft(essential(k), tau[k], work.data());
    }
    void apply_Q() {
      for (Eigen::Index k = QR.cols() - 1; k >= 0; --k)
        x.tail(QR.rows() - k).applyHouseholderOnTheLeft(essential(k), tau[k], work.data());
    }
  };

  Outcome do_analyze() override {
    for (Factors& factors : factors_) factors.resize(0, 0);
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    current_ = &factors_[index_of(matrix.kind)];
    const int nv = matrix.M->rows(), rows = matrix.G->rows();
    if (rows > nv) return singular_matrix(name(), *equations_, matrix, nv + rows - 1);
    if (current_->QR.rows() != nv || current_->QR.cols() != rows) current_->resize(nv, rows);
    const int massless = current_->factor_mass(*matrix.M);
    if (massless >= 0)
      return Outcome::failure(concat(name(), ": M is only semidefinite, no mass at ",
                                     equations_->velocity_name(massless),
                                     "; this solver needs M positive definite; use 'sparse-lu' or 'recursive'."));
    const int dependent = current_->factor_constraints(*matrix.G);
    return dependent < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, nv + dependent);
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    Factors& factors = *current_;
    const Eigen::Index rows = factors.QR.cols();
    const auto R = factors.QR.topRows(rows).triangularView<Eigen::Upper>();
    factors.x = f.cwiseProduct(factors.D);
    factors.lower().solveInPlace(factors.x);
    factors.apply_Q_transposed();
    if (rows > 0) {
      factors.y = g;
      R.transpose().solveInPlace(factors.y);
      lambda = factors.x.head(rows) - factors.y;
      factors.x.head(rows) = factors.y;
      R.solveInPlace(lambda);
    }
    factors.apply_Q();
    factors.lower().transpose().solveInPlace(factors.x);
    w = factors.x.cwiseProduct(factors.D);
  }

  std::array<Factors, 2> factors_;  // velocity and position
  Factors* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholesky_qr() { return std::make_unique<CholeskyQr>(); }

}  // namespace linkwork
