#pragma once

#include <linkwork/core/body.hpp>

namespace linkwork {

/// A point without mass, where massless rods or springs meet: 0 = force. Legal where the constraints on it and the
/// masses beyond them determine its acceleration (M is definite on the kernel of G).
template <class Space>
class MasslessNode final : public Body<Space> {
 public:
  using typename Body<Space>::Inertia;

  std::string_view type() const override { return "massless node"; }
  bool rotates() const override { return false; }
  double mass() const override { return 0; }
  Inertia inertia() const override { return Inertia::Zero(); }
};

}  // namespace linkwork
