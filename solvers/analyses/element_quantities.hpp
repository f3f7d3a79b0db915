#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

// Internal: what elements tell of themselves, for those who read runs by names.

namespace linkwork {

/// All that the elements of a mechanism tell, element by element in the order of the model: of joints the coordinates,
/// velocities and reaction, of constraints the reaction and reports, of force elements the reports. Nothing where the
/// equations were never a graph of bodies. What elements are asked for, they are asked when it is read.
class ElementQuantities {
 public:
  ElementQuantities() = default;
  explicit ElementQuantities(const EquationsOfMotion& equations);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }

  /// Some of them at a whole state, which the equations are set to: in one look, and those of redundant rows from one
  /// choice of reactions. What an element can't tell there is no number.
  void read(EquationsOfMotion& equations, const State& state, const std::vector<std::size_t>& which,
            double* values) const;

 private:
  std::variant<std::vector<Quantity<Planar>>, std::vector<Quantity<Spatial>>> quantities_;
  std::vector<std::string> names_, units_;
};

/// Whether rows depend on each other at the current position, so that reactions are not unique. It decomposes all rows.
bool has_open_reactions(EquationsOfMotion& equations);

/// Of the observables, in their order; "" where nothing is known.
std::vector<std::string> observable_units(const EquationsOfMotion& equations);

}  // namespace linkwork
