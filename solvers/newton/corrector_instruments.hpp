#pragma once

// Internal.

#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/corrector_options.hpp>

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace linkwork {

/// What is measured beside an iteration, for those who study it. Has a Jacobian of its own, whose evaluations of F are
/// counted nowhere: an instrument is no part of the method.
class CorrectorInstruments {
 public:
  using Solve = std::function<void(Eigen::VectorXd&)>;

  CorrectorInstruments(ResidualFunction& system, const CorrectorOptions& options, const JacobianOptions& jacobian);

  /// A solution begins, or goes on with another matrix.
  void begin() { spectral_radius_ = -1; }
  /// At an iterate: the first one since then is measured.
  /// @param solve  x := G~^-1 x
  void look(const JacobianPoint& point, const Eigen::VectorXd& F, const Solve& solve);
  /// Hands the record on.
  void end(CorrectorRecord record);

 private:
  std::function<void(const CorrectorRecord&)> observe_;
  std::optional<Jacobian> jacobian_;
  Eigen::VectorXd product_;
  double spectral_radius_ = -1;
};

}  // namespace linkwork
