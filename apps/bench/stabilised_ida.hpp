#pragma once

#include <linkwork/core/equations_of_motion.hpp>

namespace linkwork::apps {

/// How IDA gets its Jacobian and factors it.
enum class IdaJacobian {
  dense_differences,  ///< its own differences, one evaluation per unknown, and its dense LU
  grouped             ///< Linkwork's grouped differences, and KLU
};

struct StabilisedIdaResult {
  bool finished = false;
  double cpu_seconds = 0;
  long steps = 0, jacobians = 0;
  long calls = 0;           ///< evaluations of the residual, those for Jacobians included
  long jacobian_calls = 0;  ///< those for Jacobians
  State end;                ///< t, p and v
};

/// Integrates the stabilised index-2 form of equations of motion, the same residual function that `bdf` solves, with
/// SUNDIALS IDA. Its multipliers are left out of the error test and weigh nothing in Newton's test; at their natural
/// weights IDA fails at the first step.
/// @param start  consistent p, v, r, a and lambda, as an integrator's `initialize` leaves them
StabilisedIdaResult integrate_with_ida(EquationsOfMotion& equations, const State& start, double t_end, double rtol,
                                       double atol, IdaJacobian kind);

}  // namespace linkwork::apps
