#pragma once

#include <nlohmann/json_fwd.hpp>

// Internal: a scene, as pages draw it.

namespace linkwork {

struct Scene;

/// Its bodies, and the shapes and lines that move with them.
nlohmann::json describe_scene(const Scene& scene);

}  // namespace linkwork
