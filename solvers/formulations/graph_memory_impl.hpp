#pragma once

// Unknowns of elements that the equations solve for, and what elements remember.

#include <linkwork/solvers/formulations/graph_evaluation_impl.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

// Auxiliary variables and contact points.

template <class Space>
void GraphEquations<Space>::do_d(Eigen::VectorXd& d) {
  update_readings();
  for (const ForceSlot& slot : graph_.forces)
    if (slot.auxiliaries > 0)
      ask(slot, [&] { slot.force->auxiliary_residual(motion(slot), d.data() + slot.auxiliary); });
}

template <class Space>
void GraphEquations<Space>::do_c(Eigen::VectorXd& c) {
  for (const ConstraintSlot& slot : graph_.constraints)
    if (slot.contacts > 0) ask(slot, [&] { slot.constraint->contact_residual(motion(slot), c.data() + slot.contact); });
}

template <class Space>
template <class Slot, class Typical, class Residual>
void GraphEquations<Space>::solve(const Slot& slot, int count, double* x, const Typical& typical,
                                  const Residual& residual, const char* equations) {
  ask(slot, [&] {
    const Outcome outcome = newton_.solve(count, x, typical, residual);
    if (!outcome) throw RecoverableFailure(concat("its ", equations, ": ", outcome.reason(), "."));
  });
}

template <class Space>
void GraphEquations<Space>::do_solve_contacts(Eigen::VectorXd& s) {
  for (const ConstraintSlot& slot : graph_.constraints) {
    if (slot.contacts == 0) continue;
    const auto typical = [](int) { return 1.0; };  // [m, rad]
    const auto residual = [&](const double* values, double* c) {
      slot.constraint->contact_residual(motion(slot).with_contacts(values), c);
    };
    solve(slot, slot.contacts, s.data() + slot.contact, typical, residual,
          "contact equations c = 0 have no solution for s");
  }
}

template <class Space>
void GraphEquations<Space>::do_solve_auxiliary(Eigen::VectorXd& w) {
  update_readings();
  for (const ForceSlot& slot : graph_.forces) {
    if (slot.auxiliaries == 0) continue;
    const auto typical = [&](int i) { return slot.force->typical_auxiliary(i); };
    const auto residual = [&](const double* values, double* d) {
      slot.force->auxiliary_residual(motion(slot).with_auxiliary(values), d);
    };
    solve(slot, slot.auxiliaries, w.data() + slot.auxiliary, typical, residual,
          "auxiliary equations d = 0 have no solution for w");
  }
}

/// What the next solutions start from.
template <class Space>
void GraphEquations<Space>::remember_eliminated() {
  if (eliminates_auxiliary()) last_auxiliary_ = solved_auxiliary();
  if (!eliminates_contacts()) return;
  need_constraint_velocities();
  last_contacts_ = solved_contacts();
  last_time_ = time();
  for (const ConstraintSlot& slot : graph_.constraints)
    if (slot.contacts > 0)
      with_name(slot, [&] { slot.constraint->contact_rates(motion(slot), contact_rates_.data() + slot.contact); });
}

// Memory of elements.

template <class Space>
void GraphEquations<Space>::remember(bool restart, int crossed) {
  if (restart) rank_of_reactions_ = -1;
  if (eliminates_auxiliary() || eliminates_contacts()) remember_eliminated();
  if (constraint_memory_.empty() && force_memory_.empty()) return;
  need_auxiliary();
  update_readings();
  bool changed = false;
  const auto renew = [&](std::vector<double>& memory, auto&& call) {
    std::copy(memory.begin(), memory.end(), memory_before_.begin());
    call();
    changed = changed || !std::equal(memory.begin(), memory.end(), memory_before_.begin());
  };
  renew(constraint_memory_, [&] {
    for (const ConstraintSlot& slot : graph_.constraints)
      with_name(slot,
                [&] { slot.constraint->remember(motion(slot), restart, constraint_memory_.data() + slot.memory); });
  });
  renew(force_memory_, [&] {
    for (const ForceSlot& slot : graph_.forces) {
      const int own = crossed - slot.first_switch;
      with_name(slot, [&] {
        slot.force->remember(motion(slot), restart, own >= 0 && own < slot.force->switches() ? own : -1,
                             force_memory_.data() + slot.memory);
      });
    }
  });
  if (changed) set_position(time(), position());  // all that was computed may depend on the memory
}

template <class Space>
void GraphEquations<Space>::forget() {
  std::fill(constraint_memory_.begin(), constraint_memory_.end(), 0.0);
  std::fill(force_memory_.begin(), force_memory_.end(), 0.0);
  set_position(time(), position());
  if (!eliminates_auxiliary() && !eliminates_contacts()) return;
  last_auxiliary_ = initial_state_.w;
  last_contacts_ = initial_state_.s;
  contact_rates_.setZero();
}

template <class Space>
Eigen::VectorXd GraphEquations<Space>::memory() const {
  Eigen::VectorXd out(static_cast<Eigen::Index>(constraint_memory_.size() + force_memory_.size()) +
                      last_auxiliary_.size() + 2 * last_contacts_.size() + 1);
  double* to = out.data();
  const auto add = [&to](const auto& part) { to = std::copy(part.begin(), part.end(), to); };
  add(constraint_memory_);
  add(force_memory_);
  for (const Eigen::VectorXd* part : {&last_auxiliary_, &last_contacts_, &contact_rates_}) add(*part);
  *to = last_time_;
  return out;
}

template <class Space>
void GraphEquations<Space>::recall(const Eigen::VectorXd& memory) {
  const double* from = memory.data();
  const auto take = [&from](auto& part) {
    std::copy_n(from, part.size(), part.begin());
    from += part.size();
  };
  take(constraint_memory_);
  take(force_memory_);
  for (Eigen::VectorXd* part : {&last_auxiliary_, &last_contacts_, &contact_rates_}) take(*part);
  last_time_ = *from;
  set_position(time(), Eigen::VectorXd(position()));
}

template <class Space>
double GraphEquations<Space>::switching_function(int index) {
  need_auxiliary();
  update_readings();
  const int owner = switch_owner_[static_cast<std::size_t>(index)];
  const ForceSlot& slot = graph_.forces[static_cast<std::size_t>(owner)];
  double value = 0;
  with_name(slot, [&] { value = slot.force->switching_function(motion(slot), index - slot.first_switch); });
  if (!std::isfinite(value))
    throw NonFiniteValue(concat("force '", name(slot), "' (", slot.force->type(),
                                ") gives a switching function that is not finite at t = ", time(), " s: ", value,
                                "; check its function."));
  return value;
}

}  // namespace linkwork
