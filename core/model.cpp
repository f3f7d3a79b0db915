#include <linkwork/core/model.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/constraint_force.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/nearest_names.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr const char* ground_name = "ground";
constexpr const char* gone_text =
    "the model of this handle is gone; use handles while their model, or a simulation of it, is there";

// Texts of messages.

const char* kind_name(ElementKind kind) {
  switch (kind) {
    case ElementKind::body:
      return "body";
    case ElementKind::joint:
      return "joint";
    case ElementKind::constraint:
      return "constraint";
    case ElementKind::force:
      return "force";
  }
  return "element";
}

/// "joint 'elbow' (revolute)"
std::string described(ElementKind kind, const std::string& name, std::string_view type) {
  return concat(kind_name(kind), " '", name, "' (", type, ")");
}

// Checks of numbers.

bool all_finite(double value) { return std::isfinite(value); }
bool all_finite(const Eigen::VectorXd& values) { return values.allFinite(); }

/// "(1 2 3)"
std::string shown(double value) { return concat(value); }
std::string shown(const Eigen::VectorXd& values) {
  const Eigen::IOFormat in_a_row(Eigen::StreamPrecision, Eigen::DontAlignCols, " ", " ", "", "", "(", ")");
  return concat(values.format(in_a_row));
}

template <class Value>
void require_finite(const std::string& where, const char* what, const Value& value, const char* unit) {
  if (!all_finite(value))
    throw ModelError(
        concat(where, ": the ", what, " is ", shown(value), *unit ? " " : "", unit, "; expected finite numbers."));
}

/// Of an invariant.
template <class Value>
void require_direction(const std::string& name, const char* what, const Value& value) {
  const std::string where = concat("add_invariant: '", name, "'");
  require_finite(where, what, value, "");
  if (value == Value(0 * value))
    throw ModelError(concat(where, ": the ", what, " is zero; give one of any other length."));
}

double checked_orientation(const std::string& where, double angle) {
  require_finite(where, "angle", angle, "rad");
  return angle;
}
Eigen::Quaterniond checked_orientation(const std::string& where, const Eigen::Quaterniond& q) {
  constexpr double tolerance = 1e-6;  // typed with seven digits or more
  if (!(std::abs(q.norm() - 1) <= tolerance))
    throw ModelError(concat(where, ": the quaternion (w, x, y, z) = (", q.w(), " ", q.x(), " ", q.y(), " ", q.z(),
                            ") has norm ", q.norm(), "; expected a unit quaternion: call normalized()."));
  return q.normalized();
}

bool is_rotation(double angle) { return angle != 0; }
bool is_rotation(const Eigen::Quaterniond& q) { return !q.vec().isZero(0); }
bool is_zero(double value) { return value == 0; }
bool is_zero(const Eigen::Vector3d& value) { return value.isZero(0); }

Pose<Planar> make_pose(const Eigen::Vector2d& position, double angle) {
  return {position, rotation_matrix(angle), angle};
}
Pose<Spatial> make_pose(const Eigen::Vector3d& position, const Eigen::Quaterniond& orientation) {
  return {position, rotation_matrix(orientation)};
}

// Checks of a model.

template <class Space>
void require_unused(const ModelData<Space>& data, const std::string& where) {
  if (data.in_use)
    throw ModelError(concat(where, ": model '", data.name,
                            "' is in use by equations of motion and can't change any more; finish the model first, or "
                            "build another one."));
}

template <class Space>
void require_new_name(const ModelData<Space>& data, const char* where, ElementKind kind, const std::string& name) {
  if (name.empty())
    throw ModelError(concat(where, ": the name of a ", kind_name(kind), " is empty; give it a name of its own."));
  if (name == ground_name)
    throw ModelError(concat(where, ": a ", kind_name(kind), " can't be named '", ground_name,
                            "', which is the ground of every model; choose another name."));
  const auto found = data.elements.find(name);
  if (found != data.elements.end())
    throw ModelError(concat(where, ": ", kind_name(kind), " '", name, "': there is already a ",
                            kind_name(found->second.kind), " of this name; names are unique across all elements."));
}

/// A body of a user's own class may answer anything.
template <class Space>
void require_body(const std::string& element, const Body<Space>& body) {
  const std::string where = concat("add_body: ", element);
  if (!(std::isfinite(body.mass()) && body.mass() >= 0))
    throw ModelError(concat(where, ": the mass is ", body.mass(), " kg; expected >= 0."));
  require_finite(where, "centre of mass", body.center_of_mass(), "m");
  if (!body.rotates()) {
    if (!body.center_of_mass().isZero(0))
      throw ModelError(concat(where, ": the centre of mass is ", shown(body.center_of_mass()),
                              " m; a body that does not rotate has it at its origin."));
    return;
  }
  const typename Body<Space>::Inertia inertia = body.inertia();
  if (!inertia.allFinite()) throw ModelError(concat(where, ": the inertia is not finite; expected kg m^2."));
  const double size = inertia.cwiseAbs().maxCoeff();
  constexpr double rounding = 1e-12;
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > rounding * size)
    throw ModelError(concat(where, ": the inertia is not symmetric; expected a symmetric matrix."));
  const double smallest = symmetric_eigenvalues(inertia).minCoeff();
  if (smallest < -rounding * size)
    throw ModelError(concat(where, ": the smallest principal moment of inertia is ", smallest,
                            " kg m^2; expected none below zero."));
}

template <class Space>
void require_own_frames(const ModelData<Space>& data, const std::string& where,
                        const std::vector<Frame<Space>>& frames) {
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Frame<Space>& frame = frames[k];
    const std::string which = concat(where, ": frame ", k + 1);
    if (frame.model.is_gone()) throw ModelError(concat(which, ": ", gone_text, "."));
    if (frame.model != &data || frame.body < -1 || frame.body >= static_cast<int>(data.bodies.size()))
      throw ModelError(concat(which, " belongs to ",
                              frame.model && frame.model != &data ? "another" : "no body of this",
                              " model; take it from a body of model '", data.name, "' by body.at(offset)."));
    require_finite(which, "offset", frame.offset, "m");
    checked_orientation(which, frame.orientation);
  }
}

/// Reports are found by their names.
template <class Element>
void require_names_of_reports(const std::string& where, const Element& element) {
  std::vector<std::string> names;
  for (const ElementReport& report : element.reports()) {
    if (report.name.empty()) throw ModelError(concat(where, " has a report without a name; give each a name."));
    if (std::find(names.begin(), names.end(), report.name) != names.end())
      throw ModelError(concat(where, " has two reports of the name '", report.name, "'; give them names that differ."));
    names.push_back(report.name);
  }
}

template <class Space>
void require_effect(const std::string& where, const std::vector<Frame<Space>>& frames) {
  if (frames.empty())
    throw ModelError(concat(where, " has no frames and contributes nothing; give it a frame on a body."));
  if (std::all_of(frames.begin(), frames.end(), [](const Frame<Space>& frame) { return frame.body < 0; }))
    throw ModelError(concat(where,
                            " has all its frames on the ground and contributes nothing; give it a frame on a "
                            "body."));
}

template <class Space>
BodyEntry<Space>& entry_of(const BodyRef<Space>& body, const char* where) {
  if (body.is_ground())
    throw ModelError(concat(where, ": the ground can't be placed or moved; place the bodies instead."));
  require_unused(*body.model(), concat(where, ": body '", body.name(), "'"));
  return body.model()->bodies[static_cast<std::size_t>(body.index())];
}

template <class Space>
void require_body_of(const BodyRef<Space>& body, const char* where) {
  if (!body.model()) throw ModelError(concat(where, ": this handle belongs to no body; take it from add_body."));
  if (body.model().is_gone()) throw ModelError(concat(where, ": ", gone_text, "."));
  body.model()->body_name(body.index());
}

/// The element of a handle, which says what it is the handle of.
template <class Entry, class Data>
const Entry& entry_at(const std::vector<Entry>& entries, int index, const Data& model, const char* what) {
  if (index < 0 || index >= static_cast<int>(entries.size()))
    throw ModelError(concat("model '", model.name, "' has no ", what, " of number ", index, "; it has ", entries.size(),
                            ", counted from 0. Take handles from the functions that add elements."));
  return entries[static_cast<std::size_t>(index)];
}

// Momenta.

template <class Space>
Frame<Space> centre_of_mass(const ModelData<Space>& data, std::size_t body) {
  return {static_cast<int>(body), &data, data.bodies[body].body->center_of_mass()};
}
/// Angular momentum about the centre of mass, ground axes [kg m^2/s].
double spin(const Body<Planar>::Inertia& inertia, const Pose<Planar>&, double omega) { return inertia(0, 0) * omega; }
Eigen::Vector3d spin(const Body<Spatial>::Inertia& inertia, const Pose<Spatial>& pose, const Eigen::Vector3d& omega) {
  return pose.rotation * (inertia * (pose.rotation.transpose() * omega));
}

/// Index of the element of this kind and name.
template <class Space>
int index_of(const ModelData<Space>& data, ElementKind kind, std::string_view name) {
  const auto fits = [kind](ElementKind k) {
    return k == kind || (kind == ElementKind::constraint && k == ElementKind::joint);
  };
  const auto found = data.elements.find(name);
  if (found != data.elements.end() && fits(found->second.kind)) return found->second.index;

  std::vector<std::string_view> names;
  for (const auto& [other, id] : data.elements)
    if (fits(id.kind)) names.push_back(other);
  const std::string hint =
      found == data.elements.end() ? "" : concat(" ('", name, "' is a ", kind_name(found->second.kind), ")");
  throw ModelError(concat(kind_name(kind), ": model '", data.name, "' has no ", kind_name(kind), " '", name, "'", hint,
                          "; there are: ", nearest_names(name, names), "."));
}

}  // namespace

template <class Space>
const std::string& ModelData<Space>::body_name(int body) const {
  static const std::string ground = ground_name;
  return body == -1 ? ground : entry_at(bodies, body, *this, "body").name;
}

template <class Data>
ModelLink<Data>::ModelLink(Data* model) : model_(model) {
  if (model) alive_ = model->weak_from_this();
}

template <class Data>
Data* ModelLink<Data>::operator->() const {
  if (!model_) throw ModelError("this handle belongs to no model; take handles from the functions that add elements.");
  if (is_gone()) throw ModelError(concat(gone_text, "."));
  return model_;
}

template <class Space>
const ConstraintEntry<Space>& element_of(const ConstraintRef<Space>& handle) {
  return entry_at(handle.model->constraints, handle.index, *handle.model, "constraint");
}
template <class Space>
const ConstraintEntry<Space>& element_of(const JointRef<Space>& handle) {
  const ConstraintEntry<Space>& entry = element_of(static_cast<const ConstraintRef<Space>&>(handle));
  if (!entry.joint) throw ModelError(concat("'", entry.name, "' is a constraint and no joint; give a joint."));
  return entry;
}
template <class Space>
const ForceEntry<Space>& element_of(const ForceRef<Space>& handle) {
  return entry_at(handle.model->forces, handle.index, *handle.model, "force element");
}

template <class Space>
std::string BodyRef<Space>::name() const {
  require_body_of(*this, "name");
  return model_->body_name(index_);
}

template <class Space>
Frame<Space> BodyRef<Space>::at(const ExactVector<Space>& offset, const ExactOrientation<Space>& orientation) const {
  require_body_of(*this, "at");
  const std::string where = concat("at: body '", name(), "'");
  require_finite(where, "offset", offset, "m");
  if (!is_ground() && !model_->bodies[static_cast<std::size_t>(index_)].body->rotates() && !offset.isZero(0))
    throw ModelError(
        concat(where, " is a point, and the offset is ", shown(offset), " m; use origin(), or a body that rotates."));
  return {index_, model_, offset, checked_orientation(where, orientation)};
}

template <class Space>
BodyRef<Space>& BodyRef<Space>::place(const ExactVector<Space>& position, const ExactOrientation<Space>& orientation) {
  require_body_of(*this, "place");
  BodyEntry<Space>& entry = entry_of(*this, "place");
  const std::string where = concat("place: body '", name(), "'");
  require_finite(where, "position", position, "m");
  const Orientation<Space> checked = checked_orientation(where, orientation);
  if (!entry.body->rotates() && is_rotation(checked))
    throw ModelError(
        concat(where, " (", entry.body->type(), ") is a point and can't be turned; leave the orientation out."));
  entry.orientation = checked;
  entry.pose = make_pose(position, checked);
  return *this;
}

template <class Space>
BodyRef<Space>& BodyRef<Space>::move(const ExactVector<Space>& velocity, const ExactAngular<Space>& angular_velocity) {
  require_body_of(*this, "move");
  BodyEntry<Space>& entry = entry_of(*this, "move");
  const std::string where = concat("move: body '", name(), "'");
  require_finite(where, "velocity", velocity, "m/s");
  require_finite(where, "angular velocity", angular_velocity, "rad/s");
  if (!entry.body->rotates() && !is_zero(angular_velocity))
    throw ModelError(concat(where, " (", entry.body->type(), ") is a point and has no angular velocity, but was given ",
                            shown(angular_velocity), " rad/s; leave it out."));
  entry.velocity = {angular_velocity, velocity};
  return *this;
}

template <class Space>
Model<Space>::Model(std::string name) {
  data_->name = std::move(name);
}

template <class Space>
const std::shared_ptr<ModelData<Space>>& Model<Space>::Block::shared() const {
  if (!data_) throw ModelError("Model: this model was moved away; use the model that it was moved to.");
  return data_;
}

template <class Space>
void Model<Space>::set_gravity(const ExactVector<Space>& gravity) {
  require_unused(*data_, "set_gravity");
  require_finite("set_gravity", "gravity", gravity, "m/s^2");
  data_->gravity = gravity;
}

template <class Space>
void Model<Space>::add_observable(const std::string& name, const std::string& unit,
                                  std::function<double(const Snapshot<Space>&)> value) {
  require_unused(*data_, concat("add_observable: '", name, "'"));
  if (name.empty()) throw ModelError("add_observable: the name of an observable is empty; give it a name of its own.");
  if (!value)
    throw ModelError(concat("add_observable: '", name, "' has no function; give one that returns its value."));
  for (const ObservableEntry<Space>& other : data_->observables)
    if (other.name == name)
      throw ModelError(concat("add_observable: there is already an observable '", name, "'; choose another name."));
  data_->observables.push_back({name, unit, std::move(value)});
}

template <class Space>
void Model<Space>::adopt_invariant(InvariantEntry<Space> entry) {
  const std::string where = concat("add_invariant: '", entry.name, "'");
  require_unused(*data_, where);
  if (entry.name.empty())
    throw ModelError("add_invariant: the name of an invariant is empty; give it a name of its own.");
  if (entry.level) require_finite(where, "level", *entry.level, entry.unit.c_str());
  for (const InvariantEntry<Space>& other : data_->invariants)
    if (other.name == entry.name)
      throw ModelError(concat("add_invariant: there is already an invariant '", entry.name, "'; choose another name."));
  data_->invariants.push_back(std::move(entry));
}

template <class Space>
void Model<Space>::add_invariant(const std::string& name, const std::string& unit,
                                 std::function<double(const Snapshot<Space>&)> value, std::optional<double> level) {
  if (!value) throw ModelError(concat("add_invariant: '", name, "' has no function; give one that returns its value."));
  adopt_invariant({name, unit, std::move(value), level});
}

template <class Space>
void Model<Space>::add_energy_invariant(const std::string& name, std::optional<double> level) {
  adopt_invariant({name, "J", {}, level});
}

template <class Space>
void Model<Space>::add_momentum_invariant(const std::string& name, const ExactVector<Space>& direction,
                                          std::optional<double> level) {
  require_direction(name, "direction", direction);
  const auto momentum = [data = &*data_, direction](const Snapshot<Space>& snapshot) {
    double sum = 0;
    for (std::size_t i = 0; i < data->bodies.size(); ++i)
      sum += data->bodies[i].body->mass() * direction.dot(snapshot.velocity(centre_of_mass(*data, i)).linear);
    return sum;
  };
  adopt_invariant({name, "kg m/s", momentum, level});
}

template <class Space>
void Model<Space>::add_angular_momentum_invariant(const std::string& name, const ExactVector<Space>& point,
                                                  const ExactAngular<Space>& axis, std::optional<double> level) {
  require_finite(concat("add_invariant: '", name, "'"), "point", point, "m");
  require_direction(name, "axis", axis);
  const auto momentum = [data = &*data_, point, axis](const Snapshot<Space>& snapshot) {
    double sum = 0;
    for (std::size_t i = 0; i < data->bodies.size(); ++i) {
      const Body<Space>& body = *data->bodies[i].body;
      const Frame<Space> frame = centre_of_mass(*data, i);
      const Pose<Space> pose = snapshot.pose(frame);
      const Twist<Space> velocity = snapshot.velocity(frame);
      const Vector<Space> arm = pose.position - point, linear = body.mass() * velocity.linear;
      sum += dot(axis, cross(arm, linear));
      if (body.rotates()) sum += dot(axis, spin(body.inertia(), pose, velocity.angular));
    }
    return sum;
  };
  adopt_invariant({name, "kg m^2/s", momentum, level});
}

template <class Space>
BodyRef<Space> Model<Space>::adopt_body(const std::string& name, std::unique_ptr<const Body<Space>> body) {
  require_unused(*data_, concat("add_body: '", name, "'"));
  require_new_name(*data_, "add_body", ElementKind::body, name);
  if (!body) throw ModelError(concat("add_body: the recipe of body '", name, "' made no body."));
  require_body(described(ElementKind::body, name, body->type()), *body);

  const int index = static_cast<int>(data_->bodies.size());
  BodyEntry<Space> entry;
  entry.name = name;
  entry.body = std::move(body);
  data_->bodies.push_back(std::move(entry));
  data_->elements.emplace(name, ElementId{ElementKind::body, index});
  return BodyRef<Space>(index, &*data_);
}

template <class Space>
JointRef<Space> Model<Space>::adopt_joint(const std::string& name, const Frame<Space>& father, const Frame<Space>& son,
                                          std::unique_ptr<Joint<Space>> joint) {
  require_unused(*data_, concat("add_joint: '", name, "'"));
  require_new_name(*data_, "add_joint", ElementKind::joint, name);
  const std::string where = concat("add_joint: ", described(ElementKind::joint, name, joint->type()));
  require_own_frames(*data_, where, {father, son});
  if (father.body == son.body)
    throw ModelError(concat(where, " would connect ",
                            father.body < 0 ? "the ground" : concat("body '", data_->body_name(father.body), "'"),
                            " to itself; the two bodies must differ."));
  if (joint->freedoms() < 0 || joint->freedoms() > Space::n)
    throw ModelError(concat(where, " has ", joint->freedoms(), " freedoms; expected 0 to ", Space::n, " in a ",
                            Space::name, " model."));

  if (joint->contacts() != 0)
    throw ModelError(concat(where, " has ", joint->contacts(),
                            " contact-point coordinates; a joint has none: make it a constraint."));

  static_cast<Constraint<Space>&>(*joint).attach({father, son});
  const int index = static_cast<int>(data_->constraints.size());
  const Joint<Space>* same = joint.get();
  data_->constraints.push_back({name, std::move(joint), same});
  data_->elements.emplace(name, ElementId{ElementKind::joint, index});
  return {{index, &*data_}};
}

template <class Space>
ConstraintRef<Space> Model<Space>::adopt_constraint(const std::string& name,
                                                    std::unique_ptr<const Constraint<Space>> constraint) {
  require_unused(*data_, concat("add_constraint: '", name, "'"));
  require_new_name(*data_, "add_constraint", ElementKind::constraint, name);
  const std::string where = concat("add_constraint: ", described(ElementKind::constraint, name, constraint->type()));
  for (const JointRef<Space>& joint : constraint->joints())
    if (joint.model != &*data_ || joint.index < 0 || joint.index >= static_cast<int>(data_->constraints.size()) ||
        !data_->constraints[static_cast<std::size_t>(joint.index)].joint)
      throw ModelError(concat(where, " couples a joint that is not on the graph of model '", data_->name,
                              "'; add the joint first and give the handle that add_joint returned."));
  require_own_frames(*data_, where, constraint->frames());
  require_effect(where, constraint->frames());
  if (constraint->rows() < 1)
    throw ModelError(concat(where, " has ", constraint->rows(), " rows and contributes nothing; expected at least 1."));
  if (constraint->memory_size() < 0)
    throw ModelError(concat(where, " has ", constraint->memory_size(), " numbers of memory; expected 0 or more."));
  if (constraint->contacts() < 0)
    throw ModelError(concat(where, " has ", constraint->contacts(), " contact-point coordinates; expected 0 or more."));
  for (int i = 0; i < constraint->contacts(); ++i)
    require_finite(where, concat("initial value of contact-point coordinate ", i).c_str(),
                   constraint->initial_contact(i), "");
  require_names_of_reports(where, *constraint);

  if (rows_read_velocities(constraint->level()) && constraint->contacts() > 0)
    throw ModelError(concat(where, " has contact-point coordinates, which rows that depend on velocities can't have; ",
                            "leave them to a constraint of its own."));
  const bool has_own_forces = constraint->has_own_forces();
  if (has_own_forces && constraint->level() != Level::servo)
    throw ModelError(concat(where, " has forces of its own and is no servo: the forces of other constraints act along ",
                            "their rows; make its level Level::servo, or leave has_own_forces out."));
  const std::string force_name = name + ": force";
  if (has_own_forces) require_new_name(*data_, "add_constraint", ElementKind::force, force_name);

  const int index = static_cast<int>(data_->constraints.size());
  data_->constraints.push_back({name, std::move(constraint), nullptr});
  data_->elements.emplace(name, ElementId{ElementKind::constraint, index});
  const ConstraintRef<Space> handle(index, &*data_);
  if (has_own_forces)
    adopt_force(force_name, std::make_unique<ConstraintForce<Space>>(
                                *data_->constraints[static_cast<std::size_t>(index)].constraint, handle));
  return handle;
}

template <class Space>
ForceRef<Space> Model<Space>::adopt_force(const std::string& name, std::unique_ptr<const ForceElement<Space>> force) {
  require_unused(*data_, concat("add_force: '", name, "'"));
  require_new_name(*data_, "add_force", ElementKind::force, name);
  const std::string where = concat("add_force: ", described(ElementKind::force, name, force->type()));
  require_own_frames(*data_, where, force->frames());
  require_effect(where, force->frames());
  for (const ConstraintRef<Space>& read : force->reactions()) {
    if (read.model != &*data_ || read.index < 0 || read.index >= static_cast<int>(data_->constraints.size()))
      throw ModelError(concat(where, " reads the reaction of a constraint that is not in model '", data_->name,
                              "'; add the joint or constraint first and give the handle that add_joint or "
                              "add_constraint returned."));
  }
  for (const ConstraintRef<Space>& read : force->contact_sources()) {
    if (read.model != &*data_ || read.index < 0 || read.index >= static_cast<int>(data_->constraints.size()))
      throw ModelError(concat(where, " reads the contact point of a constraint that is not in model '", data_->name,
                              "'; add the constraint first and give the handle that add_constraint returned."));
    const ConstraintEntry<Space>& source = data_->constraints[static_cast<std::size_t>(read.index)];
    if (source.constraint->contacts() == 0)
      throw ModelError(concat(where, " reads the contact point of '", source.name, "' (", source.constraint->type(),
                              "), which has no contact-point coordinates; give a constraint that has."));
  }
  const auto require_count = [&](const char* what, int count) {
    if (count < 0) throw ModelError(concat(where, " has ", count, " ", what, "; expected 0 or more."));
  };
  require_names_of_reports(where, *force);
  require_count("states", force->states());
  require_count("switches", force->switches());
  require_count("numbers of memory", force->memory_size());
  for (int i = 0; i < force->states(); ++i)
    require_finite(where, concat("initial value of state ", i).c_str(), force->initial_state(i), "");
  require_count("auxiliary variables", force->auxiliaries());
  for (int i = 0; i < force->auxiliaries(); ++i) {
    require_finite(where, concat("initial value of auxiliary variable ", i).c_str(), force->initial_auxiliary(i), "");
    const double typical = force->typical_auxiliary(i);
    if (!(std::isfinite(typical) && typical > 0))
      throw ModelError(concat(where, " gives auxiliary variable ", i, " the typical size ", typical,
                              "; expected a finite value > 0."));
  }

  const int index = static_cast<int>(data_->forces.size());
  data_->forces.push_back({name, std::move(force)});
  data_->elements.emplace(name, ElementId{ElementKind::force, index});
  return {index, &*data_};
}

template <class Space>
BodyRef<Space> Model<Space>::body(std::string_view name) const {
  return name == ground_name ? ground() : BodyRef<Space>(index_of(*data_, ElementKind::body, name), &*data_);
}
template <class Space>
JointRef<Space> Model<Space>::joint(std::string_view name) const {
  return {{index_of(*data_, ElementKind::joint, name), &*data_}};
}
template <class Space>
ConstraintRef<Space> Model<Space>::constraint(std::string_view name) const {
  return {index_of(*data_, ElementKind::constraint, name), &*data_};
}
template <class Space>
ForceRef<Space> Model<Space>::force(std::string_view name) const {
  return {index_of(*data_, ElementKind::force, name), &*data_};
}

template <class Space>
std::shared_ptr<const ModelData<Space>> Model<Space>::share() const {
  data_->in_use = true;
  return data_.shared();
}

template <class Space>
void Model<Space>::rethrow_named(const std::string& name, const std::invalid_argument& error) {
  throw ModelError(concat("'", name, "': ", error.what()));
}

template class ModelLink<ModelData<Planar>>;
template class ModelLink<ModelData<Spatial>>;
template class ModelLink<const ModelData<Planar>>;
template class ModelLink<const ModelData<Spatial>>;
template const ConstraintEntry<Planar>& element_of(const ConstraintRef<Planar>&);
template const ConstraintEntry<Spatial>& element_of(const ConstraintRef<Spatial>&);
template const ConstraintEntry<Planar>& element_of(const JointRef<Planar>&);
template const ConstraintEntry<Spatial>& element_of(const JointRef<Spatial>&);
template const ForceEntry<Planar>& element_of(const ForceRef<Planar>&);
template const ForceEntry<Spatial>& element_of(const ForceRef<Spatial>&);
template struct ModelData<Planar>;
template struct ModelData<Spatial>;
template class BodyRef<Planar>;
template class BodyRef<Spatial>;
template class Model<Planar>;
template class Model<Spatial>;

}  // namespace linkwork
