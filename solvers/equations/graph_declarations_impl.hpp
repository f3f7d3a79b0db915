#pragma once

// What elements use beyond their declarations, found by moving what they claim not to use.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/solvers/drives.hpp>
#include <linkwork/solvers/equations/graph_equations.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace linkwork {

namespace detail {

/// Parts of a frame's motion.
enum class FramePart { position, rotation, velocity, angular_velocity };
inline constexpr std::array frame_parts{FramePart::position, FramePart::rotation, FramePart::velocity,
                                        FramePart::angular_velocity};
inline const char* name_of(FramePart part) {
  constexpr std::array names{"position", "rotation", "velocity", "angular velocity"};
  return names[static_cast<std::size_t>(part)];
}
inline bool is_declared(const FrameUse& use, FramePart part) {
  return std::array{use.position, use.rotation, use.velocity, use.angular_velocity}[static_cast<std::size_t>(part)];
}

inline constexpr double shift_of_use = 0.01;  ///< by which parts are moved [m, rad, m/s, rad/s]
inline constexpr double least_use = 1e-9;     ///< smallest change that counts, of the largest number

/// Of no particular direction.
template <class Space>
Vector<Space> some_direction() {
  Vector<Space> out;
  for (int i = 0; i < Space::dimension; ++i) out[i] = 0.3 + 0.2 * i;
  return out.normalized();
}
template <class Space>
Twist<Space> some_twist(FramePart part) {
  Twist<Space> out;
  if (part == FramePart::position || part == FramePart::velocity) {
    out.linear = shift_of_use * some_direction<Space>();
  } else if constexpr (Space::dimension == 2) {
    out.angular = shift_of_use;
  } else {
    out.angular = shift_of_use * some_direction<Space>();
  }
  return out;
}
template <class Space>
void shift_part(FrameMotion<Space>& frame, FramePart part) {
  const Twist<Space> by = some_twist<Space>(part);
  if (part == FramePart::position || part == FramePart::rotation) {
    frame.pose = moved(frame.pose, by, 1.0);
  } else {
    frame.velocity.angular += by.angular;
    frame.velocity.linear += by.linear;
  }
}

/// Largest change of numbers if it counts, else 0.
inline double change_of(const std::vector<double>& before, const std::vector<double>& after) {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    change = std::max(change, std::abs(after[i] - before[i]));
    size = std::max({size, std::abs(after[i]), std::abs(before[i])});
  }
  return change > least_use * size ? change : 0;
}

template <class Space>
void append(std::vector<double>& out, const Angular<Space>& angular, const Vector<Space>& linear) {
  if constexpr (Space::dimension == 2)
    out.push_back(angular);
  else
    out.insert(out.end(), angular.begin(), angular.end());
  out.insert(out.end(), linear.begin(), linear.end());
}

}  // namespace detail

template <class Space>
std::vector<std::string> GraphEquations<Space>::undeclared_uses() {
  need_auxiliary();
  need_constraint_velocities();
  update_readings();
  std::vector<std::string> out;
  for (const ConstraintSlot& slot : constraints_) with_name(slot, [&] { find_undeclared_uses(slot, out); });
  for (const ForceSlot& slot : forces_) with_name(slot, [&] { find_undeclared_uses(slot, out); });
  return out;
}

template <class Space>
std::vector<std::string> GraphEquations<Space>::false_drives(double tolerance) const {
  std::vector<std::string> out;
  for (const ConstraintEntry<Space>& entry : data_->constraints)
    for (const Input& input : entry.constraint->inputs()) {
      const bool asks_acceleration = entry.constraint->level() == Level::holonomic;
      const std::string finding = false_rates(input, time(), tolerance, asks_acceleration);
      if (!finding.empty())
        out.push_back(concat("drive '", entry.name, "' (", entry.constraint->type(), "): ", finding));
    }
  return out;
}

template <class Space>
void GraphEquations<Space>::find_undeclared_uses(const ForceSlot& slot, std::vector<std::string>& out) const {
  std::vector<FrameMotion<Space>> frames(frames_.begin() + slot.frame, frames_.begin() + slot.frame + slot.frames);
  std::vector<double> own(states().data() + slot.state, states().data() + slot.state + slot.force->states());
  std::vector<Wrench<Space>> reactions(
      reactions_.begin() + slot.reading,
      reactions_.begin() + slot.reading + static_cast<std::ptrdiff_t>(slot.force->reactions().size()));
  std::vector<double> auxiliaries(auxiliary().data() + slot.auxiliary,
                                  auxiliary().data() + slot.auxiliary + slot.force->auxiliaries());
  std::vector<double> contact_points;
  for (const ConstraintRef<Space>& source : slot.force->contact_sources())
    for (int i = 0; i < source.model->constraints[detail::at(source.index)].constraint->contacts(); ++i)
      contact_points.push_back(read_contacts_[detail::at(slot.contact) + contact_points.size()]);
  const auto now = [&] {
    return Motion<Space>(now_, frames.data(), own.data(), force_memory_.data() + slot.memory, reactions.data(),
                         auxiliaries.data(), contact_points.data());
  };
  const auto report = [&](const std::string& what, const char* function, double change, const char* unit) {
    out.push_back(concat("force '", name(slot), "' (", slot.force->type(), ") ", what, " and does not declare it (",
                         function, " changes by ", change, unit, " at t = ", time(),
                         " s); declare it in its use functions, or return none there."));
  };
  const auto of_frame = [&](int k) {
    return concat("frame ", k, " on body '", body_name(frame_slots_[detail::at(slot.frame + k)].body), "'");
  };
  const auto is_on_ground = [&](int k) { return frame_slots_[detail::at(slot.frame + k)].body == 0; };

  std::vector<Wrench<Space>> wrenches(detail::at(slot.frames));
  const auto wrench_numbers = [&] {
    std::fill(wrenches.begin(), wrenches.end(), Wrench<Space>{});
    ForceSums<Space> sums(wrenches.data());
    slot.force->add_to(now(), sums);
    std::vector<double> numbers;
    for (int k = 0; k < slot.frames; ++k)
      if (!is_on_ground(k))
        detail::append<Space>(numbers, wrenches[detail::at(k)].torque, wrenches[detail::at(k)].force);
    return numbers;
  };
  const auto rate_numbers = [&] {
    std::vector<double> numbers(detail::at(slot.force->states()));
    slot.force->state_rates(now(), numbers.data());
    return numbers;
  };
  const auto look = [&](const ForceUse& use, const char* function, auto&& numbers) {
    const std::vector<double> before = numbers();
    const auto changed = [&] { return detail::change_of(before, numbers()); };
    for (int k = 0; k < slot.frames; ++k)
      for (const detail::FramePart part : detail::frame_parts) {
        if (is_on_ground(k) || detail::is_declared(use.frame(k), part)) continue;
        const FrameMotion<Space> kept = frames[detail::at(k)];
        detail::shift_part(frames[detail::at(k)], part);
        if (const double change = changed(); change > 0)
          report(concat("reads the ", detail::name_of(part), " of ", of_frame(k)), function, change, "");
        frames[detail::at(k)] = kept;
      }
    const auto look_at = [&](std::vector<double>& values, const char* what) {
      const std::vector<double> kept = values;
      for (double& each : values) each += detail::shift_of_use * std::max(1.0, std::abs(each));
      if (const double change = changed(); change > 0) report(concat("reads ", what), function, change, "");
      values = kept;
    };
    if (!use.states) look_at(own, "its states");
    if (!use.auxiliary) look_at(auxiliaries, "its auxiliary variables");
    if (!use.contacts) look_at(contact_points, "contact points");
    if (!use.reactions && !reactions.empty()) {
      const std::vector<Wrench<Space>> kept = reactions;
      for (Wrench<Space>& each : reactions) {
        each.force += detail::shift_of_use * (1 + each.force.norm()) * detail::some_direction<Space>();
        each.torque += detail::some_twist<Space>(detail::FramePart::rotation).angular;
      }
      if (const double change = changed(); change > 0) report("reads reactions", function, change, "");
      reactions = kept;
    }
  };
  if (const std::optional<ForceUse> use = slot.force->use()) {
    look(*use, "its wrench", wrench_numbers);
    const std::vector<double> all = wrench_numbers();
    double size = 0;
    for (const double number : all) size = std::max(size, std::abs(number));
    for (int k = 0; k < slot.frames; ++k) {
      if (is_on_ground(k)) continue;
      const double force = wrenches[detail::at(k)].force.norm(),
                   torque = std::sqrt(dot(wrenches[detail::at(k)].torque, wrenches[detail::at(k)].torque));
      if (!use->frame(k).force && force > detail::least_use * size)
        report(concat("puts a force on ", of_frame(k)), "the force there", force, " N from zero");
      if (!use->frame(k).torque && torque > detail::least_use * size)
        report(concat("puts a torque on ", of_frame(k)), "the torque there", torque, " N m from zero");
    }
  }
  if (!own.empty())
    if (const std::optional<ForceUse> use = slot.force->rate_use()) look(*use, "the rate of its states", rate_numbers);
  const auto equation_numbers = [&] {
    std::vector<double> numbers(auxiliaries.size());
    slot.force->auxiliary_residual(now(), numbers.data());
    return numbers;
  };
  if (!auxiliaries.empty())
    if (const std::optional<ForceUse> use = slot.force->auxiliary_use())
      look(*use, "the equation of its auxiliary variables", equation_numbers);
}

template <class Space>
void GraphEquations<Space>::find_undeclared_uses(const ConstraintSlot& slot, std::vector<std::string>& out) const {
  const Constraint<Space>& constraint = *slot.constraint;
  std::vector<FrameMotion<Space>> frames(frames_.begin() + slot.frame, frames_.begin() + slot.frame + slot.frames);
  const auto report = [&](const std::string& what, const char* where) {
    out.push_back(concat("constraint '", name(slot), "' (", constraint.type(), ") ", what,
                         " and does not declare it (at t = ", time(), " s); declare it in ", where, "."));
  };
  // Row by row: the residual, the row's numbers with its rate, and its product with the velocities.
  struct Values {
    std::vector<double> residual, rates, products;
    std::vector<std::vector<double>> blocks;  ///< by row, frame after frame
  };
  const auto evaluate = [&] {
    Values values;
    values.residual.resize(detail::at(slot.rows));
    values.rates.resize(detail::at(slot.rows));
    std::vector<double> blocks(detail::at(slot.rows * slot.frames * n));
    const Motion<Space> now(now_, frames.data(), nullptr, constraint_memory_.data() + slot.memory, nullptr, nullptr,
                            contacts().data() + slot.contact);
    if (constraint.level() == Level::holonomic) constraint.residual(now, values.residual.data());
    ConstraintRows<Space> rows(slot.rows, blocks.data(), values.rates.data());
    constraint.velocity_rows(now, rows);
    for (int r = 0; r < slot.rows; ++r) {
      std::vector<double> numbers{values.rates[detail::at(r)]};
      double product = values.rates[detail::at(r)];
      for (int k = 0; k < slot.frames; ++k) {
        Components<Space> twist;
        twist << frames[detail::at(k)].velocity.angular, frames[detail::at(k)].velocity.linear;
        product += rows.block(k).row(r).dot(twist);
        for (int i = 0; i < n; ++i) numbers.push_back(rows.block(k)(r, i));
      }
      values.blocks.push_back(std::move(numbers));
      values.products.push_back(product);
    }
    return values;
  };
  const Values before = evaluate();
  double length = 1;  // of lengths in residuals and rows
  for (const double g : before.residual) length = std::max(length, std::abs(g));
  const auto counts = [&](double a, double b) { return std::abs(a - b) > detail::least_use * length; };
  for (int k = 0; k < slot.frames; ++k) {
    if (frame_slots_[detail::at(slot.frame + k)].body == 0 || slot.contacts > 0) continue;
    const std::string frame =
        concat("frame ", k, " on body '", body_name(frame_slots_[detail::at(slot.frame + k)].body), "'");
    for (const detail::FramePart part : {detail::FramePart::position, detail::FramePart::rotation}) {
      const FrameMotion<Space> kept = frames[detail::at(k)];
      detail::shift_part(frames[detail::at(k)], part);
      const Values after = evaluate();
      frames[detail::at(k)] = kept;
      const bool is_position = part == detail::FramePart::position;
      for (int r = 0; r < slot.rows; ++r) {
        const RowUse use = constraint.row_use(r, k);
        const std::size_t row = detail::at(r);
        if (!(is_position ? use.linear : use.angular) && counts(before.residual[row], after.residual[row]))
          report(concat("measures the ", detail::name_of(part), " of ", frame, " in row ", r + 1), "row_use()");
        if (!(is_position ? use.position : use.rotation) &&
            detail::change_of(before.blocks[row], after.blocks[row]) > 0)
          report(concat("reads the ", detail::name_of(part), " of ", frame, " in row ", r + 1), "row_use()");
      }
    }
    for (int r = 0; r < slot.rows; ++r) {
      const RowUse use = constraint.row_use(r, k);
      const double* block = before.blocks[detail::at(r)].data() + 1 + k * n;
      const auto acts = [&](int first, int count) {
        return std::any_of(block + first, block + first + count,
                           [](double value) { return std::abs(value) > detail::least_use; });
      };
      if (!use.angular && acts(0, angular))
        report(concat("acts on the rotation of ", frame, " in row ", r + 1), "row_use()");
      if (!use.linear && acts(angular, dimension))
        report(concat("acts on the position of ", frame, " in row ", r + 1), "row_use()");
    }
  }
  if (!constraint.is_invariant()) return;
  // All frames moved together, their velocities too.
  Pose<Space> turn;
  turn = moved(turn, detail::some_twist<Space>(detail::FramePart::rotation), 10.0);
  for (FrameMotion<Space>& frame : frames) {
    frame.pose = compose(turn, frame.pose);
    frame.velocity.linear = turn.rotation * frame.velocity.linear;
    if constexpr (dimension == 3) frame.velocity.angular = turn.rotation * frame.velocity.angular;
  }
  const Values after = evaluate();
  double speed = length;
  for (const double product : before.products) speed = std::max(speed, std::abs(product));
  for (int r = 0; r < slot.rows; ++r) {
    if (counts(before.residual[detail::at(r)], after.residual[detail::at(r)]) ||
        std::abs(before.products[detail::at(r)] - after.products[detail::at(r)]) > detail::least_use * speed)
      report(concat("changes in row ", r + 1, " when all of its frames are turned together"), "is_invariant()");
  }
}

}  // namespace linkwork
