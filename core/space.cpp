#include <linkwork/core/space.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

namespace linkwork {

Axis::Axis(const Exact<3>& direction) : direction_(direction) {
  const double length = direction.norm();
  if (!(std::isfinite(length) && length > 0))
    throw ModelError(concat("Axis: the direction (", direction.transpose(),
                            ") has no finite length above zero; give a direction such as {0, 0, 1}."));
  direction_ /= length;
}

Eigen::Matrix3d Axis::frame() const {
  return Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), direction_).toRotationMatrix();
}

}  // namespace linkwork
