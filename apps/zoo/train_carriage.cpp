#include "zoo/models.hpp"
#include "zoo/mount.hpp"
#include "zoo/profile.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/path.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/wheelset_creep.hpp>
#include <linkwork/joints/constraints/curve_contact.hpp>
#include <linkwork/joints/driven_path.hpp>
#include <linkwork/joints/free_by_angles.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

// A train carriage that passes an S-shaped line change at constant speed, the problem of Arnold, Fuchs, Fuehrer,
// Efficient corrector iteration for DAE time integration in multibody dynamics, CMAME 195 (2006), section 4.1, whose
// data are not published. The data here are made up for this model, round numbers in the usual range of four-axle
// passenger coaches (compare the benchmark vehicles of the literature, such as those of the Manchester benchmarks).
//
// Several carriages make a train; a coupler joins each car body to the next one.
//
// All bodies are joined to a frame that a driven joint carries along the track at the speed of the ride: the car body
// with 5 coordinates, bogies and wheelsets with 6 (pitch, yaw and roll, then the displacements; q' = v). So the mass
// matrix is block diagonal. A wheelset's body stands for its mass and its axle boxes; its wheels' turn is no freedom:
// they roll freely (see WheelsetCreep), their momentum is that of the nominal speed. Wheels and rails touch with
// circular profiles, so that the contact point moves smoothly, as quasi-elastic contact makes it do for measured
// profiles.

namespace linkwork::apps {
namespace train_carriage {

constexpr double gravity = 9.81;  // [m/s^2]

// Masses [kg] and moments of inertia about x, y, z [kg m^2].
constexpr double car_mass = 34e3, bogie_mass = 2800, wheelset_mass = 1500;
const Eigen::Vector3d car_moments(6e4, 1.9e6, 1.85e6), bogie_moments(1800, 1500, 3000), wheelset_moments(800, 60, 800);
constexpr double wheels_moment = 110;  // of the turning wheels and axle, about the axle

// Lengths [m]: heights above the rails' top, half distances along and across.
constexpr double car_height = 1.8, bogie_height = 0.6, secondary_height = 0.9, rolling_radius = 0.46,
                 primary_height = 0.56;
constexpr double half_pivots = 9.5, half_wheelbase = 1.25, half_axle_boxes = 1, half_secondary = 1;
constexpr double car_length = 26.4, coupler_height = 1.05;
constexpr double half_contacts = 0.75, rail_head = 0.3, wheel_profile = 0.4;
constexpr double contact_angle = 0.025;  // [rad] of the wheel's profile against the axle: 1 in 40

// Creep coefficients at a load of 55 kN, four fifths of those for clean rails.
constexpr double longitudinal_creep = 7e6, lateral_creep = 6.5e6;  // [N]
constexpr double lateral_spin_creep = 1.5e4, spin_creep = 60;      // [N m], [N m^2]

// Suspensions.
Mount axle_box() {
  Mount out;
  out.stiffness << 1e4, 5e4, 1e4, 8e6, 4e6, 1.2e6;
  out.damping << 100, 500, 100, 2e4, 1.5e4, 1.2e4;
  return out;
}
Mount air_spring() {  // with the dampers beside it
  Mount out;
  out.stiffness << 1e4, 1e4, 1e4, 1.6e5, 1.6e5, 4.3e5;
  out.damping << 500, 500, 2e4, 6e4, 3e4, 2.5e4;
  return out;
}
Mount traction_rod() {
  Mount out;
  out.stiffness << 0, 0, 0, 5e6, 0, 0;
  out.damping << 0, 0, 0, 2.5e4, 0, 0;
  return out;
}

Mount coupler() {  // with the bellows of the gangway
  Mount out;
  out.stiffness << 1e3, 1e3, 1e3, 0, 3e4, 3e4;
  out.damping << 100, 100, 100, 0, 2e3, 2e3;
  return out;
}

/// 1 on a stretch of rough_length, 0 elsewhere, with gentle ends.
constexpr double rough_length = 40;  // [m]
Jet rough(double u, double begin) { return plateau(u, begin, rough_length, rough_length / 2); }

/// Center of the track: x = u, and y goes over to `offset` from the first axle on. At both ends are the points, where a
/// track as it lies leaves that line to the side and in height by waves of some lengths.
struct Track {
  double begin, length, offset, roughness;  // [m]

  SpaceCurvePoint operator()(double u) const {
    const double last = begin + length - rough_length;  // where the second rough stretch begins
    const Jet lies = Jet{roughness} * (rough(u, begin) + rough(u, last));
    const Jet y = rise(u, begin, length) * Jet{offset} +
                  lies * (wave(u, 43, 0.3) + Jet{0.6} * wave(u, 19, 1.1) + Jet{0.4} * wave(u, 8.7, 2.9));
    const Jet z = lies * (wave(u, 37, 2) + Jet{0.6} * wave(u, 16, 0.2) + Jet{0.4} * wave(u, 9.3, 1.7));
    return {{u, y.value, z.value}, {1, y.first, z.first}, {0, y.second, z.second}, {0, y.third, z.third}};
  }
};

/// Displacement [m] of a point to the left of the track's center.
double displacement(const Path& track, const Eigen::Vector3d& point) {
  double u = point.x();
  PathPoint at = track(u);
  for (int k = 0; k < 10; ++k) {  // the foot of the perpendicular; the track is nearly straight: each gains two digits
    u += at.pose.rotation.col(0).dot(point - at.pose.position) / at.twist[3];
    at = track(u);
  }
  return at.pose.rotation.col(1).dot(point - at.pose.position);
}

class Train {
 public:
  explicit Train(const Parameters& parameters)
      : speed_(parameters.at("speed")),
        points_(parameters.at("contact") == 0 ? CurveContact::Points::inside : CurveContact::Points::carried),
        line_(track_path(track(parameters, 0))),
        track_(track_path(track(parameters, parameters.at("roughness")))) {
    model_.set_gravity({0, 0, -gravity});
    const int carriages = static_cast<int>(parameters.at("carriages"));
    for (int number = 1; number <= carriages; ++number) add_carriage(number);
  }
  SpatialModel take() { return std::move(model_); }

 private:
  static Track track(const Parameters& parameters, double roughness) {
    return {half_pivots + half_wheelbase, parameters.at("length"), parameters.at("offset"), roughness};
  }

  /// Each carriage on a moving frame of its own, all at the same speed along the track.
  void add_carriage(int number) {
    prefix_ = number == 1 ? "" : concat("carriage ", number, " ");
    x_ = -car_length * (number - 1);
    wheelsets_.clear();
    contacts_.clear();
    frame_ = model_.add_body<MasslessFrame>(prefix_ + "track frame");
    frame_.place({x_, 0, 0}).move({speed_, 0, 0});
    model_.add_joint<DrivenPath>(
        prefix_ + "along the track", model_.ground().origin(), frame_.origin(),
        [line = line_, x = x_](double travelled) { return line(x + travelled); }, travelled_);

    const BodyRef<Spatial> car_ahead = car_;
    car_ = model_.add_body(prefix_ + "car", rigid(car_mass, car_moments));
    place(car_, {0, 0, car_height});
    model_.add_joint<PointOnPlaneByAngles>(prefix_ + "car to track", frame_.at({0, 0, car_height}), car_.origin(),
                                           Axis::x(), axes_);
    add_bogie(prefix_ + "front", half_pivots, 1);
    add_bogie(prefix_ + "rear", -half_pivots, 3);
    if (number > 1)
      model_.add_force<Bushing>(prefix_ + "coupler", car_ahead.at({-car_length / 2, 0, coupler_height - car_height}),
                                car_.at({car_length / 2, 0, coupler_height - car_height}), bushing(coupler()));
    observe(number == 1 ? "" : concat("carriage", number, "_"));
  }

  /// @param position  from the carriage's middle, at the rails' top
  void place(BodyRef<Spatial>& body, const Eigen::Vector3d& position) {
    body.place(position + Eigen::Vector3d(x_, 0, 0)).move({speed_, 0, 0});
  }
  BodyRef<Spatial> on_track(const std::string& name, BodyRef<Spatial> body, const Eigen::Vector3d& position) {
    place(body, position);
    model_.add_joint<FreeByAngles>(name + " to track", frame_.at(position), body.origin(), axes_);
    return body;
  }

  void add_bogie(const std::string& end, double x, int first_wheelset) {
    const std::string name = end + " bogie";
    const auto bogie = on_track(name, model_.add_body(name, rigid(bogie_mass, bogie_moments)), {x, 0, bogie_height});
    for (const double side : {1.0, -1.0})
      model_.add_force<Bushing>(end + (side > 0 ? " left" : " right") + " air spring",
                                bogie.at({0, side * half_secondary, secondary_height - bogie_height}),
                                car_.at({x, side * half_secondary, secondary_height - car_height}),
                                bushing(air_spring(), {0, 0, car_mass * gravity / 4}));
    model_.add_force<Bushing>(end + " traction rod", bogie.origin(), car_.at({x, 0, bogie_height - car_height}),
                              bushing(traction_rod()));
    add_wheelset(bogie, first_wheelset, x, half_wheelbase);
    add_wheelset(bogie, first_wheelset + 1, x, -half_wheelbase);
  }

  void add_wheelset(const BodyRef<Spatial>& bogie, int number, double x_bogie, double x_in_bogie) {
    const std::string name = concat(prefix_, "wheelset ", number);
    const Eigen::Vector3d momentum(0, wheels_moment * speed_ / rolling_radius, 0);
    const double x = x_bogie + x_in_bogie;
    const auto wheelset =
        on_track(name, model_.add_body<RotorCarrier>(name, rigid(wheelset_mass, wheelset_moments), momentum),
                 {x, 0, rolling_radius});
    constexpr double carried = (car_mass / 2 + bogie_mass) * gravity / 4;
    WheelsetCreep::Options creep;
    for (const double side : {1.0, -1.0}) {
      const std::string of_side = name + (side > 0 ? " left" : " right");
      model_.add_force<Bushing>(of_side + " axle box",
                                bogie.at({x_in_bogie, side * half_axle_boxes, primary_height - bogie_height}),
                                wheelset.at({0, side * half_axle_boxes, primary_height - rolling_radius}),
                                bushing(axle_box(), {0, 0, -carried}));
      const CurvePair curves = wheel_and_rail(side, x);
      contacts_.push_back(model_.add_constraint<CurveContact>(of_side + " contact", model_.ground().origin(),
                                                              wheelset.origin(), curves, wheel_profile - rail_head,
                                                              points_));
      creep.contacts[side > 0 ? 0 : 1] = curves;
    }
    creep.profile = wheel_profile;
    creep.speed = speed_;
    creep.longitudinal = longitudinal_creep;
    creep.lateral = lateral_creep;
    creep.lateral_spin = lateral_spin_creep;
    creep.spin = spin_creep;
    model_.add_force<WheelsetCreep>(name + " creep", model_.ground().origin(), wheelset.origin(), creep);
    wheelsets_.push_back(wheelset);
  }

  /// The centers of both profiles, which touch at half_contacts from the track's center at the rails' top: the tread
  /// rises outwards, so that its normal leans inwards by the contact angle.
  CurvePair wheel_and_rail(double side, double x) const {
    const double sine = std::sin(contact_angle), cosine = std::cos(contact_angle);
    CurvePair out;
    out.a = {track_, {0, side * (half_contacts + rail_head * sine), -rail_head * cosine}};
    out.b = {turning_path(Axis::y()),
             {0, side * (half_contacts + wheel_profile * sine), -rolling_radius - wheel_profile * cosine}};
    out.start = {x_ + x, 0};
    return out;
  }

  void observe(const std::string& prefix) {
    const auto car = car_.origin();
    model_.add_observable(prefix + "car_y", "m", [=](const auto& now) { return now.pose(car).position.y(); });
    model_.add_observable(prefix + "car_z", "m", [=](const auto& now) { return now.pose(car).position.z(); });
    model_.add_observable(prefix + "car_roll", "rad",
                          [=](const auto& now) { return std::asin(now.pose(car).rotation(2, 1)); });
    model_.add_observable(prefix + "car_lateral_acceleration", "m/s^2", [=](const auto& now) {
      return now.pose(car).rotation.col(1).dot(now.acceleration(car).linear);
    });
    for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
      const std::string name = concat(prefix, "wheelset", k + 1);
      const auto wheelset = wheelsets_[k].origin();
      model_.add_observable(name + "_displacement", "m", [wheelset, track = track_](const auto& now) {
        return displacement(track, now.pose(wheelset).position);
      });
      for (const std::size_t side : {0u, 1u}) {
        const auto contact = contacts_[2 * k + side];
        model_.add_observable(name + (side == 0 ? "_left_load" : "_right_load"), "N",
                              [=](const auto& now) { return now.multiplier(contact, 0); });
      }
    }
  }

  SpatialModel model_{"train_carriage"};
  double speed_;  // [m/s]
  CurveContact::Points points_;
  Path line_;   // as it is meant: the moving frames follow it
  Path track_;  // as it lies under the wheels
  const Input travelled_ = [v = speed_](double t) { return InputValue{v * t, v, 0}; };  // [m]
  CardanAxes axes_{Axis::y(), Axis::z(), Axis::x()};                                    // pitch, yaw, roll
  // Of the carriage that is being added.
  std::string prefix_;
  double x_ = 0;  // of its middle at the start [m]
  BodyRef<Spatial> frame_, car_;
  std::vector<BodyRef<Spatial>> wheelsets_;
  std::vector<ConstraintRef<Spatial>> contacts_;
};

AnyModel build(const Parameters& parameters) { return Train(parameters).take(); }

}  // namespace train_carriage

ZooModel train_carriage_model() {
  using namespace train_carriage;
  return {.name = "train_carriage",
          .description = "Train carriage of 41 freedoms on an S-shaped line change (CORR 4.1).",
          .space = Spatial::name,
          .parameters = {{"speed", "m/s", 20, "of the ride", 1, 40},
                         {"offset", "m", 4.5, "between both lines", -20, 20},
                         {"length", "m", 278.5, "of the line change; it begins at the first axle", 50, 1e4},
                         {"roughness", "m", 0.001, "of the track: its waves to the side and in height", 0, 0.01},
                         {"carriages", "", 1, "of a train", 1, 1000, true},
                         {"contact",
                          "",
                          0,
                          "where wheels and rails touch is found inside g, or carried as coordinates s",
                          0,
                          1,
                          true,
                          {"inside", "explicit"}}},
          .t_end = 15,
          .build = build};
}

}  // namespace linkwork::apps
