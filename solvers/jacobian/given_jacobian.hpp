#pragma once

#include <linkwork/solvers/dae/residual_function.hpp>

#include <Eigen/Core>

namespace linkwork {

/// Whether a matrix that a user gave for dF/dy is that, as far as differences of F along one direction tell: a handful
/// of evaluations, for the start of a run. What is off by less than a thousandth of the sizes in its row is no mistake
/// (Newton's method takes it), nor is anything where F bends so much that differences with two steps disagree, or where
/// it can't be evaluated.
/// @param y_rate  y' at the point
/// @returns failure with the worst entry, by the names of its equation and unknown
Outcome check_given_jacobian(ResidualFunction& function, const Eigen::MatrixXd& given, double t,
                             const Eigen::VectorXd& y, const Eigen::VectorXd& y_rate);

}  // namespace linkwork
