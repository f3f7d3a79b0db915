#pragma once

#include <linkwork/core/joint.hpp>

namespace linkwork {

/// Components of a twist from its parts.
template <class Space>
Components<Space> components(const ExactAngular<Space>& angular, const ExactVector<Space>& linear) {
  Components<Space> out;
  out << angular, linear;
  return out;
}

/// The motion of a joint that is the identity at q = 0 and whose freedoms are these twists, one column each.
template <class Space, class... Columns>
ConstantMotion<Space> constant_motion_along(const Columns&... columns) {
  ConstantMotion<Space> out;
  out.S.resize(Space::n, static_cast<Eigen::Index>(sizeof...(columns)));
  [[maybe_unused]] Eigen::Index next = 0;  // without columns
  [[maybe_unused]] const auto append = [&](const Components<Space>& column) { out.S.col(next++) = column; };
  (append(columns), ...);
  return out;
}

}  // namespace linkwork
