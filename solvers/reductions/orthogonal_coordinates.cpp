#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/reductions/independent_columns.hpp>
#include <linkwork/solvers/reductions/independent_coordinates.hpp>

#include <memory>
#include <numeric>
#include <string>

namespace linkwork {

namespace {

/// Independent coordinates by singular values (REDUCE 5): w = B^T W v, where the columns of B span the velocities that
/// the constraints allow at one position and are orthonormal in the masses W. (The report's transposed V is for the
/// unit matrix.) Others are chosen where w holds less than half of the kinetic energy of some motion (5.3.11).
class OrthogonalCoordinates final : public IndependentCoordinates {
 public:
  using IndependentCoordinates::IndependentCoordinates;

  std::string position_name(int i) const override { return concat("independent coordinate ", i + 1); }
  std::string velocity_name(int i) const override { return position_name(i); }
  Measure position_measure(int) const override { return Measure::angle; }
  Measure velocity_measure(int) const override { return Measure::angle; }

 private:
  Choice choose() override;
  bool has_worn_out(const State& full) override;
  Eigen::MatrixXd masses();
  /// E' of the velocities that rows allow, each independent velocity in the size that moves some coordinate by what
  /// counts as one of it: tolerances are those of coordinates.
  Eigen::MatrixXd combine(const BlockMatrix& G, const std::vector<int>& rows, const CholeskyFactors& W);

  Eigen::MatrixXd masses_;    // W as it was when coordinates were chosen
  Eigen::VectorXd energies_;  // of independent velocities of 1 then, which W does not couple
};

/// M over the largest mass, so that w has the unit of a length over time. Massless bodies count a little.
Eigen::MatrixXd OrthogonalCoordinates::masses() {
  constexpr double share_of_massless = 1e-3;
  const double length = full_.characteristic_length();
  const Eigen::VectorXd metric = (velocity_sizes(full_, length) / length).cwiseAbs2();
  Eigen::MatrixXd W = full_.M().dense();
  double largest = 0;
  for (Eigen::Index i = 0; i < W.rows(); ++i) largest = std::max(largest, W(i, i) * metric[i]);
  if (largest > 0) W /= largest;
  for (Eigen::Index i = 0; i < W.rows(); ++i) W(i, i) += share_of_massless / metric[i];
  return W;
}

Eigen::MatrixXd OrthogonalCoordinates::combine(const BlockMatrix& G, const std::vector<int>& rows,
                                               const CholeskyFactors& W) {
  const Eigen::Index n = G.columns(), rank = static_cast<Eigen::Index>(rows.size());
  const auto lower = W.packed().triangularView<Eigen::Lower>();
  const Eigen::VectorXd sizes = constraint_sizes(full_, full_.characteristic_length()).head(G.rows()).cwiseInverse();
  const Eigen::MatrixXd scaled = (sizes.asDiagonal() * G.dense())(rows, Eigen::all);
  const Eigen::MatrixXd in_masses = lower.solve(scaled.transpose()).transpose();
  Eigen::MatrixXd allowed = Eigen::MatrixXd::Identity(n, n);
  if (rank > 0) allowed = SingularValues(in_masses, Eigen::ComputeFullV).V().rightCols(n - rank);
  const Eigen::MatrixXd moved = velocity_sizes(full_, full_.characteristic_length()).cwiseInverse().asDiagonal() *
                                lower.transpose().solve(allowed);
  const Eigen::VectorXd largest = moved.cwiseAbs().colwise().maxCoeff();
  energies_ = largest.cwiseAbs2().cwiseInverse();
  return largest.asDiagonal() * (lower * allowed).transpose();
}

IndependentCoordinates::Choice OrthogonalCoordinates::choose() {
  masses_ = masses();
  CholeskyFactors W;
  if (!W.compute(masses_)) throw RecoverableFailure("svd: the mass matrix is not positive definite");
  const auto rows_of = [&](const BlockMatrix& G) {
    return find_redundancy(G.dense(), row_scales(full_).head(G.rows()), full_.characteristic_length()).independent_rows;
  };
  const std::vector<int> velocity_rows = rows_of(full_.G());
  const std::vector<int> position_rows = full_.dimensions().mu == 0 ? velocity_rows : rows_of(full_.C());
  // E of positions makes the same combinations of velocities here: E Z = E'.
  const Dimensions& n = full_.dimensions();
  Eigen::MatrixXd Z(n.p, n.v);
  Eigen::VectorXd image;
  for (int j = 0; j < n.v; ++j) {
    full_.multiply_Z(Eigen::VectorXd::Unit(n.v, j), image);
    Z.col(j) = image;
  }
  const Eigen::MatrixXd of_positions = combine(full_.C(), position_rows, W);
  const Eigen::MatrixXd of_velocities = n.mu == 0 ? of_positions : combine(full_.G(), velocity_rows, W);
  const Eigen::MatrixXd E = OrthogonalFactors(Z.transpose()).solve_columns(of_positions.transpose()).transpose();
  return {position_rows, velocity_rows, Combinations::dense(E), Combinations::dense(of_velocities)};
}

/// The share of the energy (5.3.11) is asked of all motions that the constraints allow, not of the present one alone,
/// which may rest.
bool OrthogonalCoordinates::has_worn_out(const State& full) {
  constexpr double least_share = 0.5;
  if (energies_.size() == 0) return false;
  expand(reduced(full), point_);
  const Eigen::MatrixXd N = directions() * energies_.cwiseSqrt().cwiseInverse().asDiagonal();
  return symmetric_eigenvalues(N.transpose() * masses_ * N).maxCoeff() > 1 / least_share;
}

}  // namespace

std::unique_ptr<ReducedEquations> make_orthogonal(EquationsOfMotion& full, LinearSolver& solver,
                                                  const ReductionOptions& options) {
  return std::make_unique<OrthogonalCoordinates>(full, solver, options);
}

}  // namespace linkwork
