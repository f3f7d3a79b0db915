#pragma once

#include <linkwork/solvers/newton/corrector_record.hpp>

#include <ostream>
#include <vector>

namespace linkwork::apps {

/// One line for each solution by Newton's iteration, as CSV. Where spectral radii were measured, with the iterations
/// that DASSL+ (4.2), (4.3) and the nearest case would have said, each from the solutions before it, (4.2) from the
/// last.
void write_corrector_log(std::ostream& out, const std::vector<CorrectorRecord>& records);

}  // namespace linkwork::apps
