#include <linkwork/solvers/pictures/scene_description.hpp>

#include <linkwork/solvers/pictures/page_numbers.hpp>
#include <linkwork/solvers/pictures/scene.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace linkwork {
namespace {

using Json = nlohmann::json;

Json to_json(const Colour& colour) { return {colour.red, colour.green, colour.blue}; }
Json to_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

struct GeometryWriter {
  Json operator()(const shape::Box& x) const { return {{"type", "box"}, {"size", to_json(x.size)}}; }
  Json operator()(const shape::Sphere& x) const { return {{"type", "sphere"}, {"radius", x.radius}}; }
  Json operator()(const shape::Cylinder& x) const {
    return {{"type", "cylinder"}, {"radius", x.radius}, {"length", x.length}};
  }
  Json operator()(const shape::Capsule& x) const {
    return {{"type", "capsule"}, {"radius", x.radius}, {"length", x.length}};
  }
  Json operator()(const shape::Bar& x) const {
    return {{"type", "bar"}, {"radius", x.radius}, {"from", to_json(x.from)}, {"to", to_json(x.to)}};
  }
  Json operator()(const shape::Polyline& x) const {
    Json points = Json::array();
    for (const Eigen::Vector3d& point : x.points) points.push_back(to_json(point));
    return {{"type", "polyline"}, {"points", points}, {"closed", x.is_closed}};
  }
  Json operator()(const shape::Mesh& x) const {
    std::vector<float> vertices;
    std::vector<std::uint32_t> triangles;
    for (const Eigen::Vector3d& vertex : x.vertices)
      for (const double number : vertex) vertices.push_back(static_cast<float>(number));
    for (const auto& corners : x.triangles)
      for (const int i : corners) triangles.push_back(static_cast<std::uint32_t>(i));
    return {{"type", "mesh"}, {"vertices", base64(vertices)}, {"triangles", base64(triangles)}};
  }
};

Json to_json(const Shape& shape) {
  Json out = std::visit(GeometryWriter{}, shape.geometry);
  const Eigen::Quaterniond q = Eigen::Quaterniond(shape.orientation).normalized();
  out.update({{"position", to_json(shape.position)},
              {"orientation", {q.w(), q.x(), q.y(), q.z()}},
              {"colour", to_json(shape.colour.value_or(Colour{}))},
              {"opacity", shape.opacity}});
  return out;
}

const char* name_of(Scene::Link::Kind kind) {
  switch (kind) {
    case Scene::Link::Kind::bar:
      return "bar";
    case Scene::Link::Kind::spring:
      return "spring";
    case Scene::Link::Kind::line:
      break;
  }
  return "line";
}

}  // namespace

Json describe_scene(const Scene& scene) {
  Json parts = Json::array(), links = Json::array();
  for (const Scene::Part& part : scene.parts) {
    Json shapes = Json::array();
    for (const Shape& shape : part.shapes) shapes.push_back(to_json(shape));
    parts.push_back({{"name", part.name}, {"body", part.body}, {"shapes", shapes}});
  }
  for (const Scene::Link& link : scene.links) {
    Json ends = Json::array();
    for (const auto& [body, point] : link.ends) ends.push_back({body, point.x(), point.y(), point.z()});
    links.push_back(
        {{"name", link.name}, {"kind", name_of(link.kind)}, {"ends", ends}, {"colour", to_json(link.colour)}});
  }
  return {{"title", scene.title},   {"planar", scene.is_planar},         {"size", scene.size},
          {"bodies", scene.bodies}, {"gravity", to_json(scene.gravity)}, {"parts", parts},
          {"links", links},         {"carriers", scene.carriers.size()}};
}

}  // namespace linkwork
