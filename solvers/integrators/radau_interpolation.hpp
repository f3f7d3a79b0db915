#pragma once

// Internal: the continuous solution of radau.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/integrators/collocation_polynomial.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/manifold/kinematic_inverse.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// Positions, velocities and states between the ends of a step, by what is exact there:
///
///   p  of degree 5: p, p' and p'' at both ends
///   v  of degree 4: v and v' at both ends, and at the middle the velocity that goes with p' there
///   r  of degree 4: r and r' at both ends, and at the middle the collocation polynomial, corrected by r' at the start
///
/// Errors are of order 6, 5 and 5 in the step, and in constrained directions too, where collocation has order 4.
class RadauInterpolation {
 public:
  RadauInterpolation(EquationsOfMotion& equations, const MotionLayout& layout);

  /// An end of a step: y, and the residual F of the equations there with y' = 0, whose first rows are the rates.
  struct End {
    double t;
    const Eigen::VectorXd& y;
    const Eigen::VectorXd& F;
  };
  /// Changes the position of the equations.
  /// @param h  of the step; the difference of its times has lost digits where it is short
  /// @param collocation  of the same step
  void set(const End& start, const End& end, double h, const CollocationPolynomial& collocation);
  /// p, v and r at theta, and their rates; what else there is in y and y_rate is left.
  void evaluate(double theta, Eigen::VectorXd& y, Eigen::VectorXd& y_rate) const;

  DensePolynomial::Group positions(const std::vector<int>& chosen) const { return p_.group(chosen); }
  DensePolynomial::Group velocities(const std::vector<int>& chosen) const { return v_.group(chosen); }
  DensePolynomial::Group states(const std::vector<int>& chosen) const { return r_.group(chosen); }

 private:
  /// What the columns of data are multiplied by at one theta, for the value and its derivative.
  struct Shape {
    Eigen::VectorXd value, slope;
  };
  /// Value and derivatives by theta at 0, perhaps a value at 1/2, value and derivatives at 1: one row per component.
  struct Data {
    int ends = 0, middle = 0;
    Eigen::MatrixXd columns;
    void resize(Eigen::Index rows, int at_each_end, int at_middle);
    Shape shape(double theta) const;
    DensePolynomial::Group group(const std::vector<int>& chosen) const;
  };
  /// p'' = d/dt (Z v).
  void find_curve(const End& end);
  void find_middle_velocity(double t);

  EquationsOfMotion& equations_;
  MotionLayout at_;
  KinematicInverse inverse_;
  double h_ = 0;
  Data p_, v_, r_;
  Eigen::VectorXd point_, rate_, rate_after_, velocity_, image_, curve_, middle_, slope_;
};

}  // namespace linkwork
