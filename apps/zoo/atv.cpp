#include "zoo/models.hpp"
#include "zoo/mount.hpp"
#include "zoo/profile.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/tyre.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

// A four-wheeled all-terrain vehicle on rough ground, as the first model of Nijhuis, DASSL+ (2013), section 1.2: its
// motion is wild, but not stiff. The thesis gives no numbers; these are round ones in the usual range of quads: 29
// bodies, which are a frame with its rider, an engine on rubber mounts, a steering rack that a rheonomic joint moves,
// four shock absorbers of two bodies each, double wishbones that carry knuckles with tie rods in front and carriers
// behind, and four wheels. A nonholonomic drive keeps the speed along the frame; tyres carry, lose the ground, and push
// sideways. The ground under each wheel is a frame without mass that moves up and down as the wheel rolls on.
//
// Axes: x forward, y to the left, z up; at the start the vehicle's frame stands over the origin. Joints lead along the
// suspensions, so that each wheel goes up and down with one freedom, and those in front turn with the rack.

namespace linkwork::apps {
namespace atv {

constexpr double gravity = 9.81, pi = std::numbers::pi;

// [kg], [kg m^2] about x, y, z
constexpr double frame_mass = 230, engine_mass = 45, rack_mass = 2, wheel_mass = 9, knuckle_mass = 4;
const Eigen::Vector3d frame_moments(18, 40, 36), engine_moments(0.9, 1.1, 1.0), knuckle_moments(0.02, 0.015, 0.02);
constexpr double arm_mass = 1.8, tie_rod_mass = 0.6, cylinder_mass = 1, piston_mass = 0.8;

// [m]
constexpr double frame_height = 0.55, engine_height = 0.42, axle_x = 0.6, half_track = 0.45;
constexpr double wheel_height = 0.27, wheel_radius = 0.285, wheel_width = 0.2;

constexpr double spring_rate = 16e3, stop_rate = 4e6, damper_rate = 1300;  // [N/m], [N/m^3], [N s/m]
constexpr double spring_load = 1230;                                       // pressure at the start [N]
constexpr double mount_rate = 2e5, mount_damping = 900, mount_twist = 600, mount_twist_damping = 5;

/// Points of the suspension of an axle from the middle of the wheel's track: x from the axle, y outwards, z from the
/// ground [m].
const Eigen::Vector3d lower_inner(0, 0.12, 0.25), lower_outer(0, 0.38, 0.20), upper_inner(0, 0.16, 0.40),
    upper_outer(-0.02, 0.36, 0.37), tie_inner(-0.1, 0.13, 0.28), tie_outer(-0.1, 0.38, 0.24),
    shock_top(-0.06, 0.2, 0.62), shock_bottom(-0.06, 0.3, 0.216), carrier_middle(0, 0.39, 0.28);

/// The height of the ground under the wheels of one side: three waves of the same size. The start is even.
struct Ground {
  double roughness;  ///< of each wave [m]
  double phase;      ///< [rad]

  /// @param u  along the way [m]
  Jet operator()(double u) const {
    constexpr double even = 1.5, becomes_rough = 4;  // [m]
    constexpr std::array lengths = {4.7, 2.3, 1.3};  // [m]
    Jet waves;
    for (std::size_t k = 0; k < lengths.size(); ++k)
      waves = waves + wave(u, lengths[k], phase * static_cast<double>(k + 1));
    return Jet{roughness} * rise(u, even, becomes_rough) * waves;
  }
};

class Vehicle {
 public:
  explicit Vehicle(const Parameters& parameters)
      : speed_(parameters.at("speed")),
        roughness_(parameters.at("roughness")),
        rack_travel_([a = parameters.at("steering"), omega = 2 * pi * parameters.at("frequency")](double t) {
          // To the right, as the tie rods are behind the axle. Starts with neither a step nor a jump of the speed.
          return InputValue{-a * (1 - std::cos(omega * t)) / 2, -a * omega * std::sin(omega * t) / 2,
                            -a * omega * omega * std::cos(omega * t) / 2};
        }) {
    model_.set_gravity({0, 0, -gravity});
    frame_ = add_body("frame", rigid(frame_mass, frame_moments), {0, 0, frame_height});
    model_.add_constraint<DrivenSpeed>("drive", frame_.origin(), Axis::x(), [v = speed_](double) {
      return InputValue{v, 0, 0};
    });
    add_engine();
    add_rack();
    for (const bool front : {true, false})
      for (const double side : {1.0, -1.0}) add_corner(front, side);
    observe();
  }
  SpatialModel take() { return std::move(model_); }

 private:
  struct Part {
    BodyRef<Spatial> body;
    Eigen::Vector3d middle;
    Frame<Spatial> at(const Eigen::Vector3d& point) const { return body.at(point - middle); }
  };

  BodyRef<Spatial> add_body(const std::string& name, const MassProperties& mass, const Eigen::Vector3d& position) {
    auto body = model_.add_body(name, mass);
    body.place(position).move({speed_, 0, 0});
    return body;
  }
  Part add_part(const std::string& name, const MassProperties& mass, const Eigen::Vector3d& middle) {
    return {add_body(name, mass, middle), middle};
  }
  /// A rod of some thickness between two points.
  Part add_rod(const std::string& name, double mass, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    constexpr double thickness = 0.03;
    const Eigen::Vector3d along = to - from;
    const double across = (along.squaredNorm() + thickness * thickness) / 12, about = thickness * thickness / 6;
    const Eigen::Matrix3d projection = along * along.transpose() / along.squaredNorm();
    const Eigen::Matrix3d inertia = mass * (across * (Eigen::Matrix3d::Identity() - projection) + about * projection);
    return add_part(name, MassProperties::given(mass, Eigen::Vector3d::Zero(), inertia), (from + to) / 2);
  }
  Frame<Spatial> on_frame(const Eigen::Vector3d& point) const {
    return frame_.at(point - Eigen::Vector3d(0, 0, frame_height));
  }

  void add_engine() {
    const Part engine = add_part("engine", rigid(engine_mass, engine_moments), {0, 0, engine_height});
    Mount mount;
    mount.stiffness << Eigen::Vector3d::Constant(mount_twist), Eigen::Vector3d::Constant(mount_rate);
    mount.damping << Eigen::Vector3d::Constant(mount_twist_damping), Eigen::Vector3d::Constant(mount_damping);
    for (const double x : {0.2, -0.2}) {
      const Eigen::Vector3d at(x, 0, engine_height);
      model_.add_force<Bushing>(x > 0 ? "front engine mount" : "rear engine mount", on_frame(at), engine.at(at),
                                bushing(mount, {0, 0, engine_mass * gravity / 2}));
    }
  }

  void add_rack() {
    const Eigen::Vector3d middle(axle_x + tie_inner.x(), 0, tie_inner.z());
    rack_ = add_part("rack", MassProperties::rod(rack_mass, 2 * tie_inner.y(), Axis::y()), middle);
    model_.add_joint<DrivenPrismatic>("steering", on_frame(middle), rack_.at(middle), Axis::y(), rack_travel_);
  }

  /// Double wishbones. In front the knuckle turns on two ball joints, as its tie rod lets it; behind the lower arm is
  /// an H that holds the carrier about an axis, and the upper one holds it across.
  void add_corner(bool front, double side) {
    const std::string name = std::string(front ? "front " : "rear ") + (side > 0 ? "left " : "right ");
    const auto at = [&](const Eigen::Vector3d& point) {
      return Eigen::Vector3d((front ? axle_x : -axle_x) + point.x(), side * point.y(), point.z());
    };
    const Part lower = add_rod(name + "lower arm", arm_mass, at(lower_inner), at(lower_outer)),
               upper = add_rod(name + "upper arm", arm_mass, at(upper_inner), at(upper_outer)),
               carrier = add_part(name + (front ? "knuckle" : "carrier"), rigid(knuckle_mass, knuckle_moments),
                                  at(carrier_middle));
    const auto join_ball = [&](const std::string& joint, const Part& father, const Eigen::Vector3d& point) {
      model_.add_joint<Spherical>(name + joint, father.at(at(point)), carrier.at(at(point)));
    };
    model_.add_joint<Revolute>(name + "lower arm bearing", on_frame(at(lower_inner)), lower.at(at(lower_inner)),
                               Axis::x());
    model_.add_joint<Revolute>(name + "upper arm bearing", on_frame(at(upper_inner)), upper.at(at(upper_inner)),
                               Axis::x());
    if (front) {
      join_ball("lower ball joint", lower, lower_outer);
      join_ball("upper ball joint", upper, upper_outer);
      const Part rod = add_rod(name + "tie rod", tie_rod_mass, at(tie_inner), at(tie_outer));
      const Eigen::Vector3d along = (at(tie_outer) - at(tie_inner)).normalized();
      model_.add_joint<Universal>(name + "tie rod inner joint", rack_.at(at(tie_inner)), rod.at(at(tie_inner)),
                                  Axis::x(), Axis(along.cross(Eigen::Vector3d::UnitX())));
      join_ball("tie rod outer joint", rod, tie_outer);
    } else {
      model_.add_joint<Revolute>(name + "lower carrier bearing", lower.at(at(lower_outer)), carrier.at(at(lower_outer)),
                                 Axis::x());
      model_.add_joint<PointOnLine>(name + "upper carrier bearing", upper.at(at(upper_outer)),
                                    carrier.at(at(upper_outer)), Axis::x());
    }
    add_shock(name, lower, at(shock_top), at(shock_bottom));
    add_wheel(name, carrier, at({0, half_track, wheel_height}), side);
  }

  void add_shock(const std::string& name, const Part& arm, const Eigen::Vector3d& top, const Eigen::Vector3d& bottom) {
    const Eigen::Vector3d along = bottom - top;
    const double length = along.norm();
    const Part cylinder = add_rod(name + "shock cylinder", cylinder_mass, top, top + 0.6 * along),
               piston = add_rod(name + "shock piston", piston_mass, top + 0.5 * along, bottom);
    model_.add_joint<Universal>(name + "shock top", on_frame(top), cylinder.at(top), Axis::x(),
                                Axis(along.cross(Eigen::Vector3d::UnitX())));
    model_.add_joint<Prismatic>(name + "shock slide", cylinder.at(piston.middle), piston.at(piston.middle),
                                Axis(along));
    model_.add_joint<Spherical>(name + "shock bottom", arm.at(bottom), piston.at(bottom));
    model_.add_force<SpringDamper>(name + "shock", cylinder.at(top), piston.at(bottom),
                                   {.law =
                                        [length](double l, double rate) {
                                          const double stretch = l - length;
                                          return spring_rate * stretch - spring_load +
                                                 stop_rate * stretch * stretch * stretch + damper_rate * rate;
                                        },
                                    .energy =
                                        [length](double l) {
                                          const double stretch = l - length, square = stretch * stretch;
                                          return spring_rate * square / 2 - spring_load * stretch +
                                                 stop_rate * square * square / 4;
                                        }});
  }

  /// The ground under a wheel: it moves up and down as the wheel rolls on.
  Frame<Spatial> ground_under(const std::string& wheel, double x, double side) {
    auto ground = model_.add_body<MasslessFrame>(wheel + "ground");
    const Input height = [ground = Ground{roughness_, side > 0 ? 1.0 : 2.3}, x, v = speed_](double t) {
      const Jet z = ground(x + v * t);
      return InputValue{z.value, v * z.first, v * v * z.second};
    };
    model_.add_joint<DrivenPrismatic>(wheel + "ground profile", model_.ground().origin(), ground.origin(), Axis::z(),
                                      height);
    return ground.origin();
  }

  void add_wheel(const std::string& name, const Part& carrier, const Eigen::Vector3d& middle, double side) {
    auto wheel =
        model_.add_body(name + "wheel", MassProperties::cylinder(wheel_mass, wheel_height, wheel_width, Axis::y()));
    wheel.place(middle).move({speed_, 0, 0}, {0, speed_ / wheel_height, 0});
    model_.add_joint<Revolute>(name + "wheel bearing", carrier.at(middle), wheel.origin(), Axis::y());
    const Tyre::Options options{.radius = wheel_radius,
                                .stiffness = 6e4,
                                .damping = 250,
                                .friction = 0.9,
                                .shape = 1.3,
                                .cornering = 9e3,
                                .cornering_load = 1500,
                                .relaxation = 0.25,
                                .trail = 0.02};
    const Frame<Spatial> ground = ground_under(name, middle.x(), side), hub = wheel.origin();
    model_.add_force<Tyre>(name + "tyre", ground, hub, options);
    model_.add_observable(name + "load", "N", [=, law = Tyre(ground, hub, options)](const auto& now) {
      return law.load({now.pose(ground), now.velocity(ground), {}}, {now.pose(hub), now.velocity(hub), {}});
    });
  }

  void observe() {
    const auto frame = frame_.origin();
    model_.add_observable("x", "m", [=](const auto& now) { return now.pose(frame).position.x(); });
    model_.add_observable("y", "m", [=](const auto& now) { return now.pose(frame).position.y(); });
    model_.add_observable("z", "m", [=](const auto& now) { return now.pose(frame).position.z(); });
    model_.add_observable("yaw", "rad", [=](const auto& now) {
      const Eigen::Matrix3d R = now.pose(frame).rotation;
      return std::atan2(R(1, 0), R(0, 0));
    });
    model_.add_observable("pitch", "rad", [=](const auto& now) { return -std::asin(now.pose(frame).rotation(2, 0)); });
    model_.add_observable("roll", "rad", [=](const auto& now) { return std::asin(now.pose(frame).rotation(2, 1)); });
    model_.add_observable("drive_force", "N",
                          [drive = model_.constraint("drive")](const auto& now) { return -now.multiplier(drive, 0); });
  }

  SpatialModel model_{"atv"};
  double speed_, roughness_;  // [m/s], [m]
  Input rack_travel_;
  BodyRef<Spatial> frame_;
  Part rack_;
};

AnyModel build(const Parameters& parameters) { return Vehicle(parameters).take(); }

}  // namespace atv

ZooModel atv_model() {
  using namespace atv;
  return {.name = "atv",
          .description = "Four-wheeled all-terrain vehicle on rough ground: wild, but not stiff (DASSL+ 1.2).",
          .space = Spatial::name,
          .parameters = {{"speed", "m/s", 6, "of the ride", 0, 20},
                         {"roughness", "m", 0.04, "size of each of the ground's three waves", 0, 0.2},
                         {"steering", "m", 0.01, "travel of the rack that steers to the left and back", -0.03, 0.03},
                         {"frequency", "Hz", 0.4, "of the steering", 0.01, 5}},
          .t_end = 2.5,
          .build = build};
}

}  // namespace linkwork::apps
