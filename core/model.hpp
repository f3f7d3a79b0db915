#pragma once

#include <linkwork/core/body.hpp>
#include <linkwork/core/constraint.hpp>
#include <linkwork/core/element_arguments.hpp>
#include <linkwork/core/force_element.hpp>
#include <linkwork/core/handles.hpp>
#include <linkwork/core/joint.hpp>

#include <atomic>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

template <class Space>
struct BodyEntry {
  std::string name;
  std::unique_ptr<const Body<Space>> body;
  Pose<Space> pose;  ///< of the body's origin at the start
  Orientation<Space> orientation = no_rotation<Space>();
  Twist<Space> velocity;
};
template <class Space>
struct ConstraintEntry {
  std::string name;
  std::unique_ptr<const Constraint<Space>> constraint;
  const Joint<Space>* joint = nullptr;  ///< the same element where it is a joint
};
template <class Space>
struct ForceEntry {
  std::string name;
  std::unique_ptr<const ForceElement<Space>> force;
};
template <class Space>
struct ObservableEntry {
  std::string name, unit;
  std::function<double(const Snapshot<Space>&)> value;
};

/// A solution invariant of a model. The total energy has no function: the equations know it.
template <class Space>
struct InvariantEntry {
  std::string name, unit;
  std::function<double(const Snapshot<Space>&)> value;
  std::optional<double> level;  ///< none: that of the initial state
};

enum class ElementKind { body, joint, constraint, force };
/// Where a named element stands: joints and constraints share one numbering.
struct ElementId {
  ElementKind kind = ElementKind::body;
  int index = -1;
};

/// The elements of a model, in one block on the heap that handles point to. Written by Model only.
template <class Space>
struct ModelData : std::enable_shared_from_this<ModelData<Space>> {
  std::string name = "model";
  Vector<Space> gravity = Vector<Space>::Zero();
  std::vector<BodyEntry<Space>> bodies;
  std::vector<ConstraintEntry<Space>> constraints;  ///< joints too
  std::vector<ForceEntry<Space>> forces;
  std::vector<ObservableEntry<Space>> observables;
  std::vector<InvariantEntry<Space>> invariants;
  std::map<std::string, ElementId, std::less<>> elements;  ///< by name
  /// Equations were made from it: nothing may be added any more. Atomic, because threads may share one model.
  std::atomic<bool> in_use{false};

  /// "ground" for -1. @throws ModelError for a number that no body has
  const std::string& body_name(int body) const;
};

/// What a handle stands for.
/// @throws ModelError for a handle of no element, of a model that is gone, or with a number that the model does not
/// have
template <class Space>
const ConstraintEntry<Space>& element_of(const ConstraintRef<Space>& handle);
template <class Space>
const ConstraintEntry<Space>& element_of(const JointRef<Space>& handle);
template <class Space>
const ForceEntry<Space>& element_of(const ForceRef<Space>& handle);

/// A mechanism: a graph of bodies, joints, constraints and force elements. Names are unique across all elements.
/// A model can be moved; handles stay valid, and every function of the model that was moved from throws ModelError.
/// Equations of motion share the block of elements, and from then on the model can't be changed.
template <class Space>
class Model {
 public:
  explicit Model(std::string name = "model");
  Model(Model&&) noexcept = default;
  Model& operator=(Model&&) noexcept = default;

  const std::string& name() const { return data_->name; }
  /// Gravitational acceleration [m/s^2], ground axes.
  /// @throws ModelError if a number is not finite, or if the model is in use
  void set_gravity(const ExactVector<Space>& gravity);
  BodyRef<Space> ground() const { return BodyRef<Space>(-1, &*data_); }

  /// Adds a body from a recipe, such as MassProperties: anything with `make_body<Space>()`.
  /// @throws ModelError if the name is empty or taken, or if the mass properties are not those of a body
  template <class Recipe>
  requires requires(const Recipe& recipe) { recipe.template make_body<Space>(); }
  BodyRef<Space> add_body(const std::string& name, const Recipe& recipe) {
    return adopt_body(name, named_errors(name, [&] { return recipe.template make_body<Space>(); }));
  }
  /// Adds a body of a class template over the space, `add_body<PointMass>("bob", 1.0)`.
  template <template <class> class B, class... Arguments>
  BodyRef<Space> add_body(const std::string& name, Arguments&&... arguments) {
    return add_body<B<Space>>(name, std::forward<Arguments>(arguments)...);
  }
  /// Adds a body of a user's own class.
  template <std::derived_from<Body<Space>> B, class... Arguments>
  BodyRef<Space> add_body(const std::string& name, Arguments&&... arguments) {
    return adopt_body(name, make_named<B>(name, std::forward<Arguments>(arguments)...));
  }

  /// Joins a frame of the father to a frame of the son.
  /// @throws ModelError if the name is taken, a frame belongs to another model, or both frames are on one body
  template <template <class> class J, class... Arguments>
  JointRef<Space> add_joint(const std::string& name, const Frame<Space>& father, const Frame<Space>& son,
                            Arguments&&... arguments) {
    return add_joint<J<Space>>(name, father, son, std::forward<Arguments>(arguments)...);
  }
  template <std::derived_from<Joint<Space>> J, class... Arguments>
  JointRef<Space> add_joint(const std::string& name, const Frame<Space>& father, const Frame<Space>& son,
                            Arguments&&... arguments) {
    return adopt_joint(name, father, son, make_named<J>(name, std::forward<Arguments>(arguments)...));
  }
  /// No joint: says that frames are wanted.
  template <template <class> class J, class... Arguments>
  JointRef<Space> add_joint(const std::string&, const detail::BodyOrFrame<Space>&, const detail::BodyOrFrame<Space>&,
                            Arguments&&...) {
    detail::refuse_body<Space, J<Space>>();
    return {};
  }
  template <std::derived_from<Joint<Space>> J, class... Arguments>
  JointRef<Space> add_joint(const std::string&, const detail::BodyOrFrame<Space>&, const detail::BodyOrFrame<Space>&,
                            Arguments&&...) {
    detail::refuse_body<Space, J>();
    return {};
  }

  /// Adds a constraint; the arguments are those of its constructor.
  /// @throws ModelError if the name is taken, a frame belongs to another model, or the constraint has no rows or acts
  /// on the ground only; what the constructor throws, with the name before it
  template <template <class> class C, class... Arguments>
  ConstraintRef<Space> add_constraint(const std::string& name, Arguments&&... arguments) {
    return add_constraint<C<Space>>(name, std::forward<Arguments>(arguments)...);
  }
  template <std::derived_from<Constraint<Space>> C, class... Arguments>
  ConstraintRef<Space> add_constraint(const std::string& name, Arguments&&... arguments) {
    return adopt_constraint(name, make_named<C>(name, std::forward<Arguments>(arguments)...));
  }

  /// Adds a force element; the arguments are those of its constructor.
  /// @throws ModelError as add_constraint, and if it reads a reaction of another model
  template <template <class> class F, class... Arguments>
  ForceRef<Space> add_force(const std::string& name, Arguments&&... arguments) {
    return add_force<F<Space>>(name, std::forward<Arguments>(arguments)...);
  }
  template <std::derived_from<ForceElement<Space>> F, class... Arguments>
  ForceRef<Space> add_force(const std::string& name, Arguments&&... arguments) {
    return adopt_force(name, make_named<F>(name, std::forward<Arguments>(arguments)...));
  }

  /// The same with a braced list of options: add_force<SpringDamper>("spring", a, b, {.stiffness = 4530}).
  template <template <class> class F>
  requires requires { typename F<Space>::Options; }
  ForceRef<Space> add_force(const std::string& name, const Frame<Space>& first, const Frame<Space>& second,
                            const typename F<Space>::Options& options) {
    return adopt_force(name, make_named<F<Space>>(name, first, second, options));
  }

  template <std::derived_from<ForceElement<Space>> F>
  requires requires { typename F::Options; }
  ForceRef<Space> add_force(const std::string& name, const Frame<Space>& first, const Frame<Space>& second,
                            const typename F::Options& options) {
    return adopt_force(name, make_named<F>(name, first, second, options));
  }
  /// No force: says that frames are wanted.
  template <template <class> class F>
  requires requires { typename F<Space>::Options; }
  ForceRef<Space> add_force(const std::string&, const detail::BodyOrFrame<Space>&, const detail::BodyOrFrame<Space>&,
                            const typename F<Space>::Options&) {
    detail::refuse_body<Space, F<Space>>();
    return {};
  }
  template <std::derived_from<ForceElement<Space>> F>
  requires requires { typename F::Options; }
  ForceRef<Space> add_force(const std::string&, const detail::BodyOrFrame<Space>&, const detail::BodyOrFrame<Space>&,
                            const typename F::Options&) {
    detail::refuse_body<Space, F>();
    return {};
  }

  /// A named quantity of interest, reported in every output and independent of the formulation.
  /// @param unit  for people, "" if it has none
  /// @throws ModelError if the name is empty or taken by another observable, or the function is empty
  void add_observable(const std::string& name, const std::string& unit,
                      std::function<double(const Snapshot<Space>&)> value);

  // Solution invariants (GEOMS 3): quantities that every motion leaves constant, in whatever formulation. Integrators
  // keep them (keep_invariants), and refuse those that the forces change.
  // @param level  value that the quantity has at the start; none: its value there. Events may change it.
  // @throws ModelError if the name is empty or taken by another invariant, or a number is not finite

  /// Any function of time and of positions, velocities and contact coordinates in the snapshot.
  void add_invariant(const std::string& name, const std::string& unit,
                     std::function<double(const Snapshot<Space>&)> value, std::optional<double> level = {});
  /// The total energy [J]: kinetic, of gravity, and what force elements store. Equations of a model whose elements do
  /// work of other kinds (dampers, friction, motors, driven joints) refuse it by the element's name.
  void add_energy_invariant(const std::string& name = "energy", std::optional<double> level = {});
  /// The linear momentum along a direction of the ground [kg m/s].
  void add_momentum_invariant(const std::string& name, const ExactVector<Space>& direction,
                              std::optional<double> level = {});
  /// The angular momentum about a point of the ground [kg m^2/s], along an axis of the ground; rotors built into bodies
  /// are not counted.
  void add_angular_momentum_invariant(const std::string& name, const ExactVector<Space>& point,
                                      const ExactAngular<Space>& axis = z_axis<Space>(),
                                      std::optional<double> level = {});

  /// Looks an element up by its name; "ground" is the ground, and a joint is found as a constraint too.
  /// @throws ModelError naming the elements there are, the nearest names first
  BodyRef<Space> body(std::string_view name) const;
  JointRef<Space> joint(std::string_view name) const;
  ConstraintRef<Space> constraint(std::string_view name) const;
  ForceRef<Space> force(std::string_view name) const;

  /// The block of elements, for formulations and topology. Marks the model as in use.
  std::shared_ptr<const ModelData<Space>> share() const;
  const ModelData<Space>& data() const { return *data_; }

 private:
  void adopt_invariant(InvariantEntry<Space> entry);
  BodyRef<Space> adopt_body(const std::string& name, std::unique_ptr<const Body<Space>> body);
  JointRef<Space> adopt_joint(const std::string& name, const Frame<Space>& father, const Frame<Space>& son,
                              std::unique_ptr<Joint<Space>> joint);
  ConstraintRef<Space> adopt_constraint(const std::string& name, std::unique_ptr<const Constraint<Space>> constraint);
  ForceRef<Space> adopt_force(const std::string& name, std::unique_ptr<const ForceElement<Space>> force);

  /// Runs a constructor; puts the element's name before the message of what it throws.
  template <class Function>
  static auto named_errors(const std::string& name, Function&& make) {
    try {
      return make();
    } catch (const std::invalid_argument& error) {
      rethrow_named(name, error);
    }
  }
  template <class Element, class... Arguments>
  static std::unique_ptr<Element> make_named(const std::string& name, Arguments&&... arguments) {
    if constexpr (detail::can_be_made<Element, Arguments...>())
      return named_errors(name, [&] { return std::make_unique<Element>(std::forward<Arguments>(arguments)...); });
    else
      return nullptr;
  }
  [[noreturn]] static void rethrow_named(const std::string& name, const std::invalid_argument& error);

  /// The block of elements; using it throws ModelError once it was moved away.
  class Block {
   public:
    Block() : data_(std::make_shared<ModelData<Space>>()) {}
    ModelData<Space>& operator*() const { return *shared(); }
    ModelData<Space>* operator->() const { return shared().get(); }
    const std::shared_ptr<ModelData<Space>>& shared() const;

   private:
    std::shared_ptr<ModelData<Space>> data_;
  };
  Block data_;
};

using PlanarModel = Model<Planar>;
using SpatialModel = Model<Spatial>;

extern template class Model<Planar>;
extern template class Model<Spatial>;

}  // namespace linkwork
