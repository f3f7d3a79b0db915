#include <linkwork/solvers/pictures/scene.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/nearest_names.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/contact_curves.hpp>
#include <linkwork/solvers/pictures/default_shapes.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace linkwork {
namespace {

constexpr Colour grey{0.45, 0.45, 0.48}, steel{0.25, 0.28, 0.33}, spring_green{0.20, 0.55, 0.30},
    contact_brown{0.55, 0.38, 0.20};
/// Of bodies, one after the other; told apart by people who see red and green alike.
constexpr Colour body_colours[] = {{0.31, 0.47, 0.65}, {0.95, 0.56, 0.17}, {0.46, 0.72, 0.70}, {0.88, 0.34, 0.35},
                                   {0.93, 0.79, 0.28}, {0.69, 0.48, 0.63}, {0.61, 0.46, 0.37}, {0.73, 0.69, 0.67}};

/// That elements of these names are there.
template <class Space>
void check_names(const ModelData<Space>& data, const Drawing& drawing) {
  std::vector<std::string_view> known = {"ground"}, bodies = {"ground"};
  for (const auto& [name, id] : data.elements) {
    known.push_back(name);
    if (id.kind == ElementKind::body) bodies.push_back(name);
  }
  const auto check = [&](const std::string& name, const std::vector<std::string_view>& names, const char* what) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw ModelError(concat("Drawing: model '", data.name, "' has no ", what, " '", name,
                              "'; there are: ", nearest_names(name, names), "."));
  };
  for (const auto& [name, shapes] : drawing.shapes()) check(name, bodies, "body");
  for (const auto& [name, colour] : drawing.colours()) check(name, known, "element");
  for (const std::string& name : drawing.hidden()) check(name, known, "element");
}

/// Makes the scene of a model.
template <class Space>
class SceneMaker {
 public:
  SceneMaker(const ModelData<Space>& data, const Drawing& drawing, double reach)
      : data_(data), drawing_(drawing), reach_(reach) {}

  Scene make() {
    scene_.title = data_.name;
    scene_.is_planar = Space::dimension == 2;
    scene_.gravity = in_space(data_.gravity);
    find_points();
    measure_size();
    for (std::size_t i = 0; i < data_.bodies.size(); ++i) add_body(static_cast<int>(i));
    if (!is_hidden("ground")) add_drawn("ground", -1, grey);
    for (const auto& entry : data_.constraints) add_constraint(entry);
    for (const auto& entry : data_.forces) add_force(entry);
    for (const auto& entry : data_.constraints) add_outlines(entry.name, *entry.constraint);
    for (const auto& entry : data_.forces) add_outlines(entry.name, *entry.force);
    return std::move(scene_);
  }

 private:
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
                          turn_between(Eigen::Vector3d::UnitZ(), turns ? turning : sliding);
      if (turns)
        shape.geometry = shape::Cylinder{s, 3 * s};
      else
        shape.geometry = shape::Box{{2 * s, 2 * s, 4 * s}};
    }
    add_part(entry.name, son.body, {shape}, steel);
  }
  void add_force(const ForceEntry<Space>& entry) {
    const std::vector<Frame<Space>>& frames = entry.force->frames();
    const auto is_a = [&](std::string_view what) { return entry.force->type().find(what) != std::string_view::npos; };
    // Between bodies that touch somewhere, a line from frame to frame would show nothing that is there.
    const bool acts_where_they_touch = is_a("contact") || is_a("tyre") || is_a("creep");
    if (is_hidden(entry.name) || frames.size() < 2 || acts_where_they_touch) return;
    const bool is_spring = is_a("spring");
    add_link(entry.name, is_spring ? Scene::Link::Kind::spring : Scene::Link::Kind::line, frames, spring_green);
  }

  /// The curves of contacts. Several elements may touch one profile: it is drawn once.
  template <class Element>
  void add_outlines(const std::string& name, const Element& element) {
    if (is_hidden(name)) return;
    for (const Outline& outline : element.outlines())
      add_outline(name, element.frames()[static_cast<std::size_t>(outline.frame)], outline);
  }
  void add_outline(const std::string& name, const Frame<Space>& frame, const Outline& outline) {
    const double reach = std::max(scene_.size, reach_);
    Outlined now{frame, outline, signature(outline, reach)};
    for (const Outlined& known : outlined_)
      if (is_same(known, now)) return;
    outlined_.push_back(now);
    const Eigen::Vector3d offset = in_space(Vector<Space>(frame.offset));
    const Eigen::Quaterniond orientation = in_space(Orientation<Space>(frame.orientation));
    std::vector<Shape> shapes;
    for (shape::Polyline& line : lines_of(outline, reach)) {
      Shape shape{.geometry = std::move(line)};
      if (!outline.turning) shape.position = offset, shape.orientation = orientation;
      shapes.push_back(std::move(shape));
    }
    if (shapes.empty()) return;
    int body = frame.body;
    if (outline.turning) {
      body = static_cast<int>(data_.bodies.size() + scene_.carriers.size());
      scene_.carriers.push_back({{frame.body, offset}, orientation, *outline.turning});
    }
    add_part(name, body, std::move(shapes), contact_brown);
  }
  struct Outlined {
    Frame<Space> frame;
    Outline outline;
    std::vector<double> signature;
  };
  /// Numbers that outlines of one curve, or one area, have in common.
  static std::vector<double> signature(const Outline& outline, double reach) {
    constexpr int places = 24;
    std::vector<double> out;
    if (outline.turning) out.push_back((*outline.turning)(Instant(0.37)).value);
    try {
      for (int i = 0; i < places; ++i) {
        if (outline.curve)
          for (const double x : outline.curve(outline.start + 0.1 * i)) out.push_back(x);
        for (int j = 0; outline.contains && j < places; ++j)
          out.push_back(outline.contains({(i - 11.5) / 12 * reach, (j - 11.5) / 12 * reach}));
      }
    } catch (const RecoverableFailure&) {  // as far as it is defined
    }
    return out;
  }
  static bool is_same(const Outlined& a, const Outlined& b) {
    return a.frame.body == b.frame.body && Vector<Space>(a.frame.offset) == Vector<Space>(b.frame.offset) &&
           a.signature == b.signature && a.outline.turning.has_value() == b.outline.turning.has_value() &&
           in_space(Orientation<Space>(a.frame.orientation))
               .isApprox(in_space(Orientation<Space>(b.frame.orientation)), 1e-12);
  }

  const ModelData<Space>& data_;
  const Drawing& drawing_;
  double reach_;
  Scene scene_;
  std::vector<Outlined> outlined_;
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

void check_drawing(const EquationsOfMotion& equations, const Drawing& drawing) {
  std::visit([&](const auto* data) { check_names(*data, drawing); }, model_data_of(equations));
  for (const auto& [name, shapes] : drawing.shapes())
    if (!std::all_of(shapes.begin(), shapes.end(), is_finite))
      throw ModelError(concat("Drawing: a shape of '", name,
                              "' has a length that is not finite, or a triangle without a vertex; check its numbers."));
}

Scene make_scene(const EquationsOfMotion& equations, const Drawing& drawing, double reach) {
  check_drawing(equations, drawing);
  return std::visit([&](const auto* data) { return SceneMaker(*data, drawing, reach).make(); },
                    model_data_of(equations));
}

double reach_of(const Trajectory& path) {
  const auto has_outlines = [](const auto* data) {
    return std::any_of(data->constraints.begin(), data->constraints.end(),
                       [](const auto& entry) { return !entry.constraint->outlines().empty(); }) ||
           std::any_of(data->forces.begin(), data->forces.end(),
                       [](const auto& entry) { return !entry.force->outlines().empty(); });
  };
  if (!std::visit(has_outlines, model_data_of(path.equations()))) return 0;
  Eigen::AlignedBox3d box;
  std::vector<BodyPose> poses;
  constexpr int looks = 40;
  const bool moves = path.t_end() > path.t_begin();
  path.visit(moves ? OutputPoints::equidistant(looks) : OutputPoints::given({path.t_begin()}),
             [&](const State& state, EquationsOfMotion& equations) {
               read_poses(equations, state, poses);
               for (const BodyPose& pose : poses)
                 if (pose.position.allFinite()) box.extend(pose.position);
             });
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

void add_carriers(const Scene& scene, double t, std::vector<BodyPose>& poses) {
  for (const Scene::Carrier& carrier : scene.carriers) {
    const BodyPose body = carrier.at.body < 0 ? BodyPose() : poses[static_cast<std::size_t>(carrier.at.body)];
    const Eigen::Quaterniond turned = in_space(carrier.turning(Instant(t)).value);
    poses.push_back({body.position + body.attitude * carrier.at.point, body.attitude * carrier.orientation * turned});
  }
}

}  // namespace linkwork
