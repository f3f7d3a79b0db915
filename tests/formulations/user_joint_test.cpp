// A user's joint that gives X(q) only, in a closed loop: the same motion in every formulation, as a joint of the tree
// and as a cut.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace linkwork::test {
namespace user_joint_test {

/// Turns about z and advances along it, 0.05 m/rad.
class PoseOnlyScrew final : public Joint<Spatial> {
 public:
  std::string_view type() const override { return "pose-only screw"; }
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitZ()).toRotationMatrix();
    X.position.z() = 0.05 * q[0];
  }
};

/// A nut on the screw, its arm tied by a rod to a pendulum that swings across.
SpatialModel nut_and_pendulum() {
  SpatialModel model("nut and pendulum");
  model.set_gravity({0, 0, -9.81});
  auto nut = model.add_body("nut", MassProperties::box(2.0, {0.2, 0.1, 0.1}));
  auto pendulum = model.add_body("pendulum", MassProperties::rod(1.5, 0.6, Axis::z()));
  pendulum.place({0.8, 0.3, -0.3});
  model.add_joint<PoseOnlyScrew>("screw", model.ground().origin(), nut.origin());
  model.add_joint<Revolute>("bearing", model.ground().at({0.8, 0.3, 0}), pendulum.at({0, 0, 0.3}), Axis::x());
  const Eigen::Vector3d arm(0.25, 0, 0), foot(0.8, 0.3, -0.6);
  const double length = (arm - foot).norm();
  const Eigen::Quaterniond along = turn_between(Eigen::Vector3d::UnitX(), arm - foot);
  auto rod = model.add_body("rod", MassProperties::rod(0.5, length));
  rod.place(0.5 * (arm + foot), along);
  model.add_joint<Universal>("foot", pendulum.at({0, 0, -0.3}, along), rod.at({-length / 2, 0, 0}), Axis::y(),
                             Axis::z());
  model.add_joint<Spherical>("head", nut.at(arm), rod.at({length / 2, 0, 0}));
  for (const auto& [name, body] : {std::pair{"nut", nut}, std::pair{"pendulum", pendulum}})
    for (int i = 0; i < 3; ++i) {
      const Frame<Spatial> tip = body.at({0.1, 0.2, 0.3});
      model.add_observable(std::string(name) + std::to_string(i), "m",
                           [=](const Snapshot<Spatial>& now) { return now.pose(tip).position[i]; });
    }
  return model;
}

Eigen::VectorXd end_of_run(Formulation formulation, const TopologyOptions& topology) {
  SimulationOptions options{.formulation = formulation,
                            .topology = topology,
                            .integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}};
  Simulation simulation(nut_and_pendulum(), options);
  simulation.run(0, 1);
  const ConstraintResidual& residual = simulation.constraint_residual();
  EXPECT_LT(std::max(residual.velocity_m_per_s, residual.velocity_rad_per_s), 1e-10) << name_of(formulation);
  Eigen::VectorXd values;
  simulation.equations().observables(simulation.trajectory().final_state(), values);
  return values;
}

TEST(PoseOnlyScrewInALoop, MovesAlikeInEveryFormulation) {
  const TopologyOptions cut{.strategy = CutStrategy::given, .cuts = {"screw"}};
  const Eigen::VectorXd absolute = end_of_run(Formulation::absolute, {});
  EXPECT_GT((absolute.head(3) - Eigen::Vector3d(0.1, 0.2, 0.3)).norm(), 0.05);  // it does move
  // A hundred tolerances.
  EXPECT_LT((end_of_run(Formulation::mixed, {}) - absolute).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((end_of_run(Formulation::relative, {}) - absolute).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((end_of_run(Formulation::relative, cut) - absolute).cwiseAbs().maxCoeff(), 1e-8);
}

}  // namespace user_joint_test
}  // namespace linkwork::test
