#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/core/state.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

/// What can be measured of a mechanism at one state, with its name and unit; it is an observable without a model.
template <class Space>
struct Quantity {
  std::string name, unit;
  std::function<double(const Snapshot<Space>&)> value;
  double period = 0;  ///< of an angle that is known up to full turns; 0 where there is none
};

/// A coordinate of a joint, measured from its frames [m, rad, quaternion]: the nearest one where they do not fit the
/// joint exactly. It is the same in all formulations. Angles count full turns in the plane; in space they are those
/// nearest to the joint's zero.
/// @param i  counted from 0, as Joint::pose takes them
/// @throws ModelError if the joint has no such coordinate
template <class Space>
Quantity<Space> joint_coordinate(const JointRef<Space>& joint, int i = 0);
/// A velocity of a joint [m/s, rad/s]; the nearest one where frames move as the joint does not allow.
/// @param i  counted from 0, as Joint::rate takes them
/// @throws ModelError if the joint has no such freedom
template <class Space>
Quantity<Space> joint_velocity(const JointRef<Space>& joint, int i = 0);

/// A component of the reaction of a joint or constraint: the wrench on its last frame (a joint's son) at that frame, in
/// ground axes, the torque first [N m], then the force [N]. It is the same in all formulations.
/// @param i  from 0, below Space::n
/// @throws ModelError for a component that the space does not have
template <class Space>
Quantity<Space> reaction_component(const ConstraintRef<Space>& constraint, int i);
/// A number that a force element or a constraint tells of itself (reports()), by its name there.
/// @throws ModelError if it reports no such number
template <class Space>
Quantity<Space> report_of(const ForceRef<Space>& force, std::string_view name);
template <class Space>
Quantity<Space> report_of(const ConstraintRef<Space>& constraint, std::string_view name);

/// All that the elements of a model tell, element by element: of joints the coordinates, velocities and reaction, of
/// constraints the reaction and reports, of force elements the reports.
template <class Space>
std::vector<Quantity<Space>> quantities_of_elements(const ModelData<Space>& model);

/// A number that the states of some equations have, in whatever space they are.
struct StateQuantity {
  std::string unit;
  std::function<double(const State& state, EquationsOfMotion& equations)> value;
  double period = 0;  ///< as Quantity::period
};
/// What an element tells by its name, such as "main bearing: coordinate 1", "main bearing: velocity 1", "main bearing:
/// reaction force x" or "buffer: length"; none where no element tells it, or the equations were never a graph of
/// bodies.
std::optional<StateQuantity> element_quantity_named(const EquationsOfMotion& equations, const std::string& name);

/// Position of a frame's origin [m] and its velocity [m/s] along an axis of the ground, 0 for x.
/// @throws ModelError for an axis that the space does not have
template <class Space>
Quantity<Space> position_of(const Frame<Space>& frame, int axis);
template <class Space>
Quantity<Space> velocity_of(const Frame<Space>& frame, int axis);
/// Angle of a frame in the ground [rad]; counts full turns.
Quantity<Planar> angle_of(const Frame<Planar>& frame);
/// Angular velocity of a frame [rad/s], in space along an axis of the ground.
/// @throws ModelError for an axis that the space does not have
Quantity<Planar> angular_velocity_of(const Frame<Planar>& frame);
Quantity<Spatial> angular_velocity_of(const Frame<Spatial>& frame, int axis);
/// Distance of two frames' origins [m].
template <class Space>
Quantity<Space> distance_between(const Frame<Space>& first, const Frame<Space>& second);

/// A function of what is seen of a mechanism, at a whole state; the equations are set to it.
/// @throws ModelError where the equations are not those of a graph of bodies in this space
double measure(EquationsOfMotion& equations, const State& state,
               const std::function<double(const Snapshot<Planar>&)>& value);
double measure(EquationsOfMotion& equations, const State& state,
               const std::function<double(const Snapshot<Spatial>&)>& value);

extern template Quantity<Planar> joint_coordinate(const JointRef<Planar>&, int);
extern template Quantity<Spatial> joint_coordinate(const JointRef<Spatial>&, int);
extern template Quantity<Planar> joint_velocity(const JointRef<Planar>&, int);
extern template Quantity<Spatial> joint_velocity(const JointRef<Spatial>&, int);
extern template Quantity<Planar> reaction_component(const ConstraintRef<Planar>&, int);
extern template Quantity<Spatial> reaction_component(const ConstraintRef<Spatial>&, int);
extern template Quantity<Planar> report_of(const ForceRef<Planar>&, std::string_view);
extern template Quantity<Spatial> report_of(const ForceRef<Spatial>&, std::string_view);
extern template Quantity<Planar> report_of(const ConstraintRef<Planar>&, std::string_view);
extern template Quantity<Spatial> report_of(const ConstraintRef<Spatial>&, std::string_view);
extern template std::vector<Quantity<Planar>> quantities_of_elements(const ModelData<Planar>&);
extern template std::vector<Quantity<Spatial>> quantities_of_elements(const ModelData<Spatial>&);
extern template Quantity<Planar> position_of(const Frame<Planar>&, int);
extern template Quantity<Spatial> position_of(const Frame<Spatial>&, int);
extern template Quantity<Planar> velocity_of(const Frame<Planar>&, int);
extern template Quantity<Spatial> velocity_of(const Frame<Spatial>&, int);
extern template Quantity<Planar> distance_between(const Frame<Planar>&, const Frame<Planar>&);
extern template Quantity<Spatial> distance_between(const Frame<Spatial>&, const Frame<Spatial>&);

}  // namespace linkwork
