#pragma once

#include "model_list.hpp"

#include <string_view>

namespace linkwork::apps {

/// One model of the zoo.
using ZooModel = CommandModel;

/// All models, in the order in which they are listed.
const ModelList& zoo();

/// @throws ModelError for an unknown name, listing the known ones
const ZooModel& find_model(std::string_view name);

}  // namespace linkwork::apps
