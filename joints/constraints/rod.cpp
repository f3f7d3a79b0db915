#include <linkwork/joints/constraints/rod.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/joints/pieces.hpp>

#include <cmath>
#include <utility>

namespace linkwork {

namespace {

template <class Space>
std::vector<Frame<Space>> two_bodies(const Frame<Space>& first, const Frame<Space>& second) {
  if (first.body == second.body && first.model == second.model)
    throw ModelError("Rod: both ends are on one body; expected frames of two bodies (or of a body and the ground).");
  return {first, second};
}

}  // namespace

template <class Space>
Rod<Space>::Rod(const Frame<Space>& first, const Frame<Space>& second, double length)
    : Constraint<Space>(two_bodies(first, second)), constant_length_(length) {
  if (!(length > 0 && std::isfinite(length)))
    throw ModelError(concat("Rod: the length is ", length,
                            " m; expected a finite length above zero (use Revolute or Spherical to join two points)."));
}

template <class Space>
Rod<Space>::Rod(const Frame<Space>& first, const Frame<Space>& second, Input length)
    : Constraint<Space>(two_bodies(first, second)), length_(pieces::checked(std::move(length), "Rod", "length")) {}

template <class Space>
InputValue Rod<Space>::length_at(double time) const {
  if (!length_) return {constant_length_, 0, 0};
  const InputValue length = length_(time);
  if (length.value <= 0)
    throw RecoverableFailure(
        concat("the prescribed length is ", length.value, " m at t = ", time, " s; expected a length above zero."));
  return length;
}

template <class Space>
void Rod<Space>::do_residual(const Motion<Space>& m, double* g) const {
  const double L = length_at(m.time()).value;
  g[0] = 0.5 * ((m.frame(1).pose.position - m.frame(0).pose.position).squaredNorm() / L - L);
}

template <class Space>
void Rod<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  const auto [L, L_rate, L_acceleration] = length_at(m.time());
  const Vector<Space> stretch = (m.frame(1).pose.position - m.frame(0).pose.position) / L;
  out.add_linear(0, 1, stretch);
  out.add_linear(0, 0, -stretch);
  out.rate(0) = -0.5 * L_rate * (stretch.squaredNorm() + 1);
}

template <class Space>
void Rod<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  const auto [L, L_rate, L_acceleration] = length_at(m.time());
  const Vector<Space> stretch = (m.frame(1).pose.position - m.frame(0).pose.position) / L;
  const Vector<Space> d_rate = m.frame(1).velocity.linear - m.frame(0).velocity.linear;
  const Vector<Space> stretch_rate = (d_rate - L_rate * stretch) / L;
  bias[0] = -stretch_rate.dot(d_rate) + L_rate * stretch.dot(stretch_rate) +
            0.5 * L_acceleration * (stretch.squaredNorm() + 1);
}

template class Rod<Planar>;
template class Rod<Spatial>;

}  // namespace linkwork
