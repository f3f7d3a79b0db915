#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>

namespace linkwork::apps {
namespace chaplygin_sleigh {

constexpr double distance = 0.25;  // from the knife edge forward to the centre of mass [m]

AnyModel build(const Parameters& parameters) {
  PlanarModel model("chaplygin_sleigh");
  // The body's origin is the knife edge's contact point, its x axis the way forward.
  auto sleigh = model.add_body("sleigh", MassProperties::planar(2.0, 0.4, {distance, 0}));
  sleigh.move({parameters.at("v0"), 0}, parameters.at("omega0"));
  const auto contact = sleigh.origin();
  const auto center = sleigh.at({distance, 0});
  const auto edge = model.add_constraint<KnifeEdge>("knife edge", contact);

  model.add_observable("contact_x", "m", [=](const auto& now) { return now.pose(contact).position.x(); });
  model.add_observable("contact_y", "m", [=](const auto& now) { return now.pose(contact).position.y(); });
  model.add_observable("theta", "rad", [=](const auto& now) { return now.pose(contact).angle; });
  model.add_observable(
      "v", "m/s", [=](const auto& now) { return now.velocity(contact).linear.dot(now.pose(contact).rotation.col(0)); });
  model.add_observable("omega", "rad/s", [=](const auto& now) { return now.velocity(contact).angular; });
  model.add_observable("com_x", "m", [=](const auto& now) { return now.pose(center).position.x(); });
  model.add_observable("com_y", "m", [=](const auto& now) { return now.pose(center).position.y(); });
  model.add_observable("lateral_force", "N", [=](const auto& now) {
    return now.reaction(edge).force.dot(now.pose(contact).rotation.col(1));
  });
  return model;
}

}  // namespace chaplygin_sleigh

ZooModel chaplygin_sleigh_model() {
  using namespace chaplygin_sleigh;
  return {.name = "chaplygin_sleigh",
          .description = "Rigid body on a knife edge, centre of mass ahead of it; starts backwards and turns over.",
          .space = Planar::name,
          .parameters = {{"v0", "m/s", -0.8, "speed along the sleigh at the start", -1e6, 1e6},
                         {"omega0", "rad/s", 1.5, "angular velocity at the start", -1e6, 1e6}},
          .t_end = 10,
          .build = build,
          .reference_source = "Neimark & Fufaev, Dynamics of Nonholonomic Systems; closed form, 19 digits",
          .references = {{{},
                          {{0.5,
                            {{"contact_x", -0.280399721857800599},
                             {"contact_y", -0.1098283222923772},
                             {"theta", 0.886623386658757421},
                             {"v", -0.404084949321151219},
                             {"omega", 2.01644699667709746},
                             {"com_x", -0.122391645784119257},
                             {"com_y", 0.0839071878638503023},
                             {"lateral_force", -1.24162420184541334}}},
                           {1.0,
                            {{"contact_x", -0.314308655900088287},
                             {"contact_y", -0.165833985174481391},
                             {"theta", 1.94981291051906364},
                             {"v", 0.161329775297950754},
                             {"omega", 2.14218197937773604},
                             {"com_x", -0.406810412470785172},
                             {"com_y", 0.0664232537467964437},
                             {"lateral_force", 0.526625123627168808}}},
                           {2.0,
                            {{"contact_x", -0.87062702502665456},
                             {"contact_y", -0.13555840909178143},
                             {"theta", 3.67414497178185034},
                             {"v", 0.925807579326623133},
                             {"omega", 1.19284426167659243},
                             {"com_x", -1.08600551994403682},
                             {"com_y", -0.262491871689802228},
                             {"lateral_force", 1.68281029853936617}}},
                           {5.0,
                            {{"contact_x", -1.46597643750582604},
                             {"contact_y", -3.17102860722661312},
                             {"theta", 4.81816346765635737},
                             {"v", 1.10898211222221115},
                             {"omega", 0.0546390675219555703},
                             {"com_x", -1.43958209771826846},
                             {"com_y", -3.41963138039533494},
                             {"lateral_force", 0.092333331063390941}}},
                           {10.0,
                            {{"contact_x", -0.649489163636346139},
                             {"contact_y", -8.65666890535769207},
                             {"theta", 4.86962279361307662},
                             {"v", 1.10933537750042004},
                             {"omega", 0.000277581394776131435},
                             {"com_x", -0.610342477258654205},
                             {"com_y", -8.90358495778370715},
                             {"lateral_force", 0.000469227979216872973}}}}}},
          .events = {{"v", "the sleigh turns from backward to forward motion"}}};
}

}  // namespace linkwork::apps
