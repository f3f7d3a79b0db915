#pragma once

#include <linkwork/core/space.hpp>

#include <concepts>
#include <memory>
#include <string>

namespace linkwork {

template <class Space>
struct ModelData;
template <class Space>
class BodyRef;

/// The model of a handle, and whether it is still there: elements live while their model, or equations made from it,
/// do.
template <class Data>
class ModelLink {
 public:
  ModelLink() = default;
  ModelLink(Data* model);  // NOLINT: a model is all it takes
  /// Of a model that may be changed.
  template <class Other>
  requires std::same_as<const Other, Data> ModelLink(const ModelLink<Other>& other)  // NOLINT: as of pointers
      : model_(other.model_), alive_(other.alive_) {}

  /// For comparisons; what it points to may be gone.
  operator Data*() const { return model_; }  // NOLINT: it is a pointer that knows more
  bool is_gone() const { return model_ && alive_.expired(); }
  /// @throws ModelError if there is no model, or it is gone
  Data* operator->() const;

 private:
  template <class>
  friend class ModelLink;
  Data* model_ = nullptr;
  std::weak_ptr<Data> alive_;
};

/// A frame fixed to a body (or to the ground): `body.at(offset, rotation)`. Offsets are in the body's axes, measured
/// from the body's own origin.
template <class Space>
struct Frame {
  int body = -1;  ///< index of the body; -1 is the ground
  ModelLink<const ModelData<Space>> model = {};
  ExactVector<Space> offset = Vector<Space>::Zero();           ///< [m]
  ExactOrientation<Space> orientation = no_rotation<Space>();  ///< of the frame in the body
};

/// Handle of a body; stays valid while its model (or equations made from it) lives, also when the model is moved.
template <class Space>
class BodyRef {
 public:
  BodyRef() = default;
  BodyRef(int index, ModelData<Space>* model) : index_(index), model_(model) {}

  int index() const { return index_; }
  bool is_ground() const { return index_ < 0; }
  const ModelLink<ModelData<Space>>& model() const { return model_; }
  /// @throws ModelError for a handle of no body, of a model that is gone, or with a number that the model does not
  /// have; so do all functions below
  std::string name() const;

  /// The frame at `offset` [m, body axes], turned by `orientation`.
  /// @throws ModelError if a number is not finite, a quaternion is no unit quaternion (within 1e-6; it is normalised
  /// then), or a point body is given an offset
  Frame<Space> at(const ExactVector<Space>& offset,
                  const ExactOrientation<Space>& orientation = no_rotation<Space>()) const;
  /// The body's own frame.
  Frame<Space> origin() const { return at(Vector<Space>::Zero()); }

  /// Sets where the body's origin is at the start and how the body is turned.
  /// @throws ModelError for the ground, for numbers that are not finite, for a rotation of a point body, for a model
  /// that is already in use
  BodyRef& place(const ExactVector<Space>& position, const ExactOrientation<Space>& orientation = no_rotation<Space>());
  /// Sets the velocity of the body's origin [m/s, ground axes] and its angular velocity [rad/s, ground axes].
  /// @throws ModelError as place()
  BodyRef& move(const ExactVector<Space>& velocity,
                const ExactAngular<Space>& angular_velocity = zero_angular<Space>());

  friend bool operator==(const BodyRef& a, const BodyRef& b) { return a.index_ == b.index_ && a.model_ == b.model_; }

 private:
  int index_ = -1;
  ModelLink<ModelData<Space>> model_;
};

extern template class BodyRef<Planar>;
extern template class BodyRef<Spatial>;

/// Handle of a constraint. Joints and constraints are numbered together, in the order in which they were added.
template <class Space>
struct ConstraintRef {
  int index = -1;
  ModelLink<const ModelData<Space>> model = {};
};
/// Handle of a joint; it can stand wherever a constraint can.
template <class Space>
struct JointRef : ConstraintRef<Space> {};
/// Handle of a force element.
template <class Space>
struct ForceRef {
  int index = -1;
  ModelLink<const ModelData<Space>> model = {};
};

}  // namespace linkwork
