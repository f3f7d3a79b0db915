#include <linkwork/bodies/rotor_carrier.hpp>

#include <linkwork/core/checks.hpp>

namespace linkwork {

RotorCarrier::RotorCarrier(const MassProperties& mass_properties, const Exact<3>& momentum)
    : body_(mass_properties.make_body<Spatial>()), momentum_(momentum) {
  detail::check_finite("RotorCarrier", "momentum", momentum, "kg m^2/s");
}

}  // namespace linkwork
