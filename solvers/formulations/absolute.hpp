#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/auxiliary_unknowns.hpp>
#include <linkwork/topology/topology.hpp>

#include <memory>

namespace linkwork {

/// Equations of motion in absolute coordinates (MEXX 1.2): every body has coordinates of its own, every joint is a
/// constraint. M is constant and block diagonal.
///
/// Position of a body: its angle [rad] or quaternion (w, x, y, z), then its centre of mass [m, ground axes]; a body
/// that does not rotate has the latter only. Velocity: the angular velocity [rad/s, body axes], then the velocity of
/// the centre of mass [m/s, ground axes]. Bodies come in the order of their labels in the spanning tree (see Topology),
/// so that neighbours lie side by side whatever the order they were added in; the names tell which is which. Constraint
/// rows: holonomic ones first; each kind in the order of the bodies that the rows are kept with, cuts last.
///
/// @param auxiliary  what becomes of the w and s of elements
/// @throws ModelError if the model has no body or an element contributes nothing
std::unique_ptr<EquationsOfMotion> make_absolute_equations(const Model<Planar>& model,
                                                           const TopologyOptions& topology = {},
                                                           AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated);
std::unique_ptr<EquationsOfMotion> make_absolute_equations(const Model<Spatial>& model,
                                                           const TopologyOptions& topology = {},
                                                           AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated);

}  // namespace linkwork
