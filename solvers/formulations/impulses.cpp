#include <linkwork/solvers/formulations/impulses.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace linkwork {

namespace {

// Of an impulse: what constraints leave of it where they hold it, which is rounding.
constexpr double held_share = 1e-10;

/// The matrix [M G^T; G 0] at one state.
class ImpulseSystem {
 public:
  ImpulseSystem(EquationsOfMotion& equations, const State& state, const char* function)
      : equations_(equations), function_(function) {
    refuse_rows_that_read_velocities();
    equations.set(state);
    solver_ = make_linear_solver("auto", equations);
    require(solver_->analyze(equations));
    if (equations.dimensions().v > 0) require(solver_->factor(MatrixKind::velocity));
  }
  /// @param rows  right side of the constraint rows
  void solve(const Eigen::VectorXd& impulse, const Eigen::VectorXd& rows, Eigen::VectorXd& jump,
             Eigen::VectorXd& multipliers) {
    jump.setZero(impulse.size());
    multipliers.setZero(rows.size());
    if (impulse.size() > 0) solver_->solve(impulse, rows, jump, multipliers);
  }

 private:
  /// A servo asks forces that are finite, and Chetaev's rule for nonlinear constraints is one for finite forces: what
  /// either does in an impact is another law.
  void refuse_rows_that_read_velocities() const {
    if (!equations_.rows_read_velocity()) return;
    throw ModelError(concat(function_, ": model '", equations_.model_name(), "': what '",
                            equations_.constraint_element(equations_.dimensions().first_reading_velocity()),
                            "' does in an impact is not known, as its rows depend on the velocities that jump; set "
                            "State::v by a law of your own."));
  }
  void require(const Outcome& outcome) const {
    if (!outcome)
      throw RecoverableFailure(concat(function_, ": model '", equations_.model_name(), "': the impulses of the joints ",
                                      "can't be found at t = ", equations_.time(), " s: ", outcome.reason()));
  }

  EquationsOfMotion& equations_;
  const char* function_;
  std::unique_ptr<LinearSolver> solver_;
};

template <class Space>
GraphEquations<Space>& graph_of(EquationsOfMotion& equations, const char* function) {
  auto* graph = dynamic_cast<GraphEquations<Space>*>(&equations);
  if (!graph)
    throw ModelError(concat(function, ": impulses on frames of a ", Space::name, " model were given to '",
                            equations.model_name(), "' (", equations.space_name(),
                            "); use frames of its own model, or a generalised impulse."));
  return *graph;
}

template <class Space>
bool is_finite(const Wrench<Space>& wrench) {
  return wrench.force.allFinite() && std::isfinite(dot(wrench.torque, wrench.torque));
}

template <class Space>
std::string name_of(const Frame<Space>& frame) {
  return frame.model ? frame.model->body_name(frame.body) : std::string("no model");
}

template <class Space>
Eigen::VectorXd generalised(GraphEquations<Space>& graph, const std::vector<FrameImpulse<Space>>& impulses) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(graph.dimensions().v);
  for (const FrameImpulse<Space>& each : impulses) graph.add_generalised_force(each.frame, each.impulse, out);
  return out;
}

template <class Space>
Impact<Space> strike(GraphEquations<Space>& graph, ImpulseSystem& system, State& state,
                     const std::vector<FrameImpulse<Space>>& impulses, const char* function) {
  for (const FrameImpulse<Space>& each : impulses)
    if (!is_finite(each.impulse))
      throw ModelError(concat(function, ": the impulse on '", name_of(each.frame),
                              "' is not finite; give finite forces and torques times time."));
  graph.set(state);
  Impact<Space> out;
  out.applied = impulses;
  system.solve(generalised(graph, impulses), -graph.velocity_residual(), out.jump, out.multipliers);
  out.reactions = graph.reaction_impulses(out.jump, out.multipliers, impulses);
  state.v += out.jump;
  graph.set(state);
  return out;
}

template <class Space>
Frame<Space> frame_at(const BodyRef<Space>& body, const Snapshot<Space>& now, const Vector<Space>& point) {
  const Frame<Space> own = body.origin();
  const Pose<Space> pose = now.pose(own);
  Frame<Space> out = own;
  if (body.is_ground() || own.model->bodies[detail::at(body.index())].body->rotates())
    out.offset = pose.rotation.transpose() * (point - pose.position);
  return out;
}

template <class Space>
Vector<Space> checked_normal(const Vector<Space>& normal) {
  if (!normal.allFinite() || normal.isZero(0))
    throw ModelError("collide: the normal has no direction; give finite components that are not all zero.");
  return normal.normalized();
}

}  // namespace

template <class Space>
const Wrench<Space>& Impact<Space>::reaction(const ConstraintRef<Space>& constraint) const {
  const bool is_known = constraint.index >= 0 && detail::at(constraint.index) < reactions.size() &&
                        (applied.empty() || constraint.model == applied.front().frame.model);
  if (!is_known)
    throw ModelError(
        "Impact::reaction: the constraint is of another model; use a handle of the model "
        "that was struck.");
  return reactions[detail::at(constraint.index)];
}

template <class Space>
Impact<Space> apply_impulse(EquationsOfMotion& equations, State& state, const Frame<Space>& frame,
                            const Wrench<Space>& impulse) {
  if (frame.body < 0)
    throw ModelError("apply_impulse: the frame is on the ground, which no impulse moves; give a frame of a body.");
  GraphEquations<Space>& graph = graph_of<Space>(equations, "apply_impulse");
  ImpulseSystem system(equations, state, "apply_impulse");
  return strike<Space>(graph, system, state, {{frame, impulse}}, "apply_impulse");
}

template <class Space>
Impact<Space> apply_impulses(EquationsOfMotion& equations, State& state,
                             const std::vector<FrameImpulse<Space>>& impulses) {
  GraphEquations<Space>& graph = graph_of<Space>(equations, "apply_impulses");
  ImpulseSystem system(equations, state, "apply_impulses");
  return strike<Space>(graph, system, state, impulses, "apply_impulses");
}

Eigen::VectorXd apply_impulse(EquationsOfMotion& equations, State& state, const Eigen::VectorXd& impulse) {
  if (impulse.size() != equations.dimensions().v || !impulse.allFinite())
    throw ModelError(concat("apply_impulse: model '", equations.model_name(),
                            "': the generalised impulse must have n_v = ", equations.dimensions().v,
                            " finite entries; it has ", impulse.size(), "."));
  ImpulseSystem system(equations, state, "apply_impulse");
  Eigen::VectorXd jump, multipliers;
  system.solve(impulse, -equations.velocity_residual(), jump, multipliers);
  state.v += jump;
  equations.set(state);
  return multipliers;
}

template <class Space>
Impact<Space> collide(EquationsOfMotion& equations, State& state, const Frame<Space>& point,
                      const BodyRef<Space>& other, const Vector<Space>& normal, double restitution) {
  const Vector<Space> direction = checked_normal<Space>(normal);
  if (!(restitution >= 0 && restitution <= 1))
    throw ModelError(concat("collide: restitution is ", restitution, "; expected 0 (plastic) to 1 (elastic)."));
  if (point.body == other.index())
    throw ModelError(concat("collide: '", name_of(point), "' would collide with itself; give two bodies."));
  GraphEquations<Space>& graph = graph_of<Space>(equations, "collide");
  ImpulseSystem system(equations, state, "collide");
  Frame<Space> opposite;
  double approach = 0;
  graph.measure(state, [&](const Snapshot<Space>& now) {
    opposite = frame_at<Space>(other, now, now.pose(point).position);
    approach = direction.dot(now.velocity(point).linear - now.velocity(opposite).linear);
    return approach;
  });

  Wrench<Space> unit;
  unit.force = direction;
  Wrench<Space> opposed;
  opposed.force = -direction;
  const Eigen::VectorXd J = generalised<Space>(graph, {{point, unit}, {opposite, opposed}});
  Eigen::VectorXd jump, multipliers, momentum(J.size());
  system.solve(J, Eigen::VectorXd::Zero(equations.dimensions().constraints()), jump, multipliers);
  equations.multiply_mass(jump, momentum);
  const double size = J.size() > 0 ? J.cwiseAbs().maxCoeff() : 0.0;
  const bool is_held = size <= held_share * std::min(1.0, equations.characteristic_length()) ||
                       momentum.cwiseAbs().maxCoeff() <= held_share * size;
  if (is_held)
    throw ModelError(concat("collide: model '", equations.model_name(), "': constraints hold '", name_of(point),
                            "' and '", name_of(opposite),
                            "' along the normal, so that no impulse can change their velocities; give another normal "
                            "or another point."));
  const double size_of_impulse = -(1 + restitution) * approach / J.dot(jump);
  unit.force *= size_of_impulse;
  opposed.force *= size_of_impulse;
  return strike<Space>(graph, system, state, {{point, unit}, {opposite, opposed}}, "collide");
}

template struct Impact<Planar>;
template struct Impact<Spatial>;
template Impact<Planar> apply_impulse(EquationsOfMotion&, State&, const Frame<Planar>&, const Wrench<Planar>&);
template Impact<Spatial> apply_impulse(EquationsOfMotion&, State&, const Frame<Spatial>&, const Wrench<Spatial>&);
template Impact<Planar> apply_impulses(EquationsOfMotion&, State&, const std::vector<FrameImpulse<Planar>>&);
template Impact<Spatial> apply_impulses(EquationsOfMotion&, State&, const std::vector<FrameImpulse<Spatial>>&);
template Impact<Planar> collide(EquationsOfMotion&, State&, const Frame<Planar>&, const BodyRef<Planar>&,
                                const Vector<Planar>&, double);
template Impact<Spatial> collide(EquationsOfMotion&, State&, const Frame<Spatial>&, const BodyRef<Spatial>&,
                                 const Vector<Spatial>&, double);

}  // namespace linkwork
