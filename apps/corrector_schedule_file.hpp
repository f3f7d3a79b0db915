#pragma once

#include <linkwork/solvers/newton/corrector_schedule.hpp>

#include <ostream>
#include <string>

namespace linkwork::apps {

/// A schedule of the corrector's cycle as JSON, as `linkwork run --analyse-corrector` writes it.
void write_corrector_schedule(std::ostream& out, const CorrectorSchedule& schedule);
/// @throws ModelError for a file that can't be read or holds no such schedule, by its name
CorrectorSchedule read_corrector_schedule(const std::string& file);

}  // namespace linkwork::apps
