#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/pictures/drawing.hpp>

#include <Eigen/Geometry>
#include <string>
#include <vector>

// Internal: what is drawn, whatever writes it down.

namespace linkwork {

/// A mechanism as pictures show it, in space whatever its model lives in. Lengths in metres; bodies are numbered as in
/// the model, -1 is the ground.
struct Scene {
  /// A body, or the ground, with what is fixed to it; names are those of the elements that are drawn.
  struct Part {
    std::string name;
    int body = -1;
    std::vector<Shape> shapes;  ///< each with its colour
  };
  /// Goes on from point to point, whatever bodies these are on.
  struct Link {
    enum class Kind { bar, spring, line };
    struct End {
      int body = -1;
      Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the body
    };
    std::string name;
    Kind kind = Kind::line;
    std::vector<End> ends;
    Colour colour;
  };

  std::string title;
  bool is_planar = false;
  double size = 1;  ///< of the mechanism where its bodies are placed [m]
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<std::string> bodies;  ///< names
  std::vector<Part> parts;
  std::vector<Link> links;
};

/// The elements' own looks, but for what a drawing says: a body is drawn as bars between the points where joints,
/// constraints and forces meet it, or by its mass and inertia where these are no more than one; joints as what turns
/// and slides in them, springs and rods between their ends.
/// @throws ModelError where the equations were never a graph of bodies, for names that the model does not have, and for
/// shapes with lengths that are not finite
Scene make_scene(const EquationsOfMotion& equations, const Drawing& drawing);

}  // namespace linkwork
