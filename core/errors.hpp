#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace linkwork {

/// Misuse found while a model is built, or when it is handed to a solver: the message names the element, the value,
/// what was expected and what to do.
class ModelError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A user's element throws this from a function that cannot be evaluated at the point it was given (a table left, a
/// square root of a negative number). An integrator then tries its step again with a smaller size.
class RecoverableFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A function of an element returned a value that is not finite. Integrators treat it as a failed step; the message
/// names the element and the time.
class NonFiniteValue : public RecoverableFailure {
 public:
  using RecoverableFailure::RecoverableFailure;
};

/// A run that cannot go on. Thrown by the driver only; what was computed so far stays in the simulation's trajectory.
class RunError : public std::runtime_error {
 public:
  RunError(const std::string& what, double time_reached) : std::runtime_error(what), time_reached_(time_reached) {}
  double time_reached() const { return time_reached_; }

 private:
  double time_reached_;
};

/// What kind of failure it is, for those who decide by it; people read the reason.
enum class Failure {
  other,
  not_evaluated,  ///< a function of the model can't be evaluated there
  singular,       ///< a matrix is singular, or rows of it depend on each other
  no_convergence  ///< an iteration did not reach its end
};

/// Result of a numerical operation: success, or the reason why not. Numerical outcomes are values inside the solvers
/// and become an exception once, in the driver.
class [[nodiscard]] Outcome {
 public:
  Outcome() = default;
  static Outcome failure(std::string reason, Failure kind = Failure::other) {
    Outcome outcome;
    outcome.failed_ = true;
    outcome.kind_ = kind;
    outcome.reason_ = std::move(reason);
    return outcome;
  }
  explicit operator bool() const { return !failed_; }
  const std::string& reason() const { return reason_; }
  /// Whether it failed, and in this way.
  bool is(Failure kind) const { return failed_ && kind_ == kind; }

 private:
  bool failed_ = false;
  Failure kind_ = Failure::other;
  std::string reason_;
};

}  // namespace linkwork
