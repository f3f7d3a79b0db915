#include "zoo/models.hpp"

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

// Chain of mathematical pendulums whose suspension moves: Arnold, Fuchs, Fuehrer, Efficient corrector iteration for DAE
// time integration in multibody dynamics, CMAME 195 (2006), section 4.2.1.

namespace linkwork::apps {
namespace pendulum_chain {

constexpr double mass = 1, length = 1;  // [kg], [m]

/// A massless rod with a point mass at its lower end; the origin is at the upper end, the rod along -y. It has no
/// inertia of its own: legal where its angle moves the mass.
class MathematicalPendulum final : public Body<Planar> {
 public:
  std::string_view type() const override { return "mathematical pendulum"; }
  double mass() const override { return pendulum_chain::mass; }
  Inertia inertia() const override { return Inertia::Zero(); }
  Eigen::Vector2d center_of_mass() const override { return {0, -length}; }
  bool is_plain() const override { return true; }
};

/// The son's origin moves along a line of the father, s = u(t) direction, u given:
///   g = r_son - r_father - R_father s
class MovingOrigin {
 public:
  static constexpr int count = 2;
  static constexpr bool is_angular = false;
  /// The son's rows are constant; the father's turn with the line.
  static RowUse use(int frame) { return {.angular = frame == 0, .position = false, .rotation = frame == 0}; }
  std::vector<Input> inputs() const { return {input_}; }
  MovingOrigin(const Eigen::Vector2d& direction, Input input) : direction_(direction), input_(std::move(input)) {}

  void residual(const Motion<Planar>& m, double* g) const {
    const Pose<Planar>&father = m.frame(0).pose, &son = m.frame(1).pose;
    Eigen::Vector2d::Map(g) = son.position - father.position - input_(m.time()).value * (father.rotation * direction_);
  }
  void rows(const Motion<Planar>& m, int first, ConstraintRows<Planar>& out) const {
    const InputValue u = input_(m.time());
    const Eigen::Vector2d line = m.frame(0).pose.rotation * direction_, swept = cross(1.0, u.value * line);
    for (int i = 0; i < count; ++i) {
      out.add_linear(first + i, 1, Eigen::Vector2d::Unit(i));
      out.add(first + i, 0, -swept[i], -Eigen::Vector2d::Unit(i));
      out.rate(first + i) = -u.rate * line[i];
    }
  }
  void bias(const Motion<Planar>& m, double* bias) const {
    const InputValue u = input_(m.time());
    const double omega = m.frame(0).velocity.angular;
    const Eigen::Vector2d line = m.frame(0).pose.rotation * direction_;
    Eigen::Vector2d::Map(bias) = (u.acceleration - omega * omega * u.value) * line + 2 * u.rate * cross(omega, line);
  }
  const Eigen::Vector2d& direction() const { return direction_; }
  InputValue input(Instant time) const { return input_(time); }

 private:
  Eigen::Vector2d direction_;  ///< [m] per unit of u
  Input input_;
};

/// Revolute joint that moves along a line of its father: X(t, q) = Trans(s(t)) Rot(q).
class MovingPin final : public ComposedJoint<Planar, MovingOrigin> {
 public:
  MovingPin(const Eigen::Vector2d& direction, Input input) : ComposedJoint(MovingOrigin(direction, std::move(input))) {}
  std::string_view type() const override { return "moving pin"; }

 private:
  void do_pose(Instant time, const double* q, Pose<Planar>& X) const override {
    X.rotation = rotation_matrix(q[0]);
    X.angle = q[0];
    X.position = piece<0>().input(time).value * piece<0>().direction();
  }
  /// V = (q', R^T s').
  void do_motion(Instant time, const double* q, JointMotion<Planar>& out) const override {
    out.X = {};
    do_pose(time, q, out.X);
    out.S = Eigen::Vector3d::UnitX();
    out.drift << 0, out.X.rotation.transpose() * (piece<0>().input(time).rate * piece<0>().direction());
  }
  void do_motion_bias(Instant time, const double* q, const double* v, Components<Planar>& bias) const override {
    const InputValue u = piece<0>().input(time);
    const Eigen::Vector2d line = rotation_matrix(q[0]).transpose() * piece<0>().direction();
    bias << 0, u.acceleration * line - u.rate * cross(v[0], line);
  }
};

void observe(PlanarModel& model, const std::vector<BodyRef<Planar>>& rods, const std::vector<JointRef<Planar>>& pins) {
  for (std::size_t i = 0; i < rods.size(); ++i) {
    const auto rod = rods[i].origin();
    const std::string alpha = "alpha" + std::to_string(i + 1);
    model.add_observable(alpha, "rad", [=](const auto& now) { return now.pose(rod).angle; });
    model.add_observable(alpha + "_dot", "rad/s", [=](const auto& now) { return now.velocity(rod).angular; });
  }
  const auto tip = rods.back().at({0, -length});
  model.add_observable("tip_x", "m", [=](const auto& now) { return now.pose(tip).position.x(); });
  model.add_observable("tip_y", "m", [=](const auto& now) { return now.pose(tip).position.y(); });
  model.add_observable("tip_vx", "m/s", [=](const auto& now) { return now.velocity(tip).linear.x(); });
  model.add_observable("tip_vy", "m/s", [=](const auto& now) { return now.velocity(tip).linear.y(); });
  const auto observe_tension = [&model](const std::string& name, const auto& body, const JointRef<Planar>& pin) {
    const auto rod = body.origin();
    model.add_observable(name, "N", [=](const auto& now) {
      return now.reaction(pin).force.dot(now.pose(rod).rotation.col(1));  // the rod points along -y
    });
  };
  observe_tension("tension_first", rods.front(), pins.front());
  observe_tension("tension_last", rods.back(), pins.back());
}

AnyModel build(const Parameters& parameters) {
  PlanarModel model("pendulum_chain");
  model.set_gravity({0, -9.81});
  const int n = static_cast<int>(parameters.at("n"));
  const double omega = parameters.at("omega"), angle = parameters.at("angle");
  const Eigen::Vector2d line = parameters.at("amplitude") * Eigen::Vector2d(0.3, 0.2);
  const Input swing = [omega](double t) {
    return InputValue{std::sin(omega * t), omega * std::cos(omega * t), -omega * omega * std::sin(omega * t)};
  };

  std::vector<BodyRef<Planar>> rods;
  std::vector<JointRef<Planar>> pins;
  Eigen::Vector2d pin(parameters.at("x0"), 0);
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    auto rod = model.add_body<MathematicalPendulum>("rod " + number);
    rod.place(pin, angle).move(omega * line, 0);  // as fast as the suspension
    if (i == 1)
      pins.push_back(model.add_joint<MovingPin>("suspension", model.ground().at(pin), rod.origin(), line, swing));
    else
      pins.push_back(model.add_joint<Revolute>("pin " + number, rods.back().at({0, -length}), rod.origin()));
    rods.push_back(rod);
    pin += rotation_matrix(angle) * Eigen::Vector2d(0, -length);
  }
  observe(model, rods, pins);
  return model;
}

}  // namespace pendulum_chain

ZooModel pendulum_chain_model() {
  using namespace pendulum_chain;
  return {.name = "pendulum_chain",
          .description = "Chain of n point masses on massless rods, its suspension moved (CORR 4.2.1).",
          .space = Planar::name,
          .parameters = {{"n", "", 12, "number of rods", 1, 1e6, true},
                         {"omega", "rad/s", 0.1 * std::numbers::pi, "of the suspension", 0, 1e3},
                         {"amplitude", "", 1, "of the suspension, in units of (0.3, 0.2) m", 0, 1e3},
                         {"x0", "m", 2, "where the suspension starts", -1e3, 1e3},
                         {"angle", "rad", 0, "of all rods from the downward vertical at the start", -10, 10}},
          .t_end = 200,
          .build = build,
          .reference_source = "CORR 4.2.1; recomputed in 34-digit arithmetic, 11 digits (15 without the suspension)",
          .references = {{{},
                          {{5.0,
                            {{"alpha1", 0.003822706331937},
                             {"alpha1_dot", -0.0005925957273444},
                             {"alpha6", 0.004176792494091},
                             {"alpha6_dot", -0.0006327536911734},
                             {"alpha12", 0.00452330549271},
                             {"alpha12_dot", -0.0004582292784265},
                             {"tip_x", 2.35028881017039},
                             {"tip_y", -11.7998943269984}}},
                           {20.0,
                            {{"alpha1", -0.0004039555436137},
                             {"alpha1_dot", 0.001540860120694},
                             {"alpha6", -0.0006123157862255},
                             {"alpha6_dot", 0.001835782024258},
                             {"alpha12", -0.001364776620294},
                             {"alpha12_dot", 0.002637864460824},
                             {"tip_x", 1.99137163258271},
                             {"tip_y", -11.9999964326222}}},
                           {100.0,
                            {{"alpha1", 0.0001801714003034},
                             {"alpha1_dot", 0.0001606229564047},
                             {"alpha6", 0.0002733582118264},
                             {"alpha6_dot", -1.495622802735e-05},
                             {"alpha12", 0.0002647189605668},
                             {"alpha12_dot", 0.0005340201351745},
                             {"tip_x", 2.0032565202449},
                             {"tip_y", -11.9999995377574}}},
                           {200.0,
                            {{"alpha1", 0.000380109524634},
                             {"alpha1_dot", 0.0002642195130376},
                             {"alpha6", 0.0004984809782849},
                             {"alpha6_dot", 6.195502023004e-05},
                             {"alpha12", 0.000751888383411},
                             {"alpha12_dot", 0.0008253428172067},
                             {"tip_x", 2.00644160655586},
                             {"tip_y", -11.9999981936043}}}}},
                         {{{"n", 10}, {"angle", std::numbers::pi / 2}, {"x0", 0}, {"amplitude", 0}},
                          {{0.5,
                            {{"alpha1", 0.934984184301184},
                             {"alpha1_dot", -0.943581809815354},
                             {"alpha6", 1.57070539045073},
                             {"alpha6_dot", -0.00273418770050756},
                             {"alpha10", 1.57079632679342},
                             {"alpha10_dot", -8.03275736195345e-11},
                             {"tip_x", 9.68724063778524},
                             {"tip_y", -1.22625},
                             {"tip_vx", -1.80889470785088},
                             {"tip_vy", -4.90499999999983},
                             {"tension_first", 66.3246666542747},
                             {"tension_last", 6.64671499045858}}},
                           {1.0,
                            {{"alpha1", 0.504991795808377},
                             {"alpha1_dot", -0.852910325189212},
                             {"alpha6", 0.996597149866556},
                             {"alpha6_dot", -4.00896788466206},
                             {"alpha10", 1.57061409610241},
                             {"alpha10_dot", -0.00481359248691732},
                             {"tip_x", 7.63103452450694},
                             {"tip_y", -4.90499654509476},
                             {"tip_vx", -7.25360468630861},
                             {"tip_vy", -9.80989443834129},
                             {"tension_first", 138.662521388482},
                             {"tension_last", 17.1091226717976}}},
                           {1.5,
                            {{"alpha1", 0.114663319235894},
                             {"alpha1_dot", -0.913728379877371},
                             {"alpha6", 0.101188285658171},
                             {"alpha6_dot", -1.48783633002291},
                             {"alpha10", -0.502737467257474},
                             {"alpha10_dot", -13.1981065499118},
                             {"tip_x", 0.138143889146986},
                             {"tip_y", -9.83864838296697},
                             {"tip_vx", -24.0269705643966},
                             {"tip_vy", 5.55894032266019},
                             {"tension_first", 310.748025361866},
                             {"tension_last", 171.046872331363}}},
                           {2.0,
                            {{"alpha1", -0.451826906908943},
                             {"alpha1_dot", -1.38989522352952},
                             {"alpha6", -0.845970058392396},
                             {"alpha6_dot", -1.39432756720034},
                             {"alpha10", -1.26470525381628},
                             {"alpha10_dot", 1.57868928984359},
                             {"tip_x", -7.14490550087434},
                             {"tip_y", -6.09121240679393},
                             {"tip_vx", -8.82024827273103},
                             {"tip_vy", 5.56032225037326},
                             {"tension_first", 174.534907072645},
                             {"tension_last", 22.2275067232241}}},
                           {3.0,
                            {{"alpha1", -1.32731459319403},
                             {"alpha1_dot", 1.5239666873322},
                             {"alpha6", -1.33925893818983},
                             {"alpha6_dot", -0.429356994462403},
                             {"alpha10", -0.823542546353166},
                             {"alpha10_dot", 0.0225623667017624},
                             {"tip_x", -9.19789555409775},
                             {"tip_y", -1.59046955919459},
                             {"tip_vx", 0.339534947246008},
                             {"tip_vy", 1.31944367049847},
                             {"tension_first", 11.5064553746203},
                             {"tension_last", 0.975837007016445}}}}}}};
}

}  // namespace linkwork::apps
