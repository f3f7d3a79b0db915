#include <linkwork/solvers/newton/truncated_gmres.hpp>

#include <cmath>
#include <limits>

namespace linkwork {

namespace {

// What is left of a product after the directions before it, below this share: they span all that there is.
constexpr double nothing_new = 1e2 * std::numeric_limits<double>::epsilon();

}  // namespace

TruncatedGmres::TruncatedGmres(Eigen::Index size, int most)
    : basis_(Eigen::MatrixXd::Zero(size, most + 1)),
      H_(Eigen::MatrixXd::Zero(most + 1, most)),
      cosines_(Eigen::VectorXd::Zero(most)),
      sines_(cosines_),
      right_(Eigen::VectorXd::Zero(most + 1)),
      direction_(Eigen::VectorXd::Zero(size)),
      product_(direction_) {}

int TruncatedGmres::solve(const Eigen::VectorXd& r, int steps, const Multiply& multiply, Eigen::VectorXd& z) {
  z = r;
  left_ = 1;
  const double size = r.norm();
  if (!(size > 0) || !std::isfinite(size)) return 0;
  basis_.col(0) = r / size;
  right_.setZero();
  right_[0] = size;
  int columns = 0;
  for (bool goes_on = true; goes_on && columns < steps;) {
    direction_ = basis_.col(columns);
    if (!multiply(direction_, product_)) break;
    goes_on = extend(columns++);
  }
  if (columns > 0) combine(columns, z);
  if (columns > 0) left_ = std::abs(right_[columns]) / size;
  return columns;
}

/// One more column of H, orthogonalised twice by modified Gram-Schmidt, and its Givens rotation.
/// @return whether there are other directions to go on with
bool TruncatedGmres::extend(int column) {
  const double size_before = product_.norm();
  H_.col(column).setZero();
  for (int sweep = 0; sweep < 2; ++sweep)
    for (int i = 0; i <= column; ++i) {
      const double part = basis_.col(i).dot(product_);
      H_(i, column) += part;
      product_ -= part * basis_.col(i);
    }
  const double left = product_.norm();
  H_(column + 1, column) = left;
  const bool goes_on = left > nothing_new * size_before;
  if (goes_on) basis_.col(column + 1) = product_ / left;
  for (int i = 0; i < column; ++i) {
    const double above = H_(i, column), below = H_(i + 1, column);
    H_(i, column) = cosines_[i] * above + sines_[i] * below;
    H_(i + 1, column) = cosines_[i] * below - sines_[i] * above;
  }
  const double radius = std::hypot(H_(column, column), H_(column + 1, column));
  cosines_[column] = radius > 0 ? H_(column, column) / radius : 1;
  sines_[column] = radius > 0 ? H_(column + 1, column) / radius : 0;
  H_(column, column) = radius;
  right_[column + 1] = -sines_[column] * right_[column];
  right_[column] *= cosines_[column];
  return goes_on;
}

/// A column that the triangle has no pivot for has nothing to give.
void TruncatedGmres::combine(int columns, Eigen::VectorXd& z) {
  for (int i = columns - 1; i >= 0; --i) {
    for (int j = i + 1; j < columns; ++j) right_[i] -= H_(i, j) * right_[j];
    right_[i] = H_(i, i) > 0 ? right_[i] / H_(i, i) : 0;
  }
  z.noalias() = basis_.leftCols(columns) * right_.head(columns);
}

}  // namespace linkwork
