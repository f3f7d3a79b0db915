#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <string>

namespace linkwork {

/// Where the parts of unknowns y that begin with (p, v, r, w, s, lambda) begin; `end` is behind them. Forms of the
/// equations of motion add unknowns of their own from there on.
struct StateLayout {
  explicit StateLayout(const Dimensions& n);
  int p, v, r, w, s, lambda, end;
  /// p, v and r: what has a derivative.
  int differential() const { return w; }

  /// Parts of `state` that y has; w and s that are no unknowns, t and a are left as they are.
  void copy_to_state(const Eigen::VectorXd& y, State& state) const;
  /// The other way; y has its size already. Without multipliers, those of y are left as they are.
  void copy_from_state(const State& state, Eigen::VectorXd& y) const;
  /// Name of y[j], j < end, for messages.
  std::string name(const EquationsOfMotion& equations, int j) const;
};

}  // namespace linkwork
