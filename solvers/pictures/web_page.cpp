#include <linkwork/solvers/pictures/web_page.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/measure.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/force_arrows.hpp>
#include <linkwork/solvers/pictures/frame_times.hpp>
#include <linkwork/solvers/pictures/graph_description.hpp>
#include <linkwork/solvers/pictures/page_parts.hpp>
#include <linkwork/solvers/pictures/scene.hpp>
#include <linkwork/solvers/simulation/columns.hpp>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

namespace linkwork {
namespace {

using Json = nlohmann::json;

/// The bytes of numbers, as they lie in memory on every machine that browsers run on, in base64 (RFC 4648).
template <class Number>
std::string base64(const std::vector<Number>& numbers) {
  using namespace boost::archive::iterators;
  using Letters = base64_from_binary<transform_width<const char*, 6, 8>>;
  std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  bytes.append(padding, '\0');
  std::string out(Letters(bytes.data()), Letters(bytes.data() + bytes.size()));
  std::fill(out.end() - static_cast<std::ptrdiff_t>(padding), out.end(), '=');
  return out;
}

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

Json to_json(const Scene& scene) {
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

/// A quantity at all frames: what it is more than its first value, so that single precision shows small changes too.
struct Curve {
  std::string name, unit = {};
  double offset = std::numeric_limits<double>::quiet_NaN();
  std::vector<float> values = {};

  void add(double value) {
    if (!std::isfinite(offset) && std::isfinite(value)) offset = value;
    values.push_back(static_cast<float>(value - offset));
  }
};
/// One that is drawn on a logarithmic scale.
Curve from_zero(const std::string& name) { return {.name = name, .offset = 0}; }

Json chart(const std::string& title, const std::vector<const Curve*>& curves) {
  Json list = Json::array();
  for (const Curve* curve : curves)
    list.push_back({{"name", curve->name},
                    {"offset", std::isfinite(curve->offset) ? curve->offset : 0.0},
                    {"values", base64(curve->values)}});
  return {{"title", title}, {"curves", list}};
}

/// Residuals of the constraints on all three levels, at ends of steps as the integrator has left them; accelerations
/// are those of the equations there.
class ResidualCurves {
 public:
  explicit ResidualCurves(const Trajectory& path) {
    if (path.equations().dimensions().constraints() == 0) return;
    path.visit(ends_of_steps(path), [&](const State& state, EquationsOfMotion& at) { read(state, at); });
  }

  void add_to(Json& charts) const {
    if (times_.empty()) return;
    std::vector<const Curve*> seen;
    for (const Curve& curve : curves_)
      if (std::any_of(curve.values.begin(), curve.values.end(), [](float value) { return value > 0; }))
        seen.push_back(&curve);
    if (seen.empty()) return;
    Json out = chart("residuals of the constraints", seen);
    out.update({{"t", base64(times_)}, {"logarithmic", true}});
    charts.push_back(out);
  }

 private:
  /// Some of them where they are many.
  static OutputPoints ends_of_steps(const Trajectory& path) {
    const std::vector<TrajectorySegment>& segments = path.segments();
    constexpr std::size_t most = 500;
    const std::size_t stride = 1 + segments.size() / most;
    std::vector<double> times;
    for (std::size_t i = 0; i < segments.size(); i += stride)
      if (times.empty() || segments[i].end.t > times.back()) times.push_back(segments[i].end.t);
    return OutputPoints::given(std::move(times));
  }
  void read(const State& state, EquationsOfMotion& equations) {
    times_.push_back(state.t);
    ConstraintResidual off{unknown, unknown, unknown, unknown, unknown};
    std::array<double, 2> acceleration{unknown, unknown};
    try {
      off = equations.constraint_residual();
      acceleration = acceleration_residual(state, equations);
    } catch (const RecoverableFailure&) {  // a gap
    }
    const std::array<double, 6> values{off.position_m,         off.position_rad, off.velocity_m_per_s,
                                       off.velocity_rad_per_s, acceleration[0],  acceleration[1]};
    for (std::size_t i = 0; i < values.size(); ++i) curves_[i].add(values[i]);
  }
  /// Of lengths and of angles.
  static std::array<double, 2> acceleration_residual(const State& state, EquationsOfMotion& equations) {
    Eigen::VectorXd off = -equations.gamma();
    equations.G().multiply_add(1.0, state.a, off);
    std::array<double, 2> out{};
    for (int row = 0; row < static_cast<int>(off.size()); ++row) {
      double& largest = out[equations.constraint_measure(row) == Measure::angle];
      largest = std::isfinite(off[row]) ? std::max(largest, std::abs(off[row])) : off[row];
    }
    return out;
  }

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> times_;
  std::array<Curve, 6> curves_{from_zero("position [m]"),         from_zero("position [rad]"),
                               from_zero("velocity [m/s]"),       from_zero("velocity [rad/s]"),
                               from_zero("acceleration [m/s^2]"), from_zero("acceleration [rad/s^2]")};
};

/// Lengths and orders of the steps that were tried, where they begin; where the run tells of none, the lengths of its
/// segments.
void add_steps(const Trajectory& path, Json& charts) {
  std::vector<double> times;
  Curve accepted = from_zero("step"), rejected = from_zero("rejected"), order = from_zero("order");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const StepAttempt& attempt : path.attempts()) {
    times.push_back(attempt.t);
    accepted.add(attempt.accepted ? attempt.step : none);
    rejected.add(attempt.accepted ? none : attempt.step);
    order.add(attempt.accepted ? attempt.order : none);
  }
  const bool knows_attempts = !times.empty();
  if (!knows_attempts)
    for (const TrajectorySegment& segment : path.segments()) {
      if (!(segment.end.t > segment.begin.t)) continue;
      times.push_back(segment.begin.t);
      accepted.add(segment.end.t - segment.begin.t);
    }
  if (times.empty()) return;
  const std::string t = base64(times);
  if (knows_attempts) {
    Json orders = chart("order", {&order});
    orders.update({{"t", t}, {"marks", true}, {"connected", true}});
    charts.push_back(orders);
  }
  std::vector<const Curve*> lengths{&accepted};
  if (knows_attempts) lengths.push_back(&rejected);
  Json steps = chart("lengths of steps [s]", lengths);
  steps.update({{"t", t}, {"logarithmic", true}, {"marks", true}, {"connected", true}});
  if (knows_attempts) steps["curves"][1]["points"] = true;
  charts.push_back(steps);
}

/// Forces or torques of an arrow, x, y, z by frame.
using ArrowVectors = std::vector<float> ForceArrows::Arrow::*;

float largest_component(const std::vector<float>& vectors) {
  float largest = 0;
  for (const float x : vectors)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

/// What an arrow has to exceed. Reactions are solved for, and have by rounding what they do not transmit; force
/// elements tell what they put on bodies.
float noise_of(const ForceArrows::Arrow& arrow, float noise_of_reactions) {
  return arrow.is_reaction ? noise_of_reactions : 0;
}

/// What nearly all vectors stay below, of arrows that show more than noise: the peaks of impacts would leave no more
/// than dots of the others. 0 where there are none.
float usual_size(const ForceArrows& forces, ArrowVectors vectors, float noise_of_reactions) {
  std::vector<float> sizes;
  for (const ForceArrows::Arrow& arrow : forces.arrows()) {
    const std::vector<float>& list = arrow.*vectors;
    if (!(largest_component(list) > noise_of(arrow, noise_of_reactions))) continue;
    for (std::size_t k = 0; k + 2 < list.size(); k += 3)
      if (const float size = Eigen::Vector3f::Map(&list[k]).norm(); size > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return 0;
  const auto usual = sizes.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), usual, sizes.end());
  return *usual;
}

/// Shares of each arrow's largest component, which whole numbers of two bytes tell well enough for a picture.
Json to_json(const ForceArrows& forces, ArrowVectors vectors, float noise_of_reactions) {
  constexpr double largest_number = 32767;
  constexpr std::int16_t not_known = -32768;
  const float usual = usual_size(forces, vectors, noise_of_reactions);
  Json list = Json::array();
  for (const ForceArrows::Arrow& arrow : forces.arrows()) {
    const float largest = largest_component(arrow.*vectors);
    if (!(largest > std::max(noise_of(arrow, noise_of_reactions), 1e-6f * usual))) continue;
    std::vector<std::int16_t> shares;
    for (const float x : arrow.*vectors)
      shares.push_back(std::isfinite(x) ? static_cast<std::int16_t>(std::lround(x / largest * largest_number))
                                        : not_known);
    list.push_back({{"name", arrow.name},
                    {"reaction", arrow.is_reaction},
                    {"body", arrow.body},
                    {"point", to_json(arrow.point)},
                    {"unit", largest / largest_number},
                    {"shares", base64(shares)}});
  }
  return {{"usual", usual}, {"list", list}};
}

/// Where a joint transmits no torque, its reaction has one by rounding.
float noise_of_torques(const ForceArrows& forces, double length) {
  return 1e-6f * usual_size(forces, &ForceArrows::Arrow::forces, 0) * static_cast<float>(length);
}

/// Reads the run, frame after frame.
class FrameReader {
 public:
  FrameReader(const Trajectory& path, const WebPageOptions& options)
      : path_(path), columns_(path.equations(), path.segments()), residuals_(path) {
    const EquationsOfMotion& equations = path.equations();
    try {
      scene_ = make_scene(equations, options.drawing, reach_of(path));
      if (options.forces) forces_ = ForceArrows(equations, options.drawing);
    } catch (const ModelError&) {
      if (!is_posed_directly(equations)) throw;
      scene_.title = equations.model_name();
    }
    choose_curves(options.curves);
    poses_.resize(scene_.bodies.size());
    path.visit(frame_times("write_html", path, options.frames_per_second),
               [&](const State& state, EquationsOfMotion& at) { read(state, at); });
  }

  Json page(const WebPageOptions& options) const {
    Json out = to_json(scene_), charts = Json::array(), events = Json::array();
    add_chosen(charts);
    charts.push_back(chart("energy [J]", {&kinetic_, &potential_, &total_}));
    residuals_.add_to(charts);
    add_steps(path_, charts);
    for (const EventRecord& event : path_.events()) events.push_back({{"name", event.name}, {"t", event.t}});
    out.update({{"subtitle", options.subtitle},
                {"charts", charts},
                {"graph", describe_graph(path_.equations())},
                {"events", events},
                {"forces", to_json(forces_, &ForceArrows::Arrow::forces, 0)},
                {"torques", to_json(forces_, &ForceArrows::Arrow::torques, noise_of_torques(forces_, scene_.size))},
                {"early", sentence_of_early_end(options)},
                {"frames", {{"t", base64(times_)}, {"centre", base64(centres_)}, {"poses", base64(relative_)}}}});
    return out;
  }

 private:
  void choose_curves(const std::vector<std::string>& patterns) {
    chosen_ = columns_.as_curves("write_html", patterns);
    for (const std::size_t i : chosen_) curves_.push_back({.name = columns_[i].name, .unit = columns_[i].unit});
    row_.resize(chosen_.size());
  }
  /// Curves of one kind and unit share a chart.
  void add_chosen(Json& charts) const {
    std::vector<std::pair<std::string, std::vector<const Curve*>>> groups;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const std::string title = columns_.title_of_chart(chosen_[k]);
      const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == title; });
      (known == groups.end() ? groups.emplace_back(title, std::vector<const Curve*>()) : *known)
          .second.push_back(&curves_[k]);
    }
    for (const auto& [title, curves] : groups) charts.push_back(chart(title, curves));
  }

  void read(const State& state, EquationsOfMotion& equations) {
    times_.push_back(state.t);
    if (!poses_.empty()) {
      read_poses(equations, state, poses_);
      add_carriers(scene_, state.t, poses_);
      keep_poses();
    } else {
      centres_.insert(centres_.end(), 3, 0.0);
    }
    keep_values(state, equations);
    forces_.read(equations, state);
    keep_energy(state, equations);
  }
  /// Single precision about a point between the bodies is enough; about the ground it would not be, far away.
  void keep_poses() {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (const BodyPose& pose : poses_) centre += pose.position / static_cast<double>(poses_.size());
    if (!centre.allFinite()) centre.setZero();
    for (const double x : centre) centres_.push_back(x);
    for (const auto& [position, q] : poses_) {
      for (const double x : Eigen::Vector3d(position - centre)) relative_.push_back(static_cast<float>(x));
      for (const double x : {q.w(), q.x(), q.y(), q.z()}) relative_.push_back(static_cast<float>(x));
    }
  }
  void keep_values(const State& state, EquationsOfMotion& equations) {
    try {
      columns_.read(state, equations, chosen_, row_);
    } catch (const RecoverableFailure&) {  // a gap
      std::fill(row_.begin(), row_.end(), unknown);
    }
    for (std::size_t k = 0; k < row_.size(); ++k) curves_[k].add(row_[k]);
  }
  void keep_energy(const State& state, EquationsOfMotion& equations) {
    Energies energy{unknown, unknown, unknown};
    try {
      equations.set(state);
      energy = equations.energies();
    } catch (const RecoverableFailure&) {  // a gap
    }
    kinetic_.add(energy.kinetic);
    potential_.add(energy.potential);
    total_.add(energy.kinetic + energy.potential);
  }

  std::string sentence_of_early_end(const WebPageOptions& options) const {
    if (options.reason.empty()) return "";
    return concat("The run came to t = ", path_.t_end(), " s",
                  options.t_end ? concat(" of ", *options.t_end, " s") : "", ": ", options.reason);
  }

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Trajectory& path_;
  Columns columns_;
  ResidualCurves residuals_;
  Scene scene_;
  ForceArrows forces_;
  std::vector<BodyPose> poses_;
  std::vector<double> times_, centres_, row_;
  std::vector<float> relative_;
  std::vector<std::size_t> chosen_;  // columns
  std::vector<Curve> curves_;        // of them
  Curve kinetic_{"kinetic", "J"}, potential_{"potential", "J"}, total_{"total", "J"};
};

/// As it may stand in a page: letters of other languages as numbers, and nothing that begins a tag.
std::string data_text(const Json& json) {
  std::string text = json.dump(-1, ' ', /*ensure_ascii*/ true, Json::error_handler_t::replace);
  boost::replace_all(text, "<", "\\u003c");
  return text;
}

}  // namespace

void write_html(const Trajectory& path, const std::string& file, const WebPageOptions& options) {
  AtomicFile out(file);
  write_html(path, out.stream(), options);
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
}

void write_html(const Trajectory& path, std::ostream& out, const WebPageOptions& options) {
  require_page_scripts();
  const Json data = FrameReader(path, options).page(options);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
         "style-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title></title>\n"
      << "<style>" << dygraphs_css() << '\n'
      << page_css << "</style>\n</head>\n<body>\n"
      << page_body;
  for (const std::string& script : {three_js(), orbit_controls_js(), dygraphs_js()})
    out << "<script>" << script << "\n</script>\n";
  out << "<script id=\"data\" type=\"application/json\">" << data_text(data) << "</script>\n"
      << "<script>\n"
      << page_graph_js << "</script>\n<script>\n"
      << page_js << "</script>\n</body>\n</html>\n";
}

}  // namespace linkwork
