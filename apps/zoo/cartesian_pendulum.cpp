#include "zoo/models.hpp"

#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/joints/constraints/rod.hpp>

#include <memory>
#include <string>
#include <vector>

namespace linkwork::apps {
namespace cartesian_pendulum {

// Choices of parameters.
constexpr double as_equations = 0, as_rod = 1, hanging = 0, horizontal = 1;

/// The numbers of GEOMS example 4.1 are the defaults; its gravity makes the period 2 s from rest at the horizontal.
struct Pendulum {
  double mass, length, gravity;
  Eigen::Vector2d p, v;  // at the start

  explicit Pendulum(const Parameters& parameters)
      : mass(parameters.at("mass")), length(parameters.at("length")), gravity(parameters.at("gravity")) {
    const double speed = parameters.at("v0");
    if (parameters.at("start") == hanging) {
      p = {0, -length};
      v = {speed, 0};
    } else {
      p = {-length, 0};
      v = {0, -speed};
    }
  }
};

/// GEOMS example 2.8: the point mass in Cartesian coordinates with 0 = p1^2 + p2^2 - L^2, equations (13), and its
/// energy, equation (20), as solution invariant.
class PendulumEquations final : public EquationsOfMotion {
 public:
  explicit PendulumEquations(const Parameters& parameters)
      : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1, .eta = 1, .e = 1}), pendulum_(parameters) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }

  State initial_state() const override {
    State start = EquationsOfMotion::initial_state();
    start.p = pendulum_.p;
    start.v = pendulum_.v;
    return start;
  }
  Energies energies() override {
    Energies out;
    out.kinetic = 0.5 * pendulum_.mass * velocity().squaredNorm();
    out.potential = pendulum_.mass * pendulum_.gravity * position()[1];
    return out;
  }
  double element_power() override { return 0; }
  double characteristic_length() const override { return pendulum_.length; }

  std::string model_name() const override { return "cartesian_pendulum"; }
  std::string space_name() const override { return Planar::name; }
  std::string position_name(int i) const override { return i == 0 ? "p1" : "p2"; }
  std::string velocity_name(int i) const override { return i == 0 ? "v1" : "v2"; }
  Measure position_measure(int) const override { return Measure::length; }
  Measure velocity_measure(int) const override { return Measure::length; }
  std::string constraint_name(int) const override { return "circle"; }
  std::string invariant_name(int) const override { return "energy"; }
  std::string invariant_unit(int) const override { return "J"; }
  std::vector<std::string> observable_names() const override { return {"p1", "p2", "v1", "v2", "lambda1"}; }
  void observables(const State& state, Eigen::VectorXd& values) override {
    values.resize(5);
    values << state.p, state.v, state.lambda;
  }

 private:
  bool mass_is_constant() const override { return true; }
  void do_M(BlockMatrix& M) override { M.values(0)[0] = M.values(0)[3] = pendulum_.mass; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.values(0)[0] = 2 * position()[0];
    G.values(0)[1] = 2 * position()[1];
    offset.setZero();
  }
  void do_g(Eigen::VectorXd& g) override { g[0] = position().squaredNorm() - pendulum_.length * pendulum_.length; }
  void do_f(Eigen::VectorXd& f) override { f << 0, -pendulum_.mass * pendulum_.gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = -2 * velocity().squaredNorm(); }
  void do_invariants(Eigen::VectorXd& values) override {
    const Energies now = energies();
    values[0] = now.kinetic + now.potential;
  }

  Pendulum pendulum_;
};

std::unique_ptr<EquationsOfMotion> pose(const Parameters& parameters) {
  if (parameters.at("posed") != as_equations) return nullptr;
  return std::make_unique<PendulumEquations>(parameters);
}

AnyModel build(const Parameters& parameters) {
  const Pendulum pendulum(parameters);
  PlanarModel model("cartesian_pendulum");
  model.set_gravity({0, -pendulum.gravity});
  auto mass = model.add_body<PointMass>("mass", pendulum.mass);
  mass.place(pendulum.p).move(pendulum.v);
  const auto rod = model.add_constraint<Rod>("rod", model.ground().origin(), mass.origin(), pendulum.length);
  model.add_energy_invariant();

  const auto at_mass = mass.origin();
  model.add_observable("p1", "m", [=](const auto& now) { return now.pose(at_mass).position.x(); });
  model.add_observable("p2", "m", [=](const auto& now) { return now.pose(at_mass).position.y(); });
  model.add_observable("v1", "m/s", [=](const auto& now) { return now.velocity(at_mass).linear.x(); });
  model.add_observable("v2", "m/s", [=](const auto& now) { return now.velocity(at_mass).linear.y(); });
  // The multiplier of p1^2 + p2^2 - L^2: its force 2 lambda1 L is the tension.
  model.add_observable("lambda1", "N/m", [=, length = pendulum.length](const auto& now) {
    return now.multiplier(rod, 0) / (2 * length);
  });
  return model;
}

/// From rest, where the pendulum starts at the horizontal and nothing else is asked for.
void complete(Parameters& values, const Parameters& given) {
  if (values.at("start") == horizontal && !given.contains("v0")) values["v0"] = 0;
}

std::vector<std::pair<std::string, double>> reference(double p1, double p2, double v1, double v2, double lambda1) {
  return {{"p1", p1}, {"p2", p2}, {"v1", v1}, {"v2", v2}, {"lambda1", lambda1}};
}

/// The same numbers for both ways of posing it.
std::vector<ReferenceCase> references() {
  const std::vector<ReferenceCase> known = {
      {{{"v0", 2.8}},
       {{1, reference(-0.3191294972198838738, -0.9477111184344014706, -2.397925587004465505, 0.8074705171926278915,
                      9.71654181770953033)},
        {5, reference(-0.6089372631488379678, -0.7932183870465956751, 1.164034305982725075, -0.8936049341161320154,
                      6.530129232836035799)}}},
      {{{"v0", 2.9}},
       {{1, reference(-0.3235868888113891952, -0.9461984598324844272, -2.490939581160205173, 0.8518671541987890126,
                      9.970343234044991312)},
        {5, reference(-0.645191759411768827, -0.7640206761515987999, 1.058814848683800578, -0.8941362929529633422,
                      6.212926445626725248)}}},
      {{{"start", horizontal}, {"v0", 0}},
       {{0.5, reference(-0.00003543386672982065941, -0.9999999993722205441, 5.244044235912602875,
                        -0.0001858167646972633277, 20.62499998705204872)},
        {1, reference(0.9999999999999999992, -1.255558912214905522e-9, 2.333038951010523942e-13,
                      0.000185816764813915275, 2.58959025644324264e-8)},
        {10, reference(-0.9999999999999921179, -1.255558912214901564e-7, -2.33303895101051291e-10,
                       0.001858167648139135176, 2.589590256443234476e-6)},
        {1000, reference(-0.9999992117860953633, -0.001255558516355298043, -0.0002333037847650337175,
                         0.1858165890579059964, 0.02589589439982802213)}}},
      {{{"start", horizontal}, {"v0", 0}, {"gravity", 9.81}},
       {{10, reference(-0.2750874625761168601, -0.9614192050991250643, 4.175598100951728836, -1.194749054560475272,
                       14.14728360303362532)}}}};
  std::vector<ReferenceCase> all;
  for (const double posed : {as_equations, as_rod})
    for (ReferenceCase one : known) {
      one.parameters["posed"] = posed;
      all.push_back(std::move(one));
    }
  return all;
}

}  // namespace cartesian_pendulum

ZooModel cartesian_pendulum_model() {
  using namespace cartesian_pendulum;
  return {.name = "cartesian_pendulum",
          .description = "Point mass on a circle in Cartesian coordinates, with its energy as invariant (GEOMS 2.8).",
          .space = Planar::name,
          .parameters = {{"posed", "", as_equations, "the model", 0, 1, true, {"equations", "rod"}},
                         {"start", "", hanging, "the position at the start", 0, 1, true, {"hanging", "horizontal"}},
                         {"v0", "m/s", 2.8, "speed at the start; from the horizontal downwards, and 0 unless given",
                          -1e6, 1e6},
                         {"mass", "kg", 1, "of the point", 1e-9, 1e9},
                         {"length", "m", 1, "of the pendulum", 1e-9, 1e9},
                         {"gravity", "m/s^2", 13.75, "along -p2", -1e9, 1e9}},
          .t_end = 5,
          .first_step = 1e-2,
          .build = build,
          .pose = pose,
          .complete = complete,
          .reference_source = "closed form with Jacobi elliptic functions, 19 digits",
          .references = references(),
          .events = {{"p1", "passage through the lowest point"}}};
}

}  // namespace linkwork::apps
