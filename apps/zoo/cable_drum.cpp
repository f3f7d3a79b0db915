#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/joints/revolute.hpp>

// Load on a cable that unwinds from a drum; the drum's bearing has dry friction proportional to the force that the
// bearing carries, without a change of sign (MEXX 5.1).

namespace linkwork::apps {
namespace cable_drum {

constexpr double load_mass = 10, drum_mass = 1, drum_inertia = 1;  // [kg], [kg], [kg m^2]
constexpr double drum_radius = 1, bearing_radius = 1;              // [m]
constexpr double gravity = 1, damping = 1;                         // [m/s^2], [N s/m]

/// A cable from a load straight up to the side of a drum of radius r: 0 = y_load - y_drum - r angle_drum.
class Cable final : public Constraint<Planar> {
 public:
  Cable(const Frame<Planar>& load, const Frame<Planar>& drum, double radius)
      : Constraint({load, drum}), radius_(radius) {}
  std::string_view type() const override { return "cable"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const Pose<Planar>&load = m.frame(0).pose, &drum = m.frame(1).pose;
    g[0] = load.position.y() - drum.position.y() - radius_ * drum.angle;
  }
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override {
    out.add_linear(0, 0, {0, 1});
    out.add(0, 1, -radius_, {0, -1});
  }
  void do_bias(const Motion<Planar>&, double* bias) const override { bias[0] = 0; }

  double radius_;
};

/// Keeps a point on the y axis: 0 = x.
class VerticalGuide final : public Constraint<Planar> {
 public:
  explicit VerticalGuide(const Frame<Planar>& point) : Constraint({point}) {}
  std::string_view type() const override { return "vertical guide"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override { g[0] = m.frame(0).pose.position.x(); }
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override { out.add_linear(0, 0, {1, 0}); }
  void do_bias(const Motion<Planar>&, double* bias) const override { bias[0] = 0; }
};

AnyModel build(const Parameters& parameters) {
  PlanarModel model("cable_drum");
  model.set_gravity({0, -gravity});
  auto load = model.add_body<PointMass>("load", load_mass);
  auto drum = model.add_body("drum", MassProperties::planar(drum_mass, drum_inertia));
  drum.place({0, bearing_radius}, -bearing_radius / drum_radius);

  model.add_constraint<VerticalGuide>("guide", load.origin());
  const auto bearing = model.add_joint<Revolute>("bearing", model.ground().at({0, bearing_radius}), drum.origin());
  const auto cable = model.add_constraint<Cable>("cable", load.origin(), drum.origin(), drum_radius);
  model.add_force<AppliedForce>("air", load.origin(), [](const Motion<Planar>& m) {
    return Eigen::Vector2d(0, -damping * m.frame(0).velocity.linear.y());
  });
  model.add_force<DryFriction<Planar>>(
      "bearing friction", bearing, model.ground().at({0, bearing_radius}), drum.origin(),
      DryFriction<Planar>::Options{.coefficient = parameters.at("mu"),
                                   .normal = {0, 1},
                                   .tangent = {1, 0},
                                   .arm = {0, -bearing_radius},
                                   .direction = DryFriction<Planar>::Direction::given});

  const auto at_load = load.origin(), at_drum = drum.origin();
  model.add_observable("y1", "m", [=](const auto& now) { return now.pose(at_load).position.y(); });
  model.add_observable("y1_dot", "m/s", [=](const auto& now) { return now.velocity(at_load).linear.y(); });
  model.add_observable("y1_ddot", "m/s^2", [=](const auto& now) { return now.acceleration(at_load).linear.y(); });
  model.add_observable("alpha2", "rad", [=](const auto& now) { return now.pose(at_drum).angle; });
  model.add_observable("lambda1", "N", [=](const auto& now) { return -now.reaction(bearing).force.x(); });
  model.add_observable("lambda2", "N", [=](const auto& now) { return -now.reaction(bearing).force.y(); });
  model.add_observable("lambda3", "N", [=](const auto& now) { return now.multiplier(cable, 0); });
  return model;
}

}  // namespace cable_drum

ZooModel cable_drum_model() {
  using namespace cable_drum;
  return {.name = "cable_drum",
          .description = "Load on a cable that unwinds from a drum with dry friction in its bearing.",
          .space = Planar::name,
          .parameters = {{"mu", "", 0.25, "coefficient of dry friction; the motion does not exist at 1.1", 0, 1e3}},
          .t_end = 4,
          .build = build,
          .reference_source = "MEXX, section 5.1; closed form, 18 digits",
          .references = {{{{"mu", 0.0}},
                          {
                              {1.0,
                               {{"y1", -0.44107879104885766},
                                {"alpha2", -1.4410787910488577},
                                {"y1_dot", -0.86899283717737658},
                                {"y1_ddot", -0.83009156025660213},
                                {"lambda1", 0.0},
                                {"lambda2", -1.8300915602566021},
                                {"lambda3", -0.83009156025660213}}},
                              {4.0,
                               {{"y1", -6.4658321238766603},
                                {"alpha2", -7.4658321238766603},
                                {"y1_dot", -3.0485607160112127},
                                {"y1_ddot", -0.63194902581716248},
                                {"lambda1", 0.0},
                                {"lambda2", -1.6319490258171625},
                                {"lambda3", -0.63194902581716248}}},
                          }},
                         {{{"mu", 0.125}},
                          {
                              {1.0,
                               {{"y1", -0.4293678749951593},
                                {"alpha2", -1.4293678749951593},
                                {"y1_dot", -0.84608237019274211},
                                {"y1_ddot", -0.80868491549552314},
                                {"lambda1", 0.25838355935650331},
                                {"lambda2", -2.0670684748520264},
                                {"lambda3", -1.0670684748520264}}},
                              {4.0,
                               {{"y1", -6.3009619565357452},
                                {"alpha2", -7.3009619565357452},
                                {"y1_dot", -2.972990593644228},
                                {"y1_ddot", -0.61780853646782569},
                                {"lambda1", 0.23111550520968938},
                                {"lambda2", -1.8489240416775151},
                                {"lambda3", -0.84892404167751508}}},
                          }},
                         {{{"mu", 0.25}},
                          {
                              {1.0,
                               {{"y1", -0.41419921319156646},
                                {"alpha2", -1.4141992131915665},
                                {"y1_dot", -0.81639418707133237},
                                {"y1_ddot", -0.78090639525841185},
                                {"lambda1", 0.59363546508613728},
                                {"lambda2", -2.3745418603445491},
                                {"lambda3", -1.3745418603445491}}},
                              {4.0,
                               {{"y1", -6.086873705079284},
                                {"alpha2", -7.086873705079284},
                                {"y1_dot", -2.8746876142577102},
                                {"y1_ddot", -0.59929226933020204},
                                {"lambda1", 0.53309742311006735},
                                {"lambda2", -2.1323896924402694},
                                {"lambda3", -1.1323896924402694}}},
                          }},
                         {{{"mu", 0.5}},
                          {
                              {1.0,
                               {{"y1", -0.36479677996691077},
                                {"alpha2", -1.3647967799669108},
                                {"y1_dot", -0.71960026833609077},
                                {"y1_ddot", -0.69003331097199244},
                                {"lambda1", 1.6900333109719924},
                                {"lambda2", -3.3800666219439849},
                                {"lambda3", -2.3800666219439849}}},
                              {4.0,
                               {{"y1", -5.385381541969239},
                                {"alpha2", -6.385381541969239},
                                {"y1_dot", -2.5512182048358967},
                                {"y1_ddot", -0.53739848293034194},
                                {"lambda1", 1.5373984829303419},
                                {"lambda2", -3.0747969658606839},
                                {"lambda3", -2.0747969658606839}}},
                          }},
                         {{{"mu", 0.75}},
                          {
                              {1.0,
                               {{"y1", -0.24415241099423107},
                                {"alpha2", -1.2441524109942311},
                                {"y1_dot", -0.48256054207184064},
                                {"y1_ddot", -0.46553138985201138},
                                {"lambda1", 4.3965941695560341},
                                {"lambda2", -5.8621255594080455},
                                {"lambda3", -4.8621255594080455}}},
                              {4.0,
                               {{"y1", -3.6447747213780229},
                                {"alpha2", -4.6447747213780229},
                                {"y1_dot", -1.7396589484729984},
                                {"y1_ddot", -0.37573864653764297},
                                {"lambda1", 4.1272159396129289},
                                {"lambda2", -5.5029545861505719},
                                {"lambda3", -4.5029545861505719}}},
                          }},
                         {{{"mu", 1.0}},
                          {
                              {1.0,
                               {{"y1", 0.5},
                                {"alpha2", -0.5},
                                {"y1_dot", 1.0},
                                {"y1_ddot", 1.0},
                                {"lambda1", 22.0},
                                {"lambda2", -22.0},
                                {"lambda3", -21.0}}},
                              {4.0,
                               {{"y1", 8.0},
                                {"alpha2", 7.0},
                                {"y1_dot", 4.0},
                                {"y1_ddot", 1.0},
                                {"lambda1", 25.0},
                                {"lambda2", -25.0},
                                {"lambda3", -24.0}}},
                          }},
                         {{{"mu", 1.25}},
                          {
                              {1.0,
                               {{"y1", -1.1833552401552667},
                                {"alpha2", -2.1833552401552667},
                                {"y1_dot", -2.3027741266407889},
                                {"y1_ddot", -2.1162043122265352},
                                {"lambda1", -15.581021561132676},
                                {"lambda2", 12.464817248906141},
                                {"lambda3", 13.464817248906141}}},
                              {4.0,
                               {{"y1", -16.207540712933282},
                                {"alpha2", -17.207540712933282},
                                {"y1_dot", -7.2987432145111196},
                                {"y1_ddot", -1.2835427975814801},
                                {"lambda1", -11.4177139879074},
                                {"lambda2", 9.1341711903259203},
                                {"lambda3", 10.13417119032592}}},
                          }},
                         {{{"mu", 1.5}},
                          {
                              {1.0,
                               {{"y1", -0.7796778687979219},
                                {"alpha2", -1.7796778687979219},
                                {"y1_dot", -1.5275402664002598},
                                {"y1_ddot", -1.4340574666999675},
                                {"lambda1", -7.3021724000999026},
                                {"lambda2", 4.8681149333999351},
                                {"lambda3", 5.8681149333999351}}},
                              {4.0,
                               {{"y1", -11.079188610113876},
                                {"alpha2", -12.079188610113876},
                                {"y1_dot", -5.1151014237357655},
                                {"y1_ddot", -0.98561232203302931},
                                {"lambda1", -5.9568369660990879},
                                {"lambda2", 3.9712246440660586},
                                {"lambda3", 4.9712246440660586}}},
                          }}}};
}

}  // namespace linkwork::apps
