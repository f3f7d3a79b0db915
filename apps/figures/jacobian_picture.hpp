#pragma once

#include "figures/chart.hpp"
#include "jacobian_structure.hpp"

#include <string>

namespace linkwork::apps {

/// The entries of a Jacobian; columns that are differenced together have one colour (CORR figures 3 to 5).
MatrixPicture picture_of(const JacobianStructure& jacobian, const std::string& model);

}  // namespace linkwork::apps
