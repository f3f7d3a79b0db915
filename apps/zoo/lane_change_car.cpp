#include "zoo/models.hpp"
#include "zoo/mount.hpp"
#include "zoo/profile.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/forces/anti_roll_bar.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/tyre.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/free_by_angles.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

// A passenger car that changes lanes periodically at constant speed, the kind of problem of Arnold, Fuchs, Fuehrer,
// Efficient corrector iteration for DAE time integration in multibody dynamics, CMAME 195 (2006), section 4.2.2, whose
// model is not published. This one is made up, with round numbers in the usual range of compact cars: a body, two
// subframes on four bushings each, a power unit on rubber mounts, four wheel carriers on five links each, springs,
// dampers and anti-roll bars, tyres with side forces that build up over their relaxation length, and a steering rack
// that a rheonomic joint moves in the front subframe by u(t). A nonholonomic drive keeps the speed along the body. The
// links are bodies between two rubber bushings each, as in detailed models of whole cars, or springs without mass.
//
// All bodies have 6 coordinates, from a frame that moves along the road at the speed of the ride: the mass matrix is
// block diagonal, and what no force connects is not coupled. The road is a motorway of concrete slabs: random waves,
// each track's own, and the sealed joints between the slabs.

namespace linkwork::apps {
namespace lane_change_car {

constexpr double gravity = 9.81, pi = std::numbers::pi;

// [kg], [kg m^2] about x (forward), y (left), z (up)
constexpr double body_mass = 1080, unit_mass = 180, subframe_mass = 35, rack_mass = 4, carrier_mass = 38;
const Eigen::Vector3d body_moments(400, 1550, 1750), unit_moments(10, 14, 12), subframe_moments(4, 1.7, 5.5),
    carrier_moments(0.9, 1.2, 0.9);
constexpr double wheel_moment = 1;  // of the turning wheel about its axle

// [m]; the body's center of mass is the origin of x.
constexpr double body_height = 0.55, wheel_height = 0.3, unit_x = 1.1, unit_height = 0.5;
constexpr double front_x = 1.2, rear_x = -1.4, half_track = 0.74;
constexpr double subframe_height = 0.3, subframe_half_length = 0.26, subframe_half_width = 0.45;  // to its bushings

constexpr double link_stiffness = 4e6, link_damping = 2e3;   // of both bushings one after another [N/m], [N s/m]
constexpr double twist_stiffness = 20, twist_damping = 0.2;  // of one bushing in all directions [N m/rad], [N m s/rad]
constexpr double link_mass = 1.5, link_radius = 0.012;       // [kg], [m]
constexpr double subframe_stiffness = 3e6, subframe_damping = 2.5e3;  // of one bushing
constexpr double mount_stiffness = 2.5e5, mount_damping = 900;
constexpr double tyre_stiffness = 2e5, tyre_damping = 100;

/// The road's height under the wheels of one side. The waves have the spectral density of ISO 8608, which falls with
/// the square of the wave number n: G(n) = G(n0) (n0 / n)^2, n0 = 0.1 1/m, each standing for an octave. The start is
/// even.
struct Road {
  double roughness;   ///< G(n0) [m^3]; class A, the smoothest one, ends at 32e-6
  double joint;       ///< height of the sealing [m]
  double first_wave;  ///< phase [rad]

  /// @param u  along the road [m]
  Jet operator()(double u) const {
    constexpr double even = 3, becomes_rough = 10, slab = 5, sealing = 0.3;  // [m]
    constexpr std::array lengths = {17.0, 8.3, 4.4, 2.1, 1.07, 0.52};        // [m]
    constexpr double n0 = 0.1;                                               // [1/m]
    Jet waves;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      const double amplitude = std::sqrt(2 * roughness * n0 * n0 * std::numbers::ln2 * lengths[k]);
      waves = waves + Jet{amplitude} * wave(u, lengths[k], first_wave * static_cast<double>(k + 1));
    }
    const double on_slab = u - slab * std::floor(u / slab);
    const Jet sealed = u < slab ? Jet{} : plateau(on_slab, 0, sealing, sealing / 2);
    return rise(u, even, becomes_rough) * waves + Jet{joint} * sealed;
  }
};

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

/// x with A x = b of six equations.
Eigen::VectorXd solved(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  FullyPivotedLu factors;
  factors.compute(A);
  return factors.solve_columns(b);
}

/// The smallest forces [N] at some points that have this sum and this moment about the origin.
std::vector<Eigen::Vector3d> forces_at(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& sum,
                                       const Eigen::Vector3d& moment) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd wrenches(6, 3 * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < 3; ++k)
      wrenches.col(3 * i + k) << points[static_cast<std::size_t>(i)].cross(Eigen::Vector3d::Unit(k)),
          Eigen::Vector3d::Unit(k);
  Eigen::Matrix<double, 6, 1> wanted;
  wanted << moment, sum;
  const Eigen::VectorXd forces = wrenches.transpose() * solved(wrenches * wrenches.transpose(), wanted);
  std::vector<Eigen::Vector3d> out;
  for (Eigen::Index i = 0; i < n; ++i) out.emplace_back(forces.segment<3>(3 * i));
  return out;
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
    double load = share(body_mass, 0) + share(unit_mass, unit_x) + share(rack_mass, rack_x) +
                  share(subframe_mass, axle.x) + carrier_mass * gravity;
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
    return solved(wrenches, -outer);
  }

 private:
  double mass_;  ///< of a link [kg]
};

class Car {
 public:
  explicit Car(const Parameters& parameters)
      : speed_(parameters.at("speed")),
        links_(parameters.at("links") == 0 ? Links::springs : Links::bodies),
        roughness_(1e-6 * parameters.at("roughness")),
        joint_(parameters.at("joint")),
        rest_(links_) {
    model_.set_gravity({0, 0, -gravity});
    // Over to the other lane and back: the sum of both waves' second integrals is periodic, as the way to the side is.
    rack_travel_ = [a = parameters.at("amplitude"), omega = 2 * pi * parameters.at("frequency")](double t) {
      const double c1 = std::cos(omega * t), s1 = std::sin(omega * t), c3 = std::cos(3 * omega * t),
                   s3 = std::sin(3 * omega * t);
      return InputValue{a * (c1 - c3), a * omega * (3 * s3 - s1), a * omega * omega * (9 * c3 - c1)};
    };
    frame_ = model_.add_body<MasslessFrame>("moving frame");
    frame_.move({speed_, 0, 0});
    model_.add_joint<DrivenPrismatic>("along the road", model_.ground().origin(), frame_.origin(), Axis::x(),
                                      [v = speed_](double t) {
                                        return InputValue{v * t, v, 0};
                                      });
    body_ = add_body("body", rigid(body_mass, body_moments), {0, 0, body_height});
    const Input speed = [v = speed_](double) { return InputValue{v, 0, 0}; };
    model_.add_constraint<DrivenSpeed>("drive", body_.origin(), Axis::x(), speed);
    for (const Axle& axle : axles) add_axle(axle);
    add_power_unit();
    for (const Axle& axle : axles) hold_subframe(axle);
    observe();
  }
  SpatialModel take() { return std::move(model_); }

 private:
  struct Subframe {
    BodyRef<Spatial> body;
    Eigen::Vector3d middle;
    Eigen::Vector3d force{0, 0, -subframe_mass*gravity}, moment{0, 0, 0};  ///< at rest, about the middle [N, N m]

    Frame<Spatial> at(const Eigen::Vector3d& point) const { return body.at(point - middle); }
    void load(const Eigen::Vector3d& point, const Eigen::Vector3d& by) {
      force += by;
      moment += (point - middle).cross(by);
    }
  };
  Subframe& subframe(const Axle& axle) { return subframes_[axle.x == front_x ? 0 : 1]; }

  /// Frame of the body at a point of the car at rest.
  Frame<Spatial> on_body(const Eigen::Vector3d& point) const {
    return body_.at(point - Eigen::Vector3d(0, 0, body_height));
  }

  static CardanAxes yaw_pitch_roll() { return {Axis::z(), Axis::y(), Axis::x()}; }
  /// A rod turns about its own axis last: neither its inertia about that axis, which is small beside the others, nor
  /// the forces at its ends, which have no moment about it, mix with what is stiff and heavy when it leans. With
  /// another order the residual formalism needs 32 differenced Jacobians in 12.5 s instead of 1.
  static CardanAxes own_axis_last(const Eigen::Vector3d& along) {
    const Eigen::Matrix3d axes = Axis(along).frame();
    return {Axis(axes.col(0)), Axis(axes.col(1)), Axis(axes.col(2))};
  }
  BodyRef<Spatial> add_body(const std::string& name, const MassProperties& mass, const Eigen::Vector3d& position,
                            const CardanAxes& axes = yaw_pitch_roll()) {
    auto body = model_.add_body(name, mass);
    join(name, body, position, axes);
    return body;
  }
  void join(const std::string& name, BodyRef<Spatial>& body, const Eigen::Vector3d& position, const CardanAxes& axes) {
    body.place(position).move({speed_, 0, 0});
    model_.add_joint<FreeByAngles>(name + " joint", frame_.at(position), body.origin(), axes);
  }

  /// On two mounts of the body, and one of the subframe.
  void add_power_unit() {
    const Eigen::Vector3d middle(unit_x, 0, unit_height);
    const auto unit = add_body("power unit", rigid(unit_mass, unit_moments), middle);
    const std::vector<Eigen::Vector3d> points = {{0.25, 0, 0}, {-0.15, 0.35, 0}, {-0.15, -0.35, 0}};
    const auto forces = forces_at(points, {0, 0, unit_mass * gravity}, Eigen::Vector3d::Zero());
    const std::array names = {"front mount", "left mount", "right mount"};
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Eigen::Vector3d at = middle + points[k];
      if (k == 0) subframes_[0].load(at, -forces[k]);
      model_.add_force<Bushing>(names[k], k == 0 ? subframes_[0].at(at) : on_body(at), unit.at(points[k]),
                                bushing(isotropic(0, mount_stiffness, 0, mount_damping), forces[k]));
    }
  }

  void add_rack(Subframe& housing) {
    rack_position_ = {front_x + links[4].body.x(), 0, wheel_height + links[4].body.z()};
    rack_ = model_.add_body("rack", MassProperties::rod(rack_mass, 0.7, Axis::y()));
    rack_.place(rack_position_).move({speed_, 0, 0});
    model_.add_joint<DrivenPrismatic>("steering", housing.at(rack_position_), rack_.origin(), Axis::y(), rack_travel_);
    housing.load(rack_position_, {0, 0, -rack_mass * gravity});
  }

  void add_axle(const Axle& axle) {
    Subframe& own = subframe(axle);
    own.middle = {axle.x, 0, subframe_height};
    own.body = add_body(std::string(axle.name) + " subframe", rigid(subframe_mass, subframe_moments), own.middle);
    if (axle.x == front_x) add_rack(own);
    const auto left = add_corner(axle, 1), right = add_corner(axle, -1);
    model_.add_force<AntiRollBar>(std::string(axle.name) + " anti-roll bar", own.body.origin(), left, right,
                                  AntiRollBar::Options{.stiffness = axle.anti_roll});
  }

  /// The bushings at the subframe's corners, when all that it carries is there.
  void hold_subframe(const Axle& axle) {
    const Subframe& own = subframe(axle);
    std::vector<Eigen::Vector3d> corners;
    for (const double x : {subframe_half_length, -subframe_half_length})
      for (const double y : {subframe_half_width, -subframe_half_width}) corners.emplace_back(x, y, 0);
    const auto forces = forces_at(corners, -own.force, -own.moment);
    for (std::size_t k = 0; k < corners.size(); ++k)
      model_.add_force<Bushing>(
          concat(axle.name, " subframe's ", k < 2 ? "front " : "rear ", k % 2 == 0 ? "left" : "right", " bushing"),
          on_body(own.middle + corners[k]), own.body.at(corners[k]),
          bushing(isotropic(0, subframe_stiffness, 0, subframe_damping), forces[k]));
  }

  Frame<Spatial> add_corner(const Axle& axle, double side) {
    const std::string name = std::string(axle.name) + (side > 0 ? " left " : " right ");
    const Eigen::Vector3d middle(axle.x, side * half_track, wheel_height);
    const Eigen::Vector3d momentum(0, wheel_moment * speed_ / wheel_height, 0);
    auto carrier = model_.add_body<RotorCarrier>(name + "carrier", rigid(carrier_mass, carrier_moments), momentum);
    join(name + "carrier", carrier, middle, yaw_pitch_roll());
    const auto mirrored = [&](const Eigen::Vector3d& point) {
      return Eigen::Vector3d(point.x(), side * point.y(), point.z());
    };
    const auto connect = [&](const Link& link, const Frame<Spatial>& inner, double stiffness, double damping,
                             double tension) {
      model_.add_force<SpringDamper>(name + link.name, inner, carrier.at(mirrored(link.carrier)),
                                     {.stiffness = stiffness,
                                      .damping = damping,
                                      .free_length = (link.body - link.carrier).norm() - tension / stiffness});
    };
    const Eigen::Matrix<double, 6, 1> tensions = rest_.tensions(axle);
    for (std::size_t k = 0; k < links.size(); ++k) {
      const double tension = tensions[static_cast<int>(k)];
      const Eigen::Vector3d inner = middle + mirrored(links[k].body), outer = middle + mirrored(links[k].carrier);
      const Eigen::Vector3d pull = tension * (inner - outer).normalized();
      const bool steers = axle.x == front_x && k == 4;
      const Frame<Spatial> inner_frame = steers ? rack_.at(inner - rack_position_) : subframe(axle).at(inner);
      if (links_ == Links::bodies)
        add_link(name + links[k].name, inner_frame, inner, carrier.at(mirrored(links[k].carrier)), outer, pull);
      else
        connect(links[k], inner_frame, link_stiffness, link_damping, tension);
      subframe(axle).load(inner, -pull - Eigen::Vector3d(0, 0, rest_.end_load()));
    }
    connect(strut, on_body(middle + mirrored(strut.body)), axle.spring, axle.damper, tensions[5]);
    add_tyre(name, axle, side, carrier);
    return carrier.origin();
  }

  /// A rod with a bushing at either end, which lie at `inner` and `outer` at rest and pull it.
  void add_link(const std::string& name, const Frame<Spatial>& inner_frame, const Eigen::Vector3d& inner,
                const Frame<Spatial>& outer_frame, const Eigen::Vector3d& outer, const Eigen::Vector3d& pull) {
    const Eigen::Vector3d middle = (inner + outer) / 2;
    const auto link = add_body(name, rod_between(inner, outer), middle, own_axis_last(outer - inner));
    const auto add_bushing = [&](const char* end, const Frame<Spatial>& frame, const Eigen::Vector3d& at,
                                 const Eigen::Vector3d& force) {
      model_.add_force<Bushing>(name + end, frame, link.at(at - middle),
                                bushing(isotropic(twist_stiffness, 2 * link_stiffness, twist_damping, 2 * link_damping),
                                        force + Eigen::Vector3d(0, 0, rest_.end_load())));
    };
    add_bushing(" inner bushing", inner_frame, inner, pull);
    add_bushing(" outer bushing", outer_frame, outer, -pull);
  }

  /// The road's surface under a wheel: it moves up and down as the wheel rolls on.
  Frame<Spatial> road_under(const std::string& wheel, const Axle& axle, double side) {
    auto road = model_.add_body<MasslessFrame>(wheel + "road");
    const Input height = [road = Road{roughness_, joint_, side > 0 ? 1.0 : 2.3}, x = axle.x, v = speed_](double t) {
      const Jet z = road(x + v * t);
      return InputValue{z.value, v * z.first, v * v * z.second};
    };
    model_.add_joint<DrivenPrismatic>(wheel + "road profile", model_.ground().origin(), road.origin(), Axis::z(),
                                      height);
    return road.origin();
  }

  void add_tyre(const std::string& name, const Axle& axle, double side, const BodyRef<Spatial>& carrier) {
    const Tyre::Options options{.radius = wheel_height + rest_.wheel_load(axle) / tyre_stiffness,
                                .stiffness = tyre_stiffness,
                                .damping = tyre_damping,
                                .friction = 1,
                                .shape = 1.3,
                                .cornering = 7.5e4,
                                .cornering_load = 5500,
                                .relaxation = 0.35,
                                .trail = 0.03};
    const Frame<Spatial> road = road_under(name, axle, side), wheel = carrier.origin();
    const auto tyre = model_.add_force<Tyre>(name + "tyre", road, wheel, options);
    model_.add_observable(name + "load", "N", [=, law = Tyre(road, wheel, options)](const auto& now) {
      return law.load({now.pose(road), now.velocity(road), {}}, {now.pose(wheel), now.velocity(wheel), {}});
    });
    model_.add_observable(name + "slip", "", [=](const auto& now) { return now.state(tyre, 0); });
  }

  void observe() {
    const auto body = body_.origin(), rack = rack_.origin(), rack_home = subframes_[0].at(rack_position_);
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
      return now.pose(rack_home).rotation.col(1).dot(now.pose(rack).position - now.pose(rack_home).position);
    });
    model_.add_observable("drive_force", "N",
                          [drive = model_.constraint("drive")](const auto& now) { return -now.multiplier(drive, 0); });
  }

  SpatialModel model_{"lane_change_car"};
  double speed_;  // [m/s]
  Links links_;
  double roughness_, joint_;  // see Road
  Rest rest_;
  Input rack_travel_;
  BodyRef<Spatial> frame_, body_, rack_;
  std::array<Subframe, 2> subframes_;  // front, rear
  Eigen::Vector3d rack_position_;
};

AnyModel build(const Parameters& parameters) { return Car(parameters).take(); }

}  // namespace lane_change_car

ZooModel lane_change_car_model() {
  using namespace lane_change_car;
  return {.name = "lane_change_car",
          .description = "Passenger car that changes lanes periodically at constant speed (CORR 4.2.2).",
          .space = Spatial::name,
          .parameters = {{"speed", "m/s", 20, "of the ride", 1, 50},
                         {"amplitude", "m", 0.0018, "of each of both waves of the steering rack", -0.02, 0.02},
                         {"frequency", "Hz", 0.16, "of the changes to the other lane and back", 0.01, 5},
                         {"roughness", "mm^2 m", 1, "of the road: the density G(0.1 / m) of ISO 8608", 0, 256},
                         {"joint", "m", 0.002, "height of the sealed joints between the road's slabs", 0, 0.02},
                         {"links",
                          "",
                          1,
                          "between the wheel carriers and the subframes: springs without mass, or bodies on bushings",
                          0,
                          1,
                          true,
                          {"springs", "bodies"}}},
          .t_end = 12.5,
          .build = build};
}

}  // namespace linkwork::apps
