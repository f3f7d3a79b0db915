#pragma once

// Internal: words for subspaces of wrenches and twists.

#include <linkwork/core/space.hpp>

#include <Eigen/Core>
#include <string>
#include <vector>

namespace linkwork {

/// Axes that directions are told in, with the words that follow the axis.
template <class Space>
struct NamedAxes {
  Rotation<Space> axes;  ///< columns, ground components
  std::string suffix;    ///< "" for the ground
};

/// Words for the angular and the linear part of what is named.
struct DirectionWords {
  const char *angular, *linear;
};
inline constexpr DirectionWords wrench_words{"torque", "force"};
inline constexpr DirectionWords row_words{"rotation", "translation"};

/// Names of a basis of a subspace of wrenches (or rows), one each: "force along z", "torque about x of the joint
/// frame", "force along (0.6 0 0.8)"; the first axes that fit are taken. What mixes both parts is named by both.
/// @param vectors  columns, ground axes, angular part first and divided by a length, so that both parts compare; they
///                 need not be independent
template <class Space>
std::vector<std::string> direction_names(const Eigen::MatrixXd& vectors, const std::vector<NamedAxes<Space>>& axes,
                                         const DirectionWords& words);

extern template std::vector<std::string> direction_names(const Eigen::MatrixXd&, const std::vector<NamedAxes<Planar>>&,
                                                         const DirectionWords&);
extern template std::vector<std::string> direction_names(const Eigen::MatrixXd&, const std::vector<NamedAxes<Spatial>>&,
                                                         const DirectionWords&);

}  // namespace linkwork
