#pragma once

#include <linkwork/core/state.hpp>

#include <Eigen/Core>
#include <string>
#include <vector>

namespace linkwork {

struct Energies {
  double kinetic = 0;          ///< [J]
  double potential = 0;        ///< of gravity and of elements that store energy [J]
  double element_storage = 0;  ///< the elements' share of `potential` [J]
};

/// Largest constraint residuals at one state, by unit.
struct ConstraintResidual {
  double position_m = 0, position_rad = 0;
  double velocity_m_per_s = 0, velocity_rad_per_s = 0;
  double normalisation = 0;  ///< | |q| - 1 |
};

/// What is read of equations of motion beside what integrates them.
class EquationReports {
 public:
  // At the current point.
  virtual Energies energies() = 0;
  /// Power of all force elements on the bodies, and of driven constraints [W]: the rate of `energies` without what the
  /// elements store. With the accelerations and multipliers of the last set(State).
  virtual double element_power() = 0;
  virtual ConstraintResidual constraint_residual() = 0;

  /// Named quantities of interest.
  virtual std::vector<std::string> observable_names() const { return {}; }
  /// At a whole state, v' and lambda included. The current point is changed to it.
  virtual void observables(const State& /*state*/, Eigen::VectorXd& values) { values.resize(0); }

 protected:
  ~EquationReports() = default;
};

}  // namespace linkwork
