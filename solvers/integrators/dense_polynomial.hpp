#pragma once

#include <linkwork/core/state.hpp>

#include <Eigen/Core>
#include <optional>
#include <string_view>
#include <vector>

namespace linkwork {

/// Which components the continuous solution has. Empty optionals: all of them. Of w and s where they are unknowns.
struct DenseSelection {
  std::optional<std::vector<int>> p, v, r, w, s, a, lambda;

  /// @param options  name of the options that it stands in, for the message
  /// @throws ModelError for a component that a system does not have
  void expect_fit(const Dimensions& dimensions, std::string_view options) const;
};

/// Continuous solution over one accepted step: for each group of components (p, v, r, w, s, a, lambda) a polynomial in
/// Newton's form on the nodes theta = 0, 1/2 and 1, each repeated, theta = (t - t_begin) / (t_end - t_begin). Plain
/// numbers: it can be stored and read back without loss.
struct DensePolynomial {
  struct Group {
    std::vector<int> components;   ///< which entries of the vector the rows below are; ascending
    int left_nodes = 0;            ///< how often theta = 0 is a node, the first ones
    Eigen::MatrixXd coefficients;  ///< components x (degree + 1), Newton coefficients
    int middle_nodes = 0;  ///< how often theta = 1/2 is a node, the next ones; those that are left are theta = 1

    /// Values at theta, by row.
    Eigen::VectorXd value(double theta) const;
    /// Derivatives with respect to theta at theta = 1, by row.
    Eigen::VectorXd end_slope() const;
    /// Largest size over the step of the term of the highest degree, by row. With derivatives in the middle, what the
    /// one before it lets expect where that is more: of a motion that is even or odd about the middle every second
    /// term is small, and says nothing of those left out.
    Eigen::VectorXd last_term() const;
    /// The derivatives with respect to time over a step of length h, in Newton's form on theta = 1/2 alone.
    Group derivative(double h) const;
  };

  double t_begin = 0, t_end = 0;
  Group p, v, r, a, lambda;
  Group w, s;  ///< of integrators that carry them

  /// Values at t of the components that are interpolated; the others are left as they are. `out` must have its sizes.
  /// Quaternions are not normalised here: EquationsOfMotion::normalise does that.
  void evaluate(double t, State& out) const;
  /// One group at t into `out`.
  void evaluate(const Group& group, double t, Eigen::VectorXd& out) const;
  int differential_degree() const { return static_cast<int>(p.coefficients.cols()) - 1; }  ///< of p, v and r
  int algebraic_degree() const { return static_cast<int>(a.coefficients.cols()) - 1; }     ///< of a and lambda
};

/// The given components of a vector.
inline Eigen::VectorXd selected(const std::vector<int>& components, const Eigen::VectorXd& from) {
  return from(components);
}

/// Newton coefficients of the polynomial in theta that has the given values and scaled derivatives at theta = 0, 1/2
/// and 1.
/// @param left, middle, right  column k: k-th derivative with respect to theta there; one row per component
Eigen::MatrixXd hermite_coefficients(const Eigen::MatrixXd& left, const Eigen::MatrixXd& middle,
                                     const Eigen::MatrixXd& right);
/// At both ends only.
Eigen::MatrixXd hermite_coefficients(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right);

}  // namespace linkwork
