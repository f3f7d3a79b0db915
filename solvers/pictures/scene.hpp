#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>
#include <linkwork/solvers/pictures/drawing.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <Eigen/Geometry>
#include <string>
#include <vector>

// Internal: what is drawn, whatever writes it down.

namespace linkwork {

/// A mechanism as pictures show it, in space whatever its model lives in. Lengths in metres; bodies are numbered as in
/// the model, -1 is the ground.
struct Scene {
  /// A body, or the ground, with what is fixed to it; names are those of the elements that are drawn.
  struct Part {
    std::string name;
    int body = -1;              ///< or a carrier
    std::vector<Shape> shapes;  ///< each with its colour
  };
  /// Goes on from point to point, whatever bodies these are on.
  struct Link {
    enum class Kind { bar, spring, line };
    struct End {
      int body = -1;
      Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the body
    };
    std::string name;
    Kind kind = Kind::line;
    std::vector<End> ends;
    Colour colour;
  };

  /// What is turned in a frame of a body as time goes on, as the profile of a wheel; numbered behind the bodies.
  struct Carrier {
    Link::End at;
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< of the frame in the body
    Input turning;                                                    ///< about its z axis [rad]
  };

  std::string title;
  bool is_planar = false;
  double size = 1;  ///< of the mechanism where its bodies are placed [m]
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<std::string> bodies;  ///< names
  std::vector<Part> parts;
  std::vector<Link> links;
  std::vector<Carrier> carriers;
};

/// The elements' own looks, but for what a drawing says: a body is drawn as bars between the points where joints,
/// constraints and forces meet it, or by its mass and inertia where these are no more than one; joints as what turns
/// and slides in them, springs and rods between their ends, contacts as the curves on which they lie.
/// @param reach  how far bodies go on their way [m]; curves that do not close are drawn as far
/// @throws ModelError as check_drawing
Scene make_scene(const EquationsOfMotion& equations, const Drawing& drawing, double reach = 0);
/// How far the bodies of a run go, where elements have curves to draw; else 0.
double reach_of(const Trajectory& path);

/// Adds the poses of the carriers at a time to those of the bodies.
void add_carriers(const Scene& scene, double t, std::vector<BodyPose>& poses);

}  // namespace linkwork
