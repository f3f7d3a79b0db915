#pragma once

#include <linkwork/core/body.hpp>
#include <linkwork/core/constraint.hpp>
#include <linkwork/core/force_element.hpp>
#include <linkwork/core/joint.hpp>

#include <string>
#include <utility>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

/// Where the conformance kit tries an element.
struct ConformanceOptions {
  unsigned seed = 1;  ///< one seed gives the same points again
  int samples = 20;   ///< random points, >= 1
  /// How far joint coordinates go from the joint's zero, and frames from the first one, along and about each axis
  /// [m, rad], > 0. Keep it inside the element's range: points where it throws RecoverableFailure are left out.
  double reach = 1;
  double last_time = 1;  ///< times are between a tenth of this and this [s], > 0
  /// Forces: the element has a potential and a source of energy besides (a motor with a spring in it), so that its
  /// energy balance says nothing.
  bool feeds_energy = false;
};

/// One claim that does not hold.
struct ConformanceFailure {
  std::string function;  ///< the function to mend, "do_motion_bias"
  int sample = -1;       ///< at which of the samples the deviation is worst; -1 if it is no matter of a point
  std::string message;   ///< the function, by how much it is wrong, what was expected and why, at which point
};

/// What the conformance kit found about one element.
class ConformanceReport {
 public:
  ConformanceReport(std::string element, int samples, int comparisons, std::vector<ConformanceFailure> failures)
      : element_(std::move(element)), samples_(samples), comparisons_(comparisons), failures_(std::move(failures)) {}

  /// Whether the element conforms.
  explicit operator bool() const { return failures_.empty(); }
  const std::vector<ConformanceFailure>& failures() const { return failures_; }
  /// Numbers that were compared.
  int comparisons() const { return comparisons_; }
  /// A sentence, then a line for each failure.
  std::string summary() const;

 private:
  std::string element_;
  int samples_, comparisons_;
  std::vector<ConformanceFailure> failures_;
};

// The conformance kit: verifies that the functions of an element belong together, by differences and balances at random
// points. What is derived by default is checked as what is given. No model is needed: the frames are moved here, bodies
// as rigid ones, the ground at rest.
//
// All four look for: sizes that make no sense; values that are not finite or not written; writing beyond the declared
// sizes, reading of frames, states, unknowns, memory or reactions that are not declared, and of velocities where they
// are not valid (all of that is hidden behind values that are not finite); results that are not the same when asked
// again.
//
// Expected derivatives are sixth-order central differences with step h, half of difference_step() or less where motions
// are fast. The bound of a first derivative D is 1e-9 (1 + |D|), a hundred times what the differences of the library's
// own elements leave, plus the differences' own error at the point: what changes between steps h and 2 h, and the
// rounding 16 eps (1 + |f|) / h. Second derivatives, and a bias from nested differences: 1e-8 (1 + |D|) in place of
// 1e-9. A point where the own error is above 1e-3 (1 + |D|) has a kink nearby and is not judged.
//
// Where one function is found wrong, those that can be judged only with its help are left out of the report.
//
// All throw ModelError for options out of their range.

/// Joints. X(q), do_pose, is the truth. On random points of the joint's manifold, the father in motion:
///   do_home, do_retract      finite, one array for q and q_new allowed, a step of zeros restores a perturbed norm, all
///                            tangent directions independent
///   do_pose                  a rotation and a position
///   do_rate                  the derivative of the retraction
///   rate_is_velocity, is_shift   hold where they are declared
///   do_motion, do_motion_bias, constant_motion   X; S and drift from differences of X; the derivative of S v + drift
///   do_locate                finds X(q) from near by and from the joint's zero, and a pose near it
///   do_residual              zero on the manifold
///   do_rows                  vanish on every motion of the joint (N S = 0, N drift + rate = 0), independent, blind to
///                            common motions, the derivative of the residual on the manifold, and to within the
///                            distance near it
///   do_bias                  the derivative of the rows along the joint's motion
///   is_angular, row_use, is_invariant    as for constraints
template <class Space>
ConformanceReport check_joint(const Joint<Space>& joint, const ConformanceOptions& options = {});

/// Constraints, with their frames in random motion; where the constraint names joints() of its model, these bodies move
/// as the joints allow. Contact coordinates are solved for at every point, those along a motion too; points without a
/// solution are left out.
///   do_contact_residual      has a solution for s near initial_contact, with a regular derivative
///   do_rows (or do_position_rows where has_position_rows)   the derivative of the residual, for every motion
///   do_rows                  independent; with has_position_rows they span the rows of dg where g = 0; blind to common
///                            motions if is_relative()
///   do_bias                  the derivative of the rows along the motion
///   is_angular               true for rows that act on angular velocities only, false for rows on velocities only
///   row_use, is_invariant    nothing else is measured, read or acted on: what they leave out is moved
template <class Space>
ConformanceReport check_constraint(const Constraint<Space>& constraint, const ConformanceOptions& options = {});

/// Force elements. An element that stores energy E gives back at most what it stored: with the time and its states
/// held,
///   power on the bodies + dE/dt <= 0
/// in every motion, also in very slow ones, where a damper does nothing and the equality must hold both ways. Without a
/// potential there is nothing to balance. Also: the size of its states, memory, switches, and what remember writes for
/// every switch; do_auxiliary has a solution for w near initial_auxiliary, with a regular derivative (points without
/// one are left out), and w follows in the balance; use, rate_use and auxiliary_use leave nothing out that the element
/// reads or puts on a frame (what they leave out is moved).
template <class Space>
ConformanceReport check_force(const ForceElement<Space>& force, const ConformanceOptions& options = {});

/// Bodies: mass and inertia are those of a body; gyroscopic_torque does no work (internal_energy is constant), and
/// is_plain() says truly that it is -omega x I omega.
template <class Space>
ConformanceReport check_body(const Body<Space>& body, const ConformanceOptions& options = {});

/// Equations of motion that were posed directly, at random points within reach of their initial state (positions by
/// tangent steps, which need not satisfy the constraints; velocities and multipliers of size one):
///   do_M                     symmetric; x . M x >= 0 for some x; do_multiply_mass gives M x
///   do_G (or do_C)           rows and offset are the derivative of g along Z x and with time
///   do_gamma                 minus the derivative of G v + offset along the motion with v held
///   forces_read_multipliers, do_force_jacobian   whether f reads lambda, and its derivative
///   do_invariant_jacobian    the derivative of the invariants
/// Every run does the same at its start, at one point and along one direction, with equations that are of no graph.
ConformanceReport check_equations(EquationsOfMotion& equations, const ConformanceOptions& options = {});

extern template ConformanceReport check_joint(const Joint<Planar>&, const ConformanceOptions&);
extern template ConformanceReport check_joint(const Joint<Spatial>&, const ConformanceOptions&);
extern template ConformanceReport check_constraint(const Constraint<Planar>&, const ConformanceOptions&);
extern template ConformanceReport check_constraint(const Constraint<Spatial>&, const ConformanceOptions&);
extern template ConformanceReport check_force(const ForceElement<Planar>&, const ConformanceOptions&);
extern template ConformanceReport check_force(const ForceElement<Spatial>&, const ConformanceOptions&);
extern template ConformanceReport check_body(const Body<Planar>&, const ConformanceOptions&);
extern template ConformanceReport check_body(const Body<Spatial>&, const ConformanceOptions&);

}  // namespace linkwork
