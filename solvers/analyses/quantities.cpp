#include <linkwork/solvers/analyses/quantities.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/formulations/joint_start.hpp>

#include <array>
#include <numbers>
#include <vector>

namespace linkwork {

namespace {

constexpr std::array names_of_axes{"x", "y", "z"};

template <class Space>
const char* checked_axis(const char* quantity, int axis) {
  if (axis < 0 || axis >= Space::dimension)
    throw ModelError(
        concat(quantity, ": axis ", axis, " was asked for; expected 0 to ", Space::dimension - 1, ", 0 for x."));
  return names_of_axes[detail::at(axis)];
}

/// "crank", or "point (0.1, 0) of crank" where the frame is not the body's own.
template <class Space>
std::string name_of_point(const Frame<Space>& frame) {
  const std::string body = frame.model->body_name(frame.body);
  if (frame.offset.isZero(0)) return body;
  std::vector<std::string> components;
  for (const double x : frame.offset) components.push_back(concat(x));
  return concat("point (", listed(components), ") of ", body);
}

template <class Space>
const Joint<Space>& joint_of(const JointRef<Space>& joint) {
  return *element_of(joint).joint;
}

template <class Space>
struct JointSight {
  Pose<Space> X;  ///< of the son in the father
  std::vector<double> q;
};
/// Angles that are known up to full turns become those that planar poses count.
void count_turns(const Joint<Planar>& joint, Instant now, JointSight<Planar>& sight) {
  JointMotion<Planar> motion;
  joint.motion(now, sight.q.data(), motion);
  const double missed = sight.X.angle - joint.pose(now, sight.q.data()).angle;
  const double turns = 2 * std::numbers::pi * std::round(missed / (2 * std::numbers::pi));
  for (int i = 0; i < joint.freedoms() && turns != 0; ++i)
    if (motion.S(0, i) != 0 && joint.coordinates() == joint.freedoms()) {
      sight.q[detail::at(i)] += turns / motion.S(0, i);
      return;
    }
}

template <class Space>
JointSight<Space> see(const Joint<Space>& joint, const Snapshot<Space>& now) {
  JointSight<Space> out;
  out.X = relative_pose(now.pose(joint.frames()[0]), now.pose(joint.frames()[1]));
  out.q.resize(detail::at(joint.coordinates()));
  joint.home(out.q.data());
  joint.locate(now.time(), out.X, out.q.data());
  if constexpr (Space::dimension == 2) count_turns(joint, now.time(), out);
  return out;
}

/// What a full turn of a freedom changes of it, where it turns the son back to where it was; else 0.
template <class Space>
double period_of(const Joint<Space>& joint, int freedom) {
  std::vector<double> q(detail::at(joint.coordinates())), turned = q, step(detail::at(joint.freedoms()), 0.0);
  joint.home(q.data());
  JointMotion<Space> motion;
  joint.motion(0.0, q.data(), motion);
  const double turn = 2 * std::numbers::pi / motion.S.col(freedom).template head<Space::angular>().norm();
  step[detail::at(freedom)] = turn;
  joint.retract(q.data(), step.data(), turned.data());
  const Components<Space> gap = logarithm(relative_pose(joint.pose(0.0, q.data()), joint.pose(0.0, turned.data())));
  return gap.norm() < 1e-9 ? turn : 0;
}

/// Twist of the son in the father, in the son's axes.
template <class Space>
Components<Space> twist_between(const Snapshot<Space>& now, const Frame<Space>& father, const Frame<Space>& son) {
  const Pose<Space> from = now.pose(father), to = now.pose(son);
  const Twist<Space> a = now.velocity(father), b = now.velocity(son);
  const Vector<Space> arm = to.position - from.position;
  Components<Space> out;
  out.template tail<Space::dimension>() = to.rotation.transpose() * (b.linear - a.linear - cross(a.angular, arm));
  if constexpr (Space::dimension == 2)
    out[0] = b.angular - a.angular;
  else
    out.template head<3>() = to.rotation.transpose() * (b.angular - a.angular);
  return out;
}

template <class Space>
double measure_graph(EquationsOfMotion& equations, const State& state,
                     const std::function<double(const Snapshot<Space>&)>& value) {
  auto* graph = dynamic_cast<GraphEquations<Space>*>(&equations);
  if (!graph)
    throw ModelError(concat("a quantity of a ", Space::name, " model was asked of '", equations.model_name(), "' (",
                            equations.space_name(), "); use quantities of its own model."));
  return graph->measure(state, value);
}

}  // namespace

template <class Space>
Quantity<Space> joint_coordinate(const JointRef<Space>& ref, int i) {
  const Joint<Space>& joint = joint_of(ref);
  const std::string& name = element_of(ref).name;
  if (i < 0 || i >= joint.coordinates())
    throw ModelError(concat("joint '", name, "' (", joint.type(), ") has no coordinate ", i, "; it has ",
                            joint.coordinates(), ", counted from 0."));
  const Measure measure = coordinate_measure(joint, i);
  return {concat(name, ": coordinate ", i + 1), unit_of(measure),
          [ref, i](const Snapshot<Space>& now) { return see(joint_of(ref), now).q[detail::at(i)]; },
          measure == Measure::angle ? period_of(joint, i) : 0.0};
}

template <class Space>
Quantity<Space> joint_velocity(const JointRef<Space>& ref, int i) {
  const Joint<Space>& joint = joint_of(ref);
  const std::string& name = element_of(ref).name;
  if (i < 0 || i >= joint.freedoms())
    throw ModelError(concat("joint '", name, "' (", joint.type(), ") has no velocity ", i, "; it has ",
                            joint.freedoms(), ", counted from 0."));
  return {concat(name, ": velocity ", i + 1), rate_unit_of(velocity_measure(joint, i)),
          [ref, i](const Snapshot<Space>& now) {
            const Joint<Space>& seen = joint_of(ref);
            const JointSight<Space> at = see(seen, now);
            JointMotion<Space> motion;
            seen.motion(now.time(), at.q.data(), motion);
            const Components<Space> V = twist_between(now, seen.frames()[0], seen.frames()[1]) - motion.drift;
            return solve_least_squares(motion.S, V)[i];
          }};
}

namespace {

/// "reaction torque x" ... "reaction force z"; a torque of the plane has one component.
template <class Space>
std::string name_of_reaction(int i) {
  if (i >= Space::angular) return concat("reaction force ", names_of_axes[detail::at(i - Space::angular)]);
  return Space::angular == 1 ? "reaction torque" : concat("reaction torque ", names_of_axes[detail::at(i)]);
}

template <class Space, class Ref, class Element>
Quantity<Space> make_report(const Ref& ref, const char* kind, const std::string& element_name, const Element& element,
                            std::string_view name) {
  std::vector<std::string> known;
  for (const ElementReport& report : element.reports()) {
    if (report.name == name)
      return {concat(element_name, ": ", name), report.unit,
              [ref, name = report.name](const Snapshot<Space>& now) { return now.reported(ref, name); }};
    known.push_back(report.name);
  }
  throw ModelError(concat(kind, " '", element_name, "' (", element.type(), ") reports no '", name, "'; it reports ",
                          known.empty() ? "nothing" : listed(known), "."));
}

template <class Space>
void add_quantities(const ModelData<Space>& model, int index, const ConstraintEntry<Space>& entry,
                    std::vector<Quantity<Space>>& out) {
  const ConstraintRef<Space> ref{index, &model};
  if (entry.joint) {
    const JointRef<Space> joint{ref};
    for (int i = 0; i < entry.joint->coordinates(); ++i) out.push_back(joint_coordinate(joint, i));
    for (int i = 0; i < entry.joint->freedoms(); ++i) out.push_back(joint_velocity(joint, i));
    if (entry.joint->freedoms() == Space::n) return;  // it holds nothing
  }
  for (int i = Space::angular; i < Space::n; ++i) out.push_back(reaction_component(ref, i));
  for (int i = 0; i < Space::angular; ++i) out.push_back(reaction_component(ref, i));
  if (entry.joint) return;
  for (const ElementReport& report : entry.constraint->reports()) out.push_back(report_of(ref, report.name));
}

template <class Space>
void add_quantities(const ModelData<Space>& model, int index, const ForceEntry<Space>& entry,
                    std::vector<Quantity<Space>>& out) {
  const ForceRef<Space> ref{index, &model};
  for (const ElementReport& report : entry.force->reports()) out.push_back(report_of(ref, report.name));
}

/// Calls with the index of each joint, constraint and force element, and with its entry.
template <class Space, class Visit>
void for_each_element(const ModelData<Space>& model, const Visit& visit) {
  for (std::size_t i = 0; i < model.constraints.size(); ++i) visit(static_cast<int>(i), model.constraints[i]);
  for (std::size_t i = 0; i < model.forces.size(); ++i) visit(static_cast<int>(i), model.forces[i]);
}

template <class Space>
std::optional<StateQuantity> quantity_in_space(const EquationsOfMotion& equations, const std::string& name) {
  const auto* graph = dynamic_cast<const GraphEquations<Space>*>(&equations);
  if (!graph) return {};
  std::vector<Quantity<Space>> candidates;
  for_each_element(graph->model(), [&](int index, const auto& entry) {
    if (name.starts_with(entry.name + ": ")) add_quantities(graph->model(), index, entry, candidates);
  });
  for (const Quantity<Space>& quantity : candidates)
    if (quantity.name == name)
      return StateQuantity{
          quantity.unit,
          [value = quantity.value](const State& state, EquationsOfMotion& e) { return measure(e, state, value); },
          quantity.period};
  return {};
}

}  // namespace

template <class Space>
Quantity<Space> reaction_component(const ConstraintRef<Space>& ref, int i) {
  if (i < 0 || i >= Space::n)
    throw ModelError(concat("'", element_of(ref).name, "': component ", i,
                            " of the reaction was asked for; expected 0 ", "to ", Space::n - 1, ", the torque first."));
  const bool is_force = i >= Space::angular;
  return {concat(element_of(ref).name, ": ", name_of_reaction<Space>(i)), is_force ? "N" : "N m",
          [ref, i, is_force](const Snapshot<Space>& now) -> double {
            const Wrench<Space> wrench = now.reaction(ref);
            if (is_force) return wrench.force[i - Space::angular];
            if constexpr (Space::angular == 1)
              return wrench.torque;
            else
              return wrench.torque[i];
          }};
}

template <class Space>
Quantity<Space> report_of(const ForceRef<Space>& force, std::string_view name) {
  const ForceEntry<Space>& entry = element_of(force);
  return make_report<Space>(force, "force", entry.name, *entry.force, name);
}

template <class Space>
Quantity<Space> report_of(const ConstraintRef<Space>& constraint, std::string_view name) {
  const ConstraintEntry<Space>& entry = element_of(constraint);
  return make_report<Space>(constraint, "constraint", entry.name, *entry.constraint, name);
}

template <class Space>
std::vector<Quantity<Space>> quantities_of_elements(const ModelData<Space>& model) {
  std::vector<Quantity<Space>> out;
  for_each_element(model, [&](int index, const auto& entry) { add_quantities(model, index, entry, out); });
  return out;
}

std::optional<StateQuantity> element_quantity_named(const EquationsOfMotion& equations, const std::string& name) {
  if (auto found = quantity_in_space<Planar>(equations, name)) return found;
  return quantity_in_space<Spatial>(equations, name);
}

template <class Space>
Quantity<Space> position_of(const Frame<Space>& frame, int axis) {
  return {concat(name_of_point(frame), ": ", checked_axis<Space>("position_of", axis)), "m",
          [frame, axis](const Snapshot<Space>& now) { return now.pose(frame).position[axis]; }};
}

template <class Space>
Quantity<Space> velocity_of(const Frame<Space>& frame, int axis) {
  return {concat(name_of_point(frame), ": ", checked_axis<Space>("velocity_of", axis), " velocity"), "m/s",
          [frame, axis](const Snapshot<Space>& now) { return now.velocity(frame).linear[axis]; }};
}

Quantity<Planar> angle_of(const Frame<Planar>& frame) {
  return {concat(frame.model->body_name(frame.body), ": angle"), "rad",
          [frame](const Snapshot<Planar>& now) { return now.pose(frame).angle; }};
}

Quantity<Planar> angular_velocity_of(const Frame<Planar>& frame) {
  return {concat(frame.model->body_name(frame.body), ": angular velocity"), "rad/s",
          [frame](const Snapshot<Planar>& now) { return now.velocity(frame).angular; }};
}

Quantity<Spatial> angular_velocity_of(const Frame<Spatial>& frame, int axis) {
  return {concat(frame.model->body_name(frame.body), ": angular velocity about the ground's ",
                 checked_axis<Spatial>("angular_velocity_of", axis)),
          "rad/s", [frame, axis](const Snapshot<Spatial>& now) { return now.velocity(frame).angular[axis]; }};
}

template <class Space>
Quantity<Space> distance_between(const Frame<Space>& first, const Frame<Space>& second) {
  return {concat("distance from ", name_of_point(first), " to ", name_of_point(second)), "m",
          [first, second](const Snapshot<Space>& now) {
            return (now.pose(second).position - now.pose(first).position).norm();
          }};
}

double measure(EquationsOfMotion& equations, const State& state,
               const std::function<double(const Snapshot<Planar>&)>& value) {
  return measure_graph<Planar>(equations, state, value);
}
double measure(EquationsOfMotion& equations, const State& state,
               const std::function<double(const Snapshot<Spatial>&)>& value) {
  return measure_graph<Spatial>(equations, state, value);
}

template Quantity<Planar> joint_coordinate(const JointRef<Planar>&, int);
template Quantity<Spatial> joint_coordinate(const JointRef<Spatial>&, int);
template Quantity<Planar> joint_velocity(const JointRef<Planar>&, int);
template Quantity<Spatial> joint_velocity(const JointRef<Spatial>&, int);
template Quantity<Planar> reaction_component(const ConstraintRef<Planar>&, int);
template Quantity<Spatial> reaction_component(const ConstraintRef<Spatial>&, int);
template Quantity<Planar> report_of(const ForceRef<Planar>&, std::string_view);
template Quantity<Spatial> report_of(const ForceRef<Spatial>&, std::string_view);
template Quantity<Planar> report_of(const ConstraintRef<Planar>&, std::string_view);
template Quantity<Spatial> report_of(const ConstraintRef<Spatial>&, std::string_view);
template std::vector<Quantity<Planar>> quantities_of_elements(const ModelData<Planar>&);
template std::vector<Quantity<Spatial>> quantities_of_elements(const ModelData<Spatial>&);
template Quantity<Planar> position_of(const Frame<Planar>&, int);
template Quantity<Spatial> position_of(const Frame<Spatial>&, int);
template Quantity<Planar> velocity_of(const Frame<Planar>&, int);
template Quantity<Spatial> velocity_of(const Frame<Spatial>&, int);
template Quantity<Planar> distance_between(const Frame<Planar>&, const Frame<Planar>&);
template Quantity<Spatial> distance_between(const Frame<Spatial>&, const Frame<Spatial>&);

}  // namespace linkwork
