#include <linkwork/joints/driven_revolute.hpp>

namespace linkwork {

template class ComposedJoint<Planar, pieces::CommonOrigin<Planar>, pieces::DrivenOrientation<Planar>>;
template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::DrivenOrientation<Spatial>>;
template class DrivenRevolute<Planar>;
template class DrivenRevolute<Spatial>;

}  // namespace linkwork
