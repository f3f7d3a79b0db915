#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/core/state.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

// Impulses: velocities jump at a position that stays (R. Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 11).
// With the generalised impulse J = sum of (frame's Jacobian)^T (its impulse), the jump of velocities and the
// multipliers Lambda of the joints' impulses follow from
//
//   [M G^T; G 0] [jump; Lambda] = [J; -(G v + offset)],
//
// so that afterwards v satisfies all constraints, drives and nonholonomic ones included; where v did before, the last
// entry is zero. Finite forces take no part, friction that reads reactions neither; positions and states r stay. What
// is given and returned are forces and torques times their infinitely short time [N s, N m s], on frames, ground axes:
// the same in all formulations, as they come from one motion of the bodies. Where constraints are redundant, Lambda is
// that of least norm, which depends on the formulation's rows; everything else is unique. Bodies without mass are fine
// where M is definite on ker G.
//
// These are for the effects of events (Event::effect), for starts, and for studies without a run:
//
//   simulation.add_event(
//                 {.observable = "gap", .direction = Event::Direction::falling, .action = Event::Action::change,
//                  .effect = [&](State& state, EquationsOfMotion& equations) {
//                    const Impact<Planar> hit = collide(equations, state, hammer.at({0.4, 0}), model.ground(),
//                                                       /*normal*/ {0, 1}, /*restitution*/ 0.6);
//                    largest = std::max(largest, hit.reaction(bearing).force.norm());
//                  }});

/// An impulse on a body.
template <class Space>
struct FrameImpulse {
  Frame<Space> frame;
  Wrench<Space> impulse;  ///< at the frame's origin, ground axes [N s, N m s]
};

/// What an impulse did.
template <class Space>
struct Impact {
  std::vector<FrameImpulse<Space>> applied;  ///< what acted from outside
  Eigen::VectorXd jump;                      ///< of v; n_v
  Eigen::VectorXd multipliers;               ///< Lambda; n_lambda + n_mu [N s, N m s]
  std::vector<Wrench<Space>> reactions;      ///< of all joints and constraints, as they are numbered in the model

  /// Impulse of a joint or constraint on its last frame (a joint's son), at that frame, ground axes: what
  /// Snapshot::reaction is for finite forces.
  /// @throws ModelError for an element of another model
  const Wrench<Space>& reaction(const ConstraintRef<Space>& constraint) const;
};

/// Strikes one body; state.v jumps, and the equations are left at the state.
/// @param impulse  at the frame's origin, ground axes [N s, N m s]
/// @throws ModelError for the ground, which nothing moves, for a frame of another model, for a torque on a point mass,
/// for numbers that are not finite, and for equations that are no graph of bodies in this space
/// @throws RecoverableFailure where [M G^T; G 0] is singular; in an effect it ends the run with its message
template <class Space>
Impact<Space> apply_impulse(EquationsOfMotion& equations, State& state, const Frame<Space>& frame,
                            const Wrench<Space>& impulse);

/// Several at one instant, such as an impulse on one body and its opposite on another. Frames on the ground are left
/// out of account here.
template <class Space>
Impact<Space> apply_impulses(EquationsOfMotion& equations, State& state,
                             const std::vector<FrameImpulse<Space>>& impulses);

/// For equations that were never a graph of bodies: a generalised impulse J of n_v entries. Returns Lambda.
/// @throws ModelError for a wrong size or numbers that are not finite
Eigen::VectorXd apply_impulse(EquationsOfMotion& equations, State& state, const Eigen::VectorXd& impulse);

/// Collision without friction of one body with another, or with the ground, at the origin of `point`: the impulse along
/// the normal, and its opposite on the other body at the same place, that makes the relative velocity there along the
/// normal -restitution times what it was. It asks nothing about which way that velocity was: the event's direction
/// does. Kinetic energy is lost for restitution < 1 (for two free bodies (1 - restitution^2) times the part in the
/// relative motion along the normal). Repeat apply_impulse for friction.
/// @param normal       ground axes, any length but zero, either way
/// @param restitution  0 (plastic) to 1 (elastic)
/// @throws ModelError as apply_impulse; for both on one body, a normal of length zero, a restitution outside of 0 to 1,
/// and where constraints hold both bodies along the normal, so that no impulse changes anything
template <class Space>
Impact<Space> collide(EquationsOfMotion& equations, State& state, const Frame<Space>& point,
                      const BodyRef<Space>& other, const Vector<Space>& normal, double restitution);

extern template struct Impact<Planar>;
extern template struct Impact<Spatial>;
extern template Impact<Planar> apply_impulse(EquationsOfMotion&, State&, const Frame<Planar>&, const Wrench<Planar>&);
extern template Impact<Spatial> apply_impulse(EquationsOfMotion&, State&, const Frame<Spatial>&,
                                              const Wrench<Spatial>&);
extern template Impact<Planar> apply_impulses(EquationsOfMotion&, State&, const std::vector<FrameImpulse<Planar>>&);
extern template Impact<Spatial> apply_impulses(EquationsOfMotion&, State&, const std::vector<FrameImpulse<Spatial>>&);
extern template Impact<Planar> collide(EquationsOfMotion&, State&, const Frame<Planar>&, const BodyRef<Planar>&,
                                       const Vector<Planar>&, double);
extern template Impact<Spatial> collide(EquationsOfMotion&, State&, const Frame<Spatial>&, const BodyRef<Spatial>&,
                                        const Vector<Spatial>&, double);

}  // namespace linkwork
