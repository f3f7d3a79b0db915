#include <linkwork/solvers/pictures/scene.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/nearest_names.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/default_shapes.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace linkwork {
namespace {

constexpr Colour grey{0.45, 0.45, 0.48}, steel{0.25, 0.28, 0.33}, spring_green{0.20, 0.55, 0.30};
/// Of bodies, one after the other; told apart by people who see red and green alike.
constexpr Colour body_colours[] = {{0.31, 0.47, 0.65}, {0.95, 0.56, 0.17}, {0.46, 0.72, 0.70}, {0.88, 0.34, 0.35},
                                   {0.93, 0.79, 0.28}, {0.69, 0.48, 0.63}, {0.61, 0.46, 0.37}, {0.73, 0.69, 0.67}};

/// Makes the scene of a model.
template <class Space>
class SceneMaker {
 public:
  SceneMaker(const ModelData<Space>& data, const Drawing& drawing) : data_(data), drawing_(drawing) {}

  Scene make() {
    check_names();
    scene_.title = data_.name;
    scene_.is_planar = Space::dimension == 2;
    scene_.gravity = in_space(data_.gravity);
    find_points();
    measure_size();
    for (std::size_t i = 0; i < data_.bodies.size(); ++i) add_body(static_cast<int>(i));
    if (!is_hidden("ground")) add_drawn("ground", -1, grey);
    for (const auto& entry : data_.constraints) add_constraint(entry);
    for (const auto& entry : data_.forces) add_force(entry);
    return std::move(scene_);
  }

 private:
  void check_names() const {
    std::vector<std::string_view> known = {"ground"}, bodies = {"ground"};
    for (const auto& [name, id] : data_.elements) {
      known.push_back(name);
      if (id.kind == ElementKind::body) bodies.push_back(name);
    }
    const auto check = [&](const std::string& name, const std::vector<std::string_view>& names, const char* what) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw ModelError(concat("Drawing: model '", data_.name, "' has no ", what, " '", name,
                                "'; there are: ", nearest_names(name, names), "."));
    };
    for (const auto& [name, shapes] : drawing_.shapes()) check(name, bodies, "body");
    for (const auto& [name, colour] : drawing_.colours()) check(name, known, "element");
    for (const std::string& name : drawing_.hidden()) check(name, known, "element");
  }
  bool is_hidden(const std::string& name) const { return drawing_.hidden().contains(name); }
  Colour colour_of(const std::string& name, const Colour& own) const {
    const auto found = drawing_.colours().find(name);
    return found == drawing_.colours().end() ? own : found->second;
  }

  /// Where joints, constraints and forces meet the bodies.
  void find_points() {
    points_.resize(data_.bodies.size());
    for (const auto& entry : data_.constraints) add_points(entry.constraint->frames());
    for (const auto& entry : data_.forces) add_points(entry.force->frames());
  }
  void add_points(const std::vector<Frame<Space>>& frames) {
    for (const Frame<Space>& frame : frames) {
      if (frame.body < 0) continue;
      auto& known = points_[static_cast<std::size_t>(frame.body)];
      const Eigen::Vector3d point = in_space(Vector<Space>(frame.offset));
      if (std::none_of(known.begin(), known.end(), [&](const auto& other) { return (other - point).norm() < 1e-9; }))
        known.push_back(point);
    }
  }
  /// The diagonal of all that is placed; of what bodies reach where nothing is.
  void measure_size() {
    Eigen::AlignedBox3d placed;
    double reach = 0;
    for (std::size_t i = 0; i < data_.bodies.size(); ++i) {
      const BodyEntry<Space>& body = data_.bodies[i];
      const Eigen::Vector3d at = in_space(Vector<Space>(body.pose.position));
      const Eigen::Quaterniond turned = in_space(Orientation<Space>(body.orientation));
      placed.extend(at);
      for (const Eigen::Vector3d& point : points_[i]) {
        placed.extend(at + turned * point);
        reach = std::max(reach, point.norm());
      }
    }
    const double diagonal = placed.isEmpty() ? 0.0 : placed.diagonal().norm();
    scene_.size = std::max(diagonal, reach) > 0 ? std::max(diagonal, reach) : 1.0;
  }

  void add_body(int index) {
    const BodyEntry<Space>& entry = data_.bodies[static_cast<std::size_t>(index)];
    scene_.bodies.push_back(entry.name);
    if (is_hidden(entry.name)) return;
    const Colour own = body_colours[static_cast<std::size_t>(index) % std::size(body_colours)];
    if (add_drawn(entry.name, index, own)) return;
    add_part(entry.name, index, default_shapes(look_of(index), scene_.size), own);
  }
  BodyLook look_of(int index) const {
    const Body<Space>& body = *data_.bodies[static_cast<std::size_t>(index)].body;
    double heaviest = 0;
    for (const auto& other : data_.bodies) heaviest = std::max(heaviest, other.body->mass());
    BodyLook look;
    look.mass = body.mass();
    look.share_of_mass = heaviest > 0 ? body.mass() / heaviest : 1;
    look.rotates = body.rotates();
    look.is_planar = Space::dimension == 2;
    look.center_of_mass = in_space(body.center_of_mass());
    if (body.rotates()) look.inertia.bottomRightCorner(Space::angular, Space::angular) = body.inertia();
    look.points = points_[static_cast<std::size_t>(index)];
    return look;
  }

  /// What the drawing has for a body. @return whether there is anything
  bool add_drawn(const std::string& name, int body, const Colour& own) {
    const auto found = drawing_.shapes().find(name);
    if (found == drawing_.shapes().end()) return false;
    add_part(name, body, found->second, own);
    return true;
  }
  void add_part(const std::string& name, int body, std::vector<Shape> shapes, const Colour& own) {
    for (Shape& shape : shapes)
      if (!shape.colour) shape.colour = colour_of(name, own);
    scene_.parts.push_back({name, body, std::move(shapes)});
  }

  typename Scene::Link::End end_of(const Frame<Space>& frame) const {
    return {frame.body, in_space(Vector<Space>(frame.offset))};
  }
  void add_link(const std::string& name, Scene::Link::Kind kind, const std::vector<Frame<Space>>& frames,
                const Colour& own) {
    Scene::Link link{name, kind, {}, colour_of(name, own)};
    for (const Frame<Space>& frame : frames) link.ends.push_back(end_of(frame));
    scene_.links.push_back(std::move(link));
  }

  void add_constraint(const ConstraintEntry<Space>& entry) {
    if (is_hidden(entry.name)) return;
    const std::vector<Frame<Space>>& frames = entry.constraint->frames();
    if (entry.joint)
      add_joint(entry);
    else if (entry.constraint->type() == "rod")
      add_link(entry.name, Scene::Link::Kind::bar, frames, steel);
  }
  /// What turns is a pin along its axis, what slides a block, what does both ways a ball.
  void add_joint(const ConstraintEntry<Space>& entry) {
    if (entry.joint->freedoms() == Space::n) return;  // bound to nothing
    const Frame<Space>& son = entry.constraint->frames().back();
    const double s = 0.014 * scene_.size;
    Shape shape{.geometry = shape::Sphere{1.1 * s}, .position = in_space(Vector<Space>(son.offset))};
    if (const auto motion = entry.joint->constant_motion(); motion && motion->S.cols() == 1) {
      const Components<Space> S = motion->S.col(0);
      Eigen::Vector3d turning = Eigen::Vector3d::Zero();
      turning.tail(Space::angular) = S.template head<Space::angular>();
      const Eigen::Vector3d sliding = in_space(Vector<Space>(S.template tail<Space::dimension>()));
      const bool turns = turning.norm() > 0;
      shape.orientation = in_space(Orientation<Space>(son.orientation)) *
                          Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), turns ? turning : sliding);
      if (turns)
        shape.geometry = shape::Cylinder{s, 3 * s};
      else
        shape.geometry = shape::Box{{2 * s, 2 * s, 4 * s}};
    }
    add_part(entry.name, son.body, {shape}, steel);
  }
  void add_force(const ForceEntry<Space>& entry) {
    const std::vector<Frame<Space>>& frames = entry.force->frames();
    if (is_hidden(entry.name) || frames.size() < 2) return;
    const bool is_spring = entry.force->type().find("spring") != std::string_view::npos;
    add_link(entry.name, is_spring ? Scene::Link::Kind::spring : Scene::Link::Kind::line, frames, spring_green);
  }

  const ModelData<Space>& data_;
  const Drawing& drawing_;
  Scene scene_;
  std::vector<std::vector<Eigen::Vector3d>> points_;  // by body
};

bool is_finite(const Shape& shape) {
  const auto finite = [](const auto&... lengths) { return (std::isfinite(lengths) && ...); };
  struct Check {
    decltype(finite)& lengths;
    bool operator()(const shape::Box& x) const { return x.size.allFinite(); }
    bool operator()(const shape::Sphere& x) const { return lengths(x.radius); }
    bool operator()(const shape::Cylinder& x) const { return lengths(x.radius, x.length); }
    bool operator()(const shape::Capsule& x) const { return lengths(x.radius, x.length); }
    bool operator()(const shape::Bar& x) const { return x.from.allFinite() && x.to.allFinite() && lengths(x.radius); }
    bool operator()(const shape::Polyline& x) const { return all_of(x.points); }
    bool operator()(const shape::Mesh& x) const {
      const auto count = static_cast<int>(x.vertices.size());
      return all_of(x.vertices) && std::all_of(x.triangles.begin(), x.triangles.end(), [&](const auto& corners) {
               return std::all_of(corners.begin(), corners.end(), [&](int i) { return i >= 0 && i < count; });
             });
    }
    static bool all_of(const std::vector<Eigen::Vector3d>& points) {
      return std::all_of(points.begin(), points.end(), [](const auto& point) { return point.allFinite(); });
    }
  };
  return shape.position.allFinite() && finite(shape.opacity) && std::visit(Check{finite}, shape.geometry);
}

}  // namespace

Scene make_scene(const EquationsOfMotion& equations, const Drawing& drawing) {
  for (const auto& [name, shapes] : drawing.shapes())
    if (!std::all_of(shapes.begin(), shapes.end(), is_finite))
      throw ModelError(concat("Drawing: a shape of '", name,
                              "' has a length that is not finite, or a triangle without a vertex; check its numbers."));
  return std::visit([&](const auto* data) { return SceneMaker(*data, drawing).make(); }, model_data_of(equations));
}

}  // namespace linkwork
