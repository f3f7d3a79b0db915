#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/revolute.hpp>

#include <array>
#include <string>

// Bricard's mechanism (IFToMM benchmark A04): a single loop of five rods and six revolute joints. Counting gives no
// freedom; the axes are such that one of the closure rows is always redundant and the mechanism moves.

namespace linkwork::apps {
namespace bricard {

constexpr int rods = 5;

/// Homogeneous bar of 1 kg and 1 m with a square cross section; a thin rod for the section 0.
MassProperties bar(int direction, double section) {
  if (section == 0) return MassProperties::rod(1, 1, Axis(Eigen::Vector3d::Unit(direction)));
  Eigen::Vector3d lengths = Eigen::Vector3d::Constant(section);
  lengths[direction] = 1;
  return MassProperties::box(1, lengths);
}

AnyModel build(const Parameters& parameters) {
  SpatialModel model("bricard");
  model.set_gravity({0, -9.81, 0});
  const std::array<Eigen::Vector3d, rods + 1> pins = {Eigen::Vector3d(0, 0, 0),  Eigen::Vector3d(1, 0, 0),
                                                      Eigen::Vector3d(1, -1, 0), Eigen::Vector3d(1, -1, 1),
                                                      Eigen::Vector3d(0, -1, 1), Eigen::Vector3d(0, 0, 1)};
  const std::array<Axis, rods + 1> axes = {Axis::y(), Axis::z(), Axis::x(), Axis::y(), Axis::z(), Axis::x()};

  // Every rod's axes are parallel to the ground's at the start; the rods lie along x, y, z, x, y.
  Frame<Spatial> last = model.ground().origin(), joint_3;
  for (std::size_t i = 0; i < rods; ++i) {
    const Eigen::Vector3d arm = (pins[i + 1] - pins[i]) / 2;
    const std::string number = std::to_string(i + 1);
    auto rod = model.add_body("rod " + number, bar(static_cast<int>(i % 3), parameters.at("section")));
    rod.place(pins[i] + arm);
    model.add_joint<Revolute>("joint " + number, last, rod.at(-arm), axes[i]);
    last = rod.at(arm);
    if (i == 1) joint_3 = last;
  }
  model.add_joint<Revolute>("joint 6", model.ground().at(pins[rods]), last, axes[rods]);

  const std::array<std::string, 3> letters = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const std::string& letter = letters[static_cast<std::size_t>(i)];
    model.add_observable("P3" + letter, "m", [=](const auto& now) { return now.pose(joint_3).position[i]; });
    model.add_observable("V3" + letter, "m/s", [=](const auto& now) { return now.velocity(joint_3).linear[i]; });
  }
  return model;
}

}  // namespace bricard

ZooModel bricard_model() {
  using namespace bricard;
  return {.name = "bricard",
          .description =
              "Bricard's mechanism: a loop of six revolute joints that moves although no freedom is counted "
              "(IFToMM A04).",
          .space = Spatial::name,
          .parameters = {{"section", "m", 0.1, "width of the square bars; 0: thin rods", 0, 1}},
          .t_end = 10,
          .build = build,
          .reference_source = "IFToMM benchmark A04; recomputed in 34-digit arithmetic, 13 digits",
          .references = {{{},
                          {{0.5,
                            {{"P3x", 0.7747178080392334},
                             {"P3y", -0.979815047655669},
                             {"P3z", -0.19990615895344271},
                             {"V3x", -0.8269399228049276},
                             {"V3y", 0.1307072170164611},
                             {"V3z", -0.6406450843755664}}},
                           {1.0,
                            {{"P3x", 0.27448131926462305},
                             {"P3y", -0.886707938734672},
                             {"P3z", -0.46233000268737606},
                             {"V3x", -1.09491945241351},
                             {"V3y", 0.1566990793702724},
                             {"V3z", -0.3005349357869588}}},
                           {1.5,
                            {{"P3x", -0.2790175754210936},
                             {"P3y", -0.8873613788327525},
                             {"P3z", -0.4610745963030672},
                             {"V3x", -1.094262510880957},
                             {"V3y", -0.1586440371236901},
                             {"V3z", 0.3053184726602027}}},
                           {2.0,
                            {{"P3x", -0.778135373033291},
                             {"P3y", -0.9803526834432565},
                             {"P3z", -0.1972526706171706},
                             {"V3x", -0.8223592716498656},
                             {"V3y", -0.1287529834867256},
                             {"V3z", 0.6399068386126536}}},
                           {2.5,
                            {{"P3x", -0.9999831852927911},
                             {"P3y", -0.9999999998586352},
                             {"P3z", -1.6814565841733734e-05},
                             {"V3x", 0.00811468455469951},
                             {"V3y", 1.364426034681782e-07},
                             {"V3z", -0.00811454810865463}}},
                           {3.0,
                            {{"P3x", -0.77128135896861},
                             {"P3y", -0.9792693298398003},
                             {"P3z", -0.20256253265376706},
                             {"V3x", 0.8314726772005095},
                             {"V3y", 0.1326532159415778},
                             {"V3z", -0.6412993764164774}}},
                           {5.0,
                            {{"P3x", 0.999932742302117},
                             {"P3y", -0.9999999977383531},
                             {"P3z", -6.725543608396148e-05},
                             {"V3x", -0.01622882331417827},
                             {"V3y", 1.091403181390313e-06},
                             {"V3z", -0.01622773180088281}}},
                           {7.5,
                            {{"P3x", -0.9998486744208517},
                             {"P3y", -0.9999999885520171},
                             {"P3z", -0.00015131412943285405},
                             {"V3x", 0.024341870475803},
                             {"V3y", 3.682711609167567e-06},
                             {"V3z", -0.0243381869281557}}},
                           {10.0,
                            {{"P3x", 0.9997309873038354},
                             {"P3y", -0.9999999638258172},
                             {"P3z", -0.00026897651224930475},
                             {"V3x", -0.03245328022229923},
                             {"V3y", 8.726822183338377e-06},
                             {"V3z", -0.03244454987788725}}}}},
                         {{{"section", 0}},
                          {{1.0,
                            {{"P3x", 0.2733339158096608},
                             {"P3y", -0.886544000791979},
                             {"P3z", -0.46264428523407863},
                             {"V3x", -1.096386429127932},
                             {"V3y", 0.1563882360346065},
                             {"V3z", -0.2996795959141088}}},
                           {2.0,
                            {{"P3x", -0.7799472277880534},
                             {"P3y", -0.9806356304379663},
                             {"P3z", -0.19584116093286522},
                             {"V3x", -0.8207363097174505},
                             {"V3y", -0.1278395319935542},
                             {"V3z", 0.6401310095091226}}},
                           {5.0,
                            {{"P3x", 0.9998161187050654},
                             {"P3y", -0.9999999830969432},
                             {"P3z", -0.00018386438876935877},
                             {"V3x", -0.02685921657902798},
                             {"V3y", 4.937545433373058e-06},
                             {"V3z", -0.0268542776715025}}},
                           {10.0,
                            {{"P3x", 0.9992646100894148},
                             {"P3y", -0.9999997297996155},
                             {"P3z", -0.0007351195114248413},
                             {"V3x", -0.05369867318765516},
                             {"V3y", 3.944592358181468e-05},
                             {"V3z", -0.05365918372518115}}}}}}};
}

}  // namespace linkwork::apps
