#include <linkwork/solvers/pictures/default_shapes.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

namespace linkwork {
namespace {

constexpr double bar_radius = 0.009, point_radius = 0.022;  // of the mechanism's size
constexpr std::size_t most_corners = 4;                     // of what is drawn by its edges
constexpr double pale = 0.45;                               // bodies that their bars run through

/// The homogeneous body of a mass and principal moments: a sphere, a cylinder or a box. None where the moments are not
/// those of one, or it is thin as a rod.
/// @param size  of the whole mechanism [m]
/// @param most  that it measures [m]
std::optional<Shape> body_of_inertia(const BodyLook& look, double size, double most) {
  if (!(look.mass > 0) || !look.rotates) return {};
  const auto limited = [&](double length) { return std::clamp(length, 0.004 * size, most); };
  Shape out;
  out.position = look.center_of_mass;
  if (look.is_planar) {
    const double side = limited(std::sqrt(6 * look.inertia(2, 2) / look.mass));
    out.geometry = shape::Box{{side, side, 0.3 * side}};
    return out;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(look.inertia);
  const Eigen::Vector3d moments = principal.eigenvalues() / look.mass;  // ascending
  Eigen::Matrix3d axes = principal.eigenvectors();
  constexpr double equal = 1e-6;
  const bool lower = moments[1] - moments[0] <= equal * moments[2];
  const bool upper = moments[2] - moments[1] <= equal * moments[2];
  if (lower && upper) {
    out.geometry = shape::Sphere{0.5 * limited(2 * std::sqrt(2.5 * moments[2]))};
    return out;
  }
  if (lower || upper) {  // about the axis of the third one
    const double along = lower ? moments[2] : moments[0], across = moments[1];
    const double radius = 0.5 * limited(2 * std::sqrt(2 * std::max(along, 0.0)));
    if (upper) axes.col(0).swap(axes.col(2));
    out.geometry = shape::Cylinder{radius, limited(std::sqrt(std::max(12 * across - 6 * along, 0.0)))};
  } else {
    const auto side = [&](int i, int j, int k) {
      return limited(std::sqrt(std::max(6 * (moments[j] + moments[k] - moments[i]), 0.0)));
    };
    out.geometry = shape::Box{{side(0, 1, 2), side(1, 2, 0), side(2, 0, 1)}};
  }
  if (axes.determinant() < 0) axes.col(1) *= -1;
  out.orientation = Eigen::Quaterniond(axes);
  return out;
}

Shape bar(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double size) {
  return {.geometry = shape::Bar{from, to, bar_radius * size}};
}

/// The sides of a triangle, all edges of a tetrahedron; a star from the centre of mass for more.
void add_frame(const BodyLook& look, double size, std::vector<Shape>& out) {
  const auto& points = look.points;
  if (points.size() > most_corners) {
    for (const Eigen::Vector3d& point : points) out.push_back(bar(look.center_of_mass, point, size));
    return;
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) out.push_back(bar(points[i], points[j], size));
}

double distance_from_line(const Eigen::Vector3d& point, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const double along = std::clamp((point - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (point - a - along * (b - a)).norm();
}

}  // namespace

std::vector<Shape> default_shapes(const BodyLook& look, double size) {
  if (!look.rotates || look.mass == 0)
    return {{.geometry = shape::Sphere{point_radius * size * std::clamp(std::cbrt(look.share_of_mass), 0.4, 1.0)},
             .position = look.center_of_mass}};
  std::vector<Shape> out;
  std::vector<Eigen::Vector3d> ends = look.points;
  const double small = 0.02 * size;
  const bool is_link = ends.size() == 2 && distance_from_line(look.center_of_mass, ends[0], ends[1]) < small;
  const bool is_hub = ends.size() > most_corners;
  const auto is_centre = [&](const Eigen::Vector3d& point) { return (point - look.center_of_mass).norm() < small; };
  if (!ends.empty() && !is_link && !is_hub && std::none_of(ends.begin(), ends.end(), is_centre))
    ends.push_back(look.center_of_mass);
  if (ends.size() >= 2) add_frame({.center_of_mass = look.center_of_mass, .points = ends}, size, out);
  if (look.points.size() >= 2 && !is_hub) return out;
  // What hangs on one point is no larger than the bar that it hangs on asks for.
  const double most = ends.size() == 2 && !is_link ? 2 * (ends[1] - ends[0]).norm() : 1.2 * size;
  if (std::optional<Shape> body = body_of_inertia(look, size, most)) {
    if (!out.empty()) body->opacity = pale;
    out.push_back(*body);
  }
  return out;
}

}  // namespace linkwork
