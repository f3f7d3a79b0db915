#pragma once

// The hot paths of AbsoluteCoordinates. Nothing here allocates.

#include <linkwork/solvers/formulations/absolute_coordinates.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

// Motion of bodies.

template <class Space>
void AbsoluteCoordinates<Space>::place_bodies(std::vector<Pose<Space>>& poses) {
  const double* p = graph_.point.position().data();
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    Pose<Space>& pose = poses[label];
    if (place.rotates) {
      if constexpr (dimension == 2) {
        pose.angle = p[place.p];
        pose.rotation = rotation_matrix(pose.angle);
      } else {
        const double* q = p + place.p;
        pose.rotation = rotation_matrix(Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
      }
    }
    pose.position = Vector<Space>::Map(p + place.linear_p());
  }
}

/// Of the centres of mass, from velocities or accelerations.
template <class Space>
void AbsoluteCoordinates<Space>::to_ground(const double* v, std::vector<Twist<Space>>& twists) const {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    Twist<Space>& twist = twists[label];
    if (place.rotates) {
      detail::load(v + place.v, twist.angular);
      twist.angular = detail::to_ground(graph_.poses[label].rotation, twist.angular);
    }
    twist.linear = Vector<Space>::Map(v + place.linear_v());
  }
}

// Constraints.

/// From rows on the frames' twists (ground axes) to rows on the velocities of the bodies: with V = (R w, v + R w x arm)
/// the angular part is R^T (row_w + arm x row_v).
template <class Space>
void AbsoluteCoordinates<Space>::map_rows(int frame, int frames, int rows, const double* row, double* values) const {
  for (int k = frame; k < frame + frames; ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (row_targets_[index] == nowhere) {
      row += rows * n;
      continue;
    }
    const auto label = static_cast<std::size_t>(graph_.frame_slots[index].body);
    const bool rotates = places_[label].rotates;
    const Vector<Space> arm = graph_.arms[index];
    double* to = values + row_targets_[index];
    for (int r = 0; r < rows; ++r, row += n) {
      const Vector<Space> linear = Vector<Space>::Map(row + angular);
      if (rotates) {
        Angular<Space> turning;
        detail::load(row, turning);
        turning += cross(arm, linear);
        detail::add(to, detail::to_body(graph_.poses[label].rotation, turning));
        to += angular;
      }
      detail::add(to, linear);
      to += dimension;
    }
  }
}

template <class Space>
void AbsoluteCoordinates<Space>::map_rows(RowKind kind, BlockMatrix& matrix, Eigen::VectorXd& /*rates*/) {
  matrix.set_zero();
  for (const ConstraintSlot& slot : graph_.constraints) {
    if (kind == RowKind::position && slot.constraint->level() != Level::holonomic) break;
    map_rows(slot.frame, slot.frames, slot.rows, graph_.rows.data() + slot.value, matrix.data());
  }
}

// Forces.

template <class Space>
void AbsoluteCoordinates<Space>::start_forces(Eigen::VectorXd& f) {
  f.head(gravity_.size()) = gravity_;
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& place = places_[label];
    if (!place.rotates) continue;
    Angular<Space> omega;
    detail::load(graph_.point.velocity().data() + place.v, omega);
    detail::add(f.data() + place.v, place.body->gyroscopic_torque(omega));
  }
}

template <class Space>
void AbsoluteCoordinates<Space>::add_wrenches(Eigen::VectorXd& f) {
  const std::size_t first = graph_.first_force_frame;
  for (std::size_t k = first; k < graph_.frame_slots.size(); ++k)
    if (const int label = graph_.frame_slots[k].body; label > 0)
      add_wrench(label, graph_.arms[k], graph_.wrenches[k - first], f);
}

template <class Space>
inline void AbsoluteCoordinates<Space>::add_wrench(int label, const Vector<Space>& arm, const Wrench<Space>& wrench,
                                                   Eigen::VectorXd& f) {
  const Place& place = places_[static_cast<std::size_t>(label)];
  detail::add(f.data() + place.linear_v(), wrench.force);
  if (!place.rotates) return;
  const Angular<Space> torque = wrench.torque + cross(arm, wrench.force);
  detail::add(f.data() + place.v, detail::to_body(graph_.poses[static_cast<std::size_t>(label)].rotation, torque));
}

// Positions from velocities.

/// A quaternion q' = q (0, omega) / 2 is taken as it is, not normalised.
template <class Space>
void AbsoluteCoordinates<Space>::add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const {
  for (std::size_t label = 1; label < places_.size(); ++label) {
    const Place& slot = places_[label];
    const double* v = x.data() + slot.v;
    double* to = p.data() + slot.p;
    if (slot.rotates) {
      if constexpr (dimension == 2) {
        to[0] += v[0];
      } else {
        const double* q = graph_.point.position().data() + slot.p;
        to[0] -= 0.5 * (q[1] * v[0] + q[2] * v[1] + q[3] * v[2]);
        to[1] += 0.5 * (q[0] * v[0] + q[2] * v[2] - q[3] * v[1]);
        to[2] += 0.5 * (q[0] * v[1] + q[3] * v[0] - q[1] * v[2]);
        to[3] += 0.5 * (q[0] * v[2] + q[1] * v[1] - q[2] * v[0]);
        to += 4 - 1;
      }
      to += 1;
      v += angular;
    }
    for (int i = 0; i < dimension; ++i) to[i] += v[i];
  }
}

template <class Space>
void AbsoluteCoordinates<Space>::normalise(const Eigen::VectorXd& near, Eigen::VectorXd& p) const {
  if constexpr (dimension == 3) {
    for (const Place& slot : places_) {
      if (!slot.rotates) continue;
      auto q = p.template segment<4>(slot.p);
      const double norm = q.norm();
      q /= near.template segment<4>(slot.p).dot(q) < 0 ? -norm : norm;
    }
  }
}

template <class Space>
double AbsoluteCoordinates<Space>::norm_error() {
  double out = 0;
  for (const Place& place : places_)
    if (dimension == 3 && place.rotates)
      out = std::max(out, std::abs(graph_.point.position().template segment<4>(place.p).norm() - 1));
  return out;
}

}  // namespace linkwork
