#pragma once

#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>

namespace linkwork {

/// The augmented matrix in full.
Eigen::MatrixXd full_matrix(const AugmentedMatrix& matrix);

/// Largest singular value over the smallest; 1 for a matrix without entries.
double condition(const Eigen::MatrixXd& A);

/// Gaussian elimination with complete pivoting in long double: eleven bits more than the solvers have.
Eigen::VectorXd reference_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Solves with f and g taken from b; w and lambda in one vector.
Eigen::VectorXd solve(LinearSolver& solver, const Eigen::VectorXd& b, int nv);

/// In the largest component.
double relative_error(const Eigen::VectorXd& x, const Eigen::VectorXd& reference);

}  // namespace linkwork
