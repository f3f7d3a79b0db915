#include <linkwork/solvers/pictures/surfaces.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace linkwork {
namespace {

using Vector3 = Eigen::Vector3f;

std::uint32_t add_vertex(Surface& surface, const Vector3& vertex, const Vector3& normal) {
  surface.vertices.push_back(vertex);
  surface.normals.push_back(normal);
  return static_cast<std::uint32_t>(surface.vertices.size() - 1);
}

Vector3 on_circle(int i, int count) {
  const double angle = 2 * std::numbers::pi * i / count;
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0};
}

}  // namespace

Surface unit_box() {
  Surface out;
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-0.5f, 0.5f}) {
      const Vector3 normal = 2 * side * Vector3::Unit(axis), u = Vector3::Unit((axis + 1) % 3), v = normal.cross(u);
      const std::uint32_t first = add_vertex(out, 0.5f * (normal - u - v), normal);
      add_vertex(out, 0.5f * (normal + u - v), normal);
      add_vertex(out, 0.5f * (normal + u + v), normal);
      add_vertex(out, 0.5f * (normal - u + v), normal);
      out.triangles.push_back({first, first + 1, first + 2});
      out.triangles.push_back({first, first + 2, first + 3});
    }
  return out;
}

Surface unit_sphere() {
  constexpr int around = 20, rings = 12;
  Surface out;
  for (int j = 0; j <= rings; ++j) {
    const double height = std::numbers::pi * j / rings;  // from the south pole
    for (int i = 0; i <= around; ++i) {
      const Vector3 at = static_cast<float>(std::sin(height)) * on_circle(i, around) -
                         static_cast<float>(std::cos(height)) * Vector3::UnitZ();
      const std::uint32_t k = add_vertex(out, at, at);
      if (i == around || j == rings) continue;
      if (j > 0) out.triangles.push_back({k, k + 1, k + around + 2});
      if (j + 1 < rings) out.triangles.push_back({k, k + around + 2, k + around + 1});
    }
  }
  return out;
}

Surface unit_cylinder() {
  constexpr int around = 20;
  Surface out;
  const Vector3 half = 0.5f * Vector3::UnitZ();
  for (int i = 0; i < around; ++i) {
    const Vector3 a = on_circle(i, around), b = on_circle(i + 1, around);
    const std::uint32_t k = add_vertex(out, a - half, a);
    add_vertex(out, b - half, b);
    add_vertex(out, b + half, b);
    add_vertex(out, a + half, a);
    out.triangles.push_back({k, k + 1, k + 2});
    out.triangles.push_back({k, k + 2, k + 3});
    for (const float side : {-1.0f, 1.0f}) {
      const Vector3 normal = side * Vector3::UnitZ();
      const std::uint32_t middle = add_vertex(out, side * half, normal);
      add_vertex(out, (side > 0 ? a : b) + side * half, normal);
      add_vertex(out, (side > 0 ? b : a) + side * half, normal);
      out.triangles.push_back({middle, middle + 1, middle + 2});
    }
  }
  return out;
}

Surface unit_line() { return {.vertices = {-0.5f * Vector3::UnitZ(), 0.5f * Vector3::UnitZ()}}; }

Surface unit_coil() {
  constexpr int turns = 7, points = 12;
  Surface out;
  for (int i = 0; i <= turns * points; ++i) {
    const float along = static_cast<float>(i) / (turns * points);
    const float radius = along < 0.08f || along > 0.92f ? 0.0f : 1.0f;
    out.vertices.push_back(radius * on_circle(i, points) + (along - 0.5f) * Vector3::UnitZ());
  }
  return out;
}

Surface surface_of(const shape::Polyline& line) {
  Surface out;
  for (const Eigen::Vector3d& point : line.points) out.vertices.push_back(point.cast<float>());
  if (line.is_closed && !line.points.empty()) out.vertices.push_back(out.vertices.front());
  return out;
}

Surface surface_of(const shape::Mesh& mesh) {
  Surface out;
  for (const auto& corners : mesh.triangles) {
    const auto corner = [&](std::size_t i) -> const Eigen::Vector3d& {
      return mesh.vertices[static_cast<std::size_t>(corners[i])];
    };
    const Eigen::Vector3d normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    if (!(normal.norm() > 0)) continue;  // nothing to see
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (std::size_t i = 0; i < 3; ++i) add_vertex(out, corner(i).cast<float>(), normal.normalized().cast<float>());
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

}  // namespace linkwork
