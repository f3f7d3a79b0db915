#include <linkwork/solvers/simulation/phase.hpp>

namespace linkwork {

namespace {

EvaluationCounters combine(const EvaluationCounters& a, const EvaluationCounters& b, std::int64_t sign) {
  EvaluationCounters out = a;
  out.force += sign * b.force;
  out.matrix += sign * b.matrix;
  out.position_matrix += sign * b.position_matrix;
  out.residual += sign * b.residual;
  out.state_rate += sign * b.state_rate;
  out.auxiliary += sign * b.auxiliary;
  out.force_jacobian += sign * b.force_jacobian;
  out.invariant += sign * b.invariant;
  return out;
}

}  // namespace

EvaluationCounters operator+(const EvaluationCounters& a, const EvaluationCounters& b) { return combine(a, b, 1); }
EvaluationCounters operator-(const EvaluationCounters& a, const EvaluationCounters& b) { return combine(a, b, -1); }

}  // namespace linkwork
