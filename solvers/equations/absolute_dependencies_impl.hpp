#pragma once

// Sparsity in absolute coordinates: a frame moves with its body alone.

#include <linkwork/solvers/equations/absolute_equations.hpp>
#include <linkwork/solvers/equations/pattern_builder.hpp>

#include <cmath>

namespace linkwork {

namespace detail {

/// Whether entry i of omega x I omega depends on entry j of omega: of the symmetric part of the quadratic form
/// (omega x I omega)_i, row j.
inline bool gyroscopic_entry(const Eigen::Matrix3d& inertia, int i, int j) {
  const int p = (i + 1) % 3, q = (i + 2) % 3;
  Eigen::Matrix3d form = Eigen::Matrix3d::Zero();
  form.row(p) += inertia.row(q);
  form.row(q) -= inertia.row(p);
  const Eigen::RowVector3d row = form.row(j) + form.col(j).transpose();
  return row.cwiseAbs().maxCoeff() > 1e-15 * inertia.cwiseAbs().maxCoeff();
}

}  // namespace detail

template <class Space>
auto AbsoluteEquations<Space>::frame_columns(const FrameSlot& slot, int, int) const -> FrameColumns {
  FrameColumns out;
  if (slot.body == 0) return out;
  const Place& body = places_[detail::at(slot.body)];
  out.position = detail::range(body.linear_p(), dimension);
  out.velocity.push_back({detail::range(body.linear_v(), dimension), {}});
  if (!body.rotates) return out;
  out.rotation = detail::range(body.p, body.linear_p() - body.p);
  const std::vector<int> turning = detail::range(body.v, angular);
  // omega is in body axes; in the plane that makes no difference.
  out.angular_velocity.push_back({turning, dimension == 3 ? out.rotation : std::vector<int>()});
  if (slot.arm.isZero(0)) return out;
  detail::append(out.position, out.rotation);
  out.velocity.push_back({turning, out.rotation});
  return out;
}

template <class Space>
void AbsoluteEquations<Space>::add_inertia(Unknown unknown, PatternBuilder& builder) const {
  if (unknown == Unknown::a)
    for (std::size_t b = 0; b < this->M_.blocks().size(); ++b) {
      const BlockMatrix::Block& block = this->M_.blocks()[b];
      const double* value = this->M_.values(static_cast<int>(b));
      for (int i = 0; i < block.height; ++i)
        for (int j = 0; j < block.width; ++j, ++value)
          if (*value != 0) builder.add(block.row + i, block.column + j);
    }
  if constexpr (dimension == 3) {
    if (unknown != Unknown::v) return;
    for (const Place& place : places_) {
      if (!place.rotates) continue;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (!place.body->is_plain() || detail::gyroscopic_entry(place.body->inertia(), i, j))
            builder.add(place.v + i, place.v + j);
    }
  }
}

template <class Space>
void AbsoluteEquations<Space>::add_rates(Unknown unknown, PatternBuilder& builder) const {
  const bool by_velocity = unknown == Unknown::v || unknown == Unknown::factor;
  if (!by_velocity && unknown != Unknown::p) return;
  for (const Place& place : places_) {
    if (!place.body) continue;
    if (by_velocity)
      for (int i = 0; i < dimension; ++i) builder.add(place.linear_p() + i, place.linear_v() + i);
    if (!place.rotates) continue;
    if constexpr (dimension == 2) {
      if (by_velocity) builder.add(place.p, place.v);
    } else {  // q' = q (0, omega) / 2: no entry of the product depends on itself
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < (by_velocity ? 3 : 4); ++j)
          if (by_velocity || i != j) builder.add(place.p + i, (by_velocity ? place.v : place.p) + j);
    }
  }
}

}  // namespace linkwork
