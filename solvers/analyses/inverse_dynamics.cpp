#include <linkwork/solvers/analyses/inverse_dynamics.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr double rank_threshold = 1e-9;

/// Columns of length one, and their lengths; columns of zeros keep the length one.
Eigen::VectorXd scale_columns(Eigen::MatrixXd& matrix) {
  Eigen::VectorXd lengths = matrix.colwise().norm();
  for (double& length : lengths)
    if (!(length > 0)) length = 1;
  matrix *= lengths.cwiseInverse().asDiagonal();
  return lengths;
}

Eigen::MatrixXd multiplier_forces(EquationsOfMotion& equations) {
  Eigen::MatrixXd K = equations.G().dense().transpose();
  if (equations.forces_read_multipliers()) K -= equations.force_jacobian().dense();
  return K;
}

/// A rank-revealing complete orthogonal decomposition, also of a matrix without rows or columns.
class Decomposition {
 public:
  explicit Decomposition(const Eigen::MatrixXd& matrix) : columns_(matrix.cols()), is_empty_(matrix.size() == 0) {
    if (is_empty_) return;
    factors_.set_threshold(rank_threshold);
    factors_.compute(matrix);
  }
  Eigen::Index rank() const { return is_empty_ ? 0 : factors_.rank(); }
  /// The solution of least squares, among them that of least norm.
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    return is_empty_ ? Eigen::VectorXd::Zero(columns_) : factors_.solve(right);
  }
  /// Q^T x and Q x; the first rank() columns of Q span the range.
  Eigen::MatrixXd turned_back(const Eigen::MatrixXd& x) const { return is_empty_ ? x : factors_.Q_transposed_times(x); }
  Eigen::VectorXd turned(const Eigen::VectorXd& x) const { return is_empty_ ? x : factors_.Q_times(x); }
  /// Orthonormal rows that span the rows of the matrix.
  Eigen::MatrixXd row_space() const { return is_empty_ ? Eigen::MatrixXd::Zero(0, columns_) : factors_.row_space(); }

 private:
  Eigen::Index columns_;
  bool is_empty_;
  OrthogonalFactors factors_;
};

/// The solve at one set of multipliers: K = G^T - F splits the equations into those that the multipliers of constraints
/// can't touch, and the rest.
class Split {
 public:
  explicit Split(Eigen::MatrixXd K) : lengths_(scale_columns(K)), qr_(std::move(K)) {}
  /// N^T x, N an orthonormal basis of what K^T does not see.
  Eigen::MatrixXd free_part(const Eigen::MatrixXd& x) const {
    return qr_.turned_back(x).bottomRows(x.rows() - qr_.rank());
  }
  /// N y
  Eigen::VectorXd from_free_part(const Eigen::VectorXd& y) const {
    Eigen::VectorXd turned = Eigen::VectorXd::Zero(qr_.rank() + y.size());
    turned.tail(y.size()) = y;
    return qr_.turned(turned);
  }
  /// lambda with K lambda = force; of least norm of the multipliers times the lengths of their columns.
  Eigen::VectorXd multipliers(const Eigen::VectorXd& force) const { return qr_.solve(force).cwiseQuotient(lengths_); }

 private:
  Eigen::VectorXd lengths_;
  Decomposition qr_;
};

void require_finite(const EquationsOfMotion& equations, const Eigen::VectorXd& values, const std::string& what) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw ModelError(concat("inverse_dynamics: model '", equations.model_name(), "': ", what, " is ", values[i],
                              " at '", equations.velocity_name(static_cast<int>(i)), "'; give finite values."));
}

void require_arguments(const EquationsOfMotion& equations, const Actuators& actuators, const Eigen::VectorXd& a,
                       double tolerance) {
  const int n = equations.dimensions().v;
  if (a.size() != n)
    throw ModelError(concat("inverse_dynamics: model '", equations.model_name(), "': a has ", a.size(),
                            " entries; expected n_v, ", n, "."));
  if (actuators.B.rows() != n || actuators.B.cols() != static_cast<Eigen::Index>(actuators.names.size()))
    throw ModelError(concat("inverse_dynamics: model '", equations.model_name(), "': B is ", actuators.B.rows(), " x ",
                            actuators.B.cols(), " for ", actuators.names.size(), " names of actuators; expected ", n,
                            " rows and one column for each name."));
  require_finite(equations, a, "a");
  for (std::size_t j = 0; j < actuators.names.size(); ++j)
    require_finite(equations, actuators.B.col(static_cast<Eigen::Index>(j)),
                   concat("B of actuator '", actuators.names[j], "'"));
  if (!(std::isfinite(tolerance) && tolerance > 0))
    throw ModelError(concat("inverse_dynamics: tolerance is ", tolerance, "; give a finite value > 0."));
}

/// Where G a = gamma fails.
Outcome check_accelerations(EquationsOfMotion& equations, const Eigen::VectorXd& a, double tolerance) {
  Eigen::VectorXd deviation = -equations.gamma(), size = equations.gamma().cwiseAbs();
  if (deviation.size() == 0) return {};
  const Eigen::MatrixXd G = equations.G().dense();
  deviation += G * a;
  size += G.cwiseAbs() * a.cwiseAbs();
  size += equations.characteristic_length() * row_scales(equations).cwiseInverse();  // per second squared
  Eigen::Index worst = 0;
  if (deviation.cwiseAbs().cwiseQuotient(size).maxCoeff(&worst) <= tolerance) return {};
  return Outcome::failure(concat("inverse dynamics: the accelerations violate the constraints: G a - gamma is ",
                                 deviation[worst], " at '", equations.constraint_name(static_cast<int>(worst)),
                                 "', bound ", tolerance * size[worst],
                                 "; give accelerations that satisfy them, such as those of a simulated motion."));
}

/// Actuators with a share in the null space of N^T B.
std::vector<std::string> indistinct(const Actuators& actuators, const Decomposition& qr) {
  constexpr double share = 1e-6;
  std::vector<std::string> out;
  const Eigen::MatrixXd row_space = qr.row_space();
  for (std::size_t j = 0; j < actuators.names.size(); ++j)
    if (1 - row_space.col(static_cast<Eigen::Index>(j)).squaredNorm() > share)
      out.push_back(concat("'", actuators.names[j], "'"));
  return out;
}

/// Of the names in a message.
constexpr std::size_t most_actuators = 30;

}  // namespace

Actuators all_velocities(const EquationsOfMotion& equations) {
  const int n = equations.dimensions().v;
  Actuators out;
  for (int i = 0; i < n; ++i) out.names.push_back(equations.velocity_name(i));
  out.B = Eigen::MatrixXd::Identity(n, n);
  return out;
}

Actuators actuators_along(const EquationsOfMotion& equations, const std::vector<std::string>& velocities) {
  const int n = equations.dimensions().v;
  std::vector<std::string> known;
  for (int i = 0; i < n; ++i) known.push_back(equations.velocity_name(i));
  Actuators out;
  std::vector<int> chosen;
  for (const std::string& name : velocities) {
    const std::size_t before = chosen.size();
    for (int i = 0; i < n; ++i) {
      const std::string& candidate = known[static_cast<std::size_t>(i)];
      if (candidate == name || candidate.rfind(name + ": ", 0) == 0) chosen.push_back(i);
    }
    if (chosen.size() == before)
      throw ModelError(concat("actuators_along: model '", equations.model_name(), "' has no velocity '", name, "' in ",
                              equations.formulation_name(),
                              " coordinates; there are: ", listed_up_to(most_actuators, known), "."));
  }
  out.B = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    out.names.push_back(known[static_cast<std::size_t>(chosen[j])]);
    out.B(chosen[j], static_cast<Eigen::Index>(j)) = 1;
  }
  return out;
}

Outcome inverse_dynamics(EquationsOfMotion& equations, const Actuators& actuators, const Eigen::VectorXd& a,
                         InverseDynamicsResult& result, const InverseDynamicsOptions& options) {
  constexpr int max_iterations = 30;
  require_arguments(equations, actuators, a, options.tolerance);
  const Eigen::MatrixXd& B = actuators.B;
  const int rows = equations.dimensions().constraints();
  Eigen::VectorXd required;
  if (rows == 0 && B.rows() == B.cols() && B.isIdentity(0)) {
    equations.dynamic_residual(a, Eigen::VectorXd(), required);
    result = {std::move(required), {}};
    return {};
  }
  if (const Outcome consistent = check_accelerations(equations, a, options.tolerance); !consistent) return consistent;

  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(rows), efforts;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    equations.set_multipliers(lambda);
    equations.dynamic_residual(a, lambda, required);
    const Eigen::MatrixXd K = multiplier_forces(equations);
    required -= K * lambda;  // what B tau - K lambda has to be
    const double size = required.norm() + (K * lambda).norm() + 1e-300;

    const Split split(K);
    Eigen::MatrixXd free_B = split.free_part(B);
    const Eigen::VectorXd free_required = split.free_part(required);
    // An actuator that works against constraints alone is none; only directions that are left of its column count.
    const Eigen::VectorXd lengths = B.colwise().norm();
    for (Eigen::Index j = 0; j < B.cols(); ++j)
      if (lengths[j] > 0) free_B.col(j) /= lengths[j];
    const Decomposition qr(free_B);
    if (qr.rank() < B.cols() && !options.least_norm)
      return Outcome::failure(concat("inverse dynamics: the efforts are not unique, because ", B.cols(),
                                     " actuators act on ", qr.rank(),
                                     " independent freedoms; redundant with each other ", "are ",
                                     listed_up_to(most_actuators, indistinct(actuators, qr)),
                                     "; choose fewer of them, or the efforts of least norm."));
    const Eigen::VectorXd scaled = qr.solve(free_required);
    efforts = scaled.cwiseQuotient(lengths.unaryExpr([](double length) { return length > 0 ? length : 1.0; }));

    const Eigen::VectorXd missing = split.from_free_part(free_required - free_B * scaled);
    Eigen::Index worst = 0;
    const double largest = missing.size() > 0 ? missing.cwiseAbs().maxCoeff(&worst) : 0;
    if (largest > options.tolerance * (1 + size))
      return Outcome::failure(
          concat("inverse dynamics: the actuators can't make this motion: ", missing[worst],
                 " of the generalised force along '", equations.velocity_name(static_cast<int>(worst)),
                 "' is missing (bound ", options.tolerance * (1 + size), "); it has ", free_required.size(),
                 " freedoms and ", B.cols(), " actuators with ", qr.rank(), " independent directions."));
    const Eigen::VectorXd next = split.multipliers(B * efforts - required);
    const double change = (next - lambda).norm();
    lambda = next;
    // Without friction the equations are linear in lambda.
    if (!equations.forces_read_multipliers() || change <= 1e-12 * (1 + lambda.norm())) {
      equations.set_multipliers(lambda);
      result = {std::move(efforts), std::move(lambda)};
      return {};
    }
  }
  return Outcome::failure(concat("inverse dynamics: the multipliers that friction reads do not converge in ",
                                 max_iterations, " iterations; the friction may be too large for this motion."));
}

}  // namespace linkwork
