#pragma once

#include <linkwork/joints/composed_joint.hpp>
#include <linkwork/joints/motions.hpp>

namespace linkwork {

/// Fixed joint: both frames stay together, X = 1. No freedoms; rows: the common origin [m, ground axes] and the
/// orientation [rad]. Half a turn is no root (see pieces::SameOrientation).
template <class Space>
class Fixed final : public ComposedJoint<Space, pieces::CommonOrigin<Space>, pieces::SameOrientation<Space>> {
 public:
  Fixed()
      : ComposedJoint<Space, pieces::CommonOrigin<Space>, pieces::SameOrientation<Space>>(
            pieces::CommonOrigin<Space>(), pieces::SameOrientation<Space>()) {}
  std::string_view type() const override { return "fixed"; }
  std::optional<ConstantMotion<Space>> constant_motion() const override { return constant_motion_along<Space>(); }

 private:
  void do_pose(Instant, const double*, Pose<Space>&) const override {}
};

extern template class ComposedJoint<Planar, pieces::CommonOrigin<Planar>, pieces::SameOrientation<Planar>>;
extern template class ComposedJoint<Spatial, pieces::CommonOrigin<Spatial>, pieces::SameOrientation<Spatial>>;
extern template class Fixed<Planar>;
extern template class Fixed<Spatial>;

}  // namespace linkwork
