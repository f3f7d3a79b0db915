#include <linkwork/joints/fixed.hpp>

namespace linkwork {

template class ComposedJoint<Planar, pieces::CommonOrigin<Planar>, pieces::SameOrientation<Planar>>;
template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::SameOrientation<Spatial>>;
template class Fixed<Planar>;
template class Fixed<Spatial>;

}  // namespace linkwork
