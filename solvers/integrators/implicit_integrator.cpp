#include <linkwork/solvers/integrators/implicit_integrator.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/singular_position.hpp>

#include <algorithm>

namespace linkwork {

Outcome ImplicitIntegrator::initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) {
  return start_consistently(equations, solver, start, [this] {
    if (Outcome posed = pose_system(); !posed) return posed;
    begin_run();
    begin_from_state();
    return Outcome();
  });
}

std::vector<int> ImplicitIntegrator::redundant_rows() const {
  return independent_ ? independent_->redundant_rows() : std::vector<int>();
}

/// A new system where there is none yet, or where other rows are redundant.
Outcome ImplicitIntegrator::pose_system() {
  const std::vector<int> rows_before = redundant_rows();
  choose_independent_rows(independent_, *equations_, *solver_, state_);
  const std::vector<int> rows = redundant_rows();
  if (Outcome agreed = rows_agree(); !agreed) return agreed;
  if (posed_for_ == equations_ && rows == rows_before) return {};
  if (posed_for_) {
    take_counts();
    earlier_ = statistics_;
    own_function_calls_ = 0;
    posed_for_ = nullptr;
  }
  if (Outcome made = make_system(rows); !made) return made;
  posed_for_ = equations_;
  return {};
}

Outcome ImplicitIntegrator::rows_agree() {
  if (!independent_) return {};
  const Tolerances& allowed = component_tolerances();
  const std::string why = independent_->disagreement(*equations_, std::max(allowed.rtol, allowed.of_ratios()));
  return why.empty() ? Outcome() : Outcome::failure(why);
}

int ImplicitIntegrator::chosen_rank() const {
  return equations_->dimensions().constraints() - static_cast<int>(redundant_rows().size());
}

std::string ImplicitIntegrator::why_near_singular() {
  return why_near_singular_position(*equations_, state_, chosen_rank());
}

Outcome ImplicitIntegrator::renew_rows() {
  if (has_dense_output()) keep_dense();  // of the step that has just been done, as long as its history is there
  weights_.renew(component_tolerances(), state_, state_);
  if (Outcome closed = move_to_manifold(state_); !closed) return closed;
  if (Outcome posed = pose_system(); !posed) return posed;
  begin_from_state();
  return {};
}

void ImplicitIntegrator::take_counts() {
  const JacobianStatistics& jacobian = jacobian_statistics();
  statistics_.jacobian_evaluations = earlier_.jacobian_evaluations + jacobian.differenced;
  statistics_.jacobian_refreshes = earlier_.jacobian_refreshes + jacobian.refreshed;
  statistics_.jacobian_updates = earlier_.jacobian_updates + jacobian.updates;
  statistics_.jacobian_function_calls = earlier_.jacobian_function_calls + jacobian.function_calls;
  statistics_.jacobian_groups = jacobian.groups;
  statistics_.jacobian_groups_lower_bound = jacobian.lower_bound;
  statistics_.function_calls = earlier_.function_calls + own_function_calls_ + jacobian.function_calls;
  statistics_.factorizations = earlier_.factorizations;
  statistics_.algebraic_decompositions = earlier_.algebraic_decompositions;
  statistics_.stage_solves = earlier_.stage_solves;
  statistics_.selector_updates = earlier_.selector_updates;
  statistics_.corrector = earlier_.corrector + corrector_statistics();
  count_own(statistics_);
}

}  // namespace linkwork
