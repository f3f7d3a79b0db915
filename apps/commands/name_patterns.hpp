#pragma once

#include <string>
#include <vector>

namespace linkwork {
class EquationsOfMotion;
}

namespace linkwork::apps {

/// What a table of samples may have in columns: coordinates and velocities, states of elements, observables.
std::vector<std::string> column_names(const EquationsOfMotion& equations);

/// That each pattern of an option, in which * stands for any text and ? for any character, fits a name.
/// @param what  the names are of, "column" say
/// @throws ModelError naming the pattern, and the names most like it
void expect_patterns_fit(const char* option, const std::vector<std::string>& patterns, const char* what,
                         const std::vector<std::string>& names);

}  // namespace linkwork::apps
