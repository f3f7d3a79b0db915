#pragma once

#include <linkwork/core/handles.hpp>

namespace linkwork {

class EquationsOfMotion;

/// The entries of p and v that the coordinates of a joint are: p from p on, `coordinates` of them; v likewise.
struct CoordinatePlaces {
  int p = 0, coordinates = 0;
  int v = 0, freedoms = 0;
};

/// Where the coordinates of a joint stand in the unknowns of the equations, in the joint's own order and signs
/// (Joint::pose, Joint::rate): `state.p.segment(places.p, places.coordinates)`. A joint of the spanning tree has such
/// entries in relative coordinates, and in mixed ones; driven and rigid joints have none of them.
/// @throws ModelError for a joint of another model, and where the joint has no coordinates of its own among the
/// unknowns (absolute coordinates; a joint that closes a loop): measure joint_coordinate there, which does in all
/// formulations
template <class Space>
CoordinatePlaces places_of(const EquationsOfMotion& equations, const JointRef<Space>& joint);

extern template CoordinatePlaces places_of(const EquationsOfMotion&, const JointRef<Planar>&);
extern template CoordinatePlaces places_of(const EquationsOfMotion&, const JointRef<Spatial>&);

}  // namespace linkwork
