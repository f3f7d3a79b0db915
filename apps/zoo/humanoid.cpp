#include "zoo/link_tree.hpp"
#include "zoo/models.hpp"

#include <utility>

namespace linkwork::apps {
namespace humanoid {

AnyModel build(const Parameters&) { return std::move(make_humanoid().model()); }

}  // namespace humanoid

ZooModel humanoid_model() {
  using namespace humanoid;
  return {.name = "humanoid",
          .description = "Floating robot of 29 links and 34 freedoms, thrown and limp.",
          .space = Spatial::name,
          .t_end = 1,
          .build = build};
}

}  // namespace linkwork::apps
