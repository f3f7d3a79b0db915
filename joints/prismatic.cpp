#include <linkwork/joints/prismatic.hpp>

#include <linkwork/joints/motions.hpp>

namespace linkwork {

Prismatic<Planar>::Prismatic(const Axis& axis) : Prismatic(pieces::direction_in_plane(axis, "Prismatic<Planar>")) {}

Prismatic<Planar>::Prismatic(const Exact<2>& direction)
    : ComposedJoint(pieces::NoTravel<Planar, 1>({Eigen::Vector2d(-direction.y(), direction.x())}),
                    pieces::SameOrientation<Planar>()),
      direction_(direction) {}

std::optional<ConstantMotion<Planar>> Prismatic<Planar>::constant_motion() const {
  return constant_motion_along<Planar>(components<Planar>(0.0, direction_));
}

void Prismatic<Planar>::do_pose(Instant, const double* q, Pose<Planar>& X) const { X.position = q[0] * direction_; }

void Prismatic<Planar>::do_locate(Instant, const Pose<Planar>& X, double* q) const {
  q[0] = direction_.dot(X.position);
}

Prismatic<Spatial>::Prismatic(const Axis& axis)
    : ComposedJoint(pieces::NoTravel<Spatial, 2>({axis.frame().col(0), axis.frame().col(1)}),
                    pieces::SameOrientation<Spatial>()),
      axis_(axis) {}

std::optional<ConstantMotion<Spatial>> Prismatic<Spatial>::constant_motion() const {
  return constant_motion_along<Spatial>(components<Spatial>(Eigen::Vector3d::Zero(), axis_.direction()));
}

void Prismatic<Spatial>::do_pose(Instant, const double* q, Pose<Spatial>& X) const {
  X.position = q[0] * axis_.direction();
}

void Prismatic<Spatial>::do_locate(Instant, const Pose<Spatial>& X, double* q) const {
  q[0] = axis_.direction().dot(X.position);
}

template class ComposedJoint<Planar, pieces::NoTravel<Planar, 1>, pieces::SameOrientation<Planar>>;
template class ComposedJoint<Spatial, pieces::NoTravel<Spatial, 2>, pieces::SameOrientation<Spatial>>;

}  // namespace linkwork
