#include <linkwork/solvers/pictures/body_poses.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>

#include <cmath>
#include <limits>

namespace linkwork {
namespace {

/// Frames of bodies are read of the model's own block, which the equations hold.
template <class Space>
void read_poses_of(const ModelData<Space>& data, EquationsOfMotion& equations, const State& state,
                   std::vector<BodyPose>& poses) {
  poses.resize(data.bodies.size());
  measure(equations, state, [&](const Snapshot<Space>& now) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      BodyPose next = in_space(now.pose(Frame<Space>{static_cast<int>(i), &data}));
      if (next.attitude.dot(poses[i].attitude) < 0) next.attitude.coeffs() *= -1;
      poses[i] = next;
    }
    return 0.0;
  });
}

}  // namespace

AnyModelData model_data_of(const EquationsOfMotion& equations) {
  if (const auto* planar = dynamic_cast<const GraphEquations<Planar>*>(&equations)) return &planar->model();
  if (const auto* spatial = dynamic_cast<const GraphEquations<Spatial>*>(&equations)) return &spatial->model();
  throw ModelError(concat("model '", equations.model_name(),
                          "' is posed directly as equations, so that there are no bodies to show; compose it from "
                          "bodies and joints for poses."));
}

bool is_posed_directly(const EquationsOfMotion& equations) {
  try {
    model_data_of(equations);
    return false;
  } catch (const ModelError&) {
    return true;
  }
}

BodyPose in_space(const Pose<Planar>& pose) { return {in_space(Eigen::Vector2d(pose.position)), in_space(pose.angle)}; }
BodyPose in_space(const Pose<Spatial>& pose) {
  return {pose.position, Eigen::Quaterniond(Eigen::Matrix3d(pose.rotation)).normalized()};
}

std::vector<std::string> body_names(const EquationsOfMotion& equations) {
  std::vector<std::string> names;
  std::visit(
      [&](const auto* data) {
        for (const auto& body : data->bodies) names.push_back(body.name);
      },
      model_data_of(equations));
  return names;
}

void read_poses(EquationsOfMotion& equations, const State& state, std::vector<BodyPose>& poses) {
  std::visit(
      [&](const auto* data) {
        try {
          read_poses_of(*data, equations, state, poses);
        } catch (const RecoverableFailure&) {
          constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
          for (BodyPose& pose : poses) pose.position.setConstant(unknown), pose.attitude.coeffs().setConstant(unknown);
        }
      },
      model_data_of(equations));
}

}  // namespace linkwork
