#pragma once

#include <linkwork/core/body.hpp>

namespace linkwork {

/// A massless body that rotates, such as the cross of a universal joint: 0 = force, 0 = torque. Legal where a massless
/// node is.
template <class Space>
class MasslessFrame final : public Body<Space> {
 public:
  using typename Body<Space>::Inertia;

  std::string_view type() const override { return "massless frame"; }
  bool is_plain() const override { return true; }
  double mass() const override { return 0; }
  Inertia inertia() const override { return Inertia::Zero(); }
  Angular<Space> gyroscopic_torque(const Angular<Space>& /*omega*/) const override { return zero_angular<Space>(); }
};

}  // namespace linkwork
