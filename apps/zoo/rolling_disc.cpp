#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/joints/constraints/disc_on_plane.hpp>
#include <linkwork/joints/plane_joint.hpp>
#include <linkwork/joints/revolute.hpp>

#include <Eigen/Geometry>

#include <cmath>
#include <functional>
#include <numbers>

// A thin disc that rolls without slip on a horizontal plane. Beside the axes of the disc there are those that do not
// spin: e1 is horizontal at the angle phi from the ground's x axis, e3 is the axle at the angle theta from the
// vertical, and e2 = e3 x e1 points up the disc, so that the disc touches the plane at -radius e2 from its middle.

namespace linkwork::apps {
namespace rolling_disc {

using std::numbers::pi;
constexpr double radius = 0.5;  // [m]

Eigen::Vector3d horizontal(const Eigen::Vector3d& axle) { return Eigen::Vector3d::UnitZ().cross(axle).normalized(); }
Eigen::Vector3d up_the_disc(const Eigen::Vector3d& axle) { return axle.cross(horizontal(axle)); }

class RollingDiscModel {
 public:
  explicit RollingDiscModel(const Parameters& parameters) {
    model_.set_gravity({0, 0, -9.81});
    const double mass = parameters.at("mass"), tilt = parameters.at("tilt"), turn_rate = parameters.at("turn_rate");
    const Eigen::Vector3d moments = mass * radius * radius * Eigen::Vector3d(0.25, 0.25, 0.5);
    disc_ = model_.add_body("disc", MassProperties::given(mass, Eigen::Vector3d::Zero(), moments.asDiagonal()));
    // e1 = (1, 0, 0) at the start, and the contact is at the origin.
    const Eigen::Quaterniond attitude(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitX()));
    const Eigen::Vector3d up = attitude * Eigen::Vector3d::UnitY(), axle = attitude * Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d turning(0, 0, turn_rate), omega = turning + parameters.at("spin") * axle;
    const Eigen::Vector3d center = radius * up, velocity = omega.cross(center);
    disc_.place(center, attitude).move(velocity, omega);
    rolling_ =
        model_.add_constraint<RollingDisc>("no slip", model_.ground().origin(), disc_.origin(), radius, Axis::z());
    if (parameters.at("held") == 1) {
      auto fork = model_.add_body<MasslessFrame>("fork");
      fork.place(center).move(velocity, turning);
      carrying_ =
          model_.add_joint<PlaneJoint>("fork on the plane", model_.ground().at({0, 0, center.z()}), fork.origin());
      model_.add_joint<Revolute>("axle", fork.at(Eigen::Vector3d::Zero(), attitude), disc_.origin(), Axis::z());
    } else {
      carrying_ =
          model_.add_constraint<DiscOnPlane>("contact", model_.ground().origin(), disc_.origin(), radius, Axis::z());
    }
    observe();
  }
  SpatialModel take() { return std::move(model_); }

 private:
  void observe() {
    const Frame<Spatial> disc = disc_.origin();
    const auto axle = [=](const Snapshot<Spatial>& now) { return Eigen::Vector3d(now.pose(disc).rotation.col(2)); };
    const auto position = [=](const Snapshot<Spatial>& now) { return now.pose(disc).position; };
    observe_vector("center", "m", position);
    observe_vector("axis", "", axle);
    observe_vector("velocity", "m/s", [=](const Snapshot<Spatial>& now) { return now.velocity(disc).linear; });
    model_.add_observable("theta", "rad", [=](const Snapshot<Spatial>& now) {
      return std::atan2(axle(now).head<2>().norm(), axle(now).z());
    });
    model_.add_observable("phi", "rad", [=](const Snapshot<Spatial>& now) {  // between -pi and pi
      return std::atan2(axle(now).x(), -axle(now).y());
    });
    const auto omega = [=](const Snapshot<Spatial>& now) { return now.velocity(disc).angular; };
    model_.add_observable("omega1", "rad/s", [=](const auto& now) { return omega(now).dot(horizontal(axle(now))); });
    model_.add_observable("omega2", "rad/s", [=](const auto& now) { return omega(now).dot(up_the_disc(axle(now))); });
    model_.add_observable("omega3", "rad/s", [=](const auto& now) { return omega(now).dot(axle(now)); });
    observe_vector("contact", "m", [=](const Snapshot<Spatial>& now) {
      return Eigen::Vector3d(position(now) - radius * up_the_disc(axle(now)));
    });
    observe_vector("contact_force", "N", [rolling = rolling_, carrying = carrying_](const Snapshot<Spatial>& now) {
      const Eigen::Vector3d friction = now.reaction(rolling).force, normal = now.reaction(carrying).force;
      return Eigen::Vector3d(friction.x(), friction.y(), normal.z());
    });
  }
  void observe_vector(const std::string& name, const std::string& unit,
                      const std::function<Eigen::Vector3d(const Snapshot<Spatial>&)>& value) {
    for (const int i : {0, 1, 2})
      model_.add_observable(name + "_" + "xyz"[i], unit, [=](const auto& now) { return value(now)[i]; });
  }

  SpatialModel model_{"rolling_disc"};
  BodyRef<Spatial> disc_;
  ConstraintRef<Spatial> rolling_, carrying_;
};

AnyModel build(const Parameters& parameters) { return RollingDiscModel(parameters).take(); }

}  // namespace rolling_disc

ZooModel rolling_disc_model() {
  using namespace rolling_disc;
  return {.name = "rolling_disc",
          .description = "Thin disc that rolls without slip on a plane, free or held at its tilt (nonholonomic).",
          .space = Spatial::name,
          .parameters = {{"mass", "kg", 1, "of the disc", 1e-6, 1e6},
                         {"tilt", "rad", pi / 3, "of the axle from the vertical at the start", 0.01, pi - 0.01},
                         {"turn_rate", "rad/s", 1, "about the vertical at the start", -1e3, 1e3},
                         {"spin", "rad/s", -6, "about the axle at the start, besides the turn", -1e3, 1e3},
                         {"held", "", 0, "whether a massless fork keeps the tilt", 0, 1, true, {"free", "fork"}}},
          .t_end = 10,
          .build = build,
          .reference_source =
              "Neimark & Fufaev, Dynamics of Nonholonomic Systems; recomputed with 34 digits, 19 "
              "verified; upright: closed form",
          .references = {{{},
                          {{0.5,
                            {{"center_x", 1.2679481328428767},
                             {"center_y", 0.71778883113294945},
                             {"center_z", 0.42140150479514599},
                             {"axis_x", 0.58184023289732236},
                             {"axis_y", -0.60973671068457365},
                             {"axis_z", 0.53822215397133757},
                             {"velocity_x", 2.065270709837707},
                             {"velocity_y", 1.843445177469981},
                             {"velocity_z", 0.05883052544602004},
                             {"theta", 1.0024700860383528},
                             {"phi", 0.76199104479896092},
                             {"omega1", 0.218610568189852},
                             {"omega2", 1.390149409896095},
                             {"omega3", -5.533587123320299},
                             {"contact_x", 1.4537325331438535},
                             {"contact_y", 0.5230969505595856},
                             {"contact_force_x", -2.8054326247429},
                             {"contact_force_y", 3.0133073031513},
                             {"contact_force_z", 10.067019854353}}},
                           {1.0,
                            {{"center_x", 1.9124895597725493},
                             {"center_y", 1.9065070800461186},
                             {"center_z", 0.42151339371519395},
                             {"axis_x", 0.82858213248414843},
                             {"axis_y", -0.15538923403254651},
                             {"axis_z", 0.53787157916625376},
                             {"velocity_x", 0.4185834660439491},
                             {"velocity_y", 2.736331684233855},
                             {"velocity_z", -0.059309175225195},
                             {"theta", 1.002885993742262},
                             {"phi", 1.3854133020948119},
                             {"omega1", -0.2205328465844179},
                             {"omega2", 1.38517824862872},
                             {"omega3", -5.533202363314644},
                             {"contact_x", 2.1768173288975558},
                             {"contact_y", 1.856936026112425},
                             {"contact_force_x", -4.0502489172426},
                             {"contact_force_y", 0.70776828164189},
                             {"contact_force_z", 10.058374119929}}},
                           {2.0,
                            {{"center_x", 0.5291863198629013},
                             {"center_y", 4.0318869842300165},
                             {"center_z", 0.42129053798420206},
                             {"axis_x", 0.19390149958212049},
                             {"axis_y", 0.81996651031604853},
                             {"axis_z", 0.53856952236450069},
                             {"velocity_x", -2.671717477025651},
                             {"velocity_y", 0.7255759704969411},
                             {"velocity_z", 0.05833554419298797},
                             {"theta", 1.0020578733074734},
                             {"phi", 2.9093834404376443},
                             {"omega1", 0.2166314348308288},
                             {"omega2", 1.39507836023834},
                             {"omega3", -5.533969825390798},
                             {"contact_x", 0.59115628393768136},
                             {"contact_y", 4.293944241632959},
                             {"contact_force_x", -0.9976583385094},
                             {"contact_force_y", -3.9999996099148},
                             {"contact_force_z", 10.075617867742}}},
                           {5.0,
                            {{"center_x", 1.4842753204973752},
                             {"center_y", 0.93863047405350922},
                             {"center_z", 0.42107149389425314},
                             {"axis_x", 0.6704934077866604},
                             {"axis_y", -0.50955215826839882},
                             {"axis_z", 0.53925428892003054},
                             {"velocity_x", 1.745679661884019},
                             {"velocity_y", 2.149165892655252},
                             {"velocity_z", 0.05729696581681179},
                             {"theta", 1.0012449609349944},
                             {"phi", 7.204132769609727 - 2 * pi},
                             {"omega1", 0.2125044417599754},
                             {"omega2", 1.404804310873997},
                             {"omega3", -5.534728511469387},
                             {"contact_x", 1.6989457809087648},
                             {"contact_y", 0.77548823410191362},
                             {"contact_force_x", -3.2605120567531},
                             {"contact_force_y", 2.5403700632404},
                             {"contact_force_z", 10.092658766085}}},
                           {10.0,
                            {{"center_x", 1.8991397115938805},
                             {"center_y", 2.5225504095748438},
                             {"center_z", 0.42220234388685171},
                             {"axis_x", 0.8369553652696917},
                             {"axis_y", 0.11191511640740279},
                             {"axis_z", 0.53570581783829306},
                             {"velocity_x", -0.4631276961273865},
                             {"velocity_y", 2.728114759494964},
                             {"velocity_z", -0.06183360298552105},
                             {"theta", 1.0054529248094815},
                             {"phi", 14.270095367704324 - 4 * pi},
                             {"omega1", -0.2308491001088437},
                             {"omega2", 1.354540413424892},
                             {"omega3", -5.530858150991556},
                             {"contact_x", 2.1646296271153505},
                             {"contact_y", 2.5580509105973835},
                             {"contact_force_x", -4.0350888811388},
                             {"contact_force_y", -0.59213936243385},
                             {"contact_force_z", 10.005663835386}}}}},
                         {{{"held", 1}, {"mass", 2}, {"tilt", pi / 2}, {"turn_rate", 0.8}, {"spin", -4}},
                          {{1.0,
                            {{"center_x", 1.7933902272488069},
                             {"center_y", 0.758233226632086448},
                             {"contact_x", 1.7933902272488069},
                             {"contact_y", 0.758233226632086448},
                             {"phi", 0.8},
                             {"theta", pi / 2},
                             {"contact_force_x", -3.2 * std::sin(0.8)},
                             {"contact_force_y", 3.2 * std::cos(0.8)}}},
                           {10.0,
                            {{"center_x", 2.47339561655845444},
                             {"center_y", 2.86375008452153381},
                             {"contact_x", 2.47339561655845444},
                             {"contact_y", 2.86375008452153381},
                             {"phi", 8.0 - 2 * pi},
                             {"theta", pi / 2},
                             {"contact_force_x", -3.2 * std::sin(8.0)},
                             {"contact_force_y", 3.2 * std::cos(8.0)}}}}}}};
}

}  // namespace linkwork::apps
