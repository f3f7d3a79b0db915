// In place of cvode.cpp where SUNDIALS is not there.

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/cvode.hpp>

namespace linkwork {

std::unique_ptr<Integrator> make_integrator(const CvodeOptions& options) {
  throw ModelError(concat(options.name(),
                          ": Linkwork was built without SUNDIALS; install SUNDIALS (Debian: libsundials-dev) and build "
                          "with LINKWORK_CVODE=ON, or take ",
                          options.method == CvodeMethod::adams ? "dopri5 or extrapolation." : "bdf or radau."));
}

}  // namespace linkwork
