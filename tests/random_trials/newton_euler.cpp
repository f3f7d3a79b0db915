#include "newton_euler.hpp"

#include <linkwork/core/dense_factors.hpp>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <functional>

namespace linkwork::test {

namespace {

using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using JointKind = Description::JointKind;
using ConstraintKind = Description::ConstraintKind;
using ForceKind = Description::ForceKind;

RealVector3 real(const Eigen::Vector3d& v) { return v.cast<Real>(); }
RealMatrix3 rotation(const Eigen::Quaterniond& q) {
  return Eigen::Quaternion<Real>(q.cast<Real>()).normalized().toRotationMatrix();
}

/// Velocity or acceleration of a body: about its centre of mass.
struct Twist3 {
  RealVector3 angular = RealVector3::Zero(), linear = RealVector3::Zero();
};

struct BodyJets {
  JetVector center;
  JetMatrix attitude;
  RealVector3 center_in_body;
  JetVector angular_velocity;  // value and first derivative
};

struct FrameJets {
  JetVector origin;
  JetMatrix axes;
  JetVector velocity, angular_velocity;  // value and first derivative
};

JetVector rate_of(const JetVector& x) { return {{x.x.d, x.x.dd, 0}, {x.y.d, x.y.dd, 0}, {x.z.d, x.z.dd, 0}}; }

/// All bodies along a motion.
class MotionJets {
 public:
  MotionJets(const Description& mechanism, const std::vector<Twist3>& velocity, const std::vector<Twist3>& acceleration)
      : mechanism_(mechanism) {
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
      const Description::Body& body = mechanism.bodies[i];
      const RealMatrix3 R = rotation(body.orientation);
      const RealVector3 center = real(body.position) + R * real(body.center);
      bodies_.push_back({jets(center, velocity[i].linear, acceleration[i].linear),
                         turning(R, velocity[i].angular, acceleration[i].angular), real(body.center),
                         jets(velocity[i].angular, acceleration[i].angular, RealVector3::Zero())});
    }
  }

  FrameJets frame(const Description::Frame& f) const {
    const RealMatrix3 own = rotation(f.orientation);
    if (f.body < 0) {
      const JetVector nothing = constant(RealVector3(RealVector3::Zero()));
      return {constant(real(f.offset)), constant(own), nothing, nothing};
    }
    const BodyJets& body = bodies_[static_cast<std::size_t>(f.body)];
    const JetVector origin = body.center + body.attitude * constant(RealVector3(real(f.offset) - body.center_in_body));
    return {origin, body.attitude * constant(own), rate_of(origin), body.angular_velocity};
  }

 private:
  const Description& mechanism_;
  std::vector<BodyJets> bodies_;
};

JetVector axis_of(const Eigen::Vector3d& direction) { return constant(RealVector3(real(direction).normalized())); }

/// Two directions across an axis.
std::pair<JetVector, JetVector> across(const Eigen::Vector3d& direction) {
  const RealVector3 u = real(direction).normalized();
  int smallest = 0;
  u.cwiseAbs().minCoeff(&smallest);
  const RealVector3 first = u.cross(RealVector3(RealVector3::Unit(smallest))).normalized();
  return {constant(first), constant(RealVector3(u.cross(first)))};
}

Jet turn_about(const FrameJets& father, const FrameJets& son, const Eigen::Vector3d& axis) {
  const auto [first, second] = across(axis);
  const JetVector f1 = father.axes * first, f2 = father.axes * second, s1 = son.axes * first, s2 = son.axes * second;
  return angle_of(dot(f2, s1) - dot(f1, s2), dot(f1, s1) + dot(f2, s2));
}

Jet travel_along(const FrameJets& father, const FrameJets& son, const Eigen::Vector3d& axis) {
  return dot(father.axes * axis_of(axis), son.origin - father.origin);
}

Jet jet_of(const Description::Drive& drive) { return {drive.value, drive.rate, drive.acceleration}; }

/// Closure of a joint: every entry is zero along a motion that the joint allows.
void close_joint(const Description::Joint& joint, const FrameJets& father, const FrameJets& son, std::vector<Jet>& g) {
  const JetVector gap = son.origin - father.origin;
  const auto [first, second] = across(joint.axis);
  const JetVector u = axis_of(joint.axis);
  const auto common_origin = [&] { g.insert(g.end(), {gap.x, gap.y, gap.z}); };
  const auto no_travel = [&](const JetVector& direction) { g.push_back(dot(father.axes * direction, gap)); };
  const auto across_only = [&] {
    no_travel(first);
    no_travel(second);
  };
  const auto parallel = [&] {
    g.push_back(dot(father.axes * first, son.axes * u));
    g.push_back(dot(father.axes * second, son.axes * u));
  };
  const auto same_orientation = [&](const JetMatrix& axes) {
    g.push_back(dot(axes.c0, son.axes.c1));
    g.push_back(dot(axes.c1, son.axes.c2));
    g.push_back(dot(axes.c2, son.axes.c0));
  };
  switch (joint.kind) {
    case JointKind::fixed:
      common_origin();
      return same_orientation(father.axes);
    case JointKind::revolute:
      common_origin();
      return parallel();
    case JointKind::prismatic:
      across_only();
      return same_orientation(father.axes);
    case JointKind::cylindrical:
      across_only();
      return parallel();
    case JointKind::screw:
      across_only();
      parallel();
      // Which turn it is on does not matter to the rates.
      g.push_back(travel_along(father, son, joint.axis) - Jet(joint.pitch) * turn_about(father, son, joint.axis));
      g.back().f = 0;
      return;
    case JointKind::spherical:
      return common_origin();
    case JointKind::universal:
      common_origin();
      g.push_back(dot(father.axes * u, son.axes * axis_of(joint.second)));
      return;
    case JointKind::constant_velocity:
      common_origin();
      g.push_back(dot(father.axes * second, son.axes * first) - dot(father.axes * first, son.axes * second));
      return;
    case JointKind::free:
    case JointKind::free_by_angles:
      return;
    case JointKind::free_translation:
      return same_orientation(father.axes);
    case JointKind::plane:
      no_travel(u);
      return parallel();
    case JointKind::point_on_line:
      return across_only();
    case JointKind::point_on_plane:
      return no_travel(u);
    case JointKind::driven_revolute: {
      common_origin();
      const Jet angle = jet_of(joint.drive), c = cos(angle), s = sin(angle);
      // The father's axes turned about u: R e = e_u + c e_n + s (u x e)
      const auto turned = [&](const JetVector& e) {
        const JetVector along = dot(u, e) * u;
        return father.axes * (along + c * (e - along) + s * cross(u, e));
      };
      const RealVector3 x = RealVector3::UnitX(), y = RealVector3::UnitY(), z = RealVector3::UnitZ();
      return same_orientation({turned(constant(x)), turned(constant(y)), turned(constant(z))});
    }
    case JointKind::driven_prismatic:
      across_only();
      g.push_back(travel_along(father, son, joint.axis) - jet_of(joint.drive));
      return same_orientation(father.axes);
    case JointKind::driven_path: {
      const Jet s = jet_of(joint.drive), a(joint.second.x()), b(joint.second.y());
      const JetVector place{s, a * s * s, b * s * s * s};
      const JetVector x = unit({Jet(1), Jet(2) * a * s, Jet(3) * b * s * s});
      const JetVector y = unit({-x.y, x.x, Jet(0)});  // level, to the left
      const JetVector off = gap - father.axes * place;
      g.insert(g.end(), {off.x, off.y, off.z});
      return same_orientation(father.axes * JetMatrix{x, y, cross(x, y)});
    }
  }
}

Jet coordinate_of(const Description::Joint& joint, const MotionJets& motion) {
  const FrameJets father = motion.frame(joint.father), son = motion.frame(joint.son);
  return joint.kind == JointKind::prismatic ? travel_along(father, son, joint.axis)
                                            : turn_about(father, son, joint.axis);
}

bool is_nonholonomic(ConstraintKind kind) {
  return kind == ConstraintKind::knife_edge || kind == ConstraintKind::driven_speed ||
         kind == ConstraintKind::rolling_disc || kind == ConstraintKind::rolling_circles ||
         kind == ConstraintKind::circle_rolling_on_line;
}

/// Of the material of the second body over that of the first at a point, along a direction.
Jet slip(const FrameJets& first, const FrameJets& second, const JetVector& point, const JetVector& direction) {
  const auto material = [&](const FrameJets& at) {
    return at.velocity + cross(at.angular_velocity, point - at.origin);
  };
  return dot(direction, material(second) - material(first));
}

/// The lowest point of the rim of a disc over a plane.
JetVector lowest_point(const Description::Constraint& c, const FrameJets& plane, const FrameJets& disc) {
  const JetVector normal = plane.axes.c2, axle = disc.axes * axis_of(c.axis);
  return disc.origin - Jet(c.ratio) * unit(normal - dot(normal, axle) * axle);
}

/// Holonomic: zero along the motion. Nonholonomic: a velocity that is zero, with its first derivative.
std::vector<Jet> close_constraint(const Description& mechanism, const Description::Constraint& c,
                                  const MotionJets& motion) {
  const FrameJets first = motion.frame(c.first), second = motion.frame(c.second);
  switch (c.kind) {
    case ConstraintKind::rod:
    case ConstraintKind::driven_rod: {
      return {norm(second.origin - first.origin) - jet_of(c.drive)};
    }
    case ConstraintKind::gear: {
      Jet g = coordinate_of(mechanism.joints[static_cast<std::size_t>(c.second_joint)], motion) -
              Jet(c.ratio) * coordinate_of(mechanism.joints[static_cast<std::size_t>(c.first_joint)], motion);
      g.f = 0;  // the teeth mesh as they are placed
      return {g};
    }
    case ConstraintKind::rack_and_pinion: {
      Jet g = travel_along(first, second, c.axis) + Jet(c.ratio) * turn_about(first, second, c.second_axis);
      g.f = 0;
      return {g};
    }
    case ConstraintKind::knife_edge:
      return {dot(first.axes * axis_of(c.axis), first.velocity)};
    case ConstraintKind::driven_speed:
      return {dot(first.axes * axis_of(c.axis), first.velocity) - Jet(c.drive.value, c.drive.rate, 0)};
    case ConstraintKind::disc_on_plane:
      return {dot(first.axes.c2, lowest_point(c, first, second) - first.origin)};
    case ConstraintKind::rolling_disc: {
      const JetVector point = lowest_point(c, first, second);
      return {slip(first, second, point, first.axes.c0), slip(first, second, point, first.axes.c1)};
    }
    case ConstraintKind::point_on_circle:
      return {norm(second.origin - first.origin) - Jet(c.ratio)};
    case ConstraintKind::touching_circles:
      return {norm(second.origin - first.origin) - Jet(c.ratio) - Jet(c.height)};
    case ConstraintKind::rolling_circles: {
      const JetVector out = unit(second.origin - first.origin);
      return {slip(first, second, first.origin + Jet(c.ratio) * out, {-out.y, out.x, Jet(0)})};
    }
    case ConstraintKind::circle_on_line:
      return {dot(first.axes.c1, second.origin - first.origin) - Jet(c.height)};
    case ConstraintKind::circle_rolling_on_line:
      return {slip(first, second, second.origin - Jet(c.height) * first.axes.c1, first.axes.c0)};
  }
  return {};
}

/// What a force element does: efforts times the rates that they do work on.
struct Effort {
  Real size;
  Jet rate;
};

std::vector<Jet> rotation_vector(const JetMatrix& R) {
  const Jet half(0.5L);
  const JetVector sine{half * (R.c1.z - R.c2.y), half * (R.c2.x - R.c0.z), half * (R.c0.y - R.c1.x)};
  const Jet size = sqrt(dot(sine, sine)), cosine = half * (R.c0.x + R.c1.y + R.c2.z - Jet(1));
  const Jet factor = angle_of(size, cosine) / size;
  return {factor * sine.x, factor * sine.y, factor * sine.z};
}

JetMatrix transposed_product(const JetMatrix& A, const JetMatrix& B) {
  const auto column = [&](const JetVector& b) { return JetVector{dot(A.c0, b), dot(A.c1, b), dot(A.c2, b)}; };
  return {column(B.c0), column(B.c1), column(B.c2)};
}

std::vector<Effort> efforts(const Description& mechanism, const Description::Force& force, const MotionJets& motion) {
  const FrameJets a = motion.frame(force.first), b = motion.frame(force.second);
  const Real k = force.stiffness, c = force.damping;
  switch (force.kind) {
    case ForceKind::spring_damper: {
      const Jet length = norm(b.origin - a.origin);
      return {{-(k * (length.f - static_cast<Real>(force.free)) + c * length.d), length}};
    }
    case ForceKind::torsion_spring_damper: {
      // theta' = n (omega_2 - omega_1), n = (a_1 + a_2) / (1 + a_1 a_2), which is the rate of the twist.
      const Jet twist = turn_about(a, b, force.axis);
      return {{-(k * (twist.f - static_cast<Real>(force.free)) + c * twist.d), twist}};
    }
    case ForceKind::bushing: {
      const JetVector gap = b.origin - a.origin;
      std::vector<Jet> e;
      if (mechanism.planar)
        e = {Jet(0), Jet(0), turn_about(a, b, Eigen::Vector3d::UnitZ())};
      else
        e = rotation_vector(transposed_product(a.axes, b.axes));
      e.insert(e.end(), {dot(a.axes.c0, gap), dot(a.axes.c1, gap), dot(a.axes.c2, gap)});
      std::vector<Effort> out;
      for (int i = 0; i < 6; ++i) {
        Real effort = 0;
        for (int j = 0; j < 6; ++j)
          effort -= static_cast<Real>(force.stiffness_matrix(i, j)) * e[static_cast<std::size_t>(j)].f +
                    static_cast<Real>(force.damping_matrix(i, j)) * e[static_cast<std::size_t>(j)].d;
        out.push_back({effort, e[static_cast<std::size_t>(i)]});
      }
      return out;
    }
    case ForceKind::driven_force: {
      const RealVector3 value = static_cast<Real>(force.drive.value) * real(force.axis).normalized();
      return {{value.x(), a.origin.x}, {value.y(), a.origin.y}, {value.z(), a.origin.z}};
    }
    case ForceKind::drag:
      return {{-c * a.velocity.x.f, a.origin.x}, {-c * a.velocity.y.f, a.origin.y}, {-c * a.velocity.z.f, a.origin.z}};
    case ForceKind::air_spring: {  // design length `free`, height of the gas `damping`, thrust `stiffness`
      const Jet length = norm(b.origin - a.origin);
      const Real still = air_pressure * air_area, height = c + length.f - static_cast<Real>(force.free);
      return {{(k + still) * std::pow(c / height, static_cast<Real>(air_exponent)) - still, length}};
    }
    case ForceKind::series_spring_damper: {
      const Jet length = norm(b.origin - a.origin);
      return {{-k * (length.f - static_cast<Real>(force.free) - static_cast<Real>(force.state)), length}};
    }
    case ForceKind::actuator_force:
      return {{force.state, travel_along(a, b, force.axis)}};
    case ForceKind::actuator_torque: {
      const JetVector turning = b.angular_velocity - a.angular_velocity;
      return {{force.state, Jet(0, dot(a.axes * axis_of(force.axis), turning).f, 0)}};
    }
    case ForceKind::anti_roll_bar: {
      const FrameJets car = motion.frame(force.third);
      const Jet parting = dot(car.axes * axis_of(force.axis), a.origin - b.origin);
      return {{-(k * parting.f + c * parting.d), parting}};
    }
    case ForceKind::force:
      return {{force.value.x(), a.origin.x}, {force.value.y(), a.origin.y}, {force.value.z(), a.origin.z}};
    case ForceKind::force_on_body: {
      const RealVector3 value = real(force.value);
      const auto along = [&](const JetVector& axis) {  // power of a force along the frame's present axis
        const JetVector& v = a.velocity;
        return Jet(0, axis.x.f * v.x.f + axis.y.f * v.y.f + axis.z.f * v.z.f, 0);
      };
      return {{value[0], along(a.axes.c0)}, {value[1], along(a.axes.c1)}, {value[2], along(a.axes.c2)}};
    }
    case ForceKind::torque: {
      const JetVector& w = a.angular_velocity;
      return {{force.value.x(), Jet(0, w.x.f, 0)},
              {force.value.y(), Jet(0, w.y.f, 0)},
              {force.value.z(), Jet(0, w.z.f, 0)}};
    }
  }
  return {};
}

/// Velocities in one vector: of every body its angular velocity, then that of its centre; only what the body has.
class Columns {
 public:
  explicit Columns(const Description& mechanism) : planar_(mechanism.planar) {
    for (const Description::Body& body : mechanism.bodies) {
      const bool turns = Description::turns(body.kind);
      std::array<int, 6> of{-1, -1, -1, -1, -1, -1};
      for (int i = 0; i < 6; ++i) {
        const bool exists = planar_ ? (i == 2 ? turns : i == 3 || i == 4) : (i >= 3 || turns);
        if (exists) of[static_cast<std::size_t>(i)] = size_++;
      }
      of_.push_back(of);
    }
  }
  int size() const { return size_; }
  int of(std::size_t body, int i) const { return of_[body][static_cast<std::size_t>(i)]; }
  std::vector<Twist3> twists(const RealVector& v) const {
    std::vector<Twist3> out(of_.size());
    for (std::size_t b = 0; b < of_.size(); ++b)
      for (int i = 0; i < 6; ++i)
        if (of(b, i) >= 0) (i < 3 ? out[b].angular[i] : out[b].linear[i - 3]) = v[of(b, i)];
    return out;
  }
  RealVector vector(const std::vector<Twist3>& twists) const {
    RealVector v = RealVector::Zero(size_);
    for (std::size_t b = 0; b < of_.size(); ++b)
      for (int i = 0; i < 6; ++i)
        if (of(b, i) >= 0) v[of(b, i)] = i < 3 ? twists[b].angular[i] : twists[b].linear[i - 3];
    return v;
  }

 private:
  bool planar_;
  int size_ = 0;
  std::vector<std::array<int, 6>> of_;
};

/// The rows of all joints and constraints, and whose they are.
class Rows {
 public:
  explicit Rows(const Description& mechanism) : mechanism_(mechanism), columns_(mechanism) {}

  const Columns& columns() const { return columns_; }

  struct Values {
    std::vector<Real> position, velocity, acceleration;  // of holonomic rows; nonholonomic ones have no position
    std::vector<int> joint;                              // number of the joint; -1: of a constraint
  };
  Values values(const std::vector<Twist3>& v, const std::vector<Twist3>& a) const {
    const MotionJets motion(mechanism_, v, a);
    Values out;
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
      const Description::Joint& joint = mechanism_.joints[j];
      std::vector<Jet> g;
      close_joint(joint, motion.frame(joint.father), motion.frame(joint.son), g);
      for (const Jet& row : g) {
        out.position.push_back(row.f);
        out.velocity.push_back(row.d);
        out.acceleration.push_back(row.dd);
        out.joint.push_back(static_cast<int>(j));
      }
    }
    for (const Description::Constraint& constraint : mechanism_.constraints) {
      const bool nonholonomic = is_nonholonomic(constraint.kind);
      for (const Jet& row : close_constraint(mechanism_, constraint, motion)) {
        out.position.push_back(nonholonomic ? 0 : row.f);
        out.velocity.push_back(nonholonomic ? row.f : row.d);
        out.acceleration.push_back(nonholonomic ? row.d : row.dd);
        out.joint.push_back(-1);
      }
    }
    return out;
  }

  std::vector<Twist3> nothing() const { return std::vector<Twist3>(mechanism_.bodies.size()); }
  RealVector velocities() const {
    std::vector<Twist3> out = nothing();
    for (std::size_t b = 0; b < out.size(); ++b) {
      const Description::Body& body = mechanism_.bodies[b];
      const RealVector3 arm = rotation(body.orientation) * real(body.center);
      out[b].angular = real(body.angular_velocity);
      out[b].linear = real(body.velocity) + out[b].angular.cross(arm);
    }
    return columns_.vector(out);
  }

 private:
  const Description& mechanism_;
  Columns columns_;
};

/// Everything that the state decides.
struct System {
  RealMatrix G, M;
  RealVector position, offset, velocity, gamma, f;
  std::vector<int> joint;  // of each row
};

RealVector3 weight(const Description& mechanism, const Description::Body& body) {
  return static_cast<Real>(body.mass) * real(mechanism.gravity);
}

System pose(const Description& mechanism) {
  const Rows rows(mechanism);
  const Columns& columns = rows.columns();
  const int n = columns.size();
  System out;
  const RealVector v = rows.velocities();
  const Rows::Values at_rest = rows.values(rows.nothing(), rows.nothing());
  const Rows::Values moving = rows.values(columns.twists(v), rows.nothing());
  const auto m = static_cast<Eigen::Index>(at_rest.velocity.size());
  out.joint = at_rest.joint;
  out.position = RealVector::Map(at_rest.position.data(), m);
  out.offset = RealVector::Map(at_rest.velocity.data(), m);
  out.velocity = RealVector::Map(moving.velocity.data(), m);
  out.gamma = -RealVector::Map(moving.acceleration.data(), m);
  out.G.resize(m, n);
  out.f.setZero(n);

  const auto power = [&](const std::vector<Twist3>& unit, std::size_t force) {
    return efforts(mechanism, mechanism.forces[force], MotionJets(mechanism, unit, rows.nothing()));
  };
  std::vector<std::vector<Effort>> acting;
  for (const Description::Force& force : mechanism.forces)
    acting.push_back(efforts(mechanism, force, MotionJets(mechanism, columns.twists(v), rows.nothing())));
  for (int j = 0; j < n; ++j) {
    const std::vector<Twist3> unit = columns.twists(RealVector::Unit(n, j));
    const Rows::Values along = rows.values(unit, rows.nothing());
    out.G.col(j) = RealVector::Map(along.velocity.data(), m) - out.offset;
    for (std::size_t k = 0; k < acting.size(); ++k) {
      const std::vector<Effort> rates = power(unit, k);
      for (std::size_t i = 0; i < rates.size(); ++i) out.f[j] += acting[k][i].size * rates[i].rate.d;
    }
  }

  out.M.setZero(n, n);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Description::Body& body = mechanism.bodies[b];
    const RealMatrix3 R = rotation(body.orientation);
    const RealMatrix3 J = R * body.inertia.cast<Real>() * R.transpose();
    const RealVector3 omega = real(body.angular_velocity),
                      gyroscopic = omega.cross(RealVector3(J * omega + R * real(body.momentum)));
    const RealVector3 gravity = weight(mechanism, body);
    for (int i = 0; i < 3; ++i) {
      const int row = columns.of(b, i), force_row = columns.of(b, i + 3);
      if (row >= 0) {
        out.f[row] -= gyroscopic[i];
        for (int j = 0; j < 3; ++j)
          if (columns.of(b, j) >= 0) out.M(row, columns.of(b, j)) = J(i, j);
      }
      if (force_row >= 0) {
        out.f[force_row] += gravity[i];
        out.M(force_row, force_row) = body.mass;
      }
    }
  }

  // Rows that leave the plane of a planar mechanism have no entries there.
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < m; ++i)
    if (out.G.row(i).cwiseAbs().maxCoeff() > 1e-12L) kept.push_back(i);
  const auto keep = [&](RealVector& x) { x = RealVector(x(kept)); };
  out.G = RealMatrix(out.G(kept, Eigen::all));
  keep(out.position);
  keep(out.offset);
  keep(out.velocity);
  keep(out.gamma);
  std::vector<int> joint;
  for (Eigen::Index i : kept) joint.push_back(out.joint[static_cast<std::size_t>(i)]);
  out.joint = joint;
  return out;
}

constexpr Real rank_threshold = 1e-9L;  // of rows that are redundant by construction or not at all

Eigen::CompleteOrthogonalDecomposition<RealMatrix> decomposed(const RealMatrix& A) {
  Eigen::CompleteOrthogonalDecomposition<RealMatrix> out;
  out.setThreshold(rank_threshold);
  out.compute(A);
  return out;
}

/// Orthonormal basis of the kernel of A, of known rank.
RealMatrix kernel(const RealMatrix& A, Eigen::Index rank) {
  Eigen::ColPivHouseholderQR<RealMatrix> pivoted(A.transpose());
  const RealMatrix Q = pivoted.householderQ();
  return Q.rightCols(A.cols() - rank);
}

double condition_of(const System& s, Eigen::Index rank) {
  // Independent rows only, each of unit length; masses relative to the largest.
  Eigen::ColPivHouseholderQR<RealMatrix> qr;
  if (rank > 0) qr.compute(s.G.transpose());
  const Eigen::Index n = s.M.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + rank, n + rank);
  A.topLeftCorner(n, n) = (s.M / s.M.cwiseAbs().maxCoeff()).cast<double>();
  for (Eigen::Index i = 0; i < rank; ++i) {
    const Eigen::Index row = qr.colsPermutation().indices()[i];
    A.row(n + i).head(n) = (s.G.row(row) / s.G.row(row).norm()).cast<double>();
    A.col(n + i).head(n) = A.row(n + i).head(n).transpose();
  }
  const Eigen::VectorXd sizes =  // A is symmetric
      symmetric_eigenvalues(A).cwiseAbs();
  return sizes.maxCoeff() / sizes.minCoeff();
}

}  // namespace

NewtonEuler solve_newton_euler(const Description& mechanism) {
  const System s = pose(mechanism);
  const Eigen::Index n = s.M.rows(), m = s.G.rows();
  NewtonEuler out;
  out.largest_position_residual = m > 0 ? static_cast<double>(s.position.cwiseAbs().maxCoeff()) : 0;
  out.largest_velocity_residual = m > 0 ? static_cast<double>(s.velocity.cwiseAbs().maxCoeff()) : 0;

  RealVector a = RealVector::Zero(n);
  RealMatrix N = RealMatrix::Identity(n, n);
  Eigen::Index rank = 0;
  RealVector lambda = RealVector::Zero(m);
  RealMatrix dependencies(m, 0);  // combinations of rows that vanish
  if (m > 0) {
    const auto rows = decomposed(s.G);
    rank = rows.rank();
    a = rows.solve(s.gamma);
    out.contradiction = static_cast<double>((s.G * a - s.gamma).norm() / (1 + s.gamma.norm()));
    N = kernel(s.G, rank);
    dependencies = kernel(s.G.transpose(), rank);
  }
  out.freedoms = static_cast<int>(n - rank);
  out.redundant_rows = static_cast<int>(m - rank);
  if (n > rank) {
    const RealMatrix reduced = N.transpose() * s.M * N;
    const Eigen::VectorXd energies = symmetric_eigenvalues(reduced.cast<double>());
    out.definiteness = energies[0] / energies[n - rank - 1];
    a += N * Eigen::ColPivHouseholderQR<RealMatrix>(reduced).solve(RealVector(N.transpose() * (s.f - s.M * a)));
  }
  if (m > 0) lambda = decomposed(s.G.transpose()).solve(RealVector(s.f - s.M * a));
  out.condition = condition_of(s, rank);
  for (Eigen::Index row = 0; row < m; ++row)
    out.held_acceleration =
        std::max(out.held_acceleration,
                 static_cast<double>(std::abs(lambda[row]) * s.G.row(row).norm() / s.M.cwiseAbs().maxCoeff()));

  const Columns columns(mechanism);
  const std::vector<Twist3> accelerations = columns.twists(a);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Description::Body& body = mechanism.bodies[b];
    const RealVector3 arm = -(rotation(body.orientation) * real(body.center));
    const RealVector3 omega = real(body.angular_velocity), alpha = accelerations[b].angular;
    out.bodies.push_back(
        {alpha, accelerations[b].linear + alpha.cross(arm) + omega.cross(RealVector3(omega.cross(arm)))});
  }

  // The wrench of a joint's rows on its son, which may be the ground: then it is minus that on the father.
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Description::Joint& joint = mechanism.joints[j];
    const bool on_father = joint.son.body < 0;
    const Description::Frame& frame = on_father ? joint.father : joint.son;
    const Description::Body& body = mechanism.bodies[static_cast<std::size_t>(frame.body)];
    const auto at_body = static_cast<std::size_t>(frame.body);
    const RealMatrix3 R = rotation(body.orientation);
    RealMatrix by_rows = RealMatrix::Zero(6, m);  // wrench about the centre of mass for each multiplier
    for (Eigen::Index row = 0; row < m; ++row) {
      if (s.joint[static_cast<std::size_t>(row)] != static_cast<int>(j)) continue;
      for (int i = 0; i < 6; ++i)
        if (columns.of(at_body, i) >= 0) by_rows(i, row) = -s.G(row, columns.of(at_body, i));
    }
    const RealVector wrench = by_rows * lambda;
    RealVector3 torque = wrench.head<3>(), force = wrench.tail<3>();
    if (on_father) {
      torque = -torque;
      force = -force;
    }
    const RealVector3 son_origin =
        on_father ? RealVector3(real(joint.son.offset)) : RealVector3(real(body.position) + R * real(frame.offset));
    const RealVector3 center = real(body.position) + R * real(body.center);
    torque += (center - son_origin).cross(force);
    const bool unique = dependencies.cols() == 0 || (by_rows * dependencies).cwiseAbs().maxCoeff() < 1e-7L;
    out.joints.push_back({torque, force, unique});
  }
  return out;
}

void make_velocities_consistent(Description& mechanism) {
  const System s = pose(mechanism);
  const Columns columns(mechanism);
  RealVector v = Rows(mechanism).velocities();
  if (s.G.rows() > 0) v -= decomposed(s.G).solve(RealVector(s.G * v + s.offset));
  const std::vector<Twist3> twists = columns.twists(v);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    Description::Body& body = mechanism.bodies[b];
    const RealVector3 arm = -(rotation(body.orientation) * real(body.center));
    body.angular_velocity = twists[b].angular.cast<double>();
    body.velocity = RealVector3(twists[b].linear + twists[b].angular.cross(arm)).cast<double>();
  }
}

}  // namespace linkwork::test
