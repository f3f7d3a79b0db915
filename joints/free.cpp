#include <linkwork/joints/free.hpp>

namespace linkwork {

template class FreelyTurning<Planar, 2, Joint<Planar>>;
template class FreelyTurning<Spatial, 3, Joint<Spatial>>;
template class ComposedJoint<Planar, pieces::SameOrientation<Planar>>;
template class ComposedJoint<Spatial, pieces::SameOrientation<Spatial>>;
template class Free<Planar>;
template class Free<Spatial>;
template class FreeTranslation<Planar>;
template class FreeTranslation<Spatial>;

}  // namespace linkwork
