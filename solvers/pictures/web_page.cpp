#include <linkwork/solvers/pictures/web_page.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/pictures/arrow_description.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/force_arrows.hpp>
#include <linkwork/solvers/pictures/frame_times.hpp>
#include <linkwork/solvers/pictures/graph_description.hpp>
#include <linkwork/solvers/pictures/page_charts.hpp>
#include <linkwork/solvers/pictures/page_numbers.hpp>
#include <linkwork/solvers/pictures/page_parts.hpp>
#include <linkwork/solvers/pictures/scene.hpp>
#include <linkwork/solvers/pictures/scene_description.hpp>
#include <linkwork/solvers/simulation/columns.hpp>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

namespace linkwork {
namespace {

using Json = nlohmann::json;

/// Reads the run, frame after frame.
class FrameReader {
 public:
  FrameReader(const Trajectory& path, const WebPageOptions& options)
      : path_(path), columns_(path.equations(), path.segments()) {
    const EquationsOfMotion& equations = path.equations();
    const OutputPoints frames = frame_times("write_html", path, options.frames_per_second);
    try {
      scene_ = make_scene(equations, options.drawing, reach_of(path));
      if (options.forces) forces_ = ForceArrows(equations, options.drawing, frames.times.size());
    } catch (const ModelError&) {
      if (!is_posed_directly(equations)) throw;
      scene_.title = equations.model_name();
    }
    choose_curves(options.curves);
    poses_.resize(scene_.bodies.size());
    path.visit(frames, [&](const State& state, EquationsOfMotion& at) { read(state, at); });
    forces_.finish();
  }

  Json page(const WebPageOptions& options) const {
    Json out = describe_scene(scene_), charts = Json::array(), events = Json::array();
    add_chosen(charts);
    charts.push_back(page_chart("energy [J]", {&kinetic_, &potential_, &total_}));
    add_residuals(path_, charts);
    add_steps(path_, charts);
    for (const EventRecord& event : path_.events()) events.push_back({{"name", event.name}, {"t", event.t}});
    out.update({{"subtitle", options.subtitle},
                {"charts", charts},
                {"graph", describe_graph(path_.equations())},
                {"events", events},
                {"forces", describe_forces(forces_)},
                {"torques", describe_torques(forces_, scene_.size)},
                {"early", sentence_of_early_end(options)},
                {"frames",
                 {{"t", base64(times_)},
                  {"centre", base64(centres_)},
                  {"scale", base64(scales_)},
                  {"poses", poses_by_frame_.text()}}}});
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
    std::vector<std::pair<std::string, std::vector<const PageCurve*>>> groups;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const std::string title = columns_.title_of_chart(chosen_[k]);
      const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == title; });
      (known == groups.end() ? groups.emplace_back(title, std::vector<const PageCurve*>()) : *known)
          .second.push_back(&curves_[k]);
    }
    for (const auto& [title, curves] : groups) charts.push_back(page_chart(title, curves));
  }

  void read(const State& state, EquationsOfMotion& equations) {
    times_.push_back(state.t);
    if (!poses_.empty()) {
      read_poses(equations, state, poses_);
      add_carriers(scene_, state.t, poses_);
      keep_poses();
    } else {
      centres_.insert(centres_.end(), 3, 0.0);
      scales_.push_back(1);
    }
    keep_values(state, equations);
    forces_.read(equations, state);
    keep_energy(state, equations);
  }
  /// Positions as shares of the largest distance from a point between the bodies along an axis, which a frame has for
  /// itself; about the ground, far away, they would not be fine enough.
  void keep_poses() {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (const BodyPose& pose : poses_) centre += pose.position / static_cast<double>(poses_.size());
    if (!centre.allFinite()) centre.setZero();
    double scale = std::numeric_limits<double>::min();
    for (const BodyPose& pose : poses_)
      for (const double x : Eigen::Vector3d(pose.position - centre))
        if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
    for (const double x : centre) centres_.push_back(x);
    scales_.push_back(scale);
    for (const auto& [position, attitude] : poses_) {
      for (const double x : Eigen::Vector3d(position - centre)) poses_by_frame_.add(x / scale);
      for (const double x : half_turn_parameters(attitude)) poses_by_frame_.add(x);
    }
  }
  /// Three numbers within 1 for an attitude, (qx qy qz) / (1 + qw) of that of its two quaternions which has qw >= 0.
  static Eigen::Vector3d half_turn_parameters(const Eigen::Quaterniond& q) {
    return q.vec() / (q.w() < 0 ? q.w() - 1 : q.w() + 1);
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
  Scene scene_;
  ForceArrows forces_;
  std::vector<BodyPose> poses_;
  std::vector<double> times_, centres_, scales_, row_;
  PageShares poses_by_frame_;
  std::vector<std::size_t> chosen_;  // columns
  std::vector<PageCurve> curves_;    // of them
  PageCurve kinetic_{"kinetic", "J"}, potential_{"potential", "J"}, total_{"total", "J"};
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
