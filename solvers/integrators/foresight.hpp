#pragma once

#include <linkwork/solvers/integrators/basic_scheme.hpp>

#include <Eigen/Core>

namespace linkwork {

/// What the lines of a step lead to expect of the accelerations at one of its ends, without being told them.
struct Foresight {
  Eigen::VectorXd expected, by_one_line_less;

  /// None below some tolerances, nor where the last line has changed the expectation about as much: then the
  /// accelerations are hard to foresee, and not of another kind.
  /// @param h        size of a sub-step
  /// @param weights  error weights of v
  /// @param share    of the last line's change that the difference must exceed
  BasicScheme::Surprise surprise(const Eigen::VectorXd& found, double h, const Eigen::VectorXd& weights,
                                 double share) const;
};

}  // namespace linkwork
