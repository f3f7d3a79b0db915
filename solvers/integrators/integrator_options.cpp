#include <linkwork/solvers/integrators/integrator_options.hpp>

#include <linkwork/core/errors.hpp>

namespace linkwork {

std::unique_ptr<Integrator> IntegratorOptions::make() const {
  std::unique_ptr<Integrator> integrator = make_(options_);
  if (!integrator) throw ModelError("Simulation: the integrator factory gave no integrator; return one.");
  return integrator;
}

}  // namespace linkwork
