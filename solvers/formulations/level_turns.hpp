#pragma once

#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/space.hpp>

// Included by the files that instantiate JointKinematics only.

namespace linkwork::level_turns {

/// Two numbers that go through the same operations, in one register.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

/// Velocity (first) and acceleration (second) of a link, in its axes and at its origin.
struct PairedTwist {
  Pair angular[3] = {}, linear[3] = {};
};

inline PairedTwist paired(const Twist<Spatial>& V, const Twist<Spatial>& A) {
  PairedTwist out;
  for (int i = 0; i < 3; ++i) {
    out.angular[i] = Pair{V.angular[i], A.angular[i]};
    out.linear[i] = Pair{V.linear[i], A.linear[i]};
  }
  return out;
}

/// a x b of what can be multiplied
template <class A, class B>
[[gnu::always_inline]] inline auto cross_component(const A& a, const B& b, int i) {
  const int p = i == 2 ? 0 : i + 1, q = i == 0 ? 2 : i - 1;
  return a[p] * b[q] - a[q] * b[p];
}

/// The motion of a link that turns about an axis which is one of its father's too.
/// @tparam axis  of both
/// @param cosine, sine  of the angle from the father's axes to the link's
/// @param rate          of the angle [rad/s]
template <int axis>
[[gnu::always_inline]] inline PairedTwist moved(const PairedTwist& father, double cosine, double sine,
                                                const Eigen::Vector3d& origin, double rate) {
  constexpr int p = (axis + 1) % 3, q = (axis + 2) % 3;
  const auto turn = [&](Pair* x) {
    const Pair before = x[p];
    x[p] = cosine * before + sine * x[q];
    x[q] = cosine * x[q] - sine * before;
  };
  // V x S q' is what turning adds to A.
  const auto add_rate = [&](Pair* x) {
    const Pair of_p = {0, x[p][0]}, of_q = {0, x[q][0]};
    x[p] += rate * of_q;
    x[q] -= rate * of_p;
  };
  PairedTwist out;
  for (int i = 0; i < 3; ++i) {
    out.angular[i] = father.angular[i];
    out.linear[i] = father.linear[i] + cross_component(father.angular, origin, i);
  }
  turn(out.angular);
  turn(out.linear);
  add_rate(out.angular);
  add_rate(out.linear);
  out.angular[axis] += Pair{rate, 0};
  return out;
}

/// I A + V x* I V
[[gnu::always_inline]] inline Wrench<Spatial> needed(const LinkInertia<Spatial>& I, const PairedTwist& motion) {
  const Pair *w = motion.angular, *v = motion.linear;
  Pair spin[3], turned[3], products[3];  // I (omega, alpha), (omega, alpha) x h, and of the first of both
  Pair omega[3], J[6];                   // J: the lower triangle of the inertia
  for (int i = 0, k = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j, ++k) J[k] = Pair{I.inertia(i, j), I.inertia(i, j)};
  double a[3];  // A.linear + omega x v, the acceleration of the origin: the terms of v gather in it
  for (int i = 0; i < 3; ++i) {
    omega[i] = Pair{w[i][0], w[i][0]};
    turned[i] = cross_component(w, I.moment, i);
  }
  spin[0] = J[0] * w[0] + J[1] * w[1] + J[3] * w[2];
  spin[1] = J[1] * w[0] + J[2] * w[1] + J[4] * w[2];
  spin[2] = J[3] * w[0] + J[4] * w[1] + J[5] * w[2];
  for (int i = 0; i < 3; ++i) {
    products[i] = Pair{spin[i][0], turned[i][0]};
  }
  for (int i = 0; i < 3; ++i) {
    const int p = i == 2 ? 0 : i + 1, q = i == 0 ? 2 : i - 1;
    a[i] = v[i][1] + w[p][0] * v[q][0] - w[q][0] * v[p][0];
  }
  Wrench<Spatial> out;
  for (int i = 0; i < 3; ++i) {
    const Pair sum = Pair{spin[i][1], turned[i][1]} + cross_component(omega, products, i);
    out.torque[i] = sum[0] + cross_component(I.moment, a, i);
    out.force[i] = sum[1] + I.mass * a[i];
  }
  return out;
}

}  // namespace linkwork::level_turns
