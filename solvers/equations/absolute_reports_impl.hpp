#pragma once

// What AbsoluteEquations reports: energies, residuals, names, observables, initial values.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/equations/absolute_equations.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace linkwork {

template <class Space>
Energies AbsoluteEquations<Space>::energies() {
  need_velocity();
  Energies out;
  work_v_.setZero();
  M().multiply_add(0.5, velocity(), work_v_);
  out.kinetic = velocity().dot(work_v_);
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const BodySlot& slot = bodies_[label];
    out.kinetic += slot.body->internal_energy();
    out.potential -= slot.body->mass() * data_->gravity.dot(poses_[label].position);
  }
  // Constraints do the work -lambda^T G v = lambda^T offset: none unless they are driven.
  work_v_ = gravity_;
  add_gyroscopic_torques(work_v_);
  out.element_power = (f() - work_v_).dot(velocity()) + multipliers().dot(velocity_offset());
  for (const ForceSlot& slot : forces_) {
    const double energy = slot.force->potential_energy(motion(slot));
    if (!std::isfinite(energy))
      throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(), ") gives a potential energy of ",
                                  energy, " J at t = ", time(), " s; check its function."));
    out.element_storage += energy;
  }
  out.potential += out.element_storage;
  return out;
}

template <class Space>
ConstraintResidual AbsoluteEquations<Space>::constraint_residual() {
  ConstraintResidual out;
  const auto keep_largest = [](double value, double& largest) { largest = std::max(largest, std::abs(value)); };
  const Eigen::VectorXd& rate = velocity_residual();
  const Eigen::VectorXd& position_residual = g();
  for (const ConstraintSlot& slot : constraints_) {
    for (int r = 0; r < slot.rows; ++r) {
      const int row = slot.row + r;
      const bool is_angular = slot.constraint->is_angular(r);
      if (row < dimensions().lambda)
        keep_largest(position_residual[row], is_angular ? out.position_rad : out.position_m);
      keep_largest(rate[row], is_angular ? out.velocity_rad_per_s : out.velocity_m_per_s);
    }
  }
  if constexpr (dimension == 3) {
    for (const BodySlot& slot : bodies_)
      if (slot.rotates) keep_largest(position().template segment<4>(slot.p).norm() - 1, out.normalisation);
  }
  return out;
}

// Names.

template <class Space>
const std::string& AbsoluteEquations<Space>::name(const ConstraintSlot& slot) const {
  return data_->constraints[static_cast<std::size_t>(slot.index)].name;
}
template <class Space>
const std::string& AbsoluteEquations<Space>::name(const ForceSlot& slot) const {
  return data_->forces[static_cast<std::size_t>(slot.index)].name;
}
template <class Space>
const std::string& AbsoluteEquations<Space>::body_name(int label) const {
  return data_->body_name(bodies_[static_cast<std::size_t>(label)].index);
}

namespace detail {

/// The last slot whose first entry is not beyond i.
template <class Slot>
const Slot& slot_with(const std::vector<Slot>& slots, int Slot::*first, int i) {
  return *std::prev(std::upper_bound(slots.begin(), slots.end(), i,
                                     [first](int value, const Slot& slot) { return value < slot.*first; }));
}

inline constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};
inline constexpr std::array<const char*, 4> quaternion_names{"qw", "qx", "qy", "qz"};

}  // namespace detail

template <class Space>
std::string AbsoluteEquations<Space>::position_name(int i) const {
  const BodySlot& slot = detail::slot_with(bodies_, &BodySlot::p, i);
  const std::string prefix = data_->body_name(slot.index) + ": ";
  if (i >= slot.linear_p()) return prefix + detail::axis_names[static_cast<std::size_t>(i - slot.linear_p())];
  return prefix + (dimension == 2 ? "angle" : detail::quaternion_names[static_cast<std::size_t>(i - slot.p)]);
}

template <class Space>
std::string AbsoluteEquations<Space>::position_unit(int i) const {
  const BodySlot& slot = detail::slot_with(bodies_, &BodySlot::p, i);
  if (i >= slot.linear_p()) return "m";
  return dimension == 2 ? "rad" : "";
}

template <class Space>
std::string AbsoluteEquations<Space>::velocity_name(int i) const {
  const BodySlot& slot = detail::slot_with(bodies_, &BodySlot::v, i);
  const std::string prefix = data_->body_name(slot.index) + ": ";
  if (i >= slot.linear_v())
    return prefix + detail::axis_names[static_cast<std::size_t>(i - slot.linear_v())] + " velocity";
  if constexpr (dimension == 2)
    return prefix + "angular velocity";
  else
    return prefix + "angular velocity " + detail::axis_names[static_cast<std::size_t>(i - slot.v)];
}

template <class Space>
std::string AbsoluteEquations<Space>::state_name(int i) const {
  const ForceSlot& slot = detail::slot_with(forces_, &ForceSlot::state, i);
  return concat(name(slot), ": state ", i - slot.state + 1);
}

template <class Space>
std::string AbsoluteEquations<Space>::constraint_name(int row) const {
  const ConstraintSlot& slot = detail::slot_with(constraints_, &ConstraintSlot::row, row);
  return concat(name(slot), ": row ", row - slot.row + 1);
}

template <class Space>
std::string AbsoluteEquations<Space>::switch_name(int index) const {
  const ForceSlot& slot = forces_[static_cast<std::size_t>(switch_owner_[static_cast<std::size_t>(index)])];
  return concat(name(slot), ": switch ", index - slot.first_switch + 1);
}

// Initial values.

template <class Space>
State AbsoluteEquations<Space>::initial_state() const {
  State out = EquationsOfMotion::initial_state();
  for (std::size_t label = 1; label < bodies_.size(); ++label) {
    const BodySlot& slot = bodies_[label];
    const BodyEntry<Space>& entry = data_->bodies[static_cast<std::size_t>(slot.index)];
    const Rotation<Space> R = rotation_matrix(entry.orientation);
    const Vector<Space> arm = R * slot.body->center_of_mass();
    out.p.template segment<dimension>(slot.linear_p()) = entry.pose.position + arm;
    out.v.template segment<dimension>(slot.linear_v()) = entry.velocity.linear + cross(entry.velocity.angular, arm);
    if (!slot.rotates) continue;
    if constexpr (dimension == 2) {
      out.p[slot.p] = entry.orientation;
      out.v[slot.v] = entry.velocity.angular;
    } else {
      const Eigen::Quaterniond q = entry.orientation.normalized();
      out.p.template segment<4>(slot.p) << q.w(), q.x(), q.y(), q.z();
      out.v.template segment<3>(slot.v) = R.transpose() * entry.velocity.angular;
    }
  }
  for (const ForceSlot& slot : forces_)
    for (int i = 0; i < slot.force->states(); ++i) out.r[slot.state + i] = slot.force->initial_state(i);
  return out;
}

// Observables.

/// The mechanism at the current point of the equations, with the accelerations of `state`.
template <class Space>
class AbsoluteEquations<Space>::View final : public Snapshot<Space> {
 public:
  View(AbsoluteEquations& equations, const State& state) : equations_(equations), state_(state) {
    equations_.need_velocity();
  }

  double time() const override { return state_.t; }

  Pose<Space> pose(const Frame<Space>& frame) const override {
    Pose<Space> out;
    equations_.place(slot(frame), out);
    return out;
  }
  Twist<Space> velocity(const Frame<Space>& frame) const override {
    const FrameSlot where = slot(frame);
    return equations_.frame_velocity(where.body, arm(where));
  }
  Twist<Space> acceleration(const Frame<Space>& frame) const override {
    Twist<Space> out;
    const FrameSlot where = slot(frame);
    if (where.body == 0) return out;
    const auto label = static_cast<std::size_t>(where.body);
    const BodySlot& body = equations_.bodies_[label];
    const Angular<Space>& omega = equations_.twists_[label].angular;
    out.linear = Vector<Space>::Map(state_.a.data() + body.linear_v());
    if (body.rotates) {
      detail::load(state_.a.data() + body.v, out.angular);
      out.angular = detail::to_ground(equations_.poses_[label].rotation, out.angular);
      const Vector<Space> r = arm(where);
      out.linear += cross(out.angular, r) + cross(omega, Vector<Space>(cross(omega, r)));
    }
    return out;
  }
  Wrench<Space> reaction(const ConstraintRef<Space>& constraint) const override {
    const ConstraintSlot& where = slot(constraint);
    equations_.evaluate_rows(where, Rows::velocity, equations_.rates_.data());
    return equations_.reaction(where, equations_.rows_.data() + (where.frames - 1) * where.rows * n);
  }
  double multiplier(const ConstraintRef<Space>& constraint, int row) const override {
    const ConstraintSlot& where = slot(constraint);
    if (row < 0 || row >= where.rows)
      throw ModelError(concat("observable: constraint '", equations_.name(where), "' has no row ", row, "; it has ",
                              where.rows, ", counted from 0."));
    return state_.lambda[where.row + row];
  }
  double state(const ForceRef<Space>& force, int index) const override {
    check_model(force.model, "force");
    const ForceSlot& where = equations_.forces_[static_cast<std::size_t>(force.index)];
    if (index < 0 || index >= where.force->states())
      throw ModelError(concat("observable: force '", equations_.name(where), "' has no state ", index, "; it has ",
                              where.force->states(), ", counted from 0."));
    return state_.r[where.state + index];
  }

 private:
  void check_model(const ModelData<Space>* model, const char* what) const {
    if (model != equations_.data_.get())
      throw ModelError(concat("observable: a ", what, " does not belong to model '", equations_.data_->name,
                              "'; use the handles of this model."));
  }
  FrameSlot slot(const Frame<Space>& frame) const {
    check_model(frame.model, "frame");
    return equations_.frame_slot(frame);
  }
  const ConstraintSlot& slot(const ConstraintRef<Space>& constraint) const {
    check_model(constraint.model, "constraint");
    const int index = equations_.slot_of_constraint_[static_cast<std::size_t>(constraint.index)];
    return equations_.constraints_[static_cast<std::size_t>(index)];
  }
  Vector<Space> arm(const FrameSlot& where) const {
    return equations_.poses_[static_cast<std::size_t>(where.body)].rotation * where.arm;
  }

  AbsoluteEquations& equations_;
  const State& state_;
};

template <class Space>
std::vector<std::string> AbsoluteEquations<Space>::observable_names() const {
  std::vector<std::string> names;
  for (const ObservableEntry<Space>& entry : data_->observables) names.push_back(entry.name);
  return names;
}

template <class Space>
void AbsoluteEquations<Space>::observables(const State& state, Eigen::VectorXd& values) {
  values.resize(static_cast<Eigen::Index>(data_->observables.size()));
  set(state);
  const View view(*this, state);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values[i] = data_->observables[static_cast<std::size_t>(i)].value(view);
}

}  // namespace linkwork
