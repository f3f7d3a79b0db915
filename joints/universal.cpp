#include <linkwork/joints/universal.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>

namespace linkwork {

Universal::Universal(const Axis& first, const Axis& second)
    : ComposedJoint(pieces::CommonOrigin<Spatial>(), pieces::PerpendicularAxes(first, second)),
      first_(first),
      second_(second) {
  const double cosine = first.direction().dot(second.direction());
  if (std::abs(cosine) > 1e-9)
    throw ModelError(concat("Universal: the axes (", first.direction().transpose(), ") and (",
                            second.direction().transpose(), ") make an angle of ", std::acos(cosine),
                            " rad; expected perpendicular axes such as Axis::x() and Axis::y()."));
}

}  // namespace linkwork
