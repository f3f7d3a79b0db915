#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

// Backward errors: of a solution that is as good as it can be, and of one that is taken.
inline constexpr double rounding_error = 4e-15, acceptable_error = 1e-12;

/// The largest difference relative to the size of the terms that it is the difference of. Entries much smaller than the
/// largest one need not be relatively exact.
inline double largest_relative(const Eigen::VectorXd& differences, const Eigen::VectorXd& sizes) {
  constexpr double negligible = 1e-8;
  const double floor = std::max(negligible * sizes.maxCoeff(), std::numeric_limits<double>::min());
  double largest = 0;
  for (Eigen::Index i = 0; i < differences.size(); ++i) {
    const double ratio = std::abs(differences[i]) / std::max(sizes[i], floor);
    if (!(ratio <= largest)) largest = ratio;  // also if it is no number
  }
  return largest;
}

/// Preconditioned conjugate gradients for S x = b with S symmetric and positive definite, and their vectors.
struct GradientIteration {
  static constexpr int most_iterations = 40;

  Eigen::VectorXd residual;  ///< b - S x
  Eigen::VectorXd direction, image, preconditioned;
  int iterations = 0;  ///< counted on by each call of improve

  void resize(Eigen::Index size) {
    for (Eigen::VectorXd* each : {&residual, &direction, &image, &preconditioned}) each->resize(size);
  }

  /// x += S^-1 residual, until the preconditioned norm of the residual has fallen to rounding errors.
  /// @param apply         apply(direction, image): image = S direction
  /// @param precondition  precondition(residual, preconditioned), symmetric and positive definite
  template <class Apply, class Precondition>
  void improve(Eigen::VectorXd& x, Apply&& apply, Precondition&& precondition) {
    constexpr double reduction = 1e-15;
    precondition(residual, preconditioned);
    direction = preconditioned;
    double product = residual.dot(preconditioned);
    const double enough = reduction * reduction * product;
    while (product > enough && iterations <= most_iterations) {
      apply(direction, image);
      const double step = product / direction.dot(image);
      x += step * direction;
      residual -= step * image;
      ++iterations;
      precondition(residual, preconditioned);
      const double next = residual.dot(preconditioned);
      direction = preconditioned + next / product * direction;
      product = next;
    }
  }
};

}  // namespace linkwork
