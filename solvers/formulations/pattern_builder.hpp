#pragma once

// Internal: entries of a sparsity pattern in the order in which they are found, and those that rows on frames and
// joints have in any coordinates.

#include <linkwork/core/dependencies.hpp>
#include <linkwork/solvers/formulations/coordinates.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace linkwork {

class PatternBuilder {
 public:
  explicit PatternBuilder(SparsityPattern& pattern) : pattern_(pattern), sorted_(pattern.rows.size(), 0) {}

  void add(int row, int column) { add(row, std::vector<int>{column}); }
  void add(int row, const std::vector<int>& columns) {
    const auto index = static_cast<std::size_t>(row);
    std::vector<int>& entries = pattern_.rows[index];
    entries.insert(entries.end(), columns.begin(), columns.end());
    if (entries.size() > 2 * sorted_[index] + 32) tidy(index);  // so that repetitions need no memory
  }
  void add(const std::vector<int>& rows, const std::vector<int>& columns) {
    for (const int row : rows) add(row, columns);
  }
  /// Puts all rows in order.
  void finish() {
    for (std::size_t index = 0; index < sorted_.size(); ++index) tidy(index);
  }

 private:
  void tidy(std::size_t index) {
    std::vector<int>& entries = pattern_.rows[index];
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    sorted_[index] = entries.size();
  }

  SparsityPattern& pattern_;
  std::vector<std::size_t> sorted_;  ///< entries that each row had when it was put in order last
};

namespace detail {

inline void append(std::vector<int>& to, const std::vector<int>& more) {
  to.insert(to.end(), more.begin(), more.end());
}
/// first, first + 1, ...
inline std::vector<int> range(int first, int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = first + i;
  return out;
}

}  // namespace detail

/// Consecutive frames of a row. In joint coordinates it acts on the joints between them and one link, and depends on
/// those between them and another (labels).
struct RowFrames {
  int first = 0, count = 0;
  int acts_from = 0, reads_from = 0;
  int contact = 0, contacts = 0;  ///< entries of s that the row depends on
  bool read_velocities = false;   ///< whether the row's numbers change with the frames' velocities
};

/// One block of dependencies, as rows are added to it.
template <class Space>
struct RowPattern {
  const Coordinates<Space>& coordinates;
  EquationPart part;
  Unknown unknown;
  int holonomic_rows;
  PatternBuilder& builder;

  /// One row in all that it stands in.
  /// @param use  by frame of the row, counted from 0
  void add_row(int row, const RowFrames& frames, const std::function<RowUse(int)>& use) const;
};

template <class Space>
void RowPattern<Space>::add_row(int row, const RowFrames& frames, const std::function<RowUse(int)>& use) const {
  const auto for_each_frame = [&](int acts_from, auto&& visit) {
    for (int k = 0; k < frames.count; ++k)
      visit(use(k), coordinates.frame_columns(frames.first + k, acts_from, frames.reads_from));
  };
  // The entries that the row's own numbers change with.
  const auto numbers = [&] {
    if (unknown == Unknown::s) return detail::range(frames.contact, frames.contacts);
    std::vector<int> p;
    if (frames.read_velocities)
      for_each_frame(frames.reads_from, [&](const RowUse&, const FrameColumns& columns) {
        for (const std::vector<MotionColumns>* parts : {&columns.velocity, &columns.angular_velocity})
          for (const MotionColumns& motion : *parts) {
            if (unknown == Unknown::v) detail::append(p, motion.v);
            if (unknown == Unknown::p) detail::append(p, motion.p);
          }
      });
    if (unknown != Unknown::p) return p;
    for_each_frame(frames.reads_from, [&](const RowUse& of, const FrameColumns& columns) {
      if (of.position) detail::append(p, columns.position);
      if (of.rotation) detail::append(p, columns.rotation);
    });
    return p;
  };
  const auto for_each_velocity = [&](int acts_from, auto&& visit) {
    for_each_frame(acts_from, [&](const RowUse& of, const FrameColumns& columns) {
      if (of.linear)
        for (const MotionColumns& motion : columns.velocity) visit(motion);
      if (of.angular)
        for (const MotionColumns& motion : columns.angular_velocity) visit(motion);
    });
  };
  const bool holonomic = row < holonomic_rows;
  switch (part) {
    case EquationPart::position_constraint:
      if (!holonomic) return;
      if (unknown == Unknown::s) builder.add(row, numbers());
      if (unknown != Unknown::p) return;
      for_each_frame(frames.reads_from, [&](const RowUse& of, const FrameColumns& columns) {
        if (of.linear) builder.add(row, columns.position);
        if (of.angular) builder.add(row, columns.rotation);
      });
      return;
    case EquationPart::velocity_constraint:
      // Of velocities in the ground: rows that are blind to common motions on their manifold only see them beside it.
      builder.add(row, numbers());
      for_each_velocity(frames.reads_from, [&](const MotionColumns& motion) {
        if (unknown == Unknown::v) builder.add(row, motion.v);
        if (unknown == Unknown::p) builder.add(row, motion.p);
      });
      return;
    case EquationPart::constraint_force:
    case EquationPart::dynamics: {
      const bool in_dynamics = part == EquationPart::dynamics;
      if (!in_dynamics && !holonomic) return;
      const std::vector<int> changing = numbers();
      for_each_velocity(in_dynamics ? frames.reads_from : frames.acts_from, [&](const MotionColumns& motion) {
        if (unknown == (in_dynamics ? Unknown::lambda : Unknown::factor)) builder.add(motion.v, {row});
        builder.add(motion.v, changing);
        if (unknown == Unknown::p) builder.add(motion.v, motion.p);
      });
      return;
    }
    default:
      return;
  }
}

/// q' = Z(q) v of one joint, its first entries being q and v.
template <class Space>
void add_joint_rates(Unknown unknown, const Joint<Space>& joint, int q, int v, PatternBuilder& builder) {
  const int redundant = joint.coordinates() - joint.freedoms();
  const bool by_velocity = unknown == Unknown::v || unknown == Unknown::factor;
  for (int i = 0; i < joint.coordinates(); ++i) {
    const bool is_velocity = joint.rate_is_velocity() || (i >= redundant && joint.is_shift(i));
    if (is_velocity && by_velocity) builder.add(q + i, v + i - redundant);
    if (is_velocity || (!by_velocity && unknown != Unknown::p)) continue;
    for (int j = 0; j < (by_velocity ? joint.freedoms() : joint.coordinates()); ++j) {
      const int coordinate = by_velocity ? redundant + j : j;
      if (!joint.is_shift(coordinate)) builder.add(q + i, (by_velocity ? v : q) + j);
    }
  }
}

}  // namespace linkwork
