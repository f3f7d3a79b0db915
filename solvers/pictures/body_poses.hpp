#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/space.hpp>

#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <variant>
#include <vector>

// Internal: the bodies of a graph as pictures see them, in space whatever their model lives in.

namespace linkwork {

template <class Space>
struct ModelData;

using AnyModelData = std::variant<const ModelData<Planar>*, const ModelData<Spatial>*>;

/// The elements that equations are made of. @throws ModelError where they were never a graph of bodies
AnyModelData model_data_of(const EquationsOfMotion& equations);
/// Whether they were never a graph of bodies.
bool is_posed_directly(const EquationsOfMotion& equations);

struct BodyPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the body's origin in the ground [m]
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
};

BodyPose in_space(const Pose<Planar>& pose);
BodyPose in_space(const Pose<Spatial>& pose);
inline Eigen::Vector3d in_space(const Eigen::Vector2d& position) { return {position.x(), position.y(), 0}; }
inline Eigen::Vector3d in_space(const Eigen::Vector3d& position) { return position; }
inline Eigen::Quaterniond in_space(double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
}
inline Eigen::Quaterniond in_space(const Eigen::Quaterniond& orientation) { return orientation; }

std::vector<std::string> body_names(const EquationsOfMotion& equations);

/// Brings the poses of all bodies, as they are numbered in the model, to those of a state. Signs of quaternions are
/// those nearest to what is there before. What can't be computed there is no number.
void read_poses(EquationsOfMotion& equations, const State& state, std::vector<BodyPose>& poses);

}  // namespace linkwork
