#include <linkwork/joints/driven_prismatic.hpp>

namespace linkwork {

template class ComposedJoint<Planar, pieces::NoTravel<Planar, 1>, pieces::DrivenTravel<Planar>,
                             pieces::SameOrientation<Planar>>;
template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::DrivenTravel<Spatial>,
                             pieces::SameOrientation<Spatial>>;
template class DrivenPrismatic<Planar>;
template class DrivenPrismatic<Spatial>;

}  // namespace linkwork
