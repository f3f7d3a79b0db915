#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>
#include <linkwork/solvers/dae/state_layout.hpp>
#include <linkwork/solvers/jacobian/difference_quotients.hpp>
#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/corrector_record.hpp>
#include <linkwork/solvers/newton/corrector_statistics.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace linkwork {

/// How Newton's iteration turns what F leaves into a correction of its unknowns: by an old matrix or a new one, by a
/// factorisation or an iterative method. One object per system.
class Corrector {
 public:
  virtual ~Corrector() = default;
  virtual std::string_view name() const = 0;

  /// A new matrix J = alpha dF/dy' + dF/dy, at a point.
  /// @param F      at the point
  /// @param cause  why: there is none, alpha has changed, or the iteration is slow
  /// Fails where F can't be evaluated beside the point, and as Failure::singular where J is singular, which changes how
  /// an integrator goes on; the message names what makes it so
  virtual Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) = 0;
  /// What makes the last J that was singular so, for the message that ends a run; as long as a factorisation may take.
  virtual std::string why_singular() const { return "the iteration matrix is singular"; }
  /// Whether a refresh for the sake of convergence at time t promises another matrix than the present one.
  virtual bool can_improve(double t) const = 0;
  /// Of the present matrix [1/s]; 0: there is none.
  virtual double alpha() const = 0;
  /// The present matrix has nothing to do with what follows.
  virtual void forget() = 0;
  /// Whether a new alpha costs no evaluation of F, so that dF/dy may be old for long.
  virtual bool updates_in_parts() const { return false; }

  /// delta := what y moves by against F = 0, the next iterate being y - delta.
  /// @param point  the present iterate
  /// @param F      there
  /// @param delta  has the size of y; allocates nothing
  /// Fails as refresh does.
  virtual Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) = 0;
  /// What the last correction leaves of the error that it was made for, in units of it, where the corrector knows: the
  /// iteration then trusts no rate of an earlier solution. Below 0: it does not.
  virtual double leaves() const { return -1; }
  /// Told after each iteration but the first of a solution: sizes of corrections go with this ratio.
  virtual void observe(double /*contraction*/) {}

  /// Told as the solution at the end of a step begins, before a refresh that it begins with.
  virtual void begin(double /*t*/, double /*alpha*/) {}
  /// Told as it ends, however it does.
  virtual void end(const CorrectorSolution& /*solution*/) {}
  /// Whether a solution begins with a refresh.
  /// @param has_changed  whether its alpha is so far from that of the matrix that the iteration asks for one
  virtual bool renews(double /*alpha*/, bool has_changed) { return has_changed; }

  /// For messages: J as it was taken last; null where it is not at hand.
  virtual const SparseMatrix* matrix() const { return nullptr; }
  /// Since it was made; all its evaluations of F are among the function_calls.
  virtual const JacobianStatistics& jacobian_statistics() const = 0;
  virtual std::int64_t factorizations() const = 0;
  /// How it went through its phases, where it has some.
  virtual CorrectorStatistics statistics() const { return {}; }
};

/// Makes the corrector of a system, whose unknowns begin with those of a layout.
using CorrectorFactory = std::function<std::unique_ptr<Corrector>(ResidualFunction& system, const StateLayout& layout)>;

}  // namespace linkwork
