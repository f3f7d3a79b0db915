#include "zoo/link_tree.hpp"
#include "zoo/models.hpp"

#include <utility>

namespace linkwork::apps {
namespace ring {

AnyModel build(const Parameters& parameters) {
  return std::move(make_ring(static_cast<int>(parameters.at("n")), /*rate*/ 0).model());
}

}  // namespace ring

ZooModel ring_model() {
  using namespace ring;
  return {.name = "ring",
          .description = "Spatial chain of n revolute joints, its tip held by a ball joint, released from rest.",
          .space = Spatial::name,
          .parameters = {{"n", "", 8, "number of links", 2, 1e6, true}},
          .t_end = 1,
          .build = build};
}

}  // namespace linkwork::apps
