#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/auxiliary_unknowns.hpp>
#include <linkwork/topology/topology.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork {

/// The coordinates that the equations of motion of a model are written in.
enum class Formulation {
  absolute,  ///< coordinates of bodies; joints are constraints (MEXX 1.2)
  mixed,     ///< coordinates of bodies and of joints together (MEXX 1.3)
  relative   ///< coordinates of the joints of a spanning tree; the other joints close loops (CORR 1)
};

/// "absolute", "mixed" and "relative", in this order.
const std::vector<std::string>& formulation_names();
const std::string& name_of(Formulation formulation);
/// @throws ModelError for an unknown name, listing the known ones
Formulation formulation_named(const std::string& name);

struct EquationsOptions {
  Formulation formulation = Formulation::absolute;
  /// How loops are cut open; `joint_tree` is set by the mixed and the relative formulation.
  TopologyOptions topology = {};
  /// Integrators that solve for w and s take them carried; eliminated, every integrator can.
  AuxiliaryUnknowns auxiliary = AuxiliaryUnknowns::eliminated;
  /// Bodies may be placed, and move, off what their joints allow; relative coordinates then start at the nearest values
  /// that joints do allow, as mixed ones always do. Else they refuse it.
  bool rough_placement = false;
};

/// @throws ModelError if the model has no body, an element contributes nothing, or the cuts make no sense
std::unique_ptr<EquationsOfMotion> make_equations(const Model<Planar>& model, const EquationsOptions& options = {});
std::unique_ptr<EquationsOfMotion> make_equations(const Model<Spatial>& model, const EquationsOptions& options = {});

}  // namespace linkwork
