#include "zoo/link_tree.hpp"
#include "zoo/models.hpp"

#include <utility>

namespace linkwork::apps {
namespace ladder3d {

AnyModel build(const Parameters& parameters) {
  return std::move(make_spatial_ladder(static_cast<int>(parameters.at("n"))).model());
}

}  // namespace ladder3d

ZooModel ladder3d_model() {
  using namespace ladder3d;
  return {.name = "ladder3d",
          .description = "Hanging ladder of n loops in space, closed by universal and ball joints.",
          .space = Spatial::name,
          .parameters = {{"n", "", 4, "number of loops", 1, 1e6, true}},
          .t_end = 1,
          .build = build};
}

}  // namespace linkwork::apps
