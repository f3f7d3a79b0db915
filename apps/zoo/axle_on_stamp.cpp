#include "zoo/models.hpp"
#include "zoo/mount.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/core/path.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/driven_path.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/free_by_angles.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

// A rear axle on a test rig, as in figure 1 of Arnold, Fuchs, Fuehrer, Efficient corrector iteration for DAE time
// integration in multibody dynamics, CMAME 195 (2006), section 3.3: the car's body is fixed, one wheel stands on a
// stamp that moves up and down. The axle is this model's own: a twist beam between two trailing arms on rubber
// bushings, with round numbers in the usual range of small passenger cars.
//
// All bodies have 6 small coordinates. Those of the left arm, its wheel and the beam count from where the stamp takes
// them if the tyre and the bushings are rigid: from frames that rheonomic joints turn about the arms' pivots, and roll
// with the beam, as the stamp rises. So the large motion is in the input u(t), the equations are nearly linear in the
// coordinates, and their coefficients, the stiffness of the bushings and tyres seen from the turned frames, vary with
// u: with an amplitude of 0.125 m enough for Newton's iteration to need new Jacobians beside the updates of CORR (24),
// but not beside those of (26). Up to some 0.1 m those of (24) do as well.

namespace linkwork::apps {
namespace axle_on_stamp {

constexpr double gravity = 9.81, pi = std::numbers::pi;

// [kg], [kg m^2] about x (forward), y (left), z (up)
constexpr double arm_mass = 9, beam_mass = 12, wheel_mass = 17;
const Eigen::Vector3d arm_moments(0.05, 0.25, 0.25), beam_moments(1.2, 0.04, 1.2), wheel_moments(0.45, 0.8, 0.45);

// [m], heights above the ground. The arms' pivots are the origin of x.
constexpr double pivot_height = 0.32, wheel_height = 0.3, arm_length = 0.42;
constexpr double pivot_side = 0.56, wheel_side = 0.72, spring_side = 0.5;
constexpr double beam_x = -0.14, arm_center_x = -0.2, spring_x = -0.28, damper_x = -0.38;
constexpr double spring_length = 0.28, damper_length = 0.45, damper_lean = 0.12;

constexpr double wheel_load = 3000;                         // at rest [N]
constexpr double spring_rate = 2.6e4, damper_rate = 1.6e3;  // [N/m], [N s/m]

Mount pivot_bushing() {  // much softer along the car, for comfort, than upwards
  Mount out;
  out.stiffness << 400, 30, 400, 2e5, 1e6, 2.4e6;
  out.damping << 2, 0.5, 2, 1e3, 2e3, 3e3;
  return out;
}
Mount beam_end() {  // half of the beam's elasticity: soft in torsion about its own axis y
  Mount out;
  out.stiffness << 8e4, 1.2e3, 8e4, 8e6, 8e6, 8e6;
  out.damping << 60, 5, 60, 3e3, 3e3, 3e3;
  return out;
}
Mount wheel_bearing() {
  Mount out;
  out.stiffness << 6e4, 6e4, 6e4, 1e7, 1e7, 1e7;
  out.damping << 40, 40, 40, 4e3, 4e3, 4e3;
  return out;
}
Mount standing_tyre() {  // rolls a little along the car
  Mount out;
  out.stiffness << 0, 0, 0, 2e4, 1.2e5, 2.2e5;
  out.damping << 0, 0, 0, 100, 200, 200;
  return out;
}

/// The turn about the arms' pivots, share * phi with sin phi = u / arm_length, that lifts the wheel by u at share = 1.
Path lifting_path(double share) {
  return [share](double u) {
    const double sine = u / arm_length, cosine = std::sqrt(1 - sine * sine);
    PathPoint out;
    out.pose.rotation = Eigen::AngleAxisd(share * std::asin(sine), Eigen::Vector3d::UnitY()).toRotationMatrix();
    out.twist[1] = share / (arm_length * cosine);
    out.twist_rate[1] = share * sine / (arm_length * arm_length * cosine * cosine * cosine);
    return out;
  };
}

/// From a frame that turns by half of that angle: the slide along x, with which the beam stays in the middle between
/// the arms, and the roll about x by which it follows one of them.
Path following_path() {
  return [](double u) {
    const double sine = u / arm_length, cosine = std::sqrt(1 - sine * sine), half = std::asin(sine) / 2;
    const double half_1 = 1 / (2 * arm_length * cosine),  // derivatives by u
        half_2 = sine / (2 * arm_length * arm_length * cosine * cosine * cosine);
    const double height_1 = -beam_x * std::cos(half) * half_1,
                 height_2 = -beam_x * (std::cos(half) * half_2 - std::sin(half) * half_1 * half_1);
    const double tangent = -beam_x * std::sin(half) / pivot_side, slope = 1 / (1 + tangent * tangent);
    const double tangent_1 = height_1 / pivot_side, tangent_2 = height_2 / pivot_side;
    PathPoint out;
    out.pose.rotation = Eigen::AngleAxisd(std::atan(tangent), Eigen::Vector3d::UnitX()).toRotationMatrix();
    out.pose.position.x() = -beam_x * (1 - std::cos(half));
    out.twist[0] = slope * tangent_1;
    out.twist[3] = -beam_x * std::sin(half) * half_1;
    out.twist_rate[0] = slope * (tangent_2 - 2 * slope * tangent * tangent_1 * tangent_1);
    out.twist_rate[3] = -beam_x * (std::cos(half) * half_1 * half_1 + std::sin(half) * half_2);
    return out;
  };
}

/// Forces of the assembly at rest, on the arm of one side, ground axes.
struct Rest {
  double spring = 0;            ///< pressure [N]
  Eigen::Vector3d pivot;        ///< force of the pivot's bushing [N]
  Eigen::Vector3d beam_torque;  ///< of the beam's end [N m]

  /// @param side  1 left, -1 right
  explicit Rest(double side) {
    const auto moment = [&](double x, double y, double z, double vertical) {
      return Eigen::Vector3d(x, side * (y - pivot_side), z - pivot_height).cross(Eigen::Vector3d(0, 0, vertical));
    };
    const double wheel = wheel_load - wheel_mass * gravity, beam = -beam_mass * gravity / 2, arm = -arm_mass * gravity;
    const Eigen::Vector3d loads = moment(-arm_length, wheel_side, wheel_height, wheel) +
                                  moment(arm_center_x, pivot_side, pivot_height, arm) +
                                  moment(beam_x, pivot_side, pivot_height, beam);
    spring = -loads.y() / moment(spring_x, spring_side, pivot_height, -1).y();
    pivot = {0, 0, spring - wheel - beam - arm};
    beam_torque = -loads - moment(spring_x, spring_side, pivot_height, -spring);
  }
};

class Rig {
 public:
  explicit Rig(const Parameters& parameters)
      : speed_(parameters.at("amplitude") * 2 * pi * parameters.at("frequency")),
        stamp_height_([a = parameters.at("amplitude"), omega = 2 * pi * parameters.at("frequency")](double t) {
          return InputValue{a * std::sin(omega * t), a * omega * std::cos(omega * t),
                            -a * omega * omega * std::sin(omega * t)};
        }) {
    model_.set_gravity({0, 0, -gravity});
    stamp_ = model_.add_body("stamp", MassProperties::box(60, {0.3, 0.3, 0.1}));
    const Eigen::Vector3d under_wheel(-arm_length, wheel_side, 0);
    stamp_.place(under_wheel).move({0, 0, speed_});
    model_.add_joint<DrivenPrismatic>("stamp drive", model_.ground().at(under_wheel), stamp_.origin(), Axis::z(),
                                      stamp_height_);
    left_ = add_side("left", 1, turned_base("left frame", 1));
    right_ = add_side("right", -1, {model_.ground().at(pivots()), pivots()});
    add_beam(following_base(turned_base("half-turned frame", 0.5)));
    observe();
  }
  SpatialModel take() { return std::move(model_); }

 private:
  struct Side {
    BodyRef<Spatial> arm, wheel;
    Frame<Spatial> standing;  ///< where the middle of the unloaded wheel is over its support
  };
  /// A frame that bodies' coordinates count from, with its motion at the start.
  struct Base {
    Frame<Spatial> frame;
    Eigen::Vector3d position;                            ///< [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
    Eigen::Vector3d turning = Eigen::Vector3d::Zero();   ///< [rad/s]

    Eigen::Vector3d velocity_at(const Eigen::Vector3d& place) const {
      return velocity + turning.cross(place - position);
    }
    Frame<Spatial> at(const Eigen::Vector3d& place) const {
      Frame<Spatial> out = frame;
      out.offset += place - position;
      return out;
    }
  };
  /// The middle between the arms' pivots.
  static Eigen::Vector3d pivots() { return {0, 0, pivot_height}; }

  /// At the pivots; turns with the lifted arm, or with a share of its angle.
  Base turned_base(const std::string& name, double share) {
    const Base fixed{model_.ground().origin(), Eigen::Vector3d::Zero()};
    return add_base(name, fixed, pivots(), lifting_path(share));
  }
  /// At the middle of the beam.
  Base following_base(const Base& half_turned) {
    return add_base("beam frame", half_turned, {beam_x, 0, pivot_height}, following_path());
  }
  /// A frame that starts with the ground's axes at a position and moves along a path of another one.
  Base add_base(const std::string& name, const Base& father, const Eigen::Vector3d& position, const Path& path) {
    auto body = model_.add_body<MasslessFrame>(name);
    const Components<Spatial> twist = speed_ * path(0).twist;
    const Base out{body.origin(), position, father.velocity_at(position) + twist.tail<3>(),
                   father.turning + twist.head<3>()};
    body.place(position).move(out.velocity, out.turning);
    model_.add_joint<DrivenPath>(name + " drive", father.at(position), body.origin(), path, stamp_height_);
    return out;
  }
  /// A body whose coordinates count from a place in a frame.
  BodyRef<Spatial> add_body(const std::string& name, double mass, const Eigen::Vector3d& moments, const Base& base,
                            const Eigen::Vector3d& position, const CardanAxes& axes) {
    auto body = model_.add_body(name, rigid(mass, moments));
    body.place(position).move(base.velocity_at(position), base.turning);
    model_.add_joint<FreeByAngles>(name + " joint", base.at(position), body.origin(), axes);
    return body;
  }

  Side add_side(const std::string& name, double side, const Base& base) {
    const Eigen::Vector3d center(arm_center_x, side * pivot_side, pivot_height),
        wheel_center(-arm_length, side * wheel_side, wheel_height);
    Side out;
    out.arm = add_body(name + " arm", arm_mass, arm_moments, base, center, side_axes_);
    out.wheel = add_body(name + " wheel", wheel_mass, wheel_moments, base, wheel_center, side_axes_);
    const auto on_arm = [&](double x, double y, double z) {
      return out.arm.at(Eigen::Vector3d(x, side * y, z) - center);
    };
    const Rest rest(side);
    model_.add_force<Bushing>(name + " pivot", model_.ground().at({0, side * pivot_side, pivot_height}),
                              on_arm(0, pivot_side, pivot_height), bushing(pivot_bushing(), rest.pivot));
    model_.add_force<Bushing>(name + " bearing", on_arm(-arm_length, wheel_side, wheel_height), out.wheel.origin(),
                              bushing(wheel_bearing(), {0, 0, wheel_mass * gravity - wheel_load}));
    model_.add_force<SpringDamper>(
        name + " spring", model_.ground().at({spring_x, side * spring_side, pivot_height + spring_length}),
        on_arm(spring_x, spring_side, pivot_height),
        {.stiffness = spring_rate, .free_length = spring_length + rest.spring / spring_rate});
    model_.add_force<SpringDamper>(
        name + " damper",
        model_.ground().at({damper_x + damper_lean, side * spring_side, pivot_height + damper_length}),
        on_arm(damper_x, spring_side, pivot_height), {.damping = damper_rate});
    out.standing = side > 0 ? stamp_.at({0, 0, wheel_height}) : model_.ground().at(wheel_center);
    model_.add_force<Bushing>(name + " tyre", out.standing, out.wheel.origin(),
                              bushing(standing_tyre(), {0, 0, wheel_load}));
    return out;
  }

  void add_beam(const Base& base) {
    const auto beam = add_body("beam", beam_mass, beam_moments, base, {beam_x, 0, pivot_height}, beam_axes_);
    for (const auto& [name, side, arm] : {std::tuple("left", 1.0, left_.arm), std::tuple("right", -1.0, right_.arm)})
      model_.add_force<Bushing>(std::string(name) + " end of the beam", beam.at({0, side * pivot_side, 0}),
                                arm.at({beam_x - arm_center_x, 0, 0}),
                                bushing(beam_end(), {0, 0, -beam_mass * gravity / 2}, Rest(side).beam_torque));
  }

  void observe() {
    const auto stamp = stamp_.origin();
    model_.add_observable("stamp_height", "m", [=](const auto& now) { return now.pose(stamp).position.z(); });
    const auto pitch = [](const auto& now, const Frame<Spatial>& frame) {
      const Eigen::Matrix3d R = now.pose(frame).rotation;
      return std::atan2(-R(2, 0), R(0, 0));
    };
    for (const auto& [name, side] : {std::pair("left", left_), std::pair("right", right_)}) {
      const std::string prefix = std::string(name) + "_";
      const auto wheel = side.wheel.origin(), arm = side.arm.origin(), standing = side.standing;
      model_.add_observable(prefix + "wheel_z", "m", [=](const auto& now) { return now.pose(wheel).position.z(); });
      model_.add_observable(prefix + "arm_pitch", "rad", [=](const auto& now) { return pitch(now, arm); });
      model_.add_observable(prefix + "load", "N", [=](const auto& now) {
        const Mount tyre = standing_tyre();
        const double deflection = now.pose(wheel).position.z() - now.pose(standing).position.z();
        const double rate = now.velocity(wheel).linear.z() - now.velocity(standing).linear.z();
        return wheel_load - tyre.stiffness[5] * deflection - tyre.damping[5] * rate;
      });
    }
    const auto left = left_.arm.origin(), right = right_.arm.origin();
    model_.add_observable("twist", "rad", [=](const auto& now) { return pitch(now, left) - pitch(now, right); });
  }

  SpatialModel model_{"axle_on_stamp"};
  double speed_;  ///< of the stamp at the start [m/s]
  Input stamp_height_;
  CardanAxes side_axes_{Axis::y(), Axis::z(), Axis::x()};
  // The beam turns about its own y last: the forces at its ends, which are stiff, have no moment about that axis
  // however it rolls. Were y the first axis, they would, with a stiffness beside which the one against torsion is
  // small, so that Jacobians of the residual formalism would vary with the roll that the rubber allows.
  CardanAxes beam_axes_{Axis::z(), Axis::x(), Axis::y()};
  BodyRef<Spatial> stamp_;
  Side left_, right_;
};

AnyModel build(const Parameters& parameters) { return Rig(parameters).take(); }

}  // namespace axle_on_stamp

ZooModel axle_on_stamp_model() {
  using namespace axle_on_stamp;
  return {.name = "axle_on_stamp",
          .description = "Rear axle of a car with one wheel on a stamp that moves up and down (CORR figure 1).",
          .space = Spatial::name,
          .parameters = {{"amplitude", "m", 0.125, "of the stamp", 0, 0.2},
                         {"frequency", "Hz", 1, "of the stamp", 0.01, 20}},
          .t_end = 5,
          .build = build};
}

}  // namespace linkwork::apps
