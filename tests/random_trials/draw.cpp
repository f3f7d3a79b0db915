#include "description.hpp"
#include "newton_euler.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace linkwork::test {

namespace {

using Kind = Description::JointKind;

constexpr double pi = 3.14159265358979323846;

struct RelativePose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  double angle = 0;
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {
    out_.seed = seed;
    out_.planar = chance(0.4);
  }

  Description mechanism() {
    out_.gravity = 9.81 * direction();
    const int bodies = whole(1, 7);
    const bool wide_masses = chance(0.3);
    decades_ = wide_masses ? 3 : 0.3;
    while (static_cast<int>(out_.bodies.size()) < bodies) add_link();
    if (chance(0.6))
      for (int k = whole(1, 3); k > 0; --k) try_to_close_loop();
    if (chance(0.15)) double_a_hinge();
    if (chance(0.5))
      for (int k = whole(1, 2); k > 0; --k) try_to_add_constraint();
    for (int k = whole(0, 4); k > 0; --k) add_force();
    for (Description::Body& body : out_.bodies) {
      body.velocity = vector(1);
      if (body.kind != Description::BodyKind::point_mass)
        body.angular_velocity = out_.planar ? Eigen::Vector3d(0, 0, number(-2, 2)) : vector(2);
    }
    make_velocities_consistent(out_);
    return out_;
  }

 private:
  // Numbers: the library's distributions differ between machines, this one does not.
  double number(double from, double to) { return from + (to - from) * (static_cast<double>(random_()) / 4294967296.0); }
  bool chance(double p) { return number(0, 1) < p; }
  int whole(int from, int to) { return from + static_cast<int>(number(0, 1) * (to - from + 1)); }
  Eigen::Vector3d vector(double size) {
    const double x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {x, y, out_.planar ? 0 : z};
  }
  Eigen::Vector3d direction() {
    for (;;) {
      const Eigen::Vector3d out = vector(1);
      if (out.norm() > 0.3 && out.norm() < 1) return out.normalized();
    }
  }
  static Eigen::Quaterniond turned(const Eigen::Vector3d& axis, double angle) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
  }
  RelativePose turn(double largest) {
    RelativePose out;
    out.angle = out_.planar ? number(-largest, largest) : 0;
    out.rotation =
        out_.planar ? turned(Eigen::Vector3d::UnitZ(), out.angle) : turned(direction(), number(-largest, largest));
    return out;
  }
  Eigen::Vector3d perpendicular_to(const Eigen::Vector3d& axis) {
    for (;;) {
      const Eigen::Vector3d out = axis.cross(direction());
      if (out.norm() > 0.3) return out.normalized();
    }
  }

  // Poses.
  RelativePose pose_of(int body) const {
    if (body < 0) return {};
    const Description::Body& b = out_.bodies[static_cast<std::size_t>(body)];
    return {b.position, b.orientation, b.angle};
  }
  static RelativePose composed(const RelativePose& a, const RelativePose& b) {
    return {a.position + a.rotation * b.position, (a.rotation * b.rotation).normalized(), a.angle + b.angle};
  }
  static RelativePose inverse(const RelativePose& a) {
    return {-(a.rotation.conjugate() * a.position), a.rotation.conjugate(), -a.angle};
  }
  Description::Frame random_frame(int body) {
    const RelativePose turned = turn(pi / 2);
    const bool is_point = body >= 0 && kind_of(body) == Description::BodyKind::point_mass;
    if (is_point) return {body, Eigen::Vector3d::Zero(), turned.rotation, turned.angle};
    return {body, vector(0.5), turned.rotation, turned.angle};
  }
  static RelativePose pose_of(const Description::Frame& frame) {
    return {frame.offset, frame.orientation, frame.angle};
  }
  static Description::Frame frame_of(int body, const RelativePose& pose) {
    return {body, pose.position, pose.rotation, pose.angle};
  }
  Description::BodyKind kind_of(int body) const { return out_.bodies[static_cast<std::size_t>(body)].kind; }

  // Bodies and the joints of their tree.
  int random_body(bool with_ground, bool turning) {
    for (;;) {
      const int body = whole(with_ground ? -1 : 0, static_cast<int>(out_.bodies.size()) - 1);
      if (body < 0 || !turning || kind_of(body) != Description::BodyKind::point_mass) return body;
    }
  }
  bool has_turning_body() const {
    return std::any_of(out_.bodies.begin(), out_.bodies.end(),
                       [](const auto& b) { return b.kind != Description::BodyKind::point_mass; });
  }
  Description::Body rigid_body() {
    Description::Body body;
    body.mass = std::pow(10, number(-decades_, decades_));
    body.center = vector(0.3);
    const Eigen::Vector3d sides(number(0.2, 1), number(0.2, 1), number(0.2, 1));
    Eigen::Vector3d moments;
    for (int i = 0; i < 3; ++i) moments[i] = body.mass * (sides.squaredNorm() - sides[i] * sides[i]) / 12;
    const Eigen::Matrix3d R = out_.planar ? Eigen::Matrix3d(Eigen::Matrix3d::Identity())
                                          : turned(direction(), number(-3, 3)).toRotationMatrix();
    body.inertia = R * moments.asDiagonal() * R.transpose();
    body.inertia = (0.5 * (body.inertia + body.inertia.transpose())).eval();
    return body;
  }

  void add_link() {
    const int father = out_.bodies.empty() || chance(0.2) || !has_turning_body() ? -1 : random_body(false, true);
    const double choice = number(0, 1);
    if (choice < 0.12) {
      Description::Body point;
      point.kind = Description::BodyKind::point_mass;
      point.mass = std::pow(10, number(-decades_, decades_));
      attach(father, point, out_.planar || chance(0.5) ? Kind::point_on_line : Kind::point_on_plane);
    } else if (choice < 0.24) {
      Description::Body frame;  // with one freedom, and a body of mass on another axis
      frame.kind = Description::BodyKind::massless_frame;
      attach(father, frame, Kind::revolute);
      attach(static_cast<int>(out_.bodies.size()) - 1, rigid_body(), Kind::revolute);
    } else {
      attach(father, rigid_body(), tree_joint());
    }
  }
  Kind tree_joint() {
    static const std::vector<Kind> planar = {
        Kind::revolute, Kind::revolute,      Kind::revolute,         Kind::prismatic,       Kind::fixed,
        Kind::free,     Kind::point_on_line, Kind::free_translation, Kind::driven_revolute, Kind::driven_prismatic};
    static const std::vector<Kind> spatial = {Kind::revolute,  Kind::revolute,        Kind::revolute,
                                              Kind::prismatic, Kind::cylindrical,     Kind::screw,
                                              Kind::spherical, Kind::universal,       Kind::constant_velocity,
                                              Kind::free,      Kind::free_by_angles,  Kind::free_translation,
                                              Kind::plane,     Kind::point_on_line,   Kind::point_on_plane,
                                              Kind::fixed,     Kind::driven_revolute, Kind::driven_prismatic};
    const std::vector<Kind>& kinds = out_.planar ? planar : spatial;
    return kinds[static_cast<std::size_t>(whole(0, static_cast<int>(kinds.size()) - 1))];
  }
  Kind loop_joint() {
    static const std::vector<Kind> planar = {Kind::revolute, Kind::prismatic, Kind::point_on_line};
    static const std::vector<Kind> spatial = {Kind::revolute,       Kind::cylindrical, Kind::spherical,
                                              Kind::universal,      Kind::plane,       Kind::point_on_line,
                                              Kind::point_on_plane, Kind::screw};
    const std::vector<Kind>& kinds = out_.planar ? planar : spatial;
    return kinds[static_cast<std::size_t>(whole(0, static_cast<int>(kinds.size()) - 1))];
  }

  Description::Joint named_joint(Kind kind) {
    Description::Joint joint;
    joint.kind = kind;
    joint.name = "joint " + std::to_string(++joints_);
    const bool travels = kind == Kind::prismatic || kind == Kind::point_on_line || kind == Kind::driven_prismatic;
    joint.axis = out_.planar && !travels ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : direction();
    if (!out_.planar) joint.second = perpendicular_to(joint.axis);
    joint.pitch = number(0.05, 0.3);
    joint.drive = {number(-1, 1), number(-1, 1), number(-1, 1)};
    return joint;
  }
  /// A pose that the joint allows.
  RelativePose pose_in(const Description::Joint& joint) {
    RelativePose out;
    const double angle = number(-1.2, 1.2), travel = number(-0.7, 0.7);
    const auto turn_by = [&](double by) {
      out.rotation = turned(joint.axis, by);
      out.angle = by;
    };
    switch (joint.kind) {
      case Kind::fixed:
        break;
      case Kind::revolute:
        turn_by(angle);
        break;
      case Kind::prismatic:
        out.position = travel * joint.axis;
        break;
      case Kind::cylindrical:
        turn_by(angle);
        out.position = travel * joint.axis;
        break;
      case Kind::screw:
        turn_by(angle);
        out.position = joint.pitch * angle * joint.axis;
        break;
      case Kind::spherical:
        out = turn(1.2);
        break;
      case Kind::universal:
        out.rotation = turned(joint.axis, angle) * turned(joint.second, number(-1, 1));
        break;
      case Kind::constant_velocity:
        out.rotation = turned(perpendicular_to(joint.axis), number(0.1, 1));
        break;
      case Kind::free:
      case Kind::free_by_angles:
        out = turn(1);
        out.position = vector(0.7);
        break;
      case Kind::free_translation:
        out.position = vector(0.7);
        break;
      case Kind::plane:
        turn_by(angle);
        out.position = travel * perpendicular_to(joint.axis);
        break;
      case Kind::point_on_line:
        out = turn(1.2);
        out.position = travel * joint.axis;
        break;
      case Kind::point_on_plane:
        out = turn(1.2);
        out.position = travel * perpendicular_to(joint.axis);
        break;
      case Kind::driven_revolute:
        turn_by(joint.drive.value);
        break;
      case Kind::driven_prismatic:
        out.position = joint.drive.value * joint.axis;
        break;
    }
    return out;
  }
  void attach(int father, Description::Body body, Kind kind) {
    Description::Joint joint = named_joint(kind);
    joint.father = random_frame(father);
    const RelativePose at_joint = composed(composed(pose_of(father), pose_of(joint.father)), pose_in(joint));
    const int number = static_cast<int>(out_.bodies.size());
    body.name = "body " + std::to_string(number + 1);
    if (body.kind == Description::BodyKind::point_mass) {
      body.position = at_joint.position;
      joint.son = {number, Eigen::Vector3d::Zero()};
    } else {
      joint.son = random_frame(-1);
      joint.son.body = number;
      const RelativePose pose = composed(at_joint, inverse(pose_of(joint.son)));
      body.position = pose.position;
      body.orientation = pose.rotation;
      body.angle = pose.angle;
    }
    out_.bodies.push_back(body);
    out_.joints.push_back(joint);
  }

  // Loops: kept only where no row becomes redundant.
  bool is_regular() const {
    const NewtonEuler solution = solve_newton_euler(out_);
    return solution.redundant_rows == redundant_ && solution.freedoms >= 0 && solution.condition < 1e7;
  }
  void try_to_close_loop() {
    if (!has_turning_body()) return;
    const int father = random_body(true, true), son = random_body(false, true);
    if (father == son) return;
    const std::size_t before = out_.joints.size();
    Description::Joint joint = named_joint(loop_joint());
    joint.father = random_frame(father);
    const RelativePose at_joint = composed(composed(pose_of(father), pose_of(joint.father)), pose_in(joint));
    joint.son = frame_of(son, composed(inverse(pose_of(son)), at_joint));
    out_.joints.push_back(joint);
    if (!is_regular()) out_.joints.resize(before);
  }
  /// A second hinge on the axis of a first one, as doors have.
  void double_a_hinge() {
    if (out_.planar) return;
    for (const Description::Joint& first : std::vector(out_.joints)) {
      if (first.kind != Kind::revolute) continue;
      Description::Joint second = first;
      second.name = "joint " + std::to_string(++joints_);
      second.father.offset += first.father.orientation * Eigen::Vector3d(0.4 * first.axis);
      second.son.offset += first.son.orientation * Eigen::Vector3d(0.4 * first.axis);
      out_.joints.push_back(second);
      redundant_ += 5;
      return;
    }
  }

  void try_to_add_constraint() {
    std::optional<Description::Constraint> constraint = drawn_constraint();
    if (!constraint) return;
    out_.constraints.push_back(*constraint);
    if (!is_regular()) out_.constraints.pop_back();
  }
  std::optional<Description::Constraint> drawn_constraint() {
    using ConstraintKind = Description::ConstraintKind;
    Description::Constraint c;
    c.name = "constraint " + std::to_string(++constraints_);
    c.axis = direction();
    c.drive = {number(0.5, 1), number(-1, 1), number(-1, 1)};
    const double choice = number(0, 1);
    const int son = random_body(false, false), father = random_body(true, false);
    if (choice < 0.5) {
      if (father == son) return {};
      c.kind = choice < 0.35 ? ConstraintKind::rod : ConstraintKind::driven_rod;
      c.first = random_frame(father);
      c.second = random_frame(son);
      const auto origin = [&](const Description::Frame& f) { return composed(pose_of(f.body), pose_of(f)).position; };
      const double length = (origin(c.second) - origin(c.first)).norm();
      if (length < 0.1) return {};
      if (c.kind == ConstraintKind::rod) c.drive = {};
      c.drive.value = length;
      return c;
    }
    if (choice < 0.7) {
      c.kind = ConstraintKind::gear;
      std::vector<int> joints;
      for (std::size_t j = 0; j < out_.joints.size(); ++j)
        if (out_.joints[j].kind == Kind::revolute || out_.joints[j].kind == Kind::prismatic)
          joints.push_back(static_cast<int>(j));
      if (joints.size() < 2) return {};
      c.first_joint = joints[static_cast<std::size_t>(whole(0, static_cast<int>(joints.size()) - 1))];
      c.second_joint = joints[static_cast<std::size_t>(whole(0, static_cast<int>(joints.size()) - 1))];
      c.ratio = number(0.3, 2);
      if (c.first_joint == c.second_joint) return {};
      return c;
    }
    if (choice < 0.8) {
      if (!out_.planar || father == son || !has_turning_body()) return {};
      c.kind = ConstraintKind::rack_and_pinion;
      c.first = random_frame(random_body(true, true));
      c.second = random_frame(random_body(false, true));
      if (c.first.body == c.second.body) return {};
      c.ratio = number(0.1, 0.4);
      return c;
    }
    if (!has_turning_body()) return {};
    c.kind = choice < 0.9 ? ConstraintKind::knife_edge : ConstraintKind::driven_speed;
    c.first = random_frame(random_body(false, true));
    return c;
  }

  void add_force() {
    using ForceKind = Description::ForceKind;
    Description::Force f;
    f.name = "force " + std::to_string(++forces_);
    const int son = random_body(false, false), father = random_body(true, false);
    f.first = random_frame(father);
    f.second = random_frame(son);
    f.stiffness = number(1, 20);
    f.damping = number(0.1, 2);
    f.free = number(0.1, 0.5);
    f.axis = out_.planar ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : direction();
    const auto turns = [&](int body) { return body < 0 || kind_of(body) != Description::BodyKind::point_mass; };
    const double choice = number(0, 1);
    if (choice < 0.4) {
      if (father == son) return;
      f.kind = ForceKind::spring_damper;
    } else if (choice < 0.7) {
      if (father == son || !turns(father) || !turns(son)) return;
      f.kind = choice < 0.55 ? ForceKind::torsion_spring_damper : ForceKind::bushing;
      // Less than half a turn apart, so that no turns are in doubt.
      const RelativePose first = composed(pose_of(father), pose_of(f.first)), by = turn(1.2);
      const RelativePose second = composed(inverse(pose_of(son)), composed(first, by));
      f.second.orientation = second.rotation;
      f.second.angle = second.angle;
      for (int k = 0; k < 6; ++k) {
        Eigen::Matrix<double, 6, 1> x;
        for (double& entry : x) entry = number(-1, 1);
        if (out_.planar) x[0] = x[1] = x[5] = 0;
        f.stiffness_matrix += x * x.transpose();
        if (k < 2) f.damping_matrix += 0.2 * x * x.transpose();
      }
    } else {
      f.kind = choice < 0.8 ? ForceKind::force : choice < 0.9 ? ForceKind::force_on_body : ForceKind::torque;
      f.first = f.second;
      if (f.kind == ForceKind::torque && !turns(son)) return;
      f.value = f.kind == ForceKind::torque && out_.planar ? Eigen::Vector3d(0, 0, number(1, 3)) : vector(3);
    }
    out_.forces.push_back(f);
  }

  std::mt19937 random_;
  Description out_;
  double decades_ = 0.3;
  int joints_ = 0, constraints_ = 0, forces_ = 0;
  int redundant_ = 0;
};

}  // namespace

Description draw_mechanism(unsigned seed) { return Draw(seed).mechanism(); }

}  // namespace linkwork::test
