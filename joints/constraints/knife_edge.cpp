#include <linkwork/joints/constraints/knife_edge.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/joints/pieces.hpp>

namespace linkwork {

template <class Space>
KnifeEdge<Space>::KnifeEdge(const Frame<Space>& frame, const Axis& across) : Constraint<Space>({frame}) {
  if (frame.body < 0)
    throw ModelError("KnifeEdge: the frame is on the ground, which does not move; give a frame of a body.");
  if constexpr (Space::dimension == 2)
    across_ = pieces::direction_in_plane(across, "KnifeEdge<Planar>");
  else
    across_ = across.direction();
}

template <class Space>
void KnifeEdge<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  out.add_linear(0, 0, m.frame(0).pose.rotation * across_);
}

template <class Space>
void KnifeEdge<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  const Vector<Space> across = m.frame(0).pose.rotation * across_;
  bias[0] = -cross(m.frame(0).velocity.angular, across).dot(m.frame(0).velocity.linear);
}

template class KnifeEdge<Planar>;
template class KnifeEdge<Spatial>;

}  // namespace linkwork
