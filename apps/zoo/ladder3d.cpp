#include "zoo/link_tree.hpp"
#include "zoo/models.hpp"

#include <utility>

namespace linkwork::apps {
namespace {

AnyModel build(const Parameters& parameters) {
  return std::move(make_spatial_ladder(static_cast<int>(parameters.at("n"))).model());
}

}  // namespace

ZooModel ladder3d_model() {
  return {.name = "ladder3d",
          .description = "Hanging ladder of n loops in space, closed by universal and ball joints.",
          .space = Spatial::name,
          .parameters = {{"n", "", 4, "number of loops", 1, 1e6, true}},
          .t_end = 1,
          .build = build};
}

}  // namespace linkwork::apps
