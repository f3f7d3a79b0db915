#include "zoo/models.hpp"
#include "zoo/profile.hpp"
#include "zoo/road.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/air_spring.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/prismatic.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>

// The topology of the planar nonlinear truck of Simeon, Grupp, Fuehrer, Rentrop (J. Comput. Appl. Math. 50, 1994),
// which MEXX 5.3 and GEOMS example 4.2 (table 5) solve: seven bodies with eleven coordinates and one constraint, which
// holds the loading area on the chassis. Its data are not public. Those here were made up for this model, round numbers
// in the usual range of two-axle trucks of 18 t, see for instance M. Mitschke, H. Wallentowitz, Dynamik der
// Kraftfahrzeuge: heave of the chassis near 1.3 Hz, of the axles near 10 Hz, of the seat near 1.5 Hz.
//
// The truck stays at its place and the road runs along under it; only heights and pitch angles change. Springs and
// dampers act along the lines between their ends, wherever these go.

namespace linkwork::apps {
namespace truck {

constexpr double gravity = 9.81;
constexpr double speed = 15;  // [m/s]

// [kg], [kg m^2]
constexpr double rear_mass = 1400, front_mass = 700, chassis_mass = 2200, engine_mass = 1300, cabin_mass = 1000,
                 seat_mass = 90, loading_mass = 11000;
constexpr double chassis_inertia = 11000, engine_inertia = 450, cabin_inertia = 800, loading_inertia = 31000;
constexpr double guided_inertia = 1;  // of what cannot turn: it has no effect

// Along the truck [m], from the chassis' middle; heights over the road at rest.
constexpr double rear_axle = -2, front_axle = 2.5, axle_height = 0.5;
constexpr double engine_x = 1.8, half_engine = 0.6, engine_height = 1.1;
constexpr double cabin_x = 2.6, half_cabin = 0.8, cabin_height = 2.2;
constexpr double seat_x = 2.4, seat_height = 2.5;
constexpr double loading_x = -1.4, loading_height = 1.9, pivot_x = -3.2, loading_mount_x = 0.8;
constexpr double chassis_height = 1;
constexpr double seat_length = 0.4, mount_length = 0.3;  // at rest

/// What a spring carries at rest, and its linear stiffness and damping.
struct Rates {
  double stiffness, damping;  // [N/m], [N s/m]
};
constexpr Rates rear_tyre{4e6, 800}, front_tyre{2e6, 400}, engine_mount{8e5, 6e3}, cabin_mount{9e4, 9e3},
    seat_spring{8e3, 600}, loading_mount{1e6, 3e4};

/// Forces at rest [N], by the balances of all bodies: two springs under each one, a pivot and a spring under the
/// loading area.
struct Rest {
  double seat = seat_mass * gravity;
  double cabin_front = share(cabin_mass, seat, half_cabin), cabin_rear = share(cabin_mass, seat, -half_cabin);
  double engine = engine_mass * gravity / 2;
  double loading_front = loading_mass * gravity * (loading_x - pivot_x) / (loading_mount_x - pivot_x);
  double pivot = loading_mass * gravity - loading_front;
  double front, rear;  ///< air springs

  Rest() {
    const double on_chassis[][2] = {{chassis_mass * gravity, 0},
                                    {engine, engine_x - half_engine},
                                    {engine, engine_x + half_engine},
                                    {cabin_rear, cabin_x - half_cabin},
                                    {cabin_front, cabin_x + half_cabin},
                                    {loading_front, loading_mount_x},
                                    {pivot, pivot_x}};
    double weight = 0, moment = 0;  // about the rear axle
    for (const auto& [load, x] : on_chassis) {
      weight += load;
      moment += load * (x - rear_axle);
    }
    front = moment / (front_axle - rear_axle);
    rear = weight - front;
  }

 private:
  /// Of the cabin's mount at `x` from its middle, half of its own weight and a share of the seat's load.
  static double share(double mass, double load, double x) {
    return mass * gravity / 2 + load * (x + (seat_x - cabin_x)) / (2 * x);
  }
};

/// Profile of the road [m] at a distance [m] that the front wheel has travelled.
Jet sine_road(double u) { return rise(u, 0, 15) * Jet{0.02} * wave(u, 7.5, 0); }
/// In place of a measured one: waves from 37 to 1.3 m, as high as they are long, that fade out between 75 and 150 m.
Jet fading_road(double u) {
  Jet sum;
  const double waves[][2] = {{37, 0.3}, {19, 1.1}, {11, 2.9}, {5.3, 0.7}, {2.7, 4.1}, {1.3, 2.3}};  // [m], [rad]
  for (const auto& [length, phase] : waves) sum = sum + Jet{1e-3 * length} * wave(u, length, phase);
  return rise(u, 0, 15) * (Jet{1} + Jet{-1} * rise(u, 75, 75)) * sum;
}

/// What a wheel meets that runs `behind` the front wheel [m].
Input under_wheel(Jet (*road)(double), double behind) {
  return Input([road, behind](double t) -> InputValue {
    const Jet height = road(speed * t - behind);
    return {height.value, speed * height.first, speed * speed * height.second};
  });
}

/// A telescopic damper that yields more when it is pressed together: its force goes over from `pull` times the rate to
/// `press` times the rate within some centimetres per second.
SpringDamper<Planar>::Options damper(double pull, double press) {
  SpringDamper<Planar>::Options out;
  out.law = [pull, press](double /*length*/, double rate) {
    constexpr double knee = 0.02;  // [m/s]
    return 0.5 * (pull + press) * rate + 0.5 * (pull - press) * (std::hypot(rate, knee) - knee);
  };
  return out;
}

class Truck {
 public:
  explicit Truck(Jet (*road)(double)) {
    model_.set_gravity({0, -gravity});
    add_axles(road);
    stand(mounted("engine", engine_mass, engine_inertia, engine_x, engine_height), engine_x, half_engine, engine_height,
          {rest_.engine, rest_.engine}, engine_mount);
    add_cabin();
    add_loading_area();
    observe();
  }
  PlanarModel take() { return std::move(model_); }

 private:
  /// A body that moves up and down and pitches at its place.
  BodyRef<Planar> mounted(const std::string& name, double mass, double inertia, double x, double height) {
    auto body = model_.add_body(name, MassProperties::planar(mass, inertia)).place({x, height});
    model_.add_joint<PointOnLine>(name + " guide", model_.ground().at({x, 0}), body.origin(), Axis::y());
    return body;
  }
  /// A body that moves up and down only.
  BodyRef<Planar> sliding(const std::string& name, double mass, double x, double height) {
    auto body = model_.add_body(name, MassProperties::planar(mass, guided_inertia)).place({x, height});
    model_.add_joint<Prismatic>(name + " guide", model_.ground().at({x, 0}), body.origin(), Axis::y());
    return body;
  }
  /// The point of the chassis that is at a place of the truck at rest.
  Frame<Planar> on_chassis(double x, double height) const { return chassis_.at({x, height - chassis_height}); }

  /// A linear spring with a damper that presses upwards with `force` at rest, when its ends are `length` apart.
  void support(const std::string& name, const Frame<Planar>& lower, const Frame<Planar>& upper, double length,
               double force, const Rates& rates) {
    model_.add_force<SpringDamper>(
        name, lower, upper,
        {.stiffness = rates.stiffness, .damping = rates.damping, .free_length = length + force / rates.stiffness});
  }
  /// A body on two mounts on the chassis, `half` behind and before its middle; forces at rest: rear, front.
  void stand(const BodyRef<Planar>& body, double x, double half, double height, const std::array<double, 2>& forces,
             const Rates& rates) {
    for (const std::size_t k : {0u, 1u}) {
      const double side = k == 0 ? -half : half;
      support(concat(k == 0 ? "rear " : "front ", body.name(), " mount"), on_chassis(x + side, height - mount_length),
              body.at({side, 0}), mount_length, forces[k], rates);
    }
  }

  void add_axles(Jet (*road)(double)) {
    chassis_ = mounted("chassis", chassis_mass, chassis_inertia, 0, chassis_height);
    AirSpring<Planar>::Options air{.length = chassis_height - axle_height, .gas_height = 0.2};
    rear_ = sliding("rear wheel", rear_mass, rear_axle, axle_height);
    air.force = rest_.rear;
    air.area = 0.2;
    add_axle(rear_, rear_axle, rear_tyre, rest_.rear + rear_mass * gravity, air, damper(5e4, 2e4),
             under_wheel(road, front_axle - rear_axle));
    front_ = sliding("front wheel", front_mass, front_axle, axle_height);
    air.force = rest_.front;
    air.area = 0.1;
    add_axle(front_, front_axle, front_tyre, rest_.front + front_mass * gravity, air, damper(2.5e4, 1e4),
             under_wheel(road, 0));
  }
  void add_axle(const BodyRef<Planar>& wheel, double x, const Rates& tyre, double load,
                const AirSpring<Planar>::Options& air, const SpringDamper<Planar>::Options& damper_options,
                const Input& road) {
    support(wheel.name() + " tyre", road_under(model_, wheel.name(), x, road), wheel.origin(), axle_height, load, tyre);
    model_.add_force<AirSpring>(wheel.name() + " air spring", wheel.origin(), on_chassis(x, chassis_height), air);
    model_.add_force<SpringDamper>(wheel.name() + " damper", wheel.origin(), on_chassis(x, chassis_height),
                                   damper_options);
  }

  void add_cabin() {
    cabin_ = mounted("cabin", cabin_mass, cabin_inertia, cabin_x, cabin_height);
    stand(cabin_, cabin_x, half_cabin, cabin_height, {rest_.cabin_rear, rest_.cabin_front}, cabin_mount);
    seat_ = sliding("driver seat", seat_mass, seat_x, seat_height);
    support("seat spring", cabin_.at({seat_x - cabin_x, seat_height - seat_length - cabin_height}), seat_.origin(),
            seat_length, rest_.seat, seat_spring);
  }

  /// Its pivot rests in a slot along the chassis, which takes the height only, as both stay at their places.
  void add_loading_area() {
    loading_ = mounted("loading area", loading_mass, loading_inertia, loading_x, loading_height);
    const double drop = mount_length, mount_height = loading_height - 0.5;
    support("front loading area mount", on_chassis(loading_mount_x, mount_height - drop),
            loading_.at({loading_mount_x - loading_x, mount_height - loading_height}), drop, rest_.loading_front,
            loading_mount);
    pivot_ =
        model_.add_joint<PointOnLine>("pivot", on_chassis(pivot_x, mount_height),
                                      loading_.at({pivot_x - loading_x, mount_height - loading_height}), Axis::x());
  }

  void observe() {
    const std::pair<BodyRef<Planar>, bool> coordinates[] = {
        {rear_, false},  {front_, false}, {chassis_, false}, {chassis_, true},  {engine(), false}, {engine(), true},
        {cabin_, false}, {cabin_, true},  {seat_, false},    {loading_, false}, {loading_, true}};
    int number = 0;
    for (const auto& [body, is_angle] : coordinates) {
      ++number;
      const Frame<Planar> frame = body.origin();
      model_.add_observable(concat("p", number), is_angle ? "rad" : "m", [frame, is_angle = is_angle](const auto& now) {
        return is_angle ? now.pose(frame).angle : now.pose(frame).position.y();
      });
      model_.add_observable(concat("v", number), is_angle ? "rad/s" : "m/s",
                            [frame, is_angle = is_angle](const auto& now) {
                              return is_angle ? now.velocity(frame).angular : now.velocity(frame).linear.y();
                            });
    }
    model_.add_observable("lambda1", "N", [pivot = pivot_](const auto& now) { return now.multiplier(pivot, 0); });
    model_.add_observable("seat_acceleration", "m/s^2",
                          [seat = seat_.origin()](const auto& now) { return now.acceleration(seat).linear.y(); });
  }
  BodyRef<Planar> engine() const { return model_.body("engine"); }

  PlanarModel model_{"truck"};
  Rest rest_;
  BodyRef<Planar> rear_, front_, chassis_, cabin_, seat_, loading_;
  JointRef<Planar> pivot_;
};

AnyModel build(const Parameters& parameters) {
  return Truck(parameters.at("road") == 0 ? fading_road : sine_road).take();
}

}  // namespace truck

ZooModel truck_model() {
  using namespace truck;
  return {
      .name = "truck",
      .description = "Planar nonlinear truck on air springs: seven bodies, eleven coordinates, one constraint.",
      .space = Planar::name,
      .parameters = {{"road", "", 0, "profile under the wheels", 0, 1, true, {"fading", "sine"}}},
      .t_end = 20,
      .build = build,
      .reference_source = "extrapolation at 1e-13 in relative and absolute coordinates, which agree to 1e-11",
      .references = {
          {{{"road", 0}},
           {{2, {{"p1", 0.448339925102},    {"v1", -0.0348642381549},   {"p2", 0.449141914034},
                 {"v2", 0.165210718712},    {"p3", 0.945300241447},     {"v3", -0.16851018561},
                 {"p4", -0.00871338807916}, {"v4", 0.151936046548},     {"p5", 1.02892370121},
                 {"v5", 0.0649921990098},   {"p6", -0.00901751351389},  {"v6", 0.163933735294},
                 {"p7", 2.10712326456},     {"v7", 0.199115225098},     {"p8", -0.0159685263496},
                 {"v8", 0.166515182724},    {"p9", 2.3695697354},       {"v9", -0.0153777908789},
                 {"p10", 1.85687866208},    {"v10", -0.393633454845},   {"p11", -0.00907713251086},
                 {"v11", 0.145711380768},   {"lambda1", -56959.5978331}}},
            {5, {{"p1", 0.465317373763},   {"v1", 0.139821849129},  {"p2", 0.550228971889},    {"v2", 0.0970221358088},
                 {"p3", 0.990889251623},   {"v3", 0.149487802559},  {"p4", 0.0208917802214},   {"v4", 0.104141017013},
                 {"p5", 1.12954011448},    {"v5", 0.406917386276},  {"p6", 0.0210946238683},   {"v6", 0.115754118661},
                 {"p7", 2.23647112436},    {"v7", 0.527024692096},  {"p8", 0.0188740004209},   {"v8", 0.156691727347},
                 {"p9", 2.49913604222},    {"v9", 0.591817871461},  {"p10", 1.85935776005},    {"v10", 0.0175622065836},
                 {"p11", 0.0195172373763}, {"v11", 0.110793715839}, {"lambda1", -71980.992532}}},
            {10, {{"p1", 0.500593284256},     {"v1", 0.000540393620943},  {"p2", 0.499911198072},
                  {"v2", -0.000194710168275}, {"p3", 1.00141646064},      {"v3", 0.00540049416095},
                  {"p4", -0.000745718657229}, {"v4", -0.0032506247563},   {"p5", 1.10007365906},
                  {"v5", -0.000394547130318}, {"p6", -0.00078870728086},  {"v6", -0.00334058147768},
                  {"p7", 2.19937634575},      {"v7", -0.00604069670833},  {"p8", -0.000926188590409},
                  {"v8", -0.00637483363812},  {"p9", 2.49946047481},      {"v9", -0.0183744010665},
                  {"p10", 1.90269540198},     {"v10", 0.0104901024812},   {"p11", -0.000615335897355},
                  {"v11", -0.00295253131023}, {"lambda1", -57881.7953429}}},
            {20, {{"p1", 0.500000013167},     {"v1", -1.04924932692e-07},  {"p2", 0.500000000314},
                  {"v2", 3.55710270613e-08},  {"p3", 1.00000004652},       {"v3", -1.41443166601e-07},
                  {"p4", -2.1547503293e-08},  {"v4", 1.47377153326e-07},   {"p5", 1.10000000835},
                  {"v5", 1.29050429611e-07},  {"p6", -2.23915261276e-08},  {"v6", 1.56039465581e-07},
                  {"p7", 2.19999997847},      {"v7", 3.18872799821e-07},   {"p8", -3.41401195047e-08},
                  {"v8", 1.60167984268e-07},  {"p9", 2.49999993823},       {"v9", 5.51242047084e-07},
                  {"p10", 1.90000008408},     {"v10", -3.70482831353e-07}, {"p11", -1.74429279149e-08},
                  {"v11", 1.34759571513e-07}, {"lambda1", -59350.4682807}}}}},
          {{{"road", 1}},
           {{2, {{"p1", 0.512904689318},    {"v1", -0.116404656418},    {"p2", 0.496821654301},
                 {"v2", 0.197667959207},    {"p3", 0.994915015622},     {"v3", 0.0347098374287},
                 {"p4", -0.00195259173577}, {"v4", -0.0649754626215},   {"p5", 1.09125197649},
                 {"v5", -0.0996847905018},  {"p6", -0.00204991613914},  {"v6", -0.0781440415534},
                 {"p7", 2.1960470023},      {"v7", -0.177295772969},    {"p8", 0.00280634227262},
                 {"v8", -0.0804880898588},  {"p9", 2.51054239509},      {"v9", -0.0149740489342},
                 {"p10", 1.89430910346},    {"v10", 0.129823105515},    {"p11", -0.00380836635653},
                 {"v11", -0.0627357766628}, {"lambda1", -56681.5259225}}},
            {5, {{"p1", 0.513696127873},    {"v1", -0.116674982185},   {"p2", 0.496849673268},
                 {"v2", 0.196312594025},    {"p3", 0.996691369043},    {"v3", 0.0427444866265},
                 {"p4", -0.00249954763048}, {"v4", -0.0722728579876},  {"p5", 1.09206922314},
                 {"v5", -0.106475215942},   {"p6", -0.00265734825489}, {"v6", -0.0858564571901},
                 {"p7", 2.19696509716},     {"v7", -0.19151997884},    {"p8", 0.00234459290317},
                 {"v8", -0.0928100861666},  {"p9", 2.51369038016},     {"v9", -0.0389956402594},
                 {"p10", 1.89714232131},    {"v10", 0.152200509976},   {"p11", -0.00419427379425},
                 {"v11", -0.0677686771613}, {"lambda1", -54737.176724}}},
            {10, {{"p1", 0.51366721919},     {"v1", -0.11631172878},     {"p2", 0.496844992563},
                  {"v2", 0.196269297985},    {"p3", 0.996588187569},     {"v3", 0.0430022056253},
                  {"p4", -0.00246662025999}, {"v4", -0.0725095520344},   {"p5", 1.09202476097},
                  {"v5", -0.106655500755},   {"p6", -0.00262228508079},  {"v6", -0.0861253391331},
                  {"p7", 2.19695241123},     {"v7", -0.191896413544},    {"p8", 0.00239851664474},
                  {"v8", -0.0929912009385},  {"p9", 2.51368235238},      {"v9", -0.0398675586291},
                  {"p10", 1.89697148837},    {"v10", 0.152840362302},    {"p11", -0.00417327384403},
                  {"v11", -0.0679762934402}, {"lambda1", -54805.4216045}}},
            {20, {{"p1", 0.513667293463},    {"v1", -0.116310375641},    {"p2", 0.496844938188},
                  {"v2", 0.196269024956},    {"p3", 0.996588093678},     {"v3", 0.0430054496351},
                  {"p4", -0.00246668754578}, {"v4", -0.0725119001249},   {"p5", 1.09202453633},
                  {"v5", -0.106656905593},   {"p6", -0.00262236152161},  {"v6", -0.0861278938681},
                  {"p7", 2.19695217164},     {"v7", -0.191900388422},    {"p8", 0.00239852907303},
                  {"v8", -0.0929945219301},  {"p9", 2.51368212523},      {"v9", -0.0398757054702},
                  {"p10", 1.89697146291},    {"v10", 0.152848006574},    {"p11", -0.0041733555213},
                  {"v11", -0.0679780288879}, {"lambda1", -54805.2160239}}}}}}};
}

}  // namespace linkwork::apps
