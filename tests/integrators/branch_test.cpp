// A derived joint finds its coordinates nearest to those of the last accepted step. A step of more than half a turn of
// a screw finds the neighbouring turn of the thread; the integrator must notice that and take a shorter step.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/integrators/extrapolation.hpp>

#include <gtest/gtest.h>
#include <cmath>

namespace linkwork {
namespace branch_test {

constexpr double pitch = 0.1, gravity = 9.81;

class Screw final : public Joint<Spatial> {
 public:
  std::string_view type() const override { return "screw"; }
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    X.rotation = Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitZ()).toRotationMatrix();
    X.position = {0, 0, pitch * q[0]};
  }
};

TEST(Extrapolation, RefusesAStepWhoseProjectionFindsAnotherBranch) {
  SpatialModel model;
  model.set_gravity({0, 0, -gravity});
  const auto nut = model.add_body("nut", MassProperties::cylinder(/*mass*/ 2, /*radius*/ 0.1, /*length*/ 0.05));
  model.add_joint<Screw>("thread", model.ground().origin(), nut.origin());
  int refused = 0;
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    const auto equations = make_absolute_equations(model);
    const auto solver = make_linear_solver("dense-lu", *equations);
    ASSERT_TRUE(solver->analyze(*equations));
    const auto integrator = make_integrator(ExtrapolationOptions{.rtol = tolerance, .atol = tolerance});
    ASSERT_TRUE(integrator->initialize(*equations, *solver, equations->initial_state()));
    while (integrator->state().t < 1) {
      ASSERT_TRUE(integrator->step(1));
      for (const StepRecord& record : integrator->records())
        if (record.reason.find("onto another branch") != std::string::npos) ++refused;
      equations->set(integrator->state());
      equations->remember(false, -1);
      // The nut falls by g t^2 / 2 m pitch^2 / (I + m pitch^2), here 2/3 of a free fall. Some twenty steps with errors
      // of the tolerance; another turn of the thread is 0.6 m away.
      const double t = integrator->state().t;
      ASSERT_NEAR(integrator->state().p[6], -gravity * t * t / 3, 100 * tolerance) << "t = " << t;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace branch_test
}  // namespace linkwork
