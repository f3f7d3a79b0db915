#include <linkwork/solvers/pictures/gltf.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/frame_times.hpp>
#include <linkwork/solvers/pictures/scene.hpp>
#include <linkwork/solvers/pictures/surfaces.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <tuple>

// Section numbers are those of the glTF 2.0 specification (Khronos, 2021).

namespace linkwork {
namespace gltf {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "glTF holds numbers with their last byte first (3.6.1.2).");

enum ComponentType : int { unsigned_int = 5125, single_float = 5126 };  // 3.6.2.2
enum Mode : int { line_strip = 3, triangles = 4 };                      // 3.7.2.1

/// The binary part, and the JSON lists of what lies in it.
class Buffer {
 public:
  /// @param bounds  whether the least and the greatest value are told, which positions and times need (3.6.2.4)
  /// @return number of the accessor
  int add_floats(const std::vector<float>& numbers, const char* type, int components, bool bounds) {
    Json accessor = {{"bufferView", add_view(numbers.data(), numbers.size() * sizeof(float))},
                     {"componentType", single_float},
                     {"count", static_cast<int>(numbers.size()) / components},
                     {"type", type}};
    if (bounds) {
      std::vector<float> least, greatest;
      for (int c = 0; c < components; ++c) {
        const auto at = [&](std::size_t k) {
          return numbers[k * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
        };
        float low = at(0), high = at(0);
        for (std::size_t k = 1; k < numbers.size() / static_cast<std::size_t>(components); ++k) {
          low = std::min(low, at(k));
          high = std::max(high, at(k));
        }
        least.push_back(low);
        greatest.push_back(high);
      }
      accessor.update({{"min", least}, {"max", greatest}});
    }
    return add(accessor);
  }
  int add_vectors(const std::vector<Eigen::Vector3f>& vectors, bool bounds) {
    std::vector<float> numbers;
    for (const Eigen::Vector3f& vector : vectors) numbers.insert(numbers.end(), vector.data(), vector.data() + 3);
    return add_floats(numbers, "VEC3", 3, bounds);
  }
  int add_indices(const std::vector<std::array<std::uint32_t, 3>>& corners) {
    return add({{"bufferView", add_view(corners.data(), corners.size() * sizeof(corners.front()))},
                {"componentType", unsigned_int},
                {"count", 3 * corners.size()},
                {"type", "SCALAR"}});
  }

  const std::string& bytes() const { return bytes_; }
  const Json& accessors() const { return accessors_; }
  const Json& views() const { return views_; }

 private:
  int add(Json accessor) {
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
  }
  /// All components have four bytes, so that everything lies where it may (3.6.2.4).
  int add_view(const void* data, std::size_t size) {
    views_.push_back({{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}});
    bytes_.append(static_cast<const char*>(data), size);
    return static_cast<int>(views_.size()) - 1;
  }

  std::string bytes_;
  Json accessors_ = Json::array(), views_ = Json::array();
};

/// What is one long along z, between two points.
struct Stretched {
  Eigen::Vector3d middle;
  Eigen::Quaterniond turned;
  double length;
};
Stretched between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return {0.5 * (a + b), turn_between(Eigen::Vector3d::UnitZ(), b - a), (b - a).norm()};
}

/// Makes the file of a scene.
class File {
 public:
  explicit File(const Scene& scene) : scene_(scene) {
    nodes_.push_back({{"name", scene.title}, {"children", Json::array()}});
    turn_root();
    for (const std::string& name : scene.bodies) body_nodes_.push_back(add_node(0, {{"name", name}}));
    for (std::size_t i = 0; i < scene.carriers.size(); ++i) body_nodes_.push_back(add_node(0, {{"name", "turned"}}));
    ground_node_ = add_node(0, {{"name", "ground"}});
    for (const Scene::Part& part : scene.parts) {
      const int holder = add_node(part.body < 0 ? ground_node_ : body_nodes_[static_cast<std::size_t>(part.body)],
                                  {{"name", part.name}});
      for (const Shape& shape : part.shapes) add_shape(holder, shape);
    }
    for (const Scene::Link& link : scene.links)
      for (std::size_t k = 0; k + 1 < link.ends.size(); ++k) add_segment(link, k);
    body_tracks_.resize(body_nodes_.size());
  }

  void add_frame(double t, const std::vector<BodyPose>& poses) {
    times_.push_back(static_cast<float>(t));
    for (std::size_t i = 0; i < poses.size(); ++i) body_tracks_[i].add(poses[i].position, poses[i].attitude);
    for (Segment& segment : segments_) {
      const Stretched at = between(point_of(segment.from, poses), point_of(segment.to, poses));
      segment.track.add(at.middle, at.turned);
      segment.track.add_scale({segment.radius, segment.radius, at.length});
    }
  }

  void write(std::ostream& out) {
    Json channels = Json::array(), samplers = Json::array();
    const int input = buffer_.add_floats(times_, "SCALAR", 1, true);
    const auto add_channel = [&](int node, const char* path, int output) {
      channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    const auto add_track = [&](int node, const Track& track) {
      add_channel(node, "translation", buffer_.add_floats(track.translations, "VEC3", 3, false));
      add_channel(node, "rotation", buffer_.add_floats(track.rotations, "VEC4", 4, false));
      if (!track.scales.empty()) add_channel(node, "scale", buffer_.add_floats(track.scales, "VEC3", 3, false));
    };
    for (std::size_t i = 0; i < body_nodes_.size(); ++i) add_track(body_nodes_[i], body_tracks_[i]);
    for (const Segment& segment : segments_) add_track(segment.node, segment.track);
    Json file = {{"asset", {{"version", "2.0"}, {"generator", "Linkwork"}}},
                 {"scene", 0},
                 {"scenes", {{{"nodes", {0}}}}},
                 {"nodes", nodes_},
                 {"accessors", buffer_.accessors()},
                 {"bufferViews", buffer_.views()},
                 {"buffers", {{{"byteLength", buffer_.bytes().size()}}}}};
    if (!meshes_.empty()) file.update({{"meshes", meshes_}, {"materials", materials_}});
    if (!channels.empty()) file["animations"] = {{{"name", "run"}, {"channels", channels}, {"samplers", samplers}}};
    write_chunks(out, file.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  /// A node's motion. Where it is not known, it stays as it was.
  struct Track {
    std::vector<float> translations, rotations, scales;

    void add(const Eigen::Vector3d& position, const Eigen::Quaterniond& attitude) {
      const bool known = position.allFinite() && attitude.coeffs().allFinite();
      const bool first = translations.empty();
      for (int i = 0; i < 3; ++i)
        translations.push_back(known ? static_cast<float>(position[i]) : first ? 0.0f : *(translations.end() - 3));
      const Eigen::Vector4d q = attitude.coeffs();  // x, y, z, w as in glTF
      for (int i = 0; i < 4; ++i)
        rotations.push_back(known   ? static_cast<float>(q[i])
                            : first ? static_cast<float>(i == 3)
                                    : *(rotations.end() - 4));
    }
    void add_scale(const Eigen::Vector3d& scale) {
      for (const double s : scale) scales.push_back(std::isfinite(s) ? static_cast<float>(s) : 0.0f);
    }
  };
  /// Between two ends of a link, which move.
  struct Segment {
    int node = 0;
    double radius = 1;
    Scene::Link::End from, to;
    Track track = {};
  };

  void turn_root() {
    Eigen::Vector3d up = scene_.is_planar ? Eigen::Vector3d::UnitY() : Eigen::Vector3d(-scene_.gravity);
    if (!(up.norm() > 0)) up = Eigen::Vector3d::UnitZ();
    nodes_[0]["rotation"] = to_json(turn_between(up, Eigen::Vector3d::UnitY()));
  }
  static Json to_json(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }
  static Json to_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

  int add_node(int parent, Json node) {
    const int number = static_cast<int>(nodes_.size());
    nodes_.push_back(std::move(node));
    nodes_[static_cast<std::size_t>(parent)]["children"].push_back(number);
    return number;
  }

  int material(const Colour& colour, double opacity) {
    const auto [known, is_new] = material_numbers_.try_emplace({colour.red, colour.green, colour.blue, opacity},
                                                               static_cast<int>(materials_.size()));
    if (is_new) {
      Json material = {{"doubleSided", true},
                       {"pbrMetallicRoughness",
                        {{"baseColorFactor", {colour.red, colour.green, colour.blue, std::clamp(opacity, 0.0, 1.0)}},
                         {"metallicFactor", 0.1},
                         {"roughnessFactor", 0.7}}}};
      if (opacity < 1) material["alphaMode"] = "BLEND";
      materials_.push_back(std::move(material));
    }
    return known->second;
  }
  int add_mesh(const Surface& surface, int material) {
    Json attributes = {{"POSITION", buffer_.add_vectors(surface.vertices, true)}};
    if (!surface.is_line()) attributes["NORMAL"] = buffer_.add_vectors(surface.normals, false);
    Json primitive = {
        {"attributes", attributes}, {"material", material}, {"mode", surface.is_line() ? line_strip : triangles}};
    if (!surface.is_line()) primitive["indices"] = buffer_.add_indices(surface.triangles);
    meshes_.push_back({{"primitives", Json::array({primitive})}});
    return static_cast<int>(meshes_.size()) - 1;
  }
  /// One mesh serves all of a kind and colour.
  int unit_mesh(Surface (*make)(), int material) {
    const auto key = std::make_pair(make, material);
    const auto known = unit_meshes_.find(key);
    if (known != unit_meshes_.end()) return known->second;
    return unit_meshes_[key] = add_mesh(make(), material);
  }

  void add_shape(int holder, const Shape& shape) {
    const int place = add_node(holder, {{"translation", to_json(shape.position)},
                                        {"rotation", to_json(Eigen::Quaterniond(shape.orientation).normalized())}});
    const int look = material(shape.colour.value_or(Colour{}), shape.opacity);
    std::visit([&](const auto& geometry) { add_geometry(place, geometry, look); }, shape.geometry);
  }
  void add_scaled(int place, Surface (*make)(), int look, const Eigen::Vector3d& scale,
                  const Eigen::Vector3d& position = Eigen::Vector3d::Zero()) {
    add_node(place, {{"mesh", unit_mesh(make, look)}, {"scale", to_json(scale)}, {"translation", to_json(position)}});
  }
  void add_geometry(int place, const shape::Box& x, int look) { add_scaled(place, unit_box, look, x.size); }
  void add_geometry(int place, const shape::Sphere& x, int look) {
    add_scaled(place, unit_sphere, look, Eigen::Vector3d::Constant(x.radius));
  }
  void add_geometry(int place, const shape::Cylinder& x, int look) {
    add_scaled(place, unit_cylinder, look, {x.radius, x.radius, x.length});
  }
  void add_geometry(int place, const shape::Capsule& x, int look) {
    add_scaled(place, unit_cylinder, look, {x.radius, x.radius, x.length});
    for (const double side : {-0.5, 0.5})
      add_scaled(place, unit_sphere, look, Eigen::Vector3d::Constant(x.radius), {0, 0, side * x.length});
  }
  void add_geometry(int place, const shape::Bar& x, int look) {
    const Stretched at = between(x.from, x.to);
    add_node(place, {{"mesh", unit_mesh(unit_cylinder, look)},
                     {"scale", to_json({x.radius, x.radius, at.length})},
                     {"translation", to_json(at.middle)},
                     {"rotation", to_json(at.turned)}});
  }
  template <class Geometry>
  void add_geometry(int place, const Geometry& x, int look) {
    const Surface surface = surface_of(x);
    if (!surface.vertices.empty()) add_node(place, {{"mesh", add_mesh(surface, look)}});
  }

  void add_segment(const Scene::Link& link, std::size_t k) {
    const int look = material(link.colour, 1);
    Segment segment;
    segment.from = link.ends[k];
    segment.to = link.ends[k + 1];
    int mesh = 0;
    switch (link.kind) {
      case Scene::Link::Kind::bar:
        mesh = unit_mesh(unit_cylinder, look);
        segment.radius = 0.008 * scene_.size;
        break;
      case Scene::Link::Kind::spring:
        mesh = unit_mesh(unit_coil, look);
        segment.radius = 0.022 * scene_.size;
        break;
      case Scene::Link::Kind::line:
        mesh = unit_mesh(unit_line, look);
        break;
    }
    segment.node = add_node(0, {{"name", link.name}, {"mesh", mesh}});
    segments_.push_back(segment);
  }
  static Eigen::Vector3d point_of(const Scene::Link::End& end, const std::vector<BodyPose>& poses) {
    if (end.body < 0) return end.point;
    const BodyPose& pose = poses[static_cast<std::size_t>(end.body)];
    return pose.position + pose.attitude * end.point;
  }

  static void write_number(std::ostream& out, std::size_t number) {
    const auto bytes = std::bit_cast<std::array<char, 4>>(static_cast<std::uint32_t>(number));
    out.write(bytes.data(), bytes.size());
  }
  /// Chunks fill up to whole words, JSON with spaces (4.4.3).
  void write_chunks(std::ostream& out, std::string json) const {
    json.append((4 - json.size() % 4) % 4, ' ');
    const std::string& bytes = buffer_.bytes();  // of whole words
    out << "glTF";
    write_number(out, 2);
    write_number(out, 12 + 8 + json.size() + 8 + bytes.size());
    write_number(out, json.size());
    out << "JSON" << json;
    write_number(out, bytes.size());
    out << "BIN" << '\0' << bytes;
  }

  const Scene& scene_;
  Buffer buffer_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array();
  std::map<std::tuple<double, double, double, double>, int> material_numbers_;
  std::map<std::pair<Surface (*)(), int>, int> unit_meshes_;
  std::vector<int> body_nodes_;
  int ground_node_ = 0;
  std::vector<Segment> segments_;
  std::vector<Track> body_tracks_;
  std::vector<float> times_;
};

}  // namespace gltf

void write_gltf(const Trajectory& path, const std::string& file, const GltfOptions& options) {
  AtomicFile out(file);
  write_gltf(path, out.stream(), options);
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
}

void write_gltf(const Trajectory& path, std::ostream& out, const GltfOptions& options) {
  const OutputPoints frames = frame_times("write_gltf", path, options.frames_per_second);
  const Scene scene = make_scene(path.equations(), options.drawing, reach_of(path));
  gltf::File file(scene);
  std::vector<BodyPose> poses;
  path.visit(frames, [&](const State& state, EquationsOfMotion& equations) {
    read_poses(equations, state, poses);
    add_carriers(scene, state.t, poses);
    file.add_frame(state.t, poses);
  });
  file.write(out);
}

}  // namespace linkwork
