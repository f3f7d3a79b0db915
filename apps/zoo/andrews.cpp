#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/revolute.hpp>

#include <utility>

// Andrews' squeezing mechanism: Schiehlen (ed.), Multibody Systems Handbook (1990); Hairer & Wanner, Solving Ordinary
// Differential Equations II, section VII.7. Seven bodies, ten pins. Names of points and angles as there.

namespace linkwork::apps {
namespace andrews {

using Place = Eigen::Vector2d;

// Lengths [m].
constexpr double rr = 0.007, ra = 0.00092, d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, zf = 0.02, fa = 0.01421,
                 ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, zt = 0.04, ta = 0.02308, tb = 0.00916,
                 u = 0.04, ua = 0.01228, ub = 0.00449;

// Angles at the start [rad]: theta = 0 is chosen, the others close the loops.
constexpr double beta_0 = -0.0617138900142764496358948458, gamma_0 = 0.45527981916307038025591238245,
                 phi_0 = 0.22266839016588588467447318561, delta_0 = 0.48736497954384255022559895353,
                 epsilon_0 = 1.2305474445498211924973501557;

/// An observable angle, the attitude of `body` or its attitude relative to `base`, with its rate and acceleration.
void observe_angle(PlanarModel& model, const std::string& name, const BodyRef<Planar>& body,
                   const BodyRef<Planar>& base) {
  const auto frame = body.origin(), from = base.origin();
  model.add_observable(name, "rad", [=](const auto& now) { return now.pose(frame).angle - now.pose(from).angle; });
  model.add_observable(name + "_dot", "rad/s",
                       [=](const auto& now) { return now.velocity(frame).angular - now.velocity(from).angular; });
  model.add_observable(name + "_ddot", "rad/s^2", [=](const auto& now) {
    return now.acceleration(frame).angular - now.acceleration(from).angular;
  });
}

AnyModel build(const Parameters& parameters) {
  PlanarModel model("andrews");
  const auto ground = model.ground();
  const Place A(-0.06934, -0.00227), B(-0.03635, 0.03273), C(0.014, 0.072);

  auto K1 = model.add_body("K1", MassProperties::planar(0.04325, 2.194e-6, {ra, 0}));
  auto K2 = model.add_body("K2", MassProperties::planar(0.00365, 4.41e-7, {-da, 0}));
  auto K3 = model.add_body("K3", MassProperties::planar(0.02373, 5.255e-6, {sb, -sa}));
  auto K4 = model.add_body("K4", MassProperties::planar(0.00706, 5.667e-7, {0, ea}));
  auto K5 = model.add_body("K5", MassProperties::planar(0.0705, 1.169e-5, {ta, tb}));
  auto K6 = model.add_body("K6", MassProperties::planar(0.00706, 5.667e-7, {-fa, 0}));
  auto K7 = model.add_body("K7", MassProperties::planar(0.05498, 1.912e-5, {-ua, -ub}));

  const Place F = rotation_matrix(beta_0) * Place(rr, 0);
  const Place E = F + rotation_matrix(beta_0) * Place(-d, 0);
  K1.place(Place::Zero(), beta_0);
  K2.place(F, beta_0);
  K3.place(B, gamma_0);
  K4.place(E, phi_0 + delta_0);
  K5.place(A, delta_0);
  K6.place(E, -phi_0 + epsilon_0);  // the two parallelograms move alike: omega = -phi
  K7.place(A, epsilon_0);

  model.add_joint<Revolute>("O", ground.origin(), K1.origin());
  model.add_joint<Revolute>("F", K1.at({rr, 0}), K2.origin());
  const auto E3 = model.add_joint<Revolute>("E3", K2.at({-d, 0}), K3.at({0, -ss}));
  const auto E4 = model.add_joint<Revolute>("E4", K2.at({-d, 0}), K4.origin());
  const auto E6 = model.add_joint<Revolute>("E6", K2.at({-d, 0}), K6.origin());
  model.add_joint<Revolute>("B", ground.at(B), K3.origin());
  model.add_joint<Revolute>("G", K4.at({0, e}), K5.at({zt, 0}));
  model.add_joint<Revolute>("A5", ground.at(A), K5.origin());
  model.add_joint<Revolute>("H", K6.at({-zf, 0}), K7.at({0, -u}));
  model.add_joint<Revolute>("A7", ground.at(A), K7.origin());

  model.add_force<SpringDamper>("spring", ground.at(C), K3.at({sd, -sc}),
                                {.stiffness = 4530, .damping = 0, .free_length = 0.07785});
  model.add_force<AppliedTorque>("motor", K1.origin(), parameters.at("torque"));

  observe_angle(model, "beta", K1, ground);
  observe_angle(model, "theta", K2, K1);
  observe_angle(model, "gamma", K3, ground);
  observe_angle(model, "phi", K4, K5);
  observe_angle(model, "delta", K5, ground);
  observe_angle(model, "omega", K6, K7);
  observe_angle(model, "epsilon", K7, ground);
  // In joint angles the loops are closed at E; their multipliers are the forces of K2 on K3, K4 and K6 there.
  int number = 0;
  for (const auto& pin : {E3, E4, E6}) {
    for (int axis : {0, 1})
      model.add_observable("lambda" + std::to_string(++number), "N",
                           [=](const auto& now) { return now.reaction(pin).force[axis]; });
  }
  return model;
}

}  // namespace andrews

ZooModel andrews_model() {
  using namespace andrews;
  return {.name = "andrews",
          .description = "Seven-body mechanism (Andrews' squeezer): ten pins, a spring, a motor with constant torque.",
          .space = Planar::name,
          .parameters = {{"torque", "N m", 0.033, "of the motor on body K1", -1e3, 1e3}},
          .t_end = 0.03,
          .build = build,
          .reference_source = "Test Set for IVP Solvers, problem andrews; recomputed in 34-digit arithmetic, 16 digits",
          .references = {{{},
                          {{0.01, {{"beta", 2.1601131315315265},         {"theta", -1.8833642311070443},
                                   {"gamma", 0.15851675800122669},       {"phi", -0.32864107517467031},
                                   {"delta", 0.52515477479772946},       {"omega", 0.32864107517467031},
                                   {"epsilon", 1.0684272046324011},      {"beta_dot", 711.92315283110398},
                                   {"theta_dot", -786.77008085993976},   {"gamma_dot", -136.4381913781197},
                                   {"phi_dot", -240.29302926786455},     {"delta_dot", 4.7915482253710542},
                                   {"omega_dot", 240.29302926786455},    {"epsilon_dot", -41.140566961610488},
                                   {"beta_ddot", 209058.27853254117},    {"theta_ddot", -369745.60017161343},
                                   {"gamma_ddot", -6373.7739358418417},  {"phi_ddot", -5657.4103309945473},
                                   {"delta_ddot", -11869.750534558465},  {"omega_ddot", 5657.4103309945473},
                                   {"epsilon_ddot", 34721.437501431542}, {"lambda1", 57.025290437502583},
                                   {"lambda2", 2.9679042462494832},      {"lambda3", 3.2188603850089387},
                                   {"lambda4", -18.179269867940357},     {"lambda5", 5.1595027180323508},
                                   {"lambda6", 34.240117291606608}}},
                           {0.02, {{"beta", 8.1849058896616755},         {"theta", -7.8905053637304495},
                                   {"gamma", 0.20953691338469756},       {"phi", -0.23832559659585125},
                                   {"delta", 0.52253691715599637},       {"omega", 0.23832559659585125},
                                   {"epsilon", 1.0862751085998732},      {"beta_dot", 726.55834260912771},
                                   {"theta_dot", -748.63242063232911},   {"gamma_dot", -145.73923758440471},
                                   {"phi_dot", -259.50079947677504},     {"delta_dot", 9.79050185516307},
                                   {"omega_dot", 259.50079947677504},    {"epsilon_dot", -57.757471742746014},
                                   {"beta_ddot", 177724.33274456649},    {"theta_ddot", -341202.04527245122},
                                   {"gamma_ddot", -33195.92383628786},   {"phi_ddot", -49292.534678413255},
                                   {"delta_ddot", -10758.941706723469},  {"omega_ddot", 49292.534678413255},
                                   {"epsilon_ddot", 24149.460195221085}, {"lambda1", 48.493256981749426},
                                   {"lambda2", 9.3003773457343596},      {"lambda3", 2.3032331312870656},
                                   {"lambda4", -15.773889807968302},     {"lambda5", 2.9422532545175503},
                                   {"lambda6", 22.988032419227926}}},
                           {0.03, {{"beta", 15.810771195153707},         {"theta", -15.756371058411839},
                                   {"gamma", 0.040822240119645805},      {"phi", -0.53473011634207959},
                                   {"delta", 0.52440996587995407},       {"omega", 0.53473011634207959},
                                   {"epsilon", 1.0480807410419379},      {"beta_dot", 1139.9203022591061},
                                   {"theta_dot", -1424.3792951775401},   {"gamma_dot", 11.032911910618594},
                                   {"phi_dot", 19.293374105032041},      {"delta_dot", 0.57356991482950245},
                                   {"omega_dot", -19.293374105032041},   {"epsilon_dot", 0.32317914924913087},
                                   {"beta_ddot", -24631.763122874634},   {"theta_ddot", 51850.319636464232},
                                   {"gamma_ddot", 324102.60070757861},   {"phi_ddot", 566749.42200099533},
                                   {"delta_ddot", 16743.635418345445},   {"omega_ddot", -566749.42200099533},
                                   {"epsilon_ddot", 9826.5078015441627}, {"lambda1", 199.17534810453863},
                                   {"lambda2", -29.755309974971763},     {"lambda3", 23.066543611622151},
                                   {"lambda4", 31.452725275771137},      {"lambda5", 22.642494786394379},
                                   {"lambda6", 11.617392352611256}}},
                           {0.05, {{"beta", 33.825867766954517},         {"theta", -33.583431517463868},
                                   {"gamma", 0.11339507381259902},       {"phi", -0.40785286560188444},
                                   {"delta", 0.52606044491699583},       {"omega", 0.40785286560188444},
                                   {"epsilon", 1.0569024294349628},      {"beta_dot", 1144.5355026538475},
                                   {"theta_dot", -1336.0337226511925},   {"gamma_dot", -190.93706860429462},
                                   {"phi_dot", -334.31706087086465},     {"delta_dot", 0.87586508294301516},
                                   {"omega_dot", 334.31706087086465},    {"epsilon_dot", -39.617288978352995},
                                   {"beta_ddot", 391866.39768930252},    {"theta_ddot", -745643.51879130329},
                                   {"gamma_ddot", 107933.16503666824},   {"phi_ddot", 194626.86080732441},
                                   {"delta_ddot", -26303.817354149784},  {"omega_ddot", -194626.86080732441},
                                   {"epsilon_ddot", 102937.81804144962}, {"lambda1", 108.90548842952925},
                                   {"lambda2", -27.216221148444809},     {"lambda3", 12.60204174074993},
                                   {"lambda4", -41.547752816204762},     {"lambda5", 18.158341114689581},
                                   {"lambda6", 105.3745518262451}}}}}},
          .events = {{"beta_ddot", "the crank's acceleration is zero"}}};
}

}  // namespace linkwork::apps
