#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/auxiliary_unknowns.hpp>
#include <linkwork/topology/topology.hpp>

#include <memory>

namespace linkwork {

/// Equations of motion in relative coordinates (CORR 1 to 5): the coordinates of the joints of a spanning tree, in the
/// order of the labels of the bodies they lead to (see Topology); all other joints and constraints are rows. A body
/// that no joint leads to gets six (planar: three; point bodies: those of a position) freedoms in the ground, of its
/// centre of mass. The equations publish a JointTree; M and G are assembled when they are asked for.
///
/// Position: each joint's q, as the joint counts it. Velocity: each joint's v. Driven joints have neither and move the
/// tree. Initial values come from where the bodies are placed: every tree joint must fit that, within 1e-6 [m, rad, and
/// per second].
///
/// @param topology  how loops are cut; joint_tree is set here
/// @param auxiliary  what becomes of the w and s of elements
/// @param rough_placement  tree joints that do not fit the bodies start at the nearest coordinates and velocities
/// @throws ModelError if the model has no body, an element contributes nothing, or a tree joint does not fit the bodies
/// that it joins (naming the joint and the gap)
std::unique_ptr<EquationsOfMotion> make_relative_equations(const Model<Planar>& model,
                                                           const TopologyOptions& topology = {},
                                                           AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated,
                                                           bool rough_placement = false);
std::unique_ptr<EquationsOfMotion> make_relative_equations(const Model<Spatial>& model,
                                                           const TopologyOptions& topology = {},
                                                           AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated,
                                                           bool rough_placement = false);

}  // namespace linkwork
