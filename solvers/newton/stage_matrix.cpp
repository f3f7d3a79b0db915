#include <linkwork/solvers/newton/stage_matrix.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/jacobian/given_jacobian.hpp>

#include <algorithm>
#include <utility>

namespace linkwork {

StageMatrix::StageMatrix(MotionResidual& equations, const JacobianOptions& differences, GivenJacobian given,
                         std::unique_ptr<StageSystem> system)
    : equations_(equations),
      differenced_(equations, differences),
      give_(std::move(given)),
      system_(std::move(system)),
      zero_rate_(Eigen::VectorXd::Zero(equations.size())) {
  if (give_) given_ = SparseMatrix(SparsityPattern::full(equations.equations(), equations.size()));
}

Outcome StageMatrix::take(const Point& point, double h) {
  forget_factors();
  is_wanted_ = true;
  is_new_ = false;
  return give_ ? take_given(point) : difference(point, h);
}

Outcome StageMatrix::renew(const Point& point, double h) {
  if (Outcome taken = take(point, h); !taken) return taken;
  const Outcome decomposed = system_->decompose(jacobian(), give_ ? 0 : differenced_.pattern_version());
  if (!decomposed) return Outcome::failure(concat("at t = ", point.t, " s ", decomposed.reason()));
  is_wanted_ = false;
  is_new_ = true;
  return {};
}

/// F is linear in y' with a constant factor: y' = 0 is as good as any.
Outcome StageMatrix::difference(const Point& point, double h) {
  const bool searches = std::exchange(searches_pattern_, false);
  const JacobianCause cause = searches ? JacobianCause::convergence : JacobianCause::start;
  return differenced_.renew({point.t, point.y, zero_rate_, 0, h, point.sizes}, point.F, cause);
}

Outcome StageMatrix::take_given(const Point& point) {
  const int rows = equations_.equations(), columns = equations_.size();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, columns);
  give_(equations_, point.t, point.y, J);
  const bool is_first = given_count_++ == 0;
  if (J.rows() != rows || J.cols() != columns)
    return Outcome::failure(concat("the Jacobian that was given has ", J.rows(), " x ", J.cols(), " entries, not ",
                                   rows, " x ", columns,
                                   "; write into the matrix that is handed over, do not assign another one"));
  if (!J.allFinite())
    return Outcome::failure(concat("the Jacobian that was given is not finite at t = ", point.t, " s"));
  if (is_first)
    if (Outcome checked = check_given_jacobian(equations_, J, point.t, point.y, zero_rate_); !checked) return checked;
  std::copy_n(J.data(), J.size(), given_.values().begin());
  return {};
}

Outcome StageMatrix::factor(double h, double c_real, std::complex<double> c_complex) {
  forget_factors();
  if (Outcome factored = system_->factor(c_real, c_complex); !factored) return factored;
  factored_for_ = h;
  return {};
}

}  // namespace linkwork
