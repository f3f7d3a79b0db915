#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <string>
#include <vector>

// A crank and rocker between four parallel hinges, made in the plane or in space. In space three of the twenty rows
// depend on the others: four parallel axes leave the links the motion in the plane only, which each of them blocks once
// more.

namespace linkwork::apps {
namespace four_bar {

constexpr double base = 1, crank_length = 0.4, coupler_length = 0.9, rocker_length = 0.7;  // [m]
constexpr double crank_angle = 1, crank_speed = 6;                                         // [rad], [rad/s]

/// Where the pin between coupler and rocker is: the crossing, on the left of the way from the crank's pin to the
/// rocker's bearing, of the circles about these two.
Eigen::Vector2d rocker_pin(const Eigen::Vector2d& crank_pin) {
  const Eigen::Vector2d way = Eigen::Vector2d(base, 0) - crank_pin;
  const double d2 = way.squaredNorm();
  const double along = (d2 + coupler_length * coupler_length - rocker_length * rocker_length) / (2 * d2);
  const double across = std::sqrt(coupler_length * coupler_length / d2 - along * along);
  return crank_pin + along * way + across * cross(1.0, way);
}

/// A vector or a turn in the plane of both spaces.
template <class Space>
Vector<Space> in_plane(const Eigen::Vector2d& x) {
  Vector<Space> out = Vector<Space>::Zero();
  out.template head<2>() = x;
  return out;
}
template <class Space>
Orientation<Space> turned(double angle) {
  if constexpr (Space::dimension == 2)
    return angle;
  else
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
}
template <class Space>
Angular<Space> turning(double speed) {
  if constexpr (Space::dimension == 2)
    return speed;
  else
    return {0, 0, speed};
}

template <class Space>
class FourBar {
 public:
  FourBar() {
    model_.set_gravity(in_plane<Space>({0, -9.81}));
    const Eigen::Vector2d bearing(0, 0), other_bearing(base, 0);
    const Eigen::Vector2d pin = crank_length * Eigen::Vector2d(std::cos(crank_angle), std::sin(crank_angle));
    const Eigen::Vector2d other_pin = rocker_pin(pin);
    // Velocities: both pins' along the coupler agree.
    const Eigen::Vector2d pin_velocity = cross(crank_speed, pin), along = other_pin - pin;
    const Eigen::Vector2d across_rocker = cross(1.0, Eigen::Vector2d(other_pin - other_bearing));
    const Eigen::Vector2d other_velocity = pin_velocity.dot(along) / across_rocker.dot(along) * across_rocker;

    const auto crank = add_link("crank", bearing, pin, {0, 0}, pin_velocity);
    const auto coupler = add_link("coupler", pin, other_pin, pin_velocity, other_velocity);
    const auto rocker = add_link("rocker", other_bearing, other_pin, {0, 0}, other_velocity);
    hinge("crank bearing", model_.ground().origin(), begin(crank, crank_length));
    hinge("crank pin", end(crank, crank_length), begin(coupler, coupler_length));
    hinge("rocker bearing", model_.ground().at(in_plane<Space>(other_bearing)), begin(rocker, rocker_length));
    hinge("rocker pin", end(coupler, coupler_length), end(rocker, rocker_length));
    observe("crank_pin", end(crank, crank_length));
    observe("rocker_pin", end(rocker, rocker_length));
  }
  Model<Space> take() { return std::move(model_); }

 private:
  /// A uniform rod of 2 kg/m from one point to another, whose velocities are given.
  BodyRef<Space> add_link(const std::string& name, const Eigen::Vector2d& from, const Eigen::Vector2d& to,
                          const Eigen::Vector2d& from_velocity, const Eigen::Vector2d& to_velocity) {
    const Eigen::Vector2d along = to - from;
    const double length = along.norm();
    auto link = model_.add_body(name, MassProperties::cylinder(2 * length, 0.02, length, Axis::x()));
    link.place(in_plane<Space>((from + to) / 2), turned<Space>(std::atan2(along.y(), along.x())))
        .move(in_plane<Space>((from_velocity + to_velocity) / 2),
              turning<Space>(cross(along, Eigen::Vector2d(to_velocity - from_velocity)) / (length * length)));
    return link;
  }
  static Frame<Space> begin(const BodyRef<Space>& link, double length) {
    return link.at(in_plane<Space>({-length / 2, 0}));
  }
  static Frame<Space> end(const BodyRef<Space>& link, double length) {
    return link.at(in_plane<Space>({length / 2, 0}));
  }
  void hinge(const std::string& name, const Frame<Space>& father, const Frame<Space>& son) {
    if constexpr (Space::dimension == 2)
      model_.template add_joint<Revolute>(name, father, son);
    else
      model_.template add_joint<Revolute>(name, father, son, Axis::z());
  }
  void observe(const std::string& name, const Frame<Space>& frame) {
    for (const int i : {0, 1}) {
      const std::string axis = i == 0 ? "_x" : "_y";
      model_.add_observable(name + axis, "m", [=](const auto& now) { return now.pose(frame).position[i]; });
      model_.add_observable(name + "_v" + axis.back(), "m/s",
                            [=](const auto& now) { return now.velocity(frame).linear[i]; });
    }
  }

  Model<Space> model_{"four_bar"};
};

AnyModel build(const Parameters& parameters) {
  if (parameters.at("spatial") == 1) return FourBar<Spatial>().take();
  return FourBar<Planar>().take();
}

std::vector<ReferencePoint> points() {
  return {{1,
           {{"crank_pin_x", -0.18881181851},
            {"crank_pin_y", 0.35263309146},
            {"crank_pin_vx", -1.8669885129},
            {"crank_pin_vy", -0.99964950769},
            {"rocker_pin_x", 0.67118723235},
            {"rocker_pin_y", 0.61796615104},
            {"rocker_pin_vx", -1.8686438655},
            {"rocker_pin_vy", -0.99428416933}}},
          {2,
           {{"crank_pin_x", -0.21399867831},
            {"crank_pin_y", -0.33794166017},
            {"crank_pin_vx", 5.5109555004},
            {"crank_pin_vy", -3.4897656381},
            {"rocker_pin_x", 0.38479699134},
            {"rocker_pin_y", 0.33395397607},
            {"rocker_pin_vx", 0.52009429311},
            {"rocker_pin_vy", 0.95810679565}}},
          {5,
           {{"crank_pin_x", -0.33373070698},
            {"crank_pin_y", 0.22050808425},
            {"crank_pin_vx", -1.590996361},
            {"crank_pin_vy", -2.4079132616},
            {"rocker_pin_x", 0.51894364836},
            {"rocker_pin_y", 0.50851232684},
            {"rocker_pin_vx", -1.8220950819},
            {"rocker_pin_vy", -1.723715171}}}};
}

}  // namespace four_bar

ZooModel four_bar_model() {
  using namespace four_bar;
  return {.name = "four_bar",
          .description = "Crank and rocker, a planar four-bar modelled in space, where three rows are redundant.",
          .space = Spatial::name,
          .parameters = {{"spatial", "", 1, "space that it is modelled in", 0, 1, true, {"plane", "space"}}},
          .t_end = 5,
          .build = build,
          .reference_source = "Lagrange's equation of the crank's angle, written by hand; 10 digits",
          .references = {{{{"spatial", 0}}, points()}, {{{"spatial", 1}}, points()}}};
}

}  // namespace linkwork::apps
