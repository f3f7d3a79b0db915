// Calls that must not compile, one for each value of WRONG_CALL; see wrong_calls.cmake.
#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/prismatic.hpp>
#if WRONG_CALL == 0 || WRONG_CALL > 9  // no other call needs as much
#include <linkwork/solvers/simulation/simulation.hpp>
#endif

using namespace linkwork;

class Unfinished : public ForceElement<Spatial> {
 public:
  explicit Unfinished(const Frame<Spatial>& frame) : ForceElement({frame}) {}
  std::string_view type() const override { return "unfinished"; }
};

void compose(SpatialModel& model, const BodyRef<Spatial>& body) {
  const auto ground = model.ground();
#if WRONG_CALL == 0  // nothing is wrong
  model.add_joint<Prismatic>("guide", ground.origin(), body.origin(), Axis(Eigen::Vector3d(1, 0, 0)));
  model.add_force<SpringDamper>("spring", ground.origin(), body.at({0, 0, 1}), {.stiffness = 3});
  model.add_force<SpringDamper>("other", ground.origin(), body.origin(), SpringDamper<Spatial>::Options{.damping = 3});
  Simulation simulation(
      model, SimulationOptions{.formulation = Formulation::relative, .integrator = BdfOptions{.maximum_order = 3}});
#elif WRONG_CALL == 1  // a vector for an axis
  model.add_joint<Prismatic>("guide", ground.origin(), body.origin(), Eigen::Vector3d(1, 0, 0));
#elif WRONG_CALL == 2  // bodies for the frames of a joint
  model.add_joint<Prismatic>("guide", ground, body, Axis::x());
#elif WRONG_CALL == 3  // a body for the frame of a force
  model.add_force<SpringDamper>("spring", ground.origin(), body, {.stiffness = 3});
#elif WRONG_CALL == 4  // a missing axis
  model.add_joint<Prismatic>("guide", ground.origin(), body.origin());
#elif WRONG_CALL == 5  // a function of the base that is not given
  model.add_force<Unfinished>("force", body.origin());
#elif WRONG_CALL == 6  // a number too much
  model.add_joint<Prismatic>("guide", ground.origin(), body.origin(), Axis::x(), 3.0);
#elif WRONG_CALL == 7  // two numbers for three
  body.at({1, 2});
#elif WRONG_CALL == 8
  model.set_gravity({0, -10});
#elif WRONG_CALL == 9  // an option misspelt, here and below
  model.add_force<SpringDamper>("spring", ground.origin(), body.origin(),
                                SpringDamper<Spatial>::Options{.stifness = 3});
#elif WRONG_CALL == 10
  Simulation simulation(model, SimulationOptions{.formulatoin = Formulation::relative});
#elif WRONG_CALL == 11
  Simulation simulation(model, {.integrator = BdfOptions{.maximum_ordr = 3}});
#endif
}
