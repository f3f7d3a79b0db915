#include <linkwork/solvers/pictures/web_page.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/measure.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/nearest_names.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/frame_times.hpp>
#include <linkwork/solvers/pictures/graph_description.hpp>
#include <linkwork/solvers/pictures/observable_units.hpp>
#include <linkwork/solvers/pictures/page_parts.hpp>
#include <linkwork/solvers/pictures/scene.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

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
          {"links", links}};
}

/// A quantity at all frames: what it is more than its first value, so that single precision shows small changes too.
struct Curve {
  std::string name, unit;
  double offset = std::numeric_limits<double>::quiet_NaN();
  std::vector<float> values = {};

  void add(double value) {
    if (!std::isfinite(offset) && std::isfinite(value)) offset = value;
    values.push_back(static_cast<float>(value - offset));
  }
};

Json chart(const std::string& title, const std::vector<const Curve*>& curves) {
  Json list = Json::array();
  for (const Curve* curve : curves)
    list.push_back({{"name", curve->name},
                    {"offset", std::isfinite(curve->offset) ? curve->offset : 0.0},
                    {"values", base64(curve->values)}});
  return {{"title", title}, {"curves", list}};
}

/// Curves with one unit share a chart.
void add_charts(const char* what, const std::vector<Curve>& curves, Json& charts) {
  std::vector<std::string> units;
  for (const Curve& curve : curves)
    if (std::find(units.begin(), units.end(), curve.unit) == units.end()) units.push_back(curve.unit);
  for (const std::string& unit : units) {
    std::vector<const Curve*> of_unit;
    for (const Curve& curve : curves)
      if (curve.unit == unit) of_unit.push_back(&curve);
    charts.push_back(chart(unit.empty() ? what : concat(what, " [", unit, ']'), of_unit));
  }
}

/// Reads the run, frame after frame.
class FrameReader {
 public:
  FrameReader(const Trajectory& path, const WebPageOptions& options) : path_(path) {
    const EquationsOfMotion& equations = path.equations();
    try {
      scene_ = make_scene(equations, options.drawing);
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
    add_charts("observables", observables_, charts);
    add_charts("coordinates", coordinates_, charts);
    charts.push_back(chart("energy [J]", {&kinetic_, &potential_, &total_}));
    add_steps(charts);
    for (const EventRecord& event : path_.events()) events.push_back({{"name", event.name}, {"t", event.t}});
    out.update({{"subtitle", options.subtitle},
                {"charts", charts},
                {"graph", describe_graph(path_.equations())},
                {"events", events},
                {"early", sentence_of_early_end(options)},
                {"frames", {{"t", base64(times_)}, {"centre", base64(centres_)}, {"poses", base64(relative_)}}}});
    return out;
  }

 private:
  void choose_curves(const std::vector<std::string>& patterns) {
    const EquationsOfMotion& equations = path_.equations();
    const std::vector<std::string> names = equations.observable_names(), units = observable_units(equations);
    observable_chosen_.assign(names.size(), patterns.empty());
    for (const std::string& pattern : patterns) {
      bool fits = false;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (fnmatch(pattern.c_str(), names[i].c_str(), 0) == 0) fits = observable_chosen_[i] = true;
      if (!fits)
        throw ModelError(concat("write_html: no observable fits '", pattern,
                                "'; there are: ", nearest_names(pattern, {names.begin(), names.end()}), "."));
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      if (observable_chosen_[i]) observables_.push_back({names[i], units[i]});
    if (!names.empty()) return;
    constexpr int most = 60;
    for (int i = 0; i < std::min(equations.dimensions().p, most); ++i)
      coordinates_.push_back({equations.position_name(i), unit_of(equations.position_measure(i))});
  }

  void read(const State& state, EquationsOfMotion& equations) {
    times_.push_back(state.t);
    if (!poses_.empty()) {
      read_poses(equations, state, poses_);
      keep_poses();
    } else {
      centres_.insert(centres_.end(), 3, 0.0);
    }
    keep_values(state, equations);
    for (std::size_t i = 0; i < coordinates_.size(); ++i) coordinates_[i].add(state.p[static_cast<Eigen::Index>(i)]);
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
    if (observables_.empty()) return;
    Eigen::VectorXd values;
    try {
      equations.observables(state, values);
    } catch (const RecoverableFailure&) {  // a gap
      values.setConstant(static_cast<Eigen::Index>(observable_chosen_.size()), unknown);
    }
    std::size_t k = 0;
    for (std::size_t i = 0; i < observable_chosen_.size(); ++i)
      if (observable_chosen_[i]) observables_[k++].add(values[static_cast<Eigen::Index>(i)]);
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

  /// Lengths of steps at their ends.
  void add_steps(Json& charts) const {
    std::vector<double> ends;
    Curve lengths{"step", "s", 0, {}};
    for (const TrajectorySegment& segment : path_.segments()) {
      if (!(segment.end.t > segment.begin.t)) continue;
      ends.push_back(segment.end.t);
      lengths.add(segment.end.t - segment.begin.t);
    }
    if (ends.empty()) return;
    Json steps = chart("lengths of steps [s]", {&lengths});
    steps.update({{"t", base64(ends)}, {"logarithmic", true}, {"marks", true}});
    charts.push_back(steps);
  }
  std::string sentence_of_early_end(const WebPageOptions& options) const {
    if (options.reason.empty()) return "";
    return concat("The run came to t = ", path_.t_end(), " s",
                  options.t_end ? concat(" of ", *options.t_end, " s") : "", ": ", options.reason);
  }

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Trajectory& path_;
  Scene scene_;
  std::vector<BodyPose> poses_;
  std::vector<double> times_, centres_;
  std::vector<float> relative_;
  std::vector<bool> observable_chosen_;
  std::vector<Curve> observables_, coordinates_;
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
