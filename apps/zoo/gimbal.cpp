#include "zoo/models.hpp"
#include "zoo/mount.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/revolute.hpp>

#include <string>
#include <vector>

// A desk toy as the second model of Nijhuis, DASSL+ (2013), section 1.2: two gimbals that carry an eccentric weight.
// The thesis gives no numbers; here the outer ring turns about a vertical pillar, the inner one about a diameter of the
// outer one, and a heavy disc in the inner ring about an axle across that. The disc's center of mass is beside its
// axle. Without friction the energy is kept, and so is the angular momentum about the pillar.

namespace linkwork::apps {
namespace gimbal {

constexpr double outer_mass = 0.06, outer_radius = 0.08, inner_mass = 0.045, inner_radius = 0.065;  // [kg], [m]
constexpr double disc_mass = 0.2, disc_radius = 0.04, disc_width = 0.012;
constexpr double eccentricity = 0.015;  // of the disc's center of mass [m]

/// A thin ring about the axis `normal`.
MassProperties ring_of(double mass, double radius, const Eigen::Vector3d& normal) {
  const double across = mass * radius * radius / 2;
  return rigid(mass, across * (Eigen::Vector3d::Ones() + normal));
}

struct Part {
  MassProperties mass;
  Frame<Spatial> middle;  ///< its center of mass
};

/// Angular momentum about the vertical through the origin [kg m^2/s].
template <class Now>
double vertical_momentum(const Now& now, const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) {
    const Pose<Spatial> pose = now.pose(part.middle);
    const Twist<Spatial> velocity = now.velocity(part.middle);
    const Eigen::Matrix3d R = pose.rotation;
    sum += part.mass.mass() * pose.position.cross(velocity.linear).z() +
           (R * part.mass.inertia() * R.transpose() * velocity.angular).z();
  }
  return sum;
}

AnyModel build(const Parameters& parameters) {
  const double spin = parameters.at("spin"), tilt = parameters.at("tilt"), damping = parameters.at("damping");
  SpatialModel model("gimbal");
  model.set_gravity({0, 0, -9.81});
  const MassProperties of_outer = ring_of(outer_mass, outer_radius, Eigen::Vector3d::UnitY()),
                       of_inner = ring_of(inner_mass, inner_radius, Eigen::Vector3d::UnitZ()),
                       of_disc = MassProperties::cylinder(disc_mass, disc_radius, disc_width, Axis::y());
  auto outer = model.add_body("outer ring", of_outer), inner = model.add_body("inner ring", of_inner),
       disc = model.add_body("disc", of_disc);
  const Eigen::Vector3d to_axle(0, 0, eccentricity);
  const Eigen::Quaterniond tilted(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitX()));
  const Eigen::Vector3d turning = tilted * Eigen::Vector3d(0, spin, 0), middle = tilted * Eigen::Vector3d(-to_axle);
  outer.place({0, 0, 0});
  inner.place({0, 0, 0}, tilted);
  disc.place(middle, tilted).move(turning.cross(middle), turning);

  struct Bearing {
    const char* name;
    Frame<Spatial> father, son;
    Axis axis;
  };
  for (const Bearing& bearing : {Bearing{"pillar", model.ground().origin(), outer.origin(), Axis::z()},
                                 Bearing{"pivots", outer.origin(), inner.origin(), Axis::x()},
                                 Bearing{"axle", inner.origin(), disc.at(to_axle), Axis::y()}}) {
    model.add_joint<Revolute>(bearing.name, bearing.father, bearing.son, bearing.axis);
    if (damping > 0)
      model.add_force<TorsionSpringDamper>(std::string("friction of the ") + bearing.name, bearing.father, bearing.son,
                                           bearing.axis, TorsionSpringDamper<Spatial>::Options{.damping = damping});
  }

  const auto of_weight = disc.origin(), ring = inner.origin(), pillar = outer.origin();
  const std::vector<Part> parts = {{of_outer, outer.origin()}, {of_inner, ring}, {of_disc, of_weight}};
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(of_weight).position.x(); });
  model.add_observable("y", "m", [=](const auto& now) { return now.pose(of_weight).position.y(); });
  model.add_observable("z", "m", [=](const auto& now) { return now.pose(of_weight).position.z(); });
  model.add_observable("turn_rate", "rad/s", [=](const auto& now) { return now.velocity(pillar).angular.z(); });
  model.add_observable("tilt_sine", "", [=](const auto& now) { return now.pose(ring).rotation(2, 1); });
  model.add_observable("spin", "rad/s", [=](const auto& now) {
    return now.pose(ring).rotation.col(1).dot(now.velocity(of_weight).angular - now.velocity(ring).angular);
  });
  model.add_observable("vertical_momentum", "kg m^2/s", [=](const auto& now) { return vertical_momentum(now, parts); });
  return model;
}

}  // namespace gimbal

ZooModel gimbal_model() {
  using namespace gimbal;
  return {.name = "gimbal",
          .description = "Desk toy: two gimbals and an eccentric weight (DASSL+ 1.2).",
          .space = Spatial::name,
          .parameters = {{"spin", "rad/s", 30, "of the weight at the start", -500, 500},
                         {"tilt", "rad", 0.5, "of the inner ring at the start", -1.5, 1.5},
                         {"damping", "N m s/rad", 0, "of each bearing", 0, 0.1}},
          .t_end = 5,
          .build = build};
}

}  // namespace linkwork::apps
