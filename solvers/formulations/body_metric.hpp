#pragma once

// Internal: how far apart two states of a mechanism are, by its bodies and not by the coordinates of a formulation.

#include <linkwork/core/equations_of_motion.hpp>

#include <Eigen/Core>
#include <memory>

namespace linkwork {

/// Measures changes of a mechanism so that they are the same in all formulations. Positions: the sum over the bodies of
/// the squares of the displacement of the centre of mass and of the rotation, which counts by the characteristic length
/// (an angle phi of space as 4 sin(phi/4)) [m^2]. Velocities: twice the kinetic energy of the change over the mass of
/// all bodies [m^2/s^2]. A body without mass counts as if it had 1e-10 of the mean mass, at a radius of the
/// characteristic length, and so do the directions in which a body has none: what mass does not tell is told by metres
/// and radians, and changes nothing else by more than that.
class BodyMetric {
 public:
  virtual ~BodyMetric() = default;

  /// The bodies somewhere: what a change is measured from.
  struct Place {
    Eigen::VectorXd poses;   ///< centres of mass [m], attitudes
    Eigen::VectorXd twists;  ///< of the centres of mass, ground axes
  };
  /// As the user placed and moved them.
  virtual Place placed() const = 0;

  // At the current point of the equations.
  virtual Place here() = 0;
  /// Its squared norm is the change of positions; and its derivative along the columns of v.
  virtual Eigen::VectorXd position_change(const Place& from) = 0;
  virtual Eigen::MatrixXd position_derivative(const Place& from) = 0;
  /// The same of velocities, by v.
  virtual Eigen::VectorXd velocity_change(const Place& from) = 0;
  virtual Eigen::MatrixXd velocity_derivative() = 0;
};

/// Null for equations that are not of a graph of bodies. @param equations  outlive the result
std::unique_ptr<BodyMetric> make_body_metric(EquationsOfMotion& equations);

}  // namespace linkwork
