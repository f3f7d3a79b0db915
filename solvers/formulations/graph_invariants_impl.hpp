#pragma once

// Solution invariants of a graph, and which elements change its total energy.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/differences.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/formulations/graph_reports_impl.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

template <class Space>
void GraphEquations<Space>::do_invariants(Eigen::VectorXd& values) {
  const View view(*this);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const InvariantEntry<Space>& entry = graph_.data->invariants[static_cast<std::size_t>(i)];
    if (entry.value) {
      values[i] = named("invariant", entry.name, [&] { return entry.value(view); });
    } else {
      const Energies stored = energies();
      values[i] = stored.kinetic + stored.potential;
    }
  }
}

/// What a force element does to the bodies, and what its store gains meanwhile [W], along the current velocities at the
/// current position. The store is differenced.
template <class Space>
auto GraphEquations<Space>::work_of(const ForceSlot& slot) -> Work {
  constexpr double dt = 1e-3;                             // [s]
  constexpr double of_terms = 1e-7, of_rounding = 1e-13;  // errors of the differences
  const double t = time();
  const Eigen::VectorXd p = position();
  Eigen::VectorXd rate;
  position_rate(rate);
  double largest = 0;
  const auto stored_at = [&](int step) {
    set_position(t + step * dt, p + step * dt * rate);
    need_auxiliary();
    const double energy = slot.force->potential_energy(motion(slot));
    largest = std::max(largest, std::abs(energy));
    return energy;
  };
  Work work;
  for (int k = 1; k <= 3; ++k) work.gain += detail::difference_weights[k - 1] * (stored_at(k) - stored_at(-k)) / dt;
  set_position(t, p);
  need_auxiliary();
  evaluate_force(slot);
  double size = std::abs(work.gain);
  for (int k = 0; k < slot.frames; ++k) {
    const Wrench<Space>& wrench = wrenches_of(slot)[k];
    const Twist<Space>& twist = graph_.frames[detail::at(slot.frame + k)].velocity;
    const double turning = dot(wrench.torque, twist.angular), moving = wrench.force.dot(twist.linear);
    work.power += turning + moving;
    size += std::abs(turning) + std::abs(moving);
  }
  work.is_stored = std::abs(work.power + work.gain) <= of_terms * size + of_rounding * largest / dt;
  return work;
}

template <class Space>
void GraphEquations<Space>::refuse_energy_beside_servos(const std::string& whose) const {
  for (const ConstraintSlot& slot : graph_.constraints)
    if (slot.constraint->level() == Level::servo)
      throw ModelError(concat(whose, "servo '", name(slot), "' (", slot.constraint->type(),
                              ") does work; leave the invariant out, or the element."));
}

/// Constraints that move with prescribed inputs do work. The work of a force element must be what its store loses, at
/// whatever velocity: it is tried with velocities that no two coordinates share, at the initial position and on both
/// sides of it, where it may be at a kink. Work that does not show there is found on the way, when the invariant is
/// kept.
template <class Space>
void GraphEquations<Space>::refuse_energy_that_is_not_conserved() {
  const auto entry = std::find_if(graph_.data->invariants.begin(), graph_.data->invariants.end(),
                                  [](const InvariantEntry<Space>& invariant) { return !invariant.value; });
  if (entry == graph_.data->invariants.end()) return;
  const std::string whose =
      concat("model '", graph_.data->name, "': invariant '", entry->name, "': the energy is not conserved: ");
  constexpr const char* advice = "; leave the invariant out, or the element.";
  for (const ConstraintEntry<Space>& moved : graph_.data->constraints)
    if (!moved.constraint->inputs().empty())
      throw ModelError(concat(whose, moved.joint ? "joint '" : "constraint '", moved.name, "' (",
                              moved.constraint->type(), ") follows a prescribed motion and does work", advice));

  refuse_energy_beside_servos(whose);

  const double t = time();
  const Eigen::VectorXd p = position(), v = velocity();
  Eigen::VectorXd tried(dimensions().v), rate;
  for (Eigen::Index i = 0; i < tried.size(); ++i) tried[i] = 0.75 + 0.25 * std::sin(1.0 + 2.0 * static_cast<double>(i));
  set_velocity(tried);
  position_rate(rate);
  for (const ForceSlot& slot : graph_.forces) {
    constexpr double aside = 0.02;  // [s] along the velocities that are tried
    Work work;
    try {
      for (const double place : {-aside, aside, 0.0}) {
        set_position(t, p + place * rate);
        work = work_of(slot);
        if (work.is_stored) break;
      }
    } catch (const RecoverableFailure&) {
      continue;  // it can't be evaluated there
    }
    if (!work.is_stored)
      throw ModelError(concat(whose, "force '", name(slot), "' (", slot.force->type(), ") has a power of ", work.power,
                              " W on the bodies at a trial velocity, and its store gains ", work.gain, " W", advice));
  }
  set_position(t, p);
  set_velocity(v);
  if (initial_state_.w.size() > 0) set_auxiliary(initial_state_.w);
  if (initial_state_.s.size() > 0) set_contacts(initial_state_.s);
}

}  // namespace linkwork
