#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>

// Chain of cap insulators after the fracture of its neighbour (MEXX 5.4). Body 1 is the triangular spacer, bodies
// 2 ... n + 1 are the insulators from bottom to top; a massless point at the triangle's corner carries the cable's
// pull.

namespace linkwork::apps {
namespace insulator_chain {

struct Insulator {
  double mass, inertia;  // [kg], [kg m^2]
  double above, below;   // distances of its pins from the centre of mass [m]: d and c in the source
};
constexpr Insulator cap = {15, 0.35, 0.12, 0.08};
constexpr Insulator top_cap = {9.8, 0.05, 0.16, 0.08};
constexpr double triangle_mass = 34, triangle_inertia = 3.1, triangle_size = 0.37;

/// Pull of the cable on a point that moves with velocity v: longitudinal and transverse waves run off along the cable.
Eigen::Vector2d cable_pull(const Eigen::Vector2d& v) {
  constexpr double E = 8e9, A = 3.4e-4, rho = 3325, F0 = 230000;  // [Pa], [m^2], [kg/m^3], [N]
  static const double longitudinal_speed = std::sqrt(E / rho), transverse_speed = std::sqrt(F0 / (A * rho));
  const double pull = F0 + v.y() * E * A / longitudinal_speed;
  const double angle = -std::atan(v.x() / transverse_speed);
  return {pull * std::sin(angle), -pull * std::cos(angle)};
}

AnyModel build(const Parameters& parameters) {
  PlanarModel model("insulator_chain");
  const int n = static_cast<int>(parameters.at("n"));
  const auto ground = model.ground();

  auto point = model.add_body<MasslessNode>("cable point");
  auto triangle = model.add_body("triangle", MassProperties::planar(triangle_mass, triangle_inertia));
  std::vector<BodyRef<Planar>> insulators;
  for (int i = 2; i <= n + 1; ++i) {
    const Insulator& kind = i == n + 1 ? top_cap : cap;
    insulators.push_back(
        model.add_body("insulator " + std::to_string(i), MassProperties::planar(kind.mass, kind.inertia)));
  }

  // Everything hangs straight down; the triangle is not turned yet.
  double y = -top_cap.above;
  insulators.back().place({0, y});
  y -= top_cap.below;
  for (int k = n - 2; k >= 0; --k) {
    y -= cap.above;
    insulators[static_cast<std::size_t>(k)].place({0, y});
    y -= cap.below;
  }
  const Eigen::Vector2d corner = triangle_size / 2 * Eigen::Vector2d(std::sqrt(3.0), 1);
  triangle.place(Eigen::Vector2d(0, y) - corner);
  point.place(Eigen::Vector2d(0, y) - corner - Eigen::Vector2d(0, triangle_size));

  model.add_joint<Revolute>("cable clamp", triangle.at({0, -triangle_size}), point.origin());
  model.add_joint<Revolute>("pin 1", insulators.front().at({0, -cap.below}), triangle.at(corner));
  for (int i = 2; i <= n; ++i) {
    const auto lower = insulators[static_cast<std::size_t>(i - 2)], upper = insulators[static_cast<std::size_t>(i - 1)];
    const double below = i == n ? top_cap.below : cap.below;
    model.add_joint<Revolute>("pin " + std::to_string(i), upper.at({0, -below}), lower.at({0, cap.above}));
  }
  const auto suspension =
      model.add_joint<Revolute>("suspension", ground.origin(), insulators.back().at({0, top_cap.above}));

  const auto cable = point.origin();
  model.add_force<AppliedForce>("cable", cable,
                                [](const Motion<Planar>& m) { return cable_pull(m.frame(0).velocity.linear); });

  const auto at_triangle = triangle.origin(), at_top = insulators.back().origin(),
             at_middle = insulators[static_cast<std::size_t>(n / 2 - 1)].origin();
  model.add_observable("x0", "m", [=](const auto& now) { return now.pose(cable).position.x(); });
  model.add_observable("y0", "m", [=](const auto& now) { return now.pose(cable).position.y(); });
  model.add_observable("x0_dot", "m/s", [=](const auto& now) { return now.velocity(cable).linear.x(); });
  model.add_observable("y0_dot", "m/s", [=](const auto& now) { return now.velocity(cable).linear.y(); });
  model.add_observable("phi1", "rad", [=](const auto& now) { return now.pose(at_triangle).angle; });
  model.add_observable("phi1_dot", "rad/s", [=](const auto& now) { return now.velocity(at_triangle).angular; });
  model.add_observable("phi_middle", "rad", [=](const auto& now) { return now.pose(at_middle).angle; });
  model.add_observable("phi_top", "rad", [=](const auto& now) { return now.pose(at_top).angle; });
  model.add_observable("phi_top_dot", "rad/s", [=](const auto& now) { return now.velocity(at_top).angular; });
  model.add_observable("x_top", "m", [=](const auto& now) { return now.pose(at_top).position.x(); });
  // The chain's pull on the suspension, opposite to the reaction on the top insulator.
  model.add_observable("top_force_x", "N", [=](const auto& now) { return -now.reaction(suspension).force.x(); });
  model.add_observable("top_force_y", "N", [=](const auto& now) { return -now.reaction(suspension).force.y(); });
  return model;
}

}  // namespace insulator_chain

ZooModel insulator_chain_model() {
  using namespace insulator_chain;
  return {
      .name = "insulator_chain",
      .description = "Chain of n cap insulators after fracture of its neighbour; a massless point carries the pull.",
      .space = Planar::name,
      .parameters = {{"n", "", 32, "number of insulators", 2, 1e6, true}},
      .t_end = 0.1,
      .build = build,
      .reference_source = "MEXX, section 5.4; recomputed in 34-digit arithmetic, 13 to 15 digits",
      .references = {{{{"n", 16}},
                      {
                          {0.1,
                           {{"x0", -0.04049410329871824},
                            {"y0", -3.850799586603155},
                            {"x0_dot", -3.608098819948602},
                            {"y0_dot", -4.451905298463552},
                            {"phi1", 0.5148126608626797},
                            {"phi1_dot", -9.794813259114473},
                            {"phi_middle", 0.01665367077828961},
                            {"phi_top", 0.2554879321895227},
                            {"phi_top_dot", -25.89129134555816},
                            {"x_top", 0.04043480522547377},
                            {"top_force_x", 26699.60518431039},
                            {"top_force_y", -95875.42095990413}}},
                      }},
                     {{{"n", 32}},
                      {
                          {0.05,
                           {{"x0", -0.03617717507948424},
                            {"y0", -7.055478653555093},
                            {"x0_dot", 6.276690296806079},
                            {"y0_dot", -0.2715915083867684},
                            {"phi1", 0.5301273793311323},
                            {"phi1_dot", 15.08667702792112},
                            {"phi_middle", -0.01582830341582181},
                            {"phi_top", -1.313100990047752e-8},
                            {"phi_top_dot", -5.168039823756936e-6},
                            {"x_top", -2.100961584076403e-9},
                            {"top_force_x", -0.002505587167647502},
                            {"top_force_y", -238736.8348681096}}},
                          {0.1,
                           {{"x0", -0.03192693051712868},
                            {"y0", -7.0546129631979},
                            {"x0_dot", 0.4269771552213715},
                            {"y0_dot", 0.07037557576561903},
                            {"phi1", 0.534816109716127},
                            {"phi1_dot", -0.6990581221540386},
                            {"phi_middle", -0.08599636974391023},
                            {"phi_top", -0.0104249714355763},
                            {"phi_top_dot", -1.72251907811266},
                            {"x_top", -0.001667965216890986},
                            {"top_force_x", -2371.906248570594},
                            {"top_force_y", -234706.1368337337}}},
                      }},
                     {{{"n", 64}},
                      {
                          {0.1,
                           {{"x0", -0.0319293184665598},
                            {"y0", -13.4546190410754},
                            {"x0_dot", 0.4261108203101166},
                            {"y0_dot", 0.06810247457067466},
                            {"phi1", 0.5348105108613066},
                            {"phi1_dot", -0.7011057976316077},
                            {"phi_middle", -0.00647016720384681},
                            {"phi_top", -1.123924008519827e-14},
                            {"phi_top_dot", -4.310316414617859e-12},
                            {"x_top", -1.798278413631722e-15},
                            {"top_force_x", -2.125214584210595e-9},
                            {"top_force_y", -234180.0233588874}}},
                      }}},
      // The top rests until the wave arrives, so its velocity is noise around zero up to then.
      .events = {{"phi_top_dot", "the top insulator is at its largest angle", 0.1}}};
}

}  // namespace linkwork::apps
