// The force elements for both spaces, compiled once here instead of in every file that uses them.

#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/air_spring.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/series_spring_damper.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>

namespace linkwork {

template class Actuator<Planar>;
template class Actuator<Spatial>;
template class AirSpring<Planar>;
template class AirSpring<Spatial>;
template class AppliedForce<Planar>;
template class AppliedForce<Spatial>;
template class AppliedTorque<Planar>;
template class AppliedTorque<Spatial>;
template class DryFriction<Planar>;
template class DryFriction<Spatial>;
template class SeriesSpringDamper<Planar>;
template class SeriesSpringDamper<Spatial>;
template class SpringDamper<Planar>;
template class SpringDamper<Spatial>;
template class TorsionSpringDamper<Planar>;
template class TorsionSpringDamper<Spatial>;

}  // namespace linkwork
