#include <linkwork/joints/constraints/rod.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <utility>

namespace linkwork {

template <class Space>
Rod<Space>::Rod(const Frame<Space>& first, const Frame<Space>& second, double length)
    : Constraint<Space>(detail::two_frames("Rod", first, second)), constant_length_(length) {
  detail::check_positive("Rod", "length", length, "m", " (use Revolute or Spherical to join two points)");
}

template <class Space>
Rod<Space>::Rod(const Frame<Space>& first, const Frame<Space>& second, Input length)
    : Constraint<Space>(detail::two_frames("Rod", first, second)), length_(std::move(length)) {
  detail::check_given("Rod", "length", length_);
}

template <class Space>
std::vector<Input> Rod<Space>::inputs() const {
  if (!length_) return {};
  return {length_};
}

template <class Space>
InputValue Rod<Space>::length_at(Instant time) const {
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

template <class Space>
void Rod<Space>::do_report(const Motion<Space>& m, const Wrench<Space>& reaction, double* values) const {
  const Vector<Space> line = m.frame(1).pose.position - m.frame(0).pose.position;
  values[0] = line.norm();
  values[1] = -reaction.force.dot(line) / line.norm();
}

template class Rod<Planar>;
template class Rod<Spatial>;

}  // namespace linkwork
