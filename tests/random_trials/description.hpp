#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace linkwork::test {

/// A mechanism as plain numbers, in metres, kilograms and seconds: what is composed from it, what the independent
/// Newton-Euler equations read, and what is printed. Planar mechanisms lie in the plane of x and y and turn about z.
struct Description {
  enum class BodyKind { rigid, rotor_carrier, point_mass, massless_frame, massless_node };
  static bool turns(BodyKind kind) { return kind != BodyKind::point_mass && kind != BodyKind::massless_node; }
  enum class JointKind {
    fixed,
    revolute,
    prismatic,
    cylindrical,
    screw,
    spherical,
    universal,
    constant_velocity,
    free,
    free_by_angles,
    free_translation,
    plane,
    point_on_line,
    point_on_plane,
    driven_revolute,
    driven_prismatic,
    driven_path
  };
  enum class ConstraintKind {
    rod,
    driven_rod,
    gear,
    rack_and_pinion,
    knife_edge,
    driven_speed,
    disc_on_plane,
    rolling_disc,
    point_on_circle,
    touching_circles,
    rolling_circles,
    circle_on_line,
    circle_rolling_on_line
  };
  enum class ForceKind {
    spring_damper,
    torsion_spring_damper,
    bushing,
    force,
    force_on_body,
    torque,
    driven_force,
    drag,
    air_spring,
    series_spring_damper,
    actuator_force,
    actuator_torque,
    anti_roll_bar
  };

  struct Frame {
    int body = -1;  ///< -1: the ground
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
    double angle = 0;  ///< of the same rotation in a planar mechanism, full turns included
  };
  /// u(t) = value + rate t + acceleration t^2 / 2
  struct Drive {
    double value = 0, rate = 0, acceleration = 0;
  };
  struct Body {
    std::string name;
    BodyKind kind = BodyKind::rigid;
    double mass = 0;
    Eigen::Vector3d center = Eigen::Vector3d::Zero();    ///< of mass, body axes
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< about it, body axes
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();  ///< of a rotor, body axes
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
    double angle = 0;  ///< of the same rotation in a planar mechanism, full turns included
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the origin, ground axes
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
  };
  struct Joint {
    std::string name;
    JointKind kind = JointKind::fixed;
    Frame father, son;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ(), second = Eigen::Vector3d::UnitX();
    double pitch = 0;
    Drive drive;  ///< a path is at the place u of the curve (u, second.x u^2, second.y u^3)
  };
  struct Constraint {
    std::string name;
    ConstraintKind kind = ConstraintKind::rod;
    Frame first, second;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX(), second_axis = Eigen::Vector3d::UnitZ();
    Drive drive;        ///< length of a rod, speed
    double ratio = 1;   ///< of a gear; radius of a pinion, a disc, the first circle
    double height = 0;  ///< of a circle over a line, negative below; radius of the second circle
    Eigen::Vector2d start = Eigen::Vector2d::Zero();  ///< parameters of two curves where they touch
    int first_joint = -1, second_joint = -1;          ///< of a gear
  };
  struct Force {
    std::string name;
    ForceKind kind = ForceKind::spring_damper;
    Frame first, second, third;
    double stiffness = 0, damping = 0, free = 0;
    double state = 0;  ///< stretch of a damper, effort of an actuator
    Drive drive;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ(), value = Eigen::Vector3d::Zero();
    Eigen::Matrix<double, 6, 6> stiffness_matrix = Eigen::Matrix<double, 6, 6>::Zero(),
                                damping_matrix = Eigen::Matrix<double, 6, 6>::Zero();
  };

  unsigned seed = 0;
  bool planar = false;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Constraint> constraints;
  std::vector<Force> forces;
};

/// What all air springs have in common [N/m^2, m^2].
inline constexpr double air_pressure = 1e3, air_area = 1e-3, air_exponent = 1.3;

/// A random mechanism: a seed gives the same one on every machine. Positions close all loops; velocities are those that
/// all rows allow.
Description draw_mechanism(unsigned seed);

}  // namespace linkwork::test
