#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/series_spring_damper.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/constraints/plane_curve_contact.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <numbers>

namespace linkwork::apps {
namespace cam_follower {

// A valve train of usual size; the numbers are our own.
constexpr double base_radius = 0.03, roller_radius = 0.01, support_height = 0.3;  // [m]

/// Radius base + lift (1 - cos s) / 2 at the angle s in the cam.
PlaneCurve cam_profile(double lift) {
  return PlaneCurve([lift](double s) {
    const double radius = base_radius + 0.5 * lift * (1 - std::cos(s)), rate = 0.5 * lift * std::sin(s),
                 bend = 0.5 * lift * std::cos(s);
    const Eigen::Vector2d outward(std::cos(s), std::sin(s)), along(-outward.y(), outward.x());
    return PlaneCurvePoint{radius * outward, rate * outward + radius * along,
                           (bend - radius) * outward + 2 * rate * along};
  });
}

AnyModel build(const Parameters& parameters) {
  using std::numbers::pi;
  const double speed = parameters.at("speed"), lift = parameters.at("lift");
  const double start_height = base_radius + roller_radius;
  PlanarModel model("cam_follower");
  model.set_gravity({0, -9.81});
  auto cam = model.add_body("cam", MassProperties::planar(1.5, 2e-3));
  auto follower = model.add_body("follower", MassProperties::planar(0.4, 1e-4));
  cam.place({0, 0}, pi / 2).move({0, 0}, speed);  // its lowest radius upwards
  follower.place({0, start_height});
  const auto support = model.ground().at({0, support_height});
  const Axis up = Axis::y();
  model.add_joint<Revolute>("bearing", model.ground().origin(), cam.origin());
  model.add_joint<Prismatic>("guide", model.ground().origin(), follower.origin(), up);
  const auto contact =
      model.add_constraint<PlaneCurveContact>("contact", cam.origin(), cam_profile(lift), follower.origin(),
                                              PlaneCurve::circle(roller_radius), Eigen::Vector2d(0, -pi / 2));
  model.add_force<SpringDamper>("return spring", support, follower.origin(),
                                {.stiffness = 1500, .damping = 1, .free_length = support_height});
  const auto damper = model.add_force<SeriesSpringDamper>(
      "damper on its mount", support, follower.origin(),
      {.stiffness = 2e4, .free_length = support_height - start_height, .typical_rate = 0.1, .law = [](double rate) {
         constexpr double damping = 300, knee = 0.05;  // [N s/m], [m/s]
         return damping * (rate / std::hypot(1, rate / knee) + 0.1 * rate);
       }});
  const auto motor = model.add_force<Actuator>(
      "motor", model.ground().origin(), cam.origin(),
      {.command = [speed](const Motion<Planar>& m) { return 0.5 * (speed - m.frame(1).velocity.angular); },
       .time_constant = 0.02});

  model.add_observable("cam_angle", "rad", [=](const auto& now) { return now.pose(cam.origin()).angle - pi / 2; });
  model.add_observable("cam_speed", "rad/s", [=](const auto& now) { return now.velocity(cam.origin()).angular; });
  model.add_observable("lift", "m",
                       [=](const auto& now) { return now.pose(follower.origin()).position.y() - start_height; });
  model.add_observable("follower_speed", "m/s",
                       [=](const auto& now) { return now.velocity(follower.origin()).linear.y(); });
  model.add_observable("contact_force", "N", [=](const auto& now) { return now.multiplier(contact, 0); });
  model.add_observable("contact_on_cam", "rad", [=](const auto& now) { return now.contact(contact, 0); });
  model.add_observable("contact_on_roller", "rad", [=](const auto& now) { return now.contact(contact, 1); });
  model.add_observable("damper_stretch", "m", [=](const auto& now) { return now.state(damper, 0); });
  model.add_observable("damper_rate", "m/s", [=](const auto& now) { return now.auxiliary(damper, 0); });
  model.add_observable("motor_torque", "N m", [=](const auto& now) { return now.state(motor, 0); });
  return model;
}

}  // namespace cam_follower

ZooModel cam_follower_model() {
  using namespace cam_follower;
  return {.name = "cam_follower",
          .description =
              "Cam on a motor, roller follower with a return spring and a damper on an elastic mount: "
              "dynamic states, auxiliary variables and contact coordinates together.",
          .space = Planar::name,
          .parameters = {{"speed", "rad/s", 30, "that the motor keeps", -100, 100},
                         {"lift", "m", 0.01, "of the cam", 0, 0.02}},
          .t_end = 1,
          .build = build,
          .reference_source = "Lagrange's equation of the cam's angle, written by hand; 10 digits",
          .references = {{{},
                          {{0.25,
                            {{"cam_angle", 7.4481410962},
                             {"cam_speed", 28.772429305},
                             {"lift", 0.0031005670164},
                             {"follower_speed", 0.13340458295},
                             {"contact_on_cam", -7.4803870154},
                             {"damper_stretch", -0.0022071274058},
                             {"damper_rate", -0.12928619523},
                             {"motor_torque", 0.39931451198},
                             {"contact_force", 87.677577024},
                             {"contact_on_roller", -1.4636334649}}},
                           {0.5,
                            {{"cam_angle", 14.888646342},
                             {"cam_speed", 29.565727351},
                             {"lift", 0.0084486904425},
                             {"follower_speed", 0.10589238184},
                             {"contact_on_cam", -14.907805158},
                             {"damper_stretch", -0.0075952715722},
                             {"damper_rate", -0.1122249597},
                             {"motor_torque", 0.38582152471},
                             {"contact_force", 92.876979945},
                             {"contact_on_roller", -1.4970050818}}},
                           {1,
                            {{"cam_angle", 29.873882723},
                             {"cam_speed", 30.499213718},
                             {"lift", 0.0049353788573},
                             {"follower_speed", -0.15188832612},
                             {"contact_on_cam", -29.84241743},
                             {"damper_stretch", -0.0058745292038},
                             {"damper_rate", 0.15133991927},
                             {"motor_torque", -0.26063218247},
                             {"contact_force", 52.710504904},
                             {"contact_on_roller", -1.6811733385}}}}}}};
}

}  // namespace linkwork::apps
