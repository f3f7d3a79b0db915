#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/revolute.hpp>

#include <numbers>
#include <string>
#include <vector>

// Row of n square windows made of 2 n + 1 equal links (IFToMM benchmark A02). When all links lie on one line, the
// constraints lose rank and other branches open: the motion is the one in which the cranks stay parallel.

namespace linkwork::apps {
namespace n_four_bar {

AnyModel build(const Parameters& parameters) {
  PlanarModel model("n_four_bar");
  model.set_gravity({0, -9.81});
  const int n = static_cast<int>(parameters.at("n"));
  const Eigen::Vector2d top_velocity(1, 0);
  const MassProperties link = MassProperties::rod(1, 1);

  std::vector<BodyRef<Planar>> cranks;
  for (int i = 0; i <= n; ++i) {
    const std::string number = std::to_string(i);
    cranks.push_back(model.add_body("crank " + number, link));
    cranks.back().place({i, 0.5}, std::numbers::pi / 2).move(top_velocity / 2, -1);
    model.add_joint<Revolute>("bearing " + number, model.ground().at({i, 0}), cranks.back().at({-0.5, 0}));
  }
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    auto coupler = model.add_body("coupler " + number, link);
    coupler.place({i - 0.5, 1}).move(top_velocity);
    const auto &left = cranks[static_cast<std::size_t>(i - 1)], &right = cranks[static_cast<std::size_t>(i)];
    model.add_joint<Revolute>("left pin " + number, left.at({0.5, 0}), coupler.at({-0.5, 0}));
    model.add_joint<Revolute>("right pin " + number, right.at({0.5, 0}), coupler.at({0.5, 0}));
  }

  const auto end = cranks.front().at({0.5, 0});
  model.add_observable("B0x", "m", [=](const auto& now) { return now.pose(end).position.x(); });
  model.add_observable("B0y", "m", [=](const auto& now) { return now.pose(end).position.y(); });
  model.add_observable("B0vx", "m/s", [=](const auto& now) { return now.velocity(end).linear.x(); });
  model.add_observable("B0vy", "m/s", [=](const auto& now) { return now.velocity(end).linear.y(); });
  return model;
}

}  // namespace n_four_bar

ZooModel n_four_bar_model() {
  using namespace n_four_bar;
  return {.name = "n_four_bar",
          .description = "Row of n four-bar windows that passes singular positions (IFToMM A02).",
          .space = Planar::name,
          .parameters = {{"n", "", 2, "number of windows", 1, 1e5, true}},
          .t_end = 10,
          .build = build,
          .reference_source = "IFToMM benchmark A02; closed form with Jacobi elliptic functions, 18 digits",
          .references = {{{{"n", 2}},
                          {{0.5,
                            {{"B0x", 0.6952866331644005},
                             {"B0y", 0.7187325634357417},
                             {"B0vx", 1.9602054253718333},
                             {"B0vy", -1.8962611405865766}}},
                           {1.0,
                            {{"B0x", -0.1950203019494351},
                             {"B0y", -0.9807992056621738},
                             {"B0vx", -6.6766780368811585},
                             {"B0vy", 1.3275783251604871}}},
                           {2.0,
                            {{"B0x", 0.05781579576801143},
                             {"B0y", 0.9983272678634555},
                             {"B0vx", 1.0172601366204366},
                             {"B0vy", -0.05891224871344565}}},
                           {4.0,
                            {{"B0x", 0.11761610237680861},
                             {"B0y", 0.9930591384513251},
                             {"B0vx", 1.0690392650289686},
                             {"B0vy", -0.12661504916672028}}},
                           {5.0,
                            {{"B0x", -0.8113104610051074},
                             {"B0y", -0.5846155453489755},
                             {"B0vx", -3.5691173971932093},
                             {"B0vy", 4.953105171313327}}},
                           {9.99,
                            {{"B0x", 0.31436672846350944},
                             {"B0y", 0.9493016169980698},
                             {"B0vx", 1.3953396891916703},
                             {"B0vy", -0.4620748193536126}}},
                           {10.0,
                            {{"B0x", 0.3284581115408154},
                             {"B0y", 0.944518538178601},
                             {"B0vx", 1.4230514702069441},
                             {"B0vy", -0.49486884548704296}}}}},
                         {{{"n", 40}},
                          {{0.5,
                            {{"B0x", 0.6879259707907727},
                             {"B0y", 0.7257808613566309},
                             {"B0vx", 1.9291623112747427},
                             {"B0vy", -1.8285420937057935}}},
                           {1.0,
                            {{"B0x", -0.1153568806321099},
                             {"B0y", -0.9933241113004502},
                             {"B0vx", -6.669987523941772},
                             {"B0vy", 0.7746000986623434}}},
                           {2.0,
                            {{"B0x", 0.03446630730040716},
                             {"B0y", 0.9994058603295629},
                             {"B0vx", 1.0059511728141093},
                             {"B0vy", -0.03469203416516176}}},
                           {5.0,
                            {{"B0x", -0.5401900506755263},
                             {"B0y", -0.841543052464443},
                             {"B0vx", -5.436369112578549},
                             {"B0vy", 3.489628365197338}}},
                           {10.0,
                            {{"B0x", 0.1805122266867284},
                             {"B0y", 0.9835727405823116},
                             {"B0vx", 1.1484412774694142},
                             {"B0vy", -0.21077006677942392}}},
                           {15.0,
                            {{"B0x", -0.9998781771504888},
                             {"B0y", -0.015608678938838723},
                             {"B0vx", -0.0756069885220534},
                             {"B0vy", 4.843316859773472}}},
                           {20.0,
                            {{"B0x", 0.4109011537629452},
                             {"B0y", 0.9116799009719807},
                             {"B0vx", 1.5667853719090699},
                             {"B0vy", -0.7061622355938373}}}}},
                         {{{"n", 1}},
                          {{1.0,
                            {{"B0x", -0.2607126751836504},
                             {"B0y", -0.9654164391590732},
                             {"B0vx", -6.6378094961217515},
                             {"B0vy", 1.7925539703889306}}},
                           {10.0,
                            {{"B0x", 0.47838505776097057},
                             {"B0y", 0.8781501787912093},
                             {"B0vx", 1.7272640755471536},
                             {"B0vy", -0.9409521793715157}}}}}}};
}

}  // namespace linkwork::apps
