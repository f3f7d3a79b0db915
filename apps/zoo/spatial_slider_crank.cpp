#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>

#include <cmath>

namespace linkwork::apps {
namespace spatial_slider_crank {

// The crank turns about x through (0, 0.1, 0.12), the slider moves along x: a spatial loop of one freedom.
constexpr double crank_length = 0.08, rod_length = 0.3;  // [m]

AnyModel build(const Parameters& parameters) {
  SpatialModel model("spatial_slider_crank");
  model.set_gravity({0, 0, -9.81});
  const double angle = parameters.at("angle");
  const Eigen::Vector3d bearing(0, 0.1, 0.12), arm(0, -std::sin(angle), std::cos(angle));
  const Eigen::Vector3d pin = bearing + crank_length * arm;
  const double x = std::sqrt(rod_length * rod_length - pin.y() * pin.y() - pin.z() * pin.z());
  const Eigen::Vector3d end(x, 0, 0);

  auto crank = model.add_body("crank", MassProperties::rod(0.12, crank_length, Axis::z()));
  auto rod = model.add_body("rod", MassProperties::box(0.5, {rod_length, 0.02, 0.02}));
  auto slider = model.add_body("slider", MassProperties::box(2, {0.05, 0.05, 0.05}));
  const Eigen::Quaterniond of_crank(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()));
  const Eigen::Quaterniond of_rod = turn_between(Eigen::Vector3d::UnitX(), end - pin);
  crank.place(bearing + 0.5 * crank_length * arm, of_crank);
  rod.place(0.5 * (pin + end), of_rod);
  slider.place(end);

  const auto ground = model.ground();
  const auto crank_bearing =
      model.add_joint<Revolute>("bearing", ground.at(bearing), crank.at({0, 0, -0.5 * crank_length}), Axis::x());
  model.add_joint<Spherical>("crank pin", crank.at({0, 0, 0.5 * crank_length}), rod.at({-0.5 * rod_length, 0, 0}));
  // The second axis is perpendicular to the first one, which is the slider's z.
  const Eigen::Vector3d first = Eigen::Vector3d::UnitZ(), second = first.cross((end - pin).normalized()).normalized();
  const Eigen::Quaterniond to_slider((Eigen::Matrix3d() << second.cross(first).normalized(), second, first).finished());
  model.add_joint<Universal>("wrist", slider.at({0, 0, 0}, to_slider),
                             rod.at({0.5 * rod_length, 0, 0}, of_rod.conjugate() * to_slider), Axis::z(), Axis::y());
  model.add_joint<Prismatic>("guide", ground.origin(), slider.origin(), Axis::x());

  const auto crank_end = crank.at({0, 0, 0.5 * crank_length});
  const auto at_slider = slider.origin();
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(at_slider).position.x(); });
  model.add_observable("vx", "m/s", [=](const auto& now) { return now.velocity(at_slider).linear.x(); });
  model.add_observable("pin_y", "m", [=](const auto& now) { return now.pose(crank_end).position.y(); });
  model.add_observable("pin_z", "m", [=](const auto& now) { return now.pose(crank_end).position.z(); });
  model.add_observable("bearing_force", "N", [=](const auto& now) { return now.reaction(crank_bearing).force.norm(); });
  return model;
}

}  // namespace spatial_slider_crank

ZooModel spatial_slider_crank_model() {
  using namespace spatial_slider_crank;
  return {.name = "spatial_slider_crank",
          .description =
              "A crank about x, a rod with a spherical and a universal joint, a slider along x: one freedom, 18 "
              "coordinates of bodies, released from rest.",
          .space = Spatial::name,
          .parameters = {{"angle", "rad", 0.5, "of the crank from the vertical at the start", -10, 10}},
          .t_end = 2,
          .build = build};
}

}  // namespace linkwork::apps
