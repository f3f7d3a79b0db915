#include "zoo/models.hpp"

#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/joints/constraints/rod.hpp>

#include <cmath>

namespace linkwork::apps {
namespace double_pendulum {

/// Adds what is measured of one mass and of the rod that ties it to `upper`.
void observe(PlanarModel& model, const std::string& number, const Frame<Planar>& upper, const Frame<Planar>& mass,
             const ConstraintRef<Planar>& rod) {
  const auto along = [=](const auto& now) -> Eigen::Vector2d {
    return now.pose(mass).position - now.pose(upper).position;
  };
  model.add_observable("theta" + number, "rad", [=](const auto& now) {
    const Eigen::Vector2d d = along(now);
    return std::atan2(d.x(), -d.y());
  });
  model.add_observable("omega" + number, "rad/s", [=](const auto& now) {
    const Eigen::Vector2d d = along(now);
    return cross(d, Eigen::Vector2d(now.velocity(mass).linear - now.velocity(upper).linear)) / d.squaredNorm();
  });
  model.add_observable("x" + number, "m", [=](const auto& now) { return now.pose(mass).position.x(); });
  model.add_observable("y" + number, "m", [=](const auto& now) { return now.pose(mass).position.y(); });
  model.add_observable("vx" + number, "m/s", [=](const auto& now) { return now.velocity(mass).linear.x(); });
  model.add_observable("vy" + number, "m/s", [=](const auto& now) { return now.velocity(mass).linear.y(); });
  model.add_observable("tension" + number, "N",
                       [=](const auto& now) { return -now.reaction(rod).force.dot(along(now).normalized()); });
}

AnyModel build(const Parameters& parameters) {
  PlanarModel model("double_pendulum");
  model.set_gravity({0, -9.81});
  auto upper = model.add_body<PointMass>("upper mass", parameters.at("mass1"));
  auto lower = model.add_body<PointMass>("lower mass", parameters.at("mass2"));
  upper.place({1, 0});
  lower.place({2, 0});
  const auto pivot = model.ground().origin();
  const auto upper_rod = model.add_constraint<Rod>("upper rod", pivot, upper.origin(), 1.0);
  const auto lower_rod = model.add_constraint<Rod>("lower rod", upper.origin(), lower.origin(), 1.0);
  observe(model, "1", pivot, upper.origin(), upper_rod);
  observe(model, "2", upper.origin(), lower.origin(), lower_rod);
  return model;
}

}  // namespace double_pendulum

ZooModel double_pendulum_model() {
  using namespace double_pendulum;
  return {.name = "double_pendulum",
          .description = "Two point masses on massless rods of 1 m, released from rest with both rods horizontal.",
          .space = Planar::name,
          .parameters = {{"mass1", "kg", 1, "of the upper mass", 1e-9, 1e9},
                         {"mass2", "kg", 1, "of the lower mass", 1e-9, 1e9}},
          .t_end = 10,
          .build = build,
          .reference_source = "two formulations in 34-digit arithmetic, 20 digits",
          .references = {{{},
                          {{0.5,
                            {{"theta1", 0.57047205123299217641},
                             {"omega1", -2.7896457661673743201},
                             {"x1", 0.54002940898885008642},
                             {"y1", -0.8416461473963706569},
                             {"vx1", -2.3478946116953672784},
                             {"vy1", -1.5064907543916150399},
                             {"theta2", 1.2038751111582441403},
                             {"omega2", -3.1880627466512095455},
                             {"x2", 1.4734656700520145295},
                             {"y2", -1.2003894351836405051},
                             {"vx2", -3.4915907231011361079},
                             {"vy2", -4.4823441246604825571},
                             {"tension1", 29.821860493406198424},
                             {"tension2", 17.100349296278501674}}},
                           {1.0,
                            {{"theta1", -0.62508769980639062995},
                             {"omega1", -3.9222795728879766169},
                             {"x1", -0.58516839199887506894},
                             {"y1", -0.81091180346906462094},
                             {"vx1", -3.1806228021604616165},
                             {"vy1", 2.2951940306368917789},
                             {"theta2", -1.0345850856800123406},
                             {"omega2", -1.3030992486963312433},
                             {"x2", -1.4448188499434757965},
                             {"y2", -1.3217944613814645558},
                             {"vx2", -3.8463536098580947779},
                             {"vy2", 3.4154038965259580849},
                             {"tension1", 41.636078872589814659},
                             {"tension2", 19.945859696509005937}}},
                           {2.0,
                            {{"theta1", -0.48297153425175437745},
                             {"omega1", 3.0652881920734013152},
                             {"x1", -0.46441286869951397749},
                             {"y1", -0.88561881607511478534},
                             {"vx1", 2.7146768995930747224},
                             {"vy1", -1.4235592826715551067},
                             {"theta2", -1.3240487123023625488},
                             {"omega2", 2.949271547571618983},
                             {"x2", -1.434124817464276637},
                             {"y2", -1.1298701956471579784},
                             {"vx2", 3.4350405438200174735},
                             {"vy2", -4.2835031425036971725},
                             {"tension1", 26.978363417287159435},
                             {"tension2", 13.34180359980146543}}},
                           {3.0,
                            {{"theta1", 1.7857955220774166762},
                             {"omega1", 0.3279806195144561239},
                             {"x1", 0.97697656589095090464},
                             {"y1", 0.21334664211073129848},
                             {"vx1", -0.069973563850806604365},
                             {"vy1", 0.32042937933201994143},
                             {"theta2", 1.1181074612051554404},
                             {"omega2", -0.50445510394531194111},
                             {"x2", 1.8762508506820710766},
                             {"y2", -0.22403849791281738787},
                             {"vx2", -0.29061473012552067509},
                             {"vy2", -0.13321412347763063815},
                             {"tension1", -2.7258646142564602494},
                             {"tension2", -0.9430122758214705941}}},
                           {5.0,
                            {{"theta1", -0.62718670506653073014},
                             {"omega1", 2.1254086738429106507},
                             {"x1", -0.58686920981627114532},
                             {"y1", -0.80968174647180080514},
                             {"vx1", 1.7209046070034419489},
                             {"vy1", -1.2473369089548377363},
                             {"theta2", -1.3013155502098116779},
                             {"omega2", 3.8818887272656074393},
                             {"x2", -1.5507784694704428004},
                             {"y2", -1.0759127348126524565},
                             {"vx2", 2.7543836794925753391},
                             {"vy2", -4.9891253981133040728},
                             {"tension1", 26.404837765155668264},
                             {"tension2", 17.848933490372440648}}},
                           {10.0,
                            {{"theta1", -0.56847466401595018878},
                             {"omega1", 6.0783848857619648548},
                             {"x1", -0.53834723961222639073},
                             {"y1", -0.84272311562095892496},
                             {"vx1", 5.1223954488726695151},
                             {"vy1", -3.2722817245506318309},
                             {"theta2", -0.52639372793240469833},
                             {"omega2", -9.6813606817088787581},
                             {"x2", -1.0407657832461704861},
                             {"y2", -1.707347662469327447},
                             {"vx2", -3.248346643425481938},
                             {"vy2", 1.5918134095484712242},
                             {"tension1", 183.74833190831692416},
                             {"tension2", 138.6572046574905244}}}}}}};
}

}  // namespace linkwork::apps
