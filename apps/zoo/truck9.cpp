#include "zoo/models.hpp"
#include "zoo/road.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/free.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <functional>
#include <utility>

// The planar truck of E. Eich-Soellner, C. Fuehrer, Numerical Methods in Multibody Dynamics (1998): five bodies with
// nine coordinates, of which a hinge between chassis and loading area takes two.

namespace linkwork::apps {
namespace truck9 {

// [m], from the chassis' middle unless said otherwise
constexpr double rear_axle = -2.06, front_axle = 2.44;
constexpr double suspension_height = -1.34;
constexpr double cabin_mount_rear = 1.94, cabin_mount_front = 3.64;
constexpr double in_cabin_rear = -0.8, in_cabin_front = 0.9;
constexpr double loading_mount_front = 0.98, loading_mount_rear = -3.07;
constexpr double in_loading_front = 2.44, in_loading_rear_1 = -1.91, in_loading_rear_2 = -1.31;
const Eigen::Vector2d hinge_in_chassis(-3.07, 0.15), hinge_in_loading(-1.61, -0.75);

/// Height of the road under a wheel that meets the hump at the time `start` [s].
Input hump(double start) {
  return Input([start](double t) -> InputValue {
    const double s = t - start;
    if (s <= 0) return {};
    const double size = 1e-3 * s * s * s * s * std::exp(-s);
    return {size * s * s, size * s * (6 - s), size * (30 + s * (s - 12))};
  });
}

/// Tension stiffness * length + damping * rate + force, which is that of a linear spring with a free length.
SpringDamper<Planar>::Options spring(double stiffness, double damping, double force) {
  return {.stiffness = stiffness, .damping = damping, .free_length = -force / stiffness};
}

AnyModel build(const Parameters& parameters) {
  const bool is_constrained = parameters.at("constrained") == 1;
  PlanarModel model("truck9");
  model.set_gravity({0, -9.81});
  constexpr double wheel_inertia = 1;  // [kg m^2], about the axis that the guide blocks: it has no effect
  auto rear = model.add_body("rear wheel", MassProperties::planar(1450, wheel_inertia)).place({rear_axle, 0.5});
  auto front = model.add_body("front wheel", MassProperties::planar(600, wheel_inertia)).place({front_axle, 0.5});
  auto chassis = model.add_body("chassis", MassProperties::planar(3335, 14313)).place({0, 2});
  auto cabin = model.add_body("cabin", MassProperties::planar(1100, 948)).place({2.74, 2.9});
  auto loading = model.add_body("loading area", MassProperties::planar(11515, 33000)).place({-1.46, 2.9});

  const auto ground_at = [&](double x) { return model.ground().at({x, 0}); };
  model.add_joint<Prismatic>("rear guide", ground_at(rear_axle), rear.origin(), Axis::y());
  model.add_joint<Prismatic>("front guide", ground_at(front_axle), front.origin(), Axis::y());
  model.add_joint<PointOnLine>("chassis guide", ground_at(0), chassis.origin(), Axis::y());
  model.add_joint<PointOnLine>("cabin guide", ground_at(2.74), cabin.origin(), Axis::y());
  // A joint of its own, so that the loading area can keep its three coordinates beside the hinge (--cuts hinge).
  model.add_joint<Free>("loading area at large", model.ground().origin(), loading.origin());

  const auto in_chassis = [&](double x, double y) { return chassis.at({x, y}); };
  const auto connect = [&](const char* name, const Frame<Planar>& first, const Frame<Planar>& second,
                           const SpringDamper<Planar>::Options& options) {
    model.add_force<SpringDamper>(name, first, second, options);
  };
  connect("rear tyre", road_under(model, "rear wheel", rear_axle, hump(2.0 / 15 + 0.3)), rear.origin(),
          spring(4.4e6, 600, -2329145.162));
  connect("front tyre", road_under(model, "front wheel", front_axle, hump(2.0 / 15)), front.origin(),
          spring(2.2e6, 300, -1147434.838));
  connect("rear suspension", rear.origin(), in_chassis(rear_axle, suspension_height),
          spring(824700, 21593, -246872.662));
  connect("front suspension", front.origin(), in_chassis(front_axle, suspension_height),
          spring(271100, 38537, -84924.838));
  connect("rear cabin mount", in_chassis(cabin_mount_rear, 0), cabin.at({in_cabin_rear, 0}),
          spring(135700, 12218, -127842.88235294));
  connect("front cabin mount", in_chassis(cabin_mount_front, 0), cabin.at({in_cabin_front, 0}),
          spring(135700, 12218, -127208.11764706));
  connect("front loading area mount", in_chassis(loading_mount_front, 0), loading.at({in_loading_front, 0}),
          spring(900000, 38500, -854905.94111111));

  const auto observe = [&](const char* number, const Frame<Planar>& frame, auto&& coordinate) {
    const bool is_angle = coordinate == 2;
    model.add_observable(concat("p", number), is_angle ? "rad" : "m", [=](const auto& now) {
      return is_angle ? now.pose(frame).angle : now.pose(frame).position[coordinate];
    });
    model.add_observable(concat("v", number), is_angle ? "rad/s" : "m/s", [=](const auto& now) {
      return is_angle ? now.velocity(frame).angular : now.velocity(frame).linear[coordinate];
    });
  };
  constexpr int x = 0, y = 1, angle = 2;
  observe("1", rear.origin(), y);
  observe("2", chassis.origin(), y);
  observe("3", chassis.origin(), angle);
  observe("4", front.origin(), y);
  observe("5", cabin.origin(), y);
  observe("6", cabin.origin(), angle);
  observe("7", loading.origin(), x);
  observe("8", loading.origin(), y);
  observe("9", loading.origin(), angle);

  if (!is_constrained) {
    const auto rear_spring = spring(770000, 33013, -766354.91099974);
    connect("first rear loading area mount", in_chassis(loading_mount_rear, 0), loading.at({in_loading_rear_1, 0}),
            rear_spring);
    connect("second rear loading area mount", in_chassis(loading_mount_rear, 0), loading.at({in_loading_rear_2, 0}),
            rear_spring);
    return model;
  }
  const auto hinge = model.add_joint<Revolute>("hinge", chassis.at(hinge_in_chassis), loading.at(hinge_in_loading));
  // lambda1 is left out of the references: the hinge pulls with 68 kN, and its error is that of such a force.
  for (const int i : {x, y})
    model.add_observable(concat("lambda", i + 1), "N", [=](const auto& now) { return -now.reaction(hinge).force[i]; });
  return model;
}

}  // namespace truck9

ZooModel truck9_model() {
  using namespace truck9;
  return {.name = "truck9",
          .description = "Planar truck of five bodies and nine coordinates on a hump (Eich-Soellner, Fuehrer).",
          .space = Planar::name,
          .parameters = {{"constrained",
                          "",
                          0,
                          "whether a hinge holds the rear of the loading area, or two springs",
                          0,
                          1,
                          true,
                          {"springs", "hinge"}}},
          .t_end = 20,
          .build = build,
          .reference_source =
              "E. Eich-Soellner, C. Fuehrer, Numerical Methods in Multibody Dynamics (1998); "
              "recomputed with 34 digits, 14 verified",
          .references = {{{{"constrained", 0}},
                          {{1.0,
                            {{"p1", 0.50001498438321267},
                             {"p2", 2.0000659747690115},
                             {"p3", 0.000031972897879996164},
                             {"p4", 0.50017212745864549},
                             {"p5", 2.9001380324650785},
                             {"p6", 0.000029258967134514286},
                             {"p7", -1.460005570453663},
                             {"p8", 2.9000156635306156},
                             {"p9", 0.000028259174877584174},
                             {"v1", 0.0001498509184359347},
                             {"v2", 0.0004611232290160101},
                             {"v3", 0.0002131565083886127},
                             {"v4", 0.001048835133408746},
                             {"v5", 0.0009741809920346461},
                             {"v6", 0.0002021830356441133},
                             {"v7", -0.00005193407952634463},
                             {"v8", 0.0001264968705198568},
                             {"v9", 0.0001977506832745694}}},
                           {2.0,
                            {{"p1", 0.50290803829768007},
                             {"p2", 2.0047275813675916},
                             {"p3", 0.0013188411970483029},
                             {"p4", 0.50674866256438715},
                             {"p5", 2.9082307868550523},
                             {"p6", 0.0013126993247903335},
                             {"p7", -1.4613981101619341},
                             {"p8", 2.9027195234796317},
                             {"p9", 0.0013112318521285057},
                             {"v1", 0.008404724646320758},
                             {"v2", 0.0120975012212347},
                             {"v3", 0.002649475557599995},
                             {"v4", 0.01503317393672965},
                             {"v5", 0.01930651695904437},
                             {"v6", 0.002657531154327266},
                             {"v7", -0.004554664198244242},
                             {"v8", 0.00814497927937748},
                             {"v9", 0.002687308896346863}}},
                           {5.0,
                            {{"p1", 0.59323466073944908},
                             {"p2", 2.1030400447451142},
                             {"p3", 0.0078105558978758526},
                             {"p4", 0.60447601567656999},
                             {"p5", 3.0245773815750772},
                             {"p6", 0.0078234805112823773},
                             {"p7", -1.5045994973378445},
                             {"p8", 2.9907112977650865},
                             {"p9", 0.0083747892954246192},
                             {"v1", 0.02995269863470449},
                             {"v2", 0.02668264477235519},
                             {"v3", -0.002745439128339791},
                             {"v4", 0.02318025239763817},
                             {"v5", 0.01918654945412182},
                             {"v6", -0.002755672806261778},
                             {"v7", 0.006377789793079527},
                             {"v8", 0.03105539920679512},
                             {"v9", -0.002804336236230576}}},
                           {10.0,
                            {{"p1", 0.5541982668495581},
                             {"p2", 2.0479691507847247},
                             {"p3", -0.0042835917934679992},
                             {"p4", 0.54679152812889189},
                             {"p5", 2.9362140954371203},
                             {"p6", -0.0042829498155049293},
                             {"p7", -1.441523429227547},
                             {"p8", 2.9540275722563385},
                             {"p9", -0.0045271952826609955},
                             {"v1", -0.02017193102374338},
                             {"v2", -0.01858874702413682},
                             {"v3", 0.001130051601170928},
                             {"v4", -0.01845118465837112},
                             {"v5", -0.01548699402596165},
                             {"v6", 0.001133791185930533},
                             {"v7", -0.006486262605657052},
                             {"v8", -0.0201270689329148},
                             {"v9", 0.001227450686731371}}},
                           {20.0,
                            {{"p1", 0.50018002760219678},
                             {"p2", 2.0001500979008124},
                             {"p3", -0.000018928241224610576},
                             {"p4", 0.50014092379261754},
                             {"p5", 2.9000982554926465},
                             {"p6", -0.000018811922559053527},
                             {"p7", -1.4599730805788966},
                             {"p8", 2.900177262010297},
                             {"p9", -0.000018993060654595821},
                             {"v1", -0.0001254244202532389},
                             {"v2", -0.00009945309283277279},
                             {"v3", 0.00001735352310190718},
                             {"v4", -0.00009719248293856291},
                             {"v5", -0.00005187034499076952},
                             {"v6", 0.00001728806287003179},
                             {"v7", -0.0000514502614400354},
                             {"v8", -0.0001244730025547073},
                             {"v9", 0.00001787598039134485}}}}},
                         {{{"constrained", 1}},
                          {{1.0,
                            {{"p1", 0.50001528924766368},
                             {"p2", 2.0000652471378287},
                             {"p3", 0.000030709478426360032},
                             {"p4", 0.50017149991752263},
                             {"p5", 2.9001339622248822},
                             {"p6", 0.000027996441561903873},
                             {"p7", -1.4600251625637643},
                             {"p8", 2.9000150976807496},
                             {"p9", 0.000027409313128768964},
                             {"v1", 0.0001499543307513074},
                             {"v2", 0.0004552025657913425},
                             {"v3", 0.0002094730733089937},
                             {"v4", 0.001047215990284245},
                             {"v5", 0.000956775532415683},
                             {"v6", 0.0001979188619866913},
                             {"v7", -0.0001770664116843877},
                             {"v8", 0.0001247915044174465},
                             {"v9", 0.0001942088389865924},
                             {"lambda2", -68052.37177354789}}},
                           {2.0,
                            {{"p1", 0.50290005089995122},
                             {"p2", 2.0047517733926671},
                             {"p3", 0.0013548853582888109},
                             {"p4", 0.50676408485884288},
                             {"p5", 2.9083544902379794},
                             {"p6", 0.0013489881476639716},
                             {"p7", -1.4612023238746253},
                             {"p8", 2.9027391611410489},
                             {"p9", 0.0013339690333248489},
                             {"v1", 0.008394859398828381},
                             {"v2", 0.01215254079737941},
                             {"v3", 0.002711078638760213},
                             {"v4", 0.01504991070896811},
                             {"v5", 0.01954597203264051},
                             {"v6", 0.002723564689594368},
                             {"v7", -0.002435396683500762},
                             {"v8", 0.008192993724104672},
                             {"v9", 0.002712251625788007},
                             {"lambda2", -68175.31340582677}}},
                           {5.0,
                            {{"p1", 0.59382476290077266},
                             {"p2", 2.1006968416426787},
                             {"p3", 0.0046179840761666665},
                             {"p4", 0.60330930225800364},
                             {"p5", 3.0134496136852511},
                             {"p6", 0.0046198498707044634},
                             {"p7", -1.4641818342789794},
                             {"p8", 2.9940324583355533},
                             {"p9", 0.0046724167753101745},
                             {"v1", 0.02993701917741476},
                             {"v2", 0.02605486721142701},
                             {"v3", -0.0029360039766755},
                             {"v4", 0.02319715275191805},
                             {"v5", 0.01801727052128379},
                             {"v6", -0.002949862125003659},
                             {"v7", 0.002629475321191771},
                             {"v8", 0.03033963269627901},
                             {"v9", -0.002944767372168085},
                             {"lambda2", -68045.0564111539}}},
                           {10.0,
                            {{"p1", 0.55399417622005698},
                             {"p2", 2.0491685230494116},
                             {"p3", -0.0031125674025084246},
                             {"p4", 0.54719915194704955},
                             {"p5", 2.9406191205868771},
                             {"p6", -0.0031127007852367882},
                             {"p7", -1.4571738542068827},
                             {"p8", 2.9536700504441798},
                             {"p9", -0.003136417305005588},
                             {"v1", -0.02008489498130558},
                             {"v2", -0.01913204319342038},
                             {"v3", 0.0006248251190807065},
                             {"v4", -0.0186261906904599},
                             {"v5", -0.01742146546069172},
                             {"v6", 0.0006269466996381536},
                             {"v7", -0.0005667766655449322},
                             {"v8", -0.02003901272141203},
                             {"v9", 0.0006270016385672878},
                             {"lambda2", -68015.70154680681}}},
                           {20.0,
                            {{"p1", 0.50018010546941542},
                             {"p2", 2.0001506675280648},
                             {"p3", -0.000018845440976278381},
                             {"p4", 0.50014075848778279},
                             {"p5", 2.9000988186778981},
                             {"p6", -0.000018789348194792005},
                             {"p7", -1.459982891843939},
                             {"p8", 2.9001778661366175},
                             {"p9", -0.000019041448844921773},
                             {"v1", -0.0001248483725616894},
                             {"v2", -0.0001051112037196324},
                             {"v3", 0.00001265635713583967},
                             {"v4", -0.000098354457782377},
                             {"v5", -0.00007029157969411757},
                             {"v6", 0.00001262145742274889},
                             {"v7", -0.00001148849576786304},
                             {"v8", -0.0001233801082361309},
                             {"v9", 0.00001278626925984342},
                             {"lambda2", -68056.46814854177}}}}}}};
}

}  // namespace linkwork::apps
