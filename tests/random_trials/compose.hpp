#pragma once

#include "description.hpp"

#include <linkwork/core/model.hpp>

#include <string>

namespace linkwork::test {

/// How a described mechanism enters a model.
struct Composition {
  /// Metres are counted in another unit: lengths, forces and gravity times this, torques and inertias times its square;
  /// masses and times stay.
  double unit = 1;
  unsigned order = 0;  ///< other than 0: elements are added in another order, drawn from this seed
  bool report = true;  ///< observables of accelerations and reactions, see `accelerations` and `reactions`
};

/// The model of a described mechanism. Observables: of every body, in the order of the description, its angular
/// acceleration and the acceleration of its origin (1 + 2 in the plane, 3 + 3 in space), its attitude (cosine and sine,
/// or the matrix by columns) and its position; then of every joint torque and force of the reaction.
template <class Space>
Model<Space> compose(const Description& mechanism, const Composition& how = {});
extern template Model<Planar> compose<Planar>(const Description&, const Composition&);
extern template Model<Spatial> compose<Spatial>(const Description&, const Composition&);

/// A C++ program that composes and runs the mechanism.
std::string program_of(const Description& mechanism);

}  // namespace linkwork::test
