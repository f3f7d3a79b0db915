#pragma once

#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/driven_prismatic.hpp>

#include <string>
#include <utility>

namespace linkwork::apps {

/// Where a wheel of a planar vehicle that stays at its place meets the road, which runs along under it: a frame above
/// (x, 0) that moves up and down as prescribed. `wheel` is a copy: names of bodies move when bodies are added.
inline Frame<Planar> road_under(PlanarModel& model, std::string wheel, double x, Input height) {
  auto patch = model.add_body<MasslessFrame>("road under " + wheel);
  patch.place({x, 0});
  model.add_joint<DrivenPrismatic>("profile under " + wheel, model.ground().at({x, 0}), patch.origin(), Axis::y(),
                                   std::move(height));
  return patch.origin();
}

}  // namespace linkwork::apps
