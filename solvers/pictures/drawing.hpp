#pragma once

#include <linkwork/core/exact.hpp>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

/// Shares of red, green and blue, 0 to 1.
struct Colour {
  double red = 0, green = 0, blue = 0;
};

/// What bodies look like. Lengths in metres; a planar model lies in the plane z = 0.
namespace shape {

/// Along the axes, about the middle.
struct Box {
  Exact<3> size = {1, 1, 1};
};
struct Sphere {
  double radius = 1;
};
/// About z, from -length/2 to length/2.
struct Cylinder {
  double radius = 1, length = 1;
};
/// A cylinder with a half sphere at each end; `length` is that of the cylinder.
struct Capsule {
  double radius = 1, length = 1;
};
/// A round bar between two points.
struct Bar {
  Exact<3> from = {0, 0, 0}, to = {1, 0, 0};
  double radius = 0.01;
};
struct Polyline {
  std::vector<Eigen::Vector3d> points;
  bool is_closed = false;
};
struct Mesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;  ///< numbers of vertices
};

/// Triangles of a file in STL, OBJ or another format that assimp reads.
/// @param scale  of its lengths, such as 1e-3 for millimetres
/// @throws ModelError naming the file if it can't be read or has no triangles, and in a build without assimp
Mesh mesh_from_file(const std::string& file, double scale = 1);

}  // namespace shape

/// A shape on a body.
struct Shape {
  std::variant<shape::Box, shape::Sphere, shape::Cylinder, shape::Capsule, shape::Bar, shape::Polyline, shape::Mesh>
      geometry;
  Exact<3> position = {0, 0, 0};  ///< in the body, from its own origin [m]
  ExactQuaternion orientation = Eigen::Quaterniond::Identity();
  std::optional<Colour> colour = {};  ///< none: that of the body
  double opacity = 1;                 ///< 0 to 1
};

/// How a mechanism is drawn, where its elements' own looks are not wanted. A description beside the graph, by names of
/// elements: a run knows nothing of it. What is not said here is drawn from masses, inertias and frames of joints.
class Drawing {
 public:
  /// Adds a shape of a body, or of "ground". From the first one on, the body's own look is left out.
  Drawing& add(const std::string& body, Shape shape) {
    shapes_[body].push_back(std::move(shape));
    return *this;
  }
  /// Of any body, joint, constraint or force.
  Drawing& paint(const std::string& element, const Colour& colour) {
    colours_[element] = colour;
    return *this;
  }
  /// Leaves out a body, joint, constraint or force.
  Drawing& hide(const std::string& element) {
    hidden_.insert(element);
    return *this;
  }

  const std::map<std::string, std::vector<Shape>>& shapes() const { return shapes_; }
  const std::map<std::string, Colour>& colours() const { return colours_; }
  const std::set<std::string>& hidden() const { return hidden_; }

 private:
  std::map<std::string, std::vector<Shape>> shapes_;
  std::map<std::string, Colour> colours_;
  std::set<std::string> hidden_;
};

/// That a drawing fits a mechanism, before a long run: write_html and write_gltf ask the same.
/// @throws ModelError where the equations were never a graph of bodies, for names of elements that it does not have,
/// and for shapes with lengths that are not finite or triangles without a vertex
void check_drawing(const EquationsOfMotion& equations, const Drawing& drawing);

}  // namespace linkwork
