#include "zoo/models.hpp"
#include "zoo/mount.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/forces/anti_roll_bar.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/tyre.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/free_by_angles.hpp>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

// A passenger car that changes lanes periodically at constant speed, the kind of problem of Arnold, Fuchs, Fuehrer,
// Efficient corrector iteration for DAE time integration in multibody dynamics, CMAME 195 (2006), section 4.2.2, whose
// model is not published. This one is made up, with round numbers in the usual range of compact cars: a body of 6
// coordinates, a power unit on rubber mounts, four wheel carriers of 6 coordinates on five links each, springs, dampers
// and anti-roll bars, tyres with side forces that build up over their relaxation length, and a steering rack that a
// rheonomic joint moves in the body by u(t). A nonholonomic drive keeps the speed along the body. The links are springs
// without mass or, as in detailed models of whole cars, bodies of 6 coordinates between two rubber bushings each.

namespace linkwork::apps {
namespace {

constexpr double gravity = 9.81, pi = std::numbers::pi;

// [kg], [kg m^2] about x (forward), y (left), z (up)
constexpr double body_mass = 1150, unit_mass = 180, rack_mass = 4, carrier_mass = 38;
const Eigen::Vector3d body_moments(420, 1650, 1850), unit_moments(10, 14, 12), carrier_moments(0.9, 1.2, 0.9);
constexpr double wheel_moment = 1;  // of the turning wheel about its axle

// [m]; the body's center of mass is the origin of x.
constexpr double body_height = 0.55, wheel_height = 0.3, unit_x = 1.1, unit_height = 0.5;
constexpr double front_x = 1.2, rear_x = -1.4, half_track = 0.74;

constexpr double link_stiffness = 4e6, link_damping = 2e3;   // of both bushings one after another [N/m], [N s/m]
constexpr double twist_stiffness = 20, twist_damping = 0.2;  // of one bushing in all directions [N m/rad], [N m s/rad]
constexpr double link_mass = 1.5, link_radius = 0.012;       // [kg], [m]
constexpr double mount_stiffness = 2.5e5, mount_damping = 900;
constexpr double tyre_stiffness = 2e5, tyre_damping = 100;

/// The same in all directions.
Mount isotropic(double torsional, double stiffness, double torsional_damping, double damping) {
  Mount out;
  out.stiffness << Eigen::Vector3d::Constant(torsional), Eigen::Vector3d::Constant(stiffness);
  out.damping << Eigen::Vector3d::Constant(torsional_damping), Eigen::Vector3d::Constant(damping);
  return out;
}

/// Points of a suspension from the middle of the wheel: x forward, y outwards, z up [m].
struct Link {
  const char* name;
  Eigen::Vector3d body, carrier;
};
const std::array<Link, 5> links{{{"front lower link", {0.16, -0.40, -0.11}, {0, -0.06, -0.14}},
                                 {"rear lower link", {-0.2, -0.40, -0.11}, {0, -0.06, -0.14}},
                                 {"front upper link", {0.1, -0.36, 0.17}, {-0.03, -0.11, 0.2}},
                                 {"rear upper link", {-0.16, -0.36, 0.17}, {-0.03, -0.11, 0.2}},
                                 {"tie rod", {-0.13, -0.40, -0.07}, {-0.12, -0.07, -0.085}}}};
const Link strut{"strut", {-0.02, -0.24, 0.42}, {0, -0.12, -0.08}};

struct Axle {
  const char* name;
  double x;                          // [m]
  double spring, damper, anti_roll;  // [N/m], [N s/m], [N/m]
};
const std::array<Axle, 2> axles{{{"front", front_x, 3e4, 2400, 1.6e4}, {"rear", rear_x, 2.8e4, 2200, 8e3}}};

/// A rod between two points, in the axes that they are given in.
MassProperties rod_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Matrix3d along = (to - from).normalized() * (to - from).normalized().transpose();
  const double across = (to - from).squaredNorm() / 12 + link_radius * link_radius / 4;
  return MassProperties::given(
      link_mass, Eigen::Vector3d::Zero(),
      link_mass * (across * (Eigen::Matrix3d::Identity() - along) + link_radius * link_radius / 2 * along));
}

enum class Links { bodies, springs };

/// How a car stands: of links with mass each end carries half.
class Rest {
 public:
  explicit Rest(Links kind) : mass_(kind == Links::bodies ? link_mass : 0) {}
  double end_load() const { return mass_ * gravity / 2; }

  /// Load of one wheel of either axle [N].
  double wheel_load(const Axle& axle) const {
    const double rack_x = front_x + links[4].body.x();
    const double other_x = axle.x == front_x ? rear_x : front_x;
    const auto share = [&](double mass, double x) { return mass * gravity * (x - other_x) / (axle.x - other_x) / 2; };
    double load = share(body_mass, 0) + share(unit_mass, unit_x) + share(rack_mass, rack_x) + carrier_mass * gravity;
    for (const Link& link : links)
      for (const double end : {link.body.x(), link.carrier.x()})
        load += share(mass_, front_x + end) + share(mass_, rear_x + end);
    return load;
  }

  /// Tensions [N] of the links and, last, of the strut that hold a carrier under the load of its wheel.
  Eigen::Matrix<double, 6, 1> tensions(const Axle& axle) const {
    Eigen::Matrix<double, 6, 6> wrenches;  // of unit tensions on the carrier: moment about the wheel's middle, force
    Eigen::Matrix<double, 6, 1> outer = Eigen::Matrix<double, 6, 1>::Zero();
    outer[5] = wheel_load(axle) - carrier_mass * gravity;
    const Eigen::Vector3d weight(0, 0, -end_load());
    for (int k = 0; k < 6; ++k) {
      const Link& link = k < 5 ? links[static_cast<std::size_t>(k)] : strut;
      const Eigen::Vector3d pull = (link.body - link.carrier).normalized();
      wrenches.col(k) << link.carrier.cross(pull), pull;
      if (k == 5) break;
      outer.head<3>() += link.carrier.cross(weight);
      outer.tail<3>() += weight;
    }
    return wrenches.fullPivLu().solve(-outer);
  }

 private:
  double mass_;  ///< of a link [kg]
};

class Car {
 public:
  explicit Car(const Parameters& parameters)
      : speed_(parameters.at("speed")),
        links_(parameters.at("links") == 0 ? Links::springs : Links::bodies),
        rest_(links_) {
    model_.set_gravity({0, 0, -gravity});
    const double amplitude = parameters.at("amplitude"), omega = 2 * pi * parameters.at("frequency");
    rack_travel_ = [=](double t) {
      return InputValue{amplitude * std::sin(omega * t), amplitude * omega * std::cos(omega * t),
                        -amplitude * omega * omega * std::sin(omega * t)};
    };
    body_ = add_body("body", rigid(body_mass, body_moments), {0, 0, body_height}, model_.ground().origin());
    const Input speed = [v = speed_](double) { return InputValue{v, 0, 0}; };
    model_.add_constraint<DrivenSpeed>("drive", body_.origin(), Axis::x(), speed);
    add_power_unit();
    add_rack(amplitude * omega);
    for (const Axle& axle : axles) add_axle(axle);
    observe();
  }
  SpatialModel take() { return std::move(model_); }

 private:
  /// Frame of the body at a point of the car at rest.
  Frame<Spatial> on_body(const Eigen::Vector3d& point) const {
    return body_.at(point - Eigen::Vector3d(0, 0, body_height));
  }

  BodyRef<Spatial> add_body(const std::string& name, const MassProperties& mass, const Eigen::Vector3d& position,
                            const Frame<Spatial>& father) {
    auto body = model_.add_body(name, mass);
    join(name, body, position, father);
    return body;
  }
  void join(const std::string& name, BodyRef<Spatial>& body, const Eigen::Vector3d& position,
            const Frame<Spatial>& father) {
    body.place(position).move({speed_, 0, 0});
    model_.add_joint<FreeByAngles>(name + " joint", father, body.origin(), axes_);
  }

  /// On three mounts, one in front and two behind it.
  void add_power_unit() {
    const Eigen::Vector3d middle(unit_x, 0, unit_height);
    const auto unit = add_body("power unit", rigid(unit_mass, unit_moments), middle, on_body(middle));
    const double front = 0.25, rear = -0.15, side = 0.35;
    const double front_share = -rear / (front - rear);
    const auto mount = [&](const std::string& name, const Eigen::Vector3d& at, double share) {
      model_.add_force<Bushing>(
          name, on_body(middle + at), unit.at(at),
          bushing(isotropic(0, mount_stiffness, 0, mount_damping), {0, 0, share * unit_mass * gravity}));
    };
    mount("front mount", {front, 0, 0}, front_share);
    mount("left mount", {rear, side, 0}, (1 - front_share) / 2);
    mount("right mount", {rear, -side, 0}, (1 - front_share) / 2);
  }

  void add_rack(double rate) {
    rack_position_ = {front_x + links[4].body.x(), 0, wheel_height + links[4].body.z()};
    rack_ = model_.add_body("rack", MassProperties::rod(rack_mass, 0.7, Axis::y()));
    rack_.place(rack_position_).move({speed_, rate, 0});
    model_.add_joint<DrivenPrismatic>("steering", on_body(rack_position_), rack_.origin(), Axis::y(), rack_travel_);
  }

  void add_axle(const Axle& axle) {
    const auto left = add_corner(axle, 1), right = add_corner(axle, -1);
    model_.add_force<AntiRollBar>(std::string(axle.name) + " anti-roll bar", body_.origin(), left, right,
                                  AntiRollBar::Options{.stiffness = axle.anti_roll});
  }

  Frame<Spatial> add_corner(const Axle& axle, double side) {
    const std::string name = std::string(axle.name) + (side > 0 ? " left " : " right ");
    const Eigen::Vector3d middle(axle.x, side * half_track, wheel_height);
    const Eigen::Vector3d momentum(0, wheel_moment * speed_ / wheel_height, 0);
    auto carrier = model_.add_body<RotorCarrier>(name + "carrier", rigid(carrier_mass, carrier_moments), momentum);
    join(name + "carrier", carrier, middle, on_body(middle));
    const auto mirrored = [&](const Eigen::Vector3d& point) {
      return Eigen::Vector3d(point.x(), side * point.y(), point.z());
    };
    const auto inner_frame = [&](const Link& link) {
      const Eigen::Vector3d inner = middle + mirrored(link.body);
      const bool steers = axle.x == front_x && &link == &links[4];
      return steers ? rack_.at(inner - rack_position_) : on_body(inner);
    };
    const auto connect = [&](const Link& link, double stiffness, double damping, double tension) {
      model_.add_force<SpringDamper>(name + link.name, inner_frame(link), carrier.at(mirrored(link.carrier)),
                                     {.stiffness = stiffness,
                                      .damping = damping,
                                      .free_length = (link.body - link.carrier).norm() - tension / stiffness});
    };
    const Eigen::Matrix<double, 6, 1> tensions = rest_.tensions(axle);
    for (std::size_t k = 0; k < links.size(); ++k) {
      const double tension = tensions[static_cast<int>(k)];
      if (links_ == Links::bodies)
        add_link(name + links[k].name, inner_frame(links[k]), middle + mirrored(links[k].body),
                 carrier.at(mirrored(links[k].carrier)), middle + mirrored(links[k].carrier), tension);
      else
        connect(links[k], link_stiffness, link_damping, tension);
    }
    connect(strut, axle.spring, axle.damper, tensions[5]);
    add_tyre(name, axle, carrier);
    return carrier.origin();
  }

  /// A rod with a bushing at either end, which lie at `inner` and `outer` at rest.
  void add_link(const std::string& name, const Frame<Spatial>& inner_frame, const Eigen::Vector3d& inner,
                const Frame<Spatial>& outer_frame, const Eigen::Vector3d& outer, double tension) {
    const Eigen::Vector3d middle = (inner + outer) / 2, pull = tension * (inner - outer).normalized();
    const auto link = add_body(name, rod_between(inner, outer), middle, on_body(middle));
    const auto add_bushing = [&](const char* end, const Frame<Spatial>& frame, const Eigen::Vector3d& at,
                                 const Eigen::Vector3d& force) {
      model_.add_force<Bushing>(name + end, frame, link.at(at - middle),
                                bushing(isotropic(twist_stiffness, 2 * link_stiffness, twist_damping, 2 * link_damping),
                                        force + Eigen::Vector3d(0, 0, rest_.end_load())));
    };
    add_bushing(" inner bushing", inner_frame, inner, pull);
    add_bushing(" outer bushing", outer_frame, outer, -pull);
  }

  void add_tyre(const std::string& name, const Axle& axle, const BodyRef<Spatial>& carrier) {
    const Tyre::Options options{.radius = wheel_height + rest_.wheel_load(axle) / tyre_stiffness,
                                .stiffness = tyre_stiffness,
                                .damping = tyre_damping,
                                .friction = 1,
                                .shape = 1.3,
                                .cornering = 7.5e4,
                                .cornering_load = 5500,
                                .relaxation = 0.35,
                                .trail = 0.03};
    const Frame<Spatial> road = model_.ground().origin(), wheel = carrier.origin();
    const auto tyre = model_.add_force<Tyre>(name + "tyre", road, wheel, options);
    model_.add_observable(name + "load", "N", [=, law = Tyre(road, wheel, options)](const auto& now) {
      return law.load({}, {now.pose(wheel), now.velocity(wheel), {}});
    });
    model_.add_observable(name + "slip", "", [=](const auto& now) { return now.state(tyre, 0); });
  }

  void observe() {
    const auto body = body_.origin(), rack = rack_.origin(), rack_home = on_body(rack_position_);
    model_.add_observable("y", "m", [=](const auto& now) { return now.pose(body).position.y(); });
    model_.add_observable("yaw", "rad", [=](const auto& now) {
      const Eigen::Matrix3d R = now.pose(body).rotation;
      return std::atan2(R(1, 0), R(0, 0));
    });
    model_.add_observable("yaw_rate", "rad/s", [=](const auto& now) { return now.velocity(body).angular.z(); });
    model_.add_observable("roll", "rad", [=](const auto& now) { return std::asin(now.pose(body).rotation(2, 1)); });
    model_.add_observable(
        "speed", "m/s", [=](const auto& now) { return now.pose(body).rotation.col(0).dot(now.velocity(body).linear); });
    model_.add_observable("lateral_acceleration", "m/s^2", [=](const auto& now) {
      return now.pose(body).rotation.col(1).dot(now.acceleration(body).linear);
    });
    model_.add_observable("rack_travel", "m", [=](const auto& now) {
      return now.pose(body).rotation.col(1).dot(now.pose(rack).position - now.pose(rack_home).position);
    });
    model_.add_observable("drive_force", "N",
                          [drive = model_.constraint("drive")](const auto& now) { return -now.multiplier(drive, 0); });
  }

  SpatialModel model_{"lane_change_car"};
  double speed_;  // [m/s]
  Links links_;
  Rest rest_;
  Input rack_travel_;
  CardanAxes axes_{Axis::z(), Axis::y(), Axis::x()};  // yaw, pitch, roll
  BodyRef<Spatial> body_, rack_;
  Eigen::Vector3d rack_position_;
};

AnyModel build(const Parameters& parameters) { return Car(parameters).take(); }

}  // namespace

ZooModel lane_change_car_model() {
  return {.name = "lane_change_car",
          .description = "Passenger car that changes lanes periodically at constant speed (CORR 4.2.2).",
          .space = Spatial::name,
          .parameters = {{"speed", "m/s", 20, "of the ride", 1, 50},
                         {"amplitude", "m", 0.0025, "of the steering rack", -0.02, 0.02},
                         {"frequency", "Hz", 0.4, "of the steering rack", 0.01, 5},
                         {"links",
                          "",
                          0,
                          "between the wheel carriers and the body: springs without mass, or bodies on bushings",
                          0,
                          1,
                          true,
                          {"springs", "bodies"}}},
          .t_end = 5,
          .build = build};
}

}  // namespace linkwork::apps
