#include <linkwork/solvers/simulation/solution_reader.hpp>

#include <linkwork/core/step_memory.hpp>
#include <linkwork/solvers/dae/tolerances.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <limits>
#include <utility>

namespace linkwork {

namespace {

/// The equations as they are, until the end of its life puts them back.
class Visit {
 public:
  Visit(EquationsOfMotion& equations, const Eigen::VectorXd* memory)
      : equations_(equations), memory_(memory_of(equations)) {
    const EquationsOfMotion& e = equations;
    point_ = {e.time(),      e.position(), e.velocity(),      e.states(),
              e.auxiliary(), e.contacts(), e.accelerations(), e.multipliers()};
    if (memory) recall(equations_, *memory);
  }
  ~Visit() {
    recall(equations_, memory_);
    equations_.set(point_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  EquationsOfMotion& equations_;
  Eigen::VectorXd memory_;
  State point_;
};

/// Calls a function that may ask elements of the user; where they can't be evaluated there is no state.
template <class Function>
Outcome evaluated(Function&& function) {
  try {
    return function();
  } catch (const RecoverableFailure& failure) {
    return Outcome::failure(failure.what());
  }
}

std::unique_ptr<LinearSolver> make_solver(const LinearSolverChoice& choice, EquationsOfMotion& equations) {
  const bool friction = equations.forces_read_multipliers();
  try {
    return choice.make(equations, friction);
  } catch (const ModelError&) {  // an integrator may do without F, or without a linear solver
    return LinearSolverChoice("auto").make(equations, friction);
  }
}

bool is_whole(const DensePolynomial::Group& group, Eigen::Index size) {
  return static_cast<Eigen::Index>(group.components.size()) == size;
}

}  // namespace

struct SolutionReader::Work {
  Work(EquationsOfMotion& equations, const LinearSolverChoice& choice)
      : solver(make_solver(choice, equations)),
        projection(equations, *solver),
        manifold(equations, *solver, projection, false) {}

  std::unique_ptr<LinearSolver> solver;
  Projection projection;
  SolutionManifold manifold;
  ErrorWeights weights;
  bool has_projected = false;
};

SolutionReader::SolutionReader(std::shared_ptr<EquationsOfMotion> equations, LinearSolverChoice linear_solver)
    : equations_(std::move(equations)), linear_solver_(std::move(linear_solver)) {}

SolutionReader::Work& SolutionReader::work() {
  if (!work_) work_ = std::make_shared<Work>(*equations_, linear_solver_);
  return *work_;
}

Outcome SolutionReader::project(State& state) {
  // They only say when Newton's method has converged; its last steps go to rounding.
  const Tolerances tight{.rtol = 1e-8, .atol = 1e-8};
  Work& w = work();
  w.weights.renew(tight, state, state);
  w.has_projected = true;
  return evaluated([&] { return w.manifold.correct(state, w.weights); });
}

Outcome SolutionReader::complete(State& state) {
  Work& w = work();
  if (!w.has_projected) {  // a solver that decides about ranks does so at projected positions
    State nearby = state;
    if (Outcome projected = project(nearby); !projected) return projected;
  }
  return evaluated([&] { return find_accelerations(*equations_, *w.solver, state); });
}

Outcome SolutionReader::find(const TrajectorySegment& segment, double t, State& state) {
  const bool inside = t != segment.begin.t && t != segment.end.t;
  const State interpolated = interpolate(segment, *equations_, t);
  state = interpolated;
  if (inside && !is_readable(segment, equations_->dimensions())) {
    // Only unknowns of the integrator are interpolated.
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    if (equations_->dimensions().w == 0) state.w.setConstant(unknown);
    if (equations_->dimensions().s == 0) state.s.setConstant(unknown);
    return {};
  }
  if (!state.lambda.allFinite()) state.lambda.setZero();  // where the search for them starts
  Outcome found;
  if (inside) found = project(state);
  if (found) found = complete(state);
  if (!found) {
    state = interpolated;
    forget_accelerations(state);
  }
  return found;
}

Outcome SolutionReader::read(const TrajectorySegment& segment, double t, State& state) {
  const Visit visit(*equations_, segment.memory.get());
  return find(segment, t, state);
}

Outcome SolutionReader::visit(const TrajectorySegment& segment, double t, State& state,
                              const std::function<void(const State&, EquationsOfMotion&)>& look) {
  const Visit visit(*equations_, segment.memory.get());
  Outcome found = find(segment, t, state);
  equations_->set(state);
  look(state, *equations_);
  return found;
}

Eigen::VectorXd memory_of(const EquationsOfMotion& equations) {
  const auto* remembering = dynamic_cast<const StepMemory*>(&equations);
  if (!remembering) return equations.applied_force();
  const Eigen::VectorXd own = remembering->memory();
  Eigen::VectorXd out(own.size() + equations.applied_force().size());
  out.head(own.size()) = own;
  out.tail(equations.applied_force().size()) = equations.applied_force();
  return out;
}

void recall(EquationsOfMotion& equations, const Eigen::VectorXd& memory) {
  if (memory_of(equations) == memory) return;
  const Eigen::Index forces = equations.applied_force().size();
  equations.set_applied_force(memory.tail(forces));
  if (auto* remembering = dynamic_cast<StepMemory*>(&equations))
    remembering->recall(memory.head(memory.size() - forces));
}

void forget_accelerations(State& state) {
  state.a.setConstant(std::numeric_limits<double>::quiet_NaN());
  state.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
}

bool is_readable(const TrajectorySegment& segment, const Dimensions& n) {
  if (!segment.dense) return true;  // its ends
  const DensePolynomial& dense = *segment.dense;
  return is_whole(dense.p, n.p) && is_whole(dense.v, n.v) && is_whole(dense.r, n.r) && is_whole(dense.w, n.w) &&
         is_whole(dense.s, n.s);
}

}  // namespace linkwork
