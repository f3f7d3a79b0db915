#include <linkwork/solvers/pictures/contact_curves.hpp>

#include <linkwork/core/errors.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace linkwork {
namespace {

using Points = std::vector<Eigen::Vector3d>;

// ------------------------------------------------------------------------------------------------ curves

constexpr double chords_of_reach = 200;
constexpr double widest_turn = 0.2;        // from chord to chord [rad]
constexpr std::size_t most_points = 2000;  // one way

/// None where the curve is not defined.
std::optional<Eigen::Vector3d> point_of(const Outline& outline, double u) {
  try {
    const Eigen::Vector3d point = outline.curve(u);
    if (point.allFinite()) return point;
  } catch (const RecoverableFailure&) {  // it ends here
  }
  return {};
}

/// Goes along a curve by chords that are short where it bends.
class Walk {
 public:
  Walk(const Outline& outline, double reach, double sign)
      : outline_(outline), reach_(reach), longest_(reach / chords_of_reach), u_(outline.start), step_(sign * 1e-3) {}

  /// From the start on; whether it came back there. A curve that does not is cut at the reach.
  bool go(Points& points) {
    const std::optional<Eigen::Vector3d> start = point_of(outline_, u_);
    if (!start) return false;
    points = {*start};
    std::size_t within = 1;
    double way = 0;
    constexpr double around = 4;  // of a circle as wide as the reach
    while (way < around * reach_ && points.size() < most_points) {
      const std::optional<Eigen::Vector3d> next = step(points);
      if (!next) break;
      const double chord = (*next - points.back()).norm();
      way += chord;
      if (points.size() > 8 && (*next - *start).norm() < chord) return true;
      points.push_back(*next);
      if (way <= reach_) within = points.size();
    }
    points.resize(within);
    return false;
  }

 private:
  /// None where the curve ends or stands still.
  std::optional<Eigen::Vector3d> step(const Points& points) {
    step_ *= 2;  // as long as it may be
    for (int attempt = 0; attempt < 60; ++attempt, step_ /= 2) {
      const std::optional<Eigen::Vector3d> next = point_of(outline_, u_ + step_);
      if (!next) continue;
      const Eigen::Vector3d chord = *next - points.back();
      const double length = chord.norm();
      if (length > longest_ || turns_too_far(points, chord)) continue;
      if (!(length > 0)) return {};
      u_ += step_;
      return next;
    }
    return {};
  }
  bool turns_too_far(const Points& points, const Eigen::Vector3d& chord) const {
    if (points.size() < 2 || chord.norm() < 1e-3 * longest_) return false;
    const Eigen::Vector3d last = points.back() - points[points.size() - 2];
    return std::atan2(last.cross(chord).norm(), last.dot(chord)) > widest_turn;
  }

  const Outline& outline_;
  double reach_, longest_, u_, step_;
};

std::vector<shape::Polyline> followed(const Outline& outline, double reach) {
  Points forwards, backwards;
  if (Walk(outline, reach, 1).go(forwards)) return {{forwards, true}};
  Walk(outline, reach, -1).go(backwards);
  if (forwards.size() + backwards.size() < 3) return {};
  std::reverse(backwards.begin(), backwards.end());
  if (!forwards.empty() && !backwards.empty()) backwards.pop_back();
  backwards.insert(backwards.end(), forwards.begin(), forwards.end());
  return {{backwards, false}};
}

// ------------------------------------------------------------------------------------------------ boundaries

/// Squares of a part of the plane, and which of their corners lie in an area.
class Grid {
 public:
  Grid(const Outline& outline, const Eigen::AlignedBox2d& box, int squares)
      : outline_(outline), box_(box), n_(squares), inside_(static_cast<std::size_t>((n_ + 1) * (n_ + 1))) {
    for (int j = 0; j <= n_; ++j)
      for (int i = 0; i <= n_; ++i) inside_[place(i, j)] = outline.contains(corner(i, j));
  }

  bool inside(int i, int j) const { return inside_[place(i, j)]; }
  int squares() const { return n_; }
  Eigen::Vector2d corner(int i, int j) const {
    const Eigen::Vector2d part(static_cast<double>(i) / n_, static_cast<double>(j) / n_);
    return box_.min() + part.cwiseProduct(box_.sizes());
  }
  /// All squares through which the boundary goes.
  Eigen::AlignedBox2d around_boundary() const {
    Eigen::AlignedBox2d out;
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        if (const int kind = kind_of(i, j); kind != 0 && kind != 15) {
          out.extend(corner(std::max(i - 1, 0), std::max(j - 1, 0)));
          out.extend(corner(std::min(i + 2, n_), std::min(j + 2, n_)));
        }
    return out;
  }
  /// One bit for each corner of a square, counter-clockwise from the lower left one.
  int kind_of(int i, int j) const {
    return inside(i, j) + 2 * inside(i + 1, j) + 4 * inside(i + 1, j + 1) + 8 * inside(i, j + 1);
  }
  /// Where the boundary crosses the edge between two corners.
  Eigen::Vector3d crossing(int i, int j, int k, int l) const {
    Eigen::Vector2d in = corner(i, j), out = corner(k, l);
    if (!inside(i, j)) std::swap(in, out);
    for (int halving = 0; halving < 12; ++halving) {
      const Eigen::Vector2d middle = 0.5 * (in + out);
      (outline_.contains(middle) ? in : out) = middle;
    }
    return {0.5 * (in.x() + out.x()), 0.5 * (in.y() + out.y()), 0};
  }

 private:
  std::size_t place(int i, int j) const { return static_cast<std::size_t>(j * (n_ + 1) + i); }

  const Outline& outline_;
  Eigen::AlignedBox2d box_;
  int n_;
  std::vector<bool> inside_;
};

/// The boundary as it goes from edge to edge of squares (marching squares).
class Boundary {
 public:
  explicit Boundary(const Grid& grid) : grid_(grid) {
    for (int j = 0; j < grid.squares(); ++j)
      for (int i = 0; i < grid.squares(); ++i) cross(i, j);
  }

  std::vector<shape::Polyline> lines() {
    std::vector<shape::Polyline> out;
    for (const bool ends_only : {true, false})  // first lines that leave the grid
      for (auto& [edge, node] : nodes_) {
        if (node.is_taken || (ends_only && node.next[1] != nullptr)) continue;
        shape::Polyline line;
        Node* last = &node;
        for (Node* at = last; at; last = at, at = at->open()) {
          line.points.push_back(at->point);
          at->is_taken = true;
        }
        line.is_closed = !ends_only && line.points.size() > 2;
        if (line.points.size() > 1) out.push_back(std::move(line));
      }
    return out;
  }

 private:
  using Edge = std::array<int, 3>;  // i, j of its first corner; 0: to the right, 1: upwards
  struct Node {
    Eigen::Vector3d point;
    std::array<Node*, 2> next = {};
    bool is_taken = false;

    Node* open() const {
      for (Node* each : next)
        if (each && !each->is_taken) return each;
      return nullptr;
    }
  };

  void cross(int i, int j) {
    const int kind = grid_.kind_of(i, j);
    if (kind == 0 || kind == 15) return;
    const std::array<Edge, 4> edges = {{{i, j, 0}, {i + 1, j, 1}, {i, j + 1, 0}, {i, j, 1}}};  // counter-clockwise
    std::vector<Node*> met;
    for (int k = 0; k < 4; ++k)
      if (((kind >> k) & 1) != ((kind >> (k + 1) % 4) & 1)) met.push_back(&node_at(edges[static_cast<std::size_t>(k)]));
    for (std::size_t k = 0; k + 1 < met.size(); k += 2) join(*met[k], *met[k + 1]);
  }
  Node& node_at(const Edge& edge) {
    const auto [i, j, upwards] = edge;
    const auto [found, is_new] = nodes_.try_emplace(edge);
    if (is_new) found->second.point = grid_.crossing(i, j, i + (upwards ? 0 : 1), j + (upwards ? 1 : 0));
    return found->second;
  }
  static void join(Node& a, Node& b) {
    (a.next[0] ? a.next[1] : a.next[0]) = &b;
    (b.next[0] ? b.next[1] : b.next[0]) = &a;
  }

  const Grid& grid_;
  std::map<Edge, Node> nodes_;
};

std::vector<shape::Polyline> boundary(const Outline& outline, double reach) {
  const Eigen::Vector2d corner(reach, reach);
  Eigen::AlignedBox2d box(-corner, corner);
  constexpr int coarse = 96, fine = 320;
  for (int closer = 0; closer < 2; ++closer) {
    box = Grid(outline, box, coarse).around_boundary();
    if (box.isEmpty()) return {};
  }
  const Grid grid(outline, box, fine);
  return Boundary(grid).lines();
}

}  // namespace

std::vector<shape::Polyline> lines_of(const Outline& outline, double reach) {
  if (outline.contains) return boundary(outline, reach);
  return outline.curve ? followed(outline, reach) : std::vector<shape::Polyline>();
}

}  // namespace linkwork
