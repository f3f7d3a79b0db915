#pragma once

#include <string>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

/// What a model may have and yet looks like a mistake, a sentence for each: bodies that neither joints nor forces lead
/// to, and planar angles above a whole turn that look like degrees. Empty for equations that are of no graph.
std::vector<std::string> remarks_on(const EquationsOfMotion& equations);

}  // namespace linkwork
