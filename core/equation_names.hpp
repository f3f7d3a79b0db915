#pragma once

#include <linkwork/core/measure.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// What the unknowns and rows of equations of motion are called in messages, and what they measure.
class EquationNames {
 public:
  virtual std::string model_name() const { return "equations"; }
  virtual std::string space_name() const { return "none"; }
  virtual std::string formulation_name() const { return "given"; }

  virtual std::string position_name(int i) const;
  virtual std::string velocity_name(int i) const;
  virtual std::string state_name(int i) const;
  virtual std::string auxiliary_name(int i) const;
  virtual std::string contact_name(int i) const;
  virtual std::string constraint_name(int row) const;
  /// Name of the element that a constraint row belongs to: whole elements are what a user can change.
  virtual std::string constraint_element(int row) const { return constraint_name(row); }
  /// Names of the elements that hold each other in a row: that of the constraint, in joint coordinates those of the
  /// loop that it closes, so that every formulation tells a user the same.
  virtual std::vector<std::string> elements_of_row(int row) const { return {constraint_element(row)}; }
  virtual std::string input_name(int i) const;
  virtual std::string invariant_name(int i) const;
  /// Whatever an invariant measures: "J" of an energy.
  virtual std::string invariant_unit(int /*i*/) const { return ""; }

  virtual Measure position_measure(int /*i*/) const { return Measure::unknown; }
  /// Of what a velocity is the rate.
  virtual Measure velocity_measure(int /*i*/) const { return Measure::unknown; }
  /// Of a constraint's residual at the position level.
  virtual Measure constraint_measure(int /*row*/) const { return Measure::unknown; }
  /// A length that makes angles and lengths comparable [m], the same in all formulations: of a graph of bodies the root
  /// mean square of the arms from centres of mass to the frames of constraints; where there are none, of the bodies'
  /// radii of gyration; of points that of their distances at the start.
  virtual double characteristic_length() const { return 1; }

 protected:
  ~EquationNames() = default;
};

}  // namespace linkwork
