#pragma once

#include <linkwork/core/handles.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/core/space.hpp>

#include <string_view>

namespace linkwork {

/// What an element sees of the mechanism when it is evaluated: its own frames, unknowns and memory, and what it asked
/// for of others. A view; it owns nothing and is valid during the call only.
template <class Space>
class Motion {
 public:
  Motion(Instant time, const FrameMotion<Space>* frames, const double* states, const double* memory,
         const Wrench<Space>* reactions, const double* auxiliary = nullptr, const double* contacts = nullptr)
      : time_(time),
        frames_(frames),
        states_(states),
        memory_(memory),
        reactions_(reactions),
        auxiliary_(auxiliary),
        contacts_(contacts) {}

  Instant time() const { return time_; }  ///< [s]
  /// k-th of the element's frames(). Velocities are valid in forces and in do_bias only.
  const FrameMotion<Space>& frame(int k) const { return frames_[k]; }
  /// i-th of the element's own states r (force elements).
  double state(int i) const { return states_[i]; }
  /// i-th of the element's own auxiliary variables w (force elements).
  double auxiliary(int i) const { return auxiliary_[i]; }
  /// Constraints: i-th of the element's own contact-point coordinates s. Force elements: i-th of those of its
  /// contact_sources(), one source after the other.
  double contact(int i) const { return contacts_[i]; }
  /// i-th number of the element's memory; constant while a step is computed.
  double memory(int i) const { return memory_[i]; }
  /// Wrench of the father on the son, at the son's joint frame, of the i-th of the element's reactions().
  const Wrench<Space>& reaction(int i) const { return reactions_[i]; }
  /// The same element at another time, with its frames elsewhere; for differences along the motion.
  Motion at(Instant time, const FrameMotion<Space>* frames) const {
    return Motion(time, frames, states_, memory_, reactions_, auxiliary_, contacts_);
  }
  /// With other auxiliary variables, or other contact-point coordinates.
  Motion with_auxiliary(const double* auxiliary) const {
    return Motion(time_, frames_, states_, memory_, reactions_, auxiliary, contacts_);
  }
  Motion with_contacts(const double* contacts) const {
    return Motion(time_, frames_, states_, memory_, reactions_, auxiliary_, contacts);
  }

 private:
  Instant time_;
  const FrameMotion<Space>* frames_;
  const double* states_;
  const double* memory_;
  const Wrench<Space>* reactions_;
  const double* auxiliary_;
  const double* contacts_;
};

/// What observables and events of a graph model see: any frame, any reaction, at one state of the whole system.
template <class Space>
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual double time() const = 0;
  virtual Pose<Space> pose(const Frame<Space>& frame) const = 0;
  /// Ground axes, of the frame's origin.
  virtual Twist<Space> velocity(const Frame<Space>& frame) const = 0;
  virtual Twist<Space> acceleration(const Frame<Space>& frame) const = 0;
  /// Wrench on the constraint's last frame (a joint's son), at that frame, ground axes.
  virtual Wrench<Space> reaction(const ConstraintRef<Space>& constraint) const = 0;
  /// Lagrange multiplier of one row.
  virtual double multiplier(const ConstraintRef<Space>& constraint, int row) const = 0;
  /// State r of a force element.
  virtual double state(const ForceRef<Space>& force, int index) const = 0;
  /// Auxiliary variable w of a force element.
  virtual double auxiliary(const ForceRef<Space>& force, int index) const = 0;
  /// Contact-point coordinate s of a constraint.
  virtual double contact(const ConstraintRef<Space>& constraint, int index) const = 0;
  /// What a force element puts on the k-th of its frames, at that frame, ground axes.
  virtual Wrench<Space> wrench(const ForceRef<Space>& force, int frame) const = 0;
  /// A number that an element tells of itself, by its name among the element's reports(), such as "length".
  virtual double reported(const ForceRef<Space>& force, std::string_view name) const = 0;
  virtual double reported(const ConstraintRef<Space>& constraint, std::string_view name) const = 0;
};

}  // namespace linkwork
