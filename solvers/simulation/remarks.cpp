#include <linkwork/solvers/simulation/remarks.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/model_graph.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/topology/graph_topology.hpp>

#include <cmath>

namespace linkwork {

namespace {

/// Whole and half degrees above what is a whole turn in radians: multiples of pi are none of these.
bool looks_like_degrees(double angle) { return std::abs(angle) > 2 * M_PI && std::remainder(angle, 0.5) == 0; }

void remark_on_angle(const std::string& subject, double angle, std::vector<std::string>& out) {
  if (!looks_like_degrees(angle)) return;
  out.push_back(concat(subject, " is turned by ", angle, " rad, more than a whole turn: angles are in radians; ", angle,
                       " degrees are ", angle * M_PI / 180, " rad."));
}

void remark_on_angles(const ModelData<Planar>& model, std::vector<std::string>& out) {
  const auto remark_on_frames = [&](const std::string& element, const std::vector<Frame<Planar>>& frames) {
    for (const Frame<Planar>& frame : frames)
      remark_on_angle(concat("the frame of ", element, " on body '", model.body_name(frame.body), "'"),
                      frame.orientation, out);
  };
  for (const BodyEntry<Planar>& entry : model.bodies)
    remark_on_angle(concat("body '", entry.name, "'"), entry.orientation, out);
  for (const ConstraintEntry<Planar>& entry : model.constraints)
    remark_on_frames(concat(entry.joint ? "joint '" : "constraint '", entry.name, "'"), entry.constraint->frames());
  for (const ForceEntry<Planar>& entry : model.forces)
    remark_on_frames(concat("force '", entry.name, "'"), entry.force->frames());
}

/// Orientations in space count no turns.
void remark_on_angles(const ModelData<Spatial>&, std::vector<std::string>&) {}

template <class Space>
bool remark(const EquationsOfMotion& equations, std::vector<std::string>& out) {
  const auto* graph = dynamic_cast<const GraphEquations<Space>*>(&equations);
  if (!graph) return false;
  out = analyze(make_graph(graph->model()), TopologyOptions{}).warnings;
  remark_on_angles(graph->model(), out);
  return true;
}

}  // namespace

std::vector<std::string> remarks_on(const EquationsOfMotion& equations) {
  std::vector<std::string> out;
  static_cast<void>(remark<Planar>(equations, out) || remark<Spatial>(equations, out));
  return out;
}

}  // namespace linkwork
