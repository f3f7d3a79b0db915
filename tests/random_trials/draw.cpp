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
      if (Description::turns(body.kind))
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
    const bool is_point = body >= 0 && !Description::turns(kind_of(body));
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
      if (body < 0 || !turning || Description::turns(kind_of(body))) return body;
    }
  }
  bool has_turning_body() const {
    return std::any_of(out_.bodies.begin(), out_.bodies.end(),
                       [](const auto& b) { return Description::turns(b.kind); });
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
    if (!out_.planar && chance(0.15)) {
      body.kind = Description::BodyKind::rotor_carrier;
      body.momentum = body.mass * vector(0.5);
    }
    return body;
  }

  void add_link() {
    const int father = out_.bodies.empty() || chance(0.2) || !has_turning_body() ? -1 : random_body(false, true);
    const double choice = number(0, 1);
    if (choice < 0.12) {
      Description::Body point;
      point.kind = Description::BodyKind::point_mass;
      point.mass = std::pow(10, number(-decades_, decades_));
      const double how = number(0, 1);
      attach(father, point, how < 0.4 ? Kind::point_on_line : how < 0.7 && !out_.planar ? Kind::point_on_plane : pin());
    } else if (choice < 0.16 && father >= 0) {
      Description::Body node;  // where a body with mass may be taken hold of
      node.kind = Description::BodyKind::massless_node;
      attach(father, node, pin());
    } else if (choice < 0.26) {
      Description::Body frame;  // with one freedom, and a body of mass on another axis
      frame.kind = Description::BodyKind::massless_frame;
      attach(father, frame, Kind::revolute);
      attach(static_cast<int>(out_.bodies.size()) - 1, rigid_body(), Kind::revolute);
    } else {
      attach(father, rigid_body(), tree_joint());
    }
  }
  /// Two points coincide.
  Kind pin() const { return out_.planar ? Kind::revolute : Kind::spherical; }
  Kind tree_joint() {
    static const std::vector<Kind> planar = {
        Kind::revolute, Kind::revolute,      Kind::revolute,         Kind::prismatic,       Kind::fixed,
        Kind::free,     Kind::point_on_line, Kind::free_translation, Kind::driven_revolute, Kind::driven_prismatic};
    static const std::vector<Kind> spatial = {Kind::revolute,   Kind::revolute,        Kind::revolute,
                                              Kind::prismatic,  Kind::cylindrical,     Kind::screw,
                                              Kind::spherical,  Kind::universal,       Kind::constant_velocity,
                                              Kind::free,       Kind::free_by_angles,  Kind::free_translation,
                                              Kind::plane,      Kind::point_on_line,   Kind::point_on_plane,
                                              Kind::fixed,      Kind::driven_revolute, Kind::driven_prismatic,
                                              Kind::driven_path};
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
    if (kind == Kind::driven_path) joint.second = {number(-0.5, 0.5), number(-0.5, 0.5), 0};
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
      case Kind::driven_path: {
        const double s = joint.drive.value, a = joint.second.x(), b = joint.second.y();
        const Eigen::Vector3d x = Eigen::Vector3d(1, 2 * a * s, 3 * b * s * s).normalized();
        const Eigen::Vector3d y = Eigen::Vector3d::UnitZ().cross(x).normalized();
        Eigen::Matrix3d axes;
        axes << x, y, x.cross(y);
        out.position = {s, a * s * s, b * s * s * s};
        out.rotation = Eigen::Quaterniond(axes);
        break;
      }
    }
    return out;
  }
  void attach(int father, Description::Body body, Kind kind) {
    Description::Joint joint = named_joint(kind);
    joint.father = random_frame(father);
    const RelativePose at_joint = composed(composed(pose_of(father), pose_of(joint.father)), pose_in(joint));
    const int number = static_cast<int>(out_.bodies.size());
    body.name = "body " + std::to_string(number + 1);
    if (!Description::turns(body.kind)) {
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
    const std::optional<Description::Constraint> constraint = drawn_constraint();
    if (!constraint || !is_kept(*constraint)) return;
    // What touches may roll.
    using ConstraintKind = Description::ConstraintKind;
    Description::Constraint rolling = *constraint;
    rolling.name += " rolling";
    switch (constraint->kind) {
      case ConstraintKind::disc_on_plane:
        rolling.kind = ConstraintKind::rolling_disc;
        break;
      case ConstraintKind::touching_circles:
        rolling.kind = ConstraintKind::rolling_circles;
        break;
      case ConstraintKind::circle_on_line:
        rolling.kind = ConstraintKind::circle_rolling_on_line;
        break;
      default:
        return;
    }
    if (chance(0.5)) is_kept(rolling);
  }
  bool is_kept(const Description::Constraint& constraint) {
    out_.constraints.push_back(constraint);
    const bool kept = is_regular();
    if (!kept) out_.constraints.pop_back();
    return kept;
  }
  std::optional<Description::Constraint> drawn_constraint() {
    using ConstraintKind = Description::ConstraintKind;
    Description::Constraint c;
    c.name = "constraint " + std::to_string(++constraints_);
    c.axis = direction();
    c.drive = {number(0.5, 1), number(-1, 1), number(-1, 1)};
    const double choice = number(0, 1);
    const int son = random_body(false, false), father = random_body(true, false);
    if (choice < 0.4) {
      if (father == son) return {};
      c.kind = choice < 0.28 ? ConstraintKind::rod : ConstraintKind::driven_rod;
      c.first = random_frame(father);
      c.second = random_frame(son);
      const double length = (in_ground(c.second).position - in_ground(c.first).position).norm();
      if (length < 0.1) return {};
      if (c.kind == ConstraintKind::rod) c.drive = {};
      c.drive.value = length;
      return c;
    }
    if (choice < 0.55) {
      c.kind = ConstraintKind::gear;
      std::vector<int> joints;
      for (std::size_t j = 0; j < out_.joints.size(); ++j)
        if (is_geared(out_.joints[j])) joints.push_back(static_cast<int>(j));
      if (joints.size() < 2) return {};
      c.first_joint = joints[static_cast<std::size_t>(whole(0, static_cast<int>(joints.size()) - 1))];
      c.second_joint = joints[static_cast<std::size_t>(whole(0, static_cast<int>(joints.size()) - 1))];
      c.ratio = number(0.3, 2);
      if (c.first_joint == c.second_joint) return {};
      return c;
    }
    if (choice < 0.8) return out_.planar && choice < 0.62 ? drawn_rack(c) : drawn_contact(c);
    if (!has_turning_body()) return {};
    c.kind = choice < 0.9 ? ConstraintKind::knife_edge : ConstraintKind::driven_speed;
    c.first = random_frame(random_body(false, true));
    return c;
  }
  bool is_geared(const Description::Joint& joint) const {
    const bool turns = joint.son.body < 0 || Description::turns(kind_of(joint.son.body));
    return turns && (joint.kind == Kind::revolute || joint.kind == Kind::prismatic || joint.kind == Kind::screw);
  }
  /// Frames on two bodies that turn; false where there are none.
  bool draw_frames(Description::Constraint& c) {
    if (!has_turning_body()) return false;
    c.first = random_frame(random_body(true, true));
    c.second = random_frame(random_body(false, true));
    return c.first.body != c.second.body;
  }
  std::optional<Description::Constraint> drawn_rack(Description::Constraint c) {
    c.kind = Description::ConstraintKind::rack_and_pinion;
    if (!draw_frames(c)) return {};
    c.ratio = number(0.1, 0.4);
    return c;
  }
  RelativePose in_ground(const Description::Frame& frame) const {
    return composed(pose_of(frame.body), pose_of(frame));
  }
  std::optional<Description::Constraint> drawn_contact(Description::Constraint c) {
    if (!draw_frames(c)) return {};
    return out_.planar ? drawn_curves(c) : drawn_disc(c);
  }
  /// The plane goes where the disc's rim is.
  std::optional<Description::Constraint> drawn_disc(Description::Constraint c) {
    c.kind = Description::ConstraintKind::disc_on_plane;
    c.ratio = number(0.2, 0.6);
    const RelativePose disc = in_ground(c.second);
    RelativePose plane = in_ground(c.first);
    const Eigen::Vector3d normal = plane.rotation * Eigen::Vector3d::UnitZ(), axle = disc.rotation * c.axis;
    const Eigen::Vector3d across = normal - normal.dot(axle) * axle;
    if (across.norm() < 0.3) return {};
    plane.position = disc.position - c.ratio * across.normalized() + plane.rotation * vector_in_plane(0.5);
    c.first = frame_of(c.first.body, composed(inverse(pose_of(c.first.body)), plane));
    return c;
  }
  Eigen::Vector3d vector_in_plane(double size) {
    const double x = number(-size, size), y = number(-size, size);
    return {x, y, 0};
  }
  std::optional<Description::Constraint> drawn_curves(Description::Constraint c) {
    using ConstraintKind = Description::ConstraintKind;
    const RelativePose first = in_ground(c.first), second = in_ground(c.second);
    const Eigen::Vector3d line = second.position - first.position;
    const double distance = line.norm(), direction_of_line = std::atan2(line.y(), line.x());
    if (distance < 0.1) return {};
    const double choice = number(0, 1);
    if (choice < 0.25) {
      c.kind = ConstraintKind::point_on_circle;
      c.ratio = distance;
      c.start = {direction_of_line - first.angle, 0};
    } else if (choice < 0.6) {
      c.kind = ConstraintKind::touching_circles;
      c.ratio = number(0.3, 0.7) * distance;
      c.height = distance - c.ratio;
      c.start = {direction_of_line - first.angle, direction_of_line + pi - second.angle};
    } else {
      c.kind = ConstraintKind::circle_on_line;
      const Eigen::Vector3d from_line = first.rotation.conjugate() * line;
      c.height = from_line.y();
      if (std::abs(c.height) < 0.05) return {};
      c.start = {from_line.x(), first.angle - std::copysign(pi / 2, c.height) - second.angle};
    }
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
    const auto turns = [&](int body) { return body < 0 || Description::turns(kind_of(body)); };
    const double choice = number(0, 1);
    if (choice < 0.3) {
      if (father == son) return;
      f.kind = ForceKind::spring_damper;
    } else if (choice < 0.6) {
      if (father == son || !turns(father) || !turns(son)) return;
      f.kind = choice < 0.45 ? ForceKind::torsion_spring_damper : ForceKind::bushing;
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
    } else if (choice < 0.85) {
      if (father == son) return;
      draw_between(f);
      if (f.kind == ForceKind::actuator_force && !turns(father)) return;
      if (f.kind == ForceKind::actuator_torque && (!turns(father) || !turns(son))) return;
      if (f.kind == ForceKind::anti_roll_bar) {
        if (!has_turning_body()) return;
        f.third = random_frame(random_body(true, true));
        if (f.third.body == father || f.third.body == son) return;
      }
      const double length = (in_ground(f.second).position - in_ground(f.first).position).norm();
      if (length < 0.1) return;
      if (f.kind == ForceKind::air_spring) {  // with gas left in it
        f.free = length * number(0.8, 1.2);
        f.damping = length * number(0.4, 0.8);
      }
    } else if (choice < 0.9) {
      f.kind = choice < 0.87 ? ForceKind::driven_force : ForceKind::drag;
      f.first = f.second;
      f.axis = direction();
      f.drive = {number(1, 3), number(-1, 1), number(-1, 1)};
    } else {
      f.kind = choice < 0.94 ? ForceKind::force : choice < 0.97 ? ForceKind::force_on_body : ForceKind::torque;
      f.first = f.second;
      if (f.kind == ForceKind::torque && !turns(son)) return;
      f.value = f.kind == ForceKind::torque && out_.planar ? Eigen::Vector3d(0, 0, number(1, 3)) : vector(3);
    }
    out_.forces.push_back(f);
  }

  /// An element between the origins of two frames.
  void draw_between(Description::Force& f) {
    using ForceKind = Description::ForceKind;
    static const std::vector<ForceKind> kinds = {ForceKind::air_spring, ForceKind::series_spring_damper,
                                                 ForceKind::actuator_force, ForceKind::actuator_torque,
                                                 ForceKind::anti_roll_bar};
    f.kind = kinds[static_cast<std::size_t>(whole(0, out_.planar ? 3 : 4))];
    const bool in_plane = out_.planar && f.kind == ForceKind::actuator_torque;
    f.axis = in_plane ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : direction();
    f.state = f.kind == ForceKind::series_spring_damper ? number(-0.2, 0.2) : number(-2, 2);
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
