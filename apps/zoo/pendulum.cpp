#include "zoo/models.hpp"

#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/joints/constraints/rod.hpp>

namespace linkwork::apps {
namespace pendulum {

AnyModel build(const Parameters& parameters) {
  PlanarModel model("pendulum");
  const double length = parameters.at("length");
  model.set_gravity({0, -parameters.at("gravity")});
  auto bob = model.add_body<PointMass>("bob", parameters.at("mass"));
  bob.place({-length, 0});
  const auto rod = model.add_constraint<Rod>("rod", model.ground().origin(), bob.origin(), length);

  const auto at_bob = bob.origin();
  model.add_observable("x", "m", [=](const auto& now) { return now.pose(at_bob).position.x(); });
  model.add_observable("y", "m", [=](const auto& now) { return now.pose(at_bob).position.y(); });
  model.add_observable("vx", "m/s", [=](const auto& now) { return now.velocity(at_bob).linear.x(); });
  model.add_observable("vy", "m/s", [=](const auto& now) { return now.velocity(at_bob).linear.y(); });
  // The rod pulls the bob towards the pivot, which is the origin.
  model.add_observable("rod_tension", "N", [=](const auto& now) {
    return -now.reaction(rod).force.dot(now.pose(at_bob).position.normalized());
  });
  return model;
}

}  // namespace pendulum

ZooModel pendulum_model() {
  using namespace pendulum;
  return {.name = "pendulum",
          .description = "Point mass on a massless rod, released from rest in the horizontal position (IFToMM A01).",
          .space = Planar::name,
          .parameters = {{"mass", "kg", 1, "of the bob", 1e-9, 1e9},
                         {"length", "m", 1, "of the rod", 1e-9, 1e9},
                         {"gravity", "m/s^2", 9.81, "along -y", -1e9, 1e9}},
          .t_end = 10,
          .build = build,
          .reference_source = "IFToMM benchmark A01; closed form with Jacobi elliptic functions, 20 digits",
          .references = {{{},
                          {{0.5,
                            {{"x", -0.391048791550546388},
                             {"y", -0.920369948785192204},
                             {"vx", 3.91104800395555248},
                             {"vy", -1.66173460754741452},
                             {"rod_tension", 27.0864875927482066}}},
                           {1.0,
                            {{"x", 0.986291751131875319},
                             {"y", -0.165010853125541169},
                             {"vx", 0.296905515916315822},
                             {"vy", 1.77464364111265563},
                             {"rod_tension", 4.8562694074846766}}},
                           {2.0,
                            {{"x", -0.793566195343321747},
                             {"y", -0.608483930443791515},
                             {"vx", -2.10243787443612579},
                             {"vy", 2.74193539301050908},
                             {"rod_tension", 17.9076820729607843}}},
                           {5.0,
                            {{"x", -0.942305435043757336},
                             {"y", -0.334754338414000581},
                             {"vx", 0.857904256885949073},
                             {"vy", -2.41492865437048862},
                             {"rod_tension", 9.85182017952403709}}},
                           {9.99,
                            {{"x", -0.316436469913032291},
                             {"y", -0.948613704575776519},
                             {"vx", 4.09245199149402074},
                             {"vy", -1.36515112024030471},
                             {"rod_tension", 27.917701325665103}}},
                           {10.0,
                            {{"x", -0.27508746257611686},
                             {"y", -0.961419205099125064},
                             {"vx", 4.17559810095172884},
                             {"vy", -1.19474905456047527},
                             {"rod_tension", 28.2945672060672506}}}}}},
          .events = {{"x", "passage through the lowest point"}}};
}

}  // namespace linkwork::apps
