#pragma once

#include <linkwork/solvers/formulations/formulation.hpp>

#include <ostream>

namespace linkwork::apps {

/// Prints errors, steps, calls and times of SUNDIALS IDA on the stabilised index-2 form of `andrews` and of `radau` on
/// the strangeness-free one, same equations of motion and start, and what the cheaper of IDA with dense and with
/// grouped differences takes for the same error. Error: largest of the positions at the end against the extrapolation
/// method at 1e-12, scaled by max(1, |x|).
void compare_radau_with_ida(Formulation formulation, std::ostream& out);

}  // namespace linkwork::apps
