#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/joints/spherical.hpp>

// Heavy symmetric top with a fixed point: Geradin & Cardona, Flexible Multibody Dynamics (2001); Bruels, Cardona,
// Arnold, Mechanism and Machine Theory 48 (2012).

namespace linkwork::apps {
namespace heavy_top {

const char* const letters[] = {"x", "y", "z"};

AnyModel build(const Parameters&) {
  SpatialModel model("heavy_top");
  model.set_gravity({0, 0, -9.81});
  const Eigen::Matrix3d inertia = Eigen::Vector3d(0.234375, 0.46875, 0.234375).asDiagonal();
  const Eigen::Vector3d center_of_mass(0, 1, 0), spin(0, 150, -4.61538);
  auto top = model.add_body("top", MassProperties::given(15, center_of_mass, inertia));
  top.move(Eigen::Vector3d::Zero(), spin);
  const auto tip = model.add_joint<Spherical>("tip", model.ground().origin(), top.origin());

  const auto center = top.at(center_of_mass);
  for (int i = 0; i < 3; ++i) {
    const std::string letter = letters[i];
    model.add_observable(letter, "m", [=](const auto& now) { return now.pose(center).position[i]; });
    model.add_observable("v" + letter, "m/s", [=](const auto& now) { return now.velocity(center).linear[i]; });
    model.add_observable("omega_" + letter, "rad/s", [=](const auto& now) {
      return now.pose(center).rotation.col(i).dot(now.velocity(center).angular);  // in the top's axes
    });
    model.add_observable("force_" + letter, "N", [=](const auto& now) { return now.reaction(tip).force[i]; });
  }
  return model;
}

}  // namespace heavy_top

ZooModel heavy_top_model() {
  using namespace heavy_top;
  return {.name = "heavy_top",
          .description = "Fast symmetric top on a fixed tip.",
          .space = Spatial::name,
          .t_end = 1,
          .build = build,
          .reference_source = "two formulations in 34-digit arithmetic, 16 digits",
          .references = {{{},
                          {{0.2,
                            {{"x", 0.6055505613771198},
                             {"y", 0.5989576817949192},
                             {"z", -0.5239830274300031},
                             {"vx", -0.04016303360974484},
                             {"vy", -3.6678237882079077},
                             {"vz", -4.239053298845594},
                             {"omega_x", -2.6915909121434085},
                             {"omega_y", 150.0},
                             {"omega_z", 4.917260989893994},
                             {"force_x", -640.236407992098},
                             {"force_y", -148.627711346951},
                             {"force_z", 136.929313038415}}},
                           {1.0,
                            {{"x", 0.17334396409838604},
                             {"y", 0.6400885920705688},
                             {"z", -0.7484907911335813},
                             {"vx", 0.5708253034254871},
                             {"vy", -4.588728296334952},
                             {"vz", -3.7919551547100423},
                             {"omega_x", -0.8220781016827045},
                             {"omega_y", 150.0},
                             {"omega_z", -5.923291348117337},
                             {"force_x", -517.6007394769},
                             {"force_y", -396.843101489554},
                             {"force_z", 404.574925162885}}},
                           {2.0,
                            {{"x", -0.15041682274564175},
                             {"y", -0.7241655916368956},
                             {"z", -0.6730222695604441},
                             {"vx", -2.74918631258189},
                             {"vy", -3.2027186355748856},
                             {"vz", 4.060523149756693},
                             {"omega_x", 0.12223321949739424},
                             {"omega_y", 150.0},
                             {"omega_z", -5.8556245892054575},
                             {"force_x", -260.735211311083},
                             {"force_y", 613.612698982597},
                             {"force_z", 309.716631390939}}}}}}};
}

}  // namespace linkwork::apps
