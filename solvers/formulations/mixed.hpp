#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/auxiliary_unknowns.hpp>
#include <linkwork/topology/topology.hpp>

#include <memory>

namespace linkwork {

/// Equations of motion in mixed coordinates (MEXX 1.10 to 1.15): those of the bodies, as in absolute coordinates, and
/// those of the joints, in the order of the model. Every joint is the relation between the two,
///
///   0 = log(X(t,q)^-1 X_AB)      six rows (planar: three): the pose error of the joint's frame on the son, its axes
///   0 = V_AB - S v_q - drift     its rate on the joint, with V_AB the twist of the son in the father
///
/// so that M is that of the bodies alone, zero for the joints, and M and G are sparse whatever the joint. Joints at
/// bodies that do not rotate, and joints whose reaction a force element reads, stay the constraints they are.
///
/// Rows: holonomic constraints, relations of joints, nonholonomic constraints. Joint coordinates follow from those of
/// the bodies and do not count in error estimates.
///
/// @param auxiliary  what becomes of the w and s of elements
/// @throws ModelError if the model has no body or an element contributes nothing
std::unique_ptr<EquationsOfMotion> make_mixed_equations(const Model<Planar>& model,
                                                        const TopologyOptions& topology = {},
                                                        AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated);
std::unique_ptr<EquationsOfMotion> make_mixed_equations(const Model<Spatial>& model,
                                                        const TopologyOptions& topology = {},
                                                        AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated);

}  // namespace linkwork
