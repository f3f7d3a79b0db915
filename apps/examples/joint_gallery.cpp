// One model for each joint, to look at: joint_gallery view Universal. The pictures of joints/README.md are made from
// it.

#include <linkwork/command.hpp>
#include <linkwork/linkwork.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace linkwork;

using AddJoint = std::function<void(SpatialModel&, const Frame<Spatial>& father, const Frame<Spatial>& son)>;

/// Axes of a joint, in its frames, and a ball where there are none.
std::vector<Shape> look_of(const std::vector<Eigen::Vector3d>& axes) {
  const Colour dark{0.2, 0.2, 0.25};
  constexpr double half = 0.09, radius = 0.01, ball = 0.035;
  if (axes.empty()) return {{.geometry = shape::Sphere{ball}, .colour = dark}};
  std::vector<Shape> shapes;
  for (const Eigen::Vector3d& axis : axes)
    shapes.push_back({.geometry = shape::Bar{-half * axis, half * axis, radius}, .colour = dark});
  return shapes;
}

/// A bar that a joint ties to the ground, and that falls as the joint lets it.
/// @param end   of the bar that the joint is at, from its middle [m]
/// @param axes  of the joint, to be drawn
CommandModel shown(const std::string& joint, const Eigen::Vector3d& end, const std::vector<Eigen::Vector3d>& axes,
                   const AddJoint& add) {
  const Eigen::Vector3d size = 2 * end.cwiseAbs() + Eigen::Vector3d::Constant(0.05);
  constexpr double radius = 0.02;
  Drawing drawing;
  drawing.add("ground",
              {.geometry = shape::Bar{Eigen::Vector3d::Zero(), end, radius}, .colour = Colour{0.6, 0.6, 0.65}});
  for (const Shape& shape : look_of(axes)) drawing.add("ground", shape);
  drawing.add("bar", {.geometry = shape::Bar{end, -end, radius}, .colour = Colour{0.31, 0.47, 0.65}});
  return {.name = joint,
          .description = "A bar on a joint of the ground.",
          .t_end = 1,
          .build =
              [joint, size, end, add](const Parameters&) {
                SpatialModel model(joint);
                model.set_gravity({1, -2, -9.81});
                auto bar = model.add_body("bar", MassProperties::box(1, size)).place(-end);
                add(model, model.ground().origin(), bar.at(end));
                return model;
              },
          .draw = [drawing](const Parameters&) { return drawing; }};
}

int main(int argc, char** argv) {
  const Eigen::Vector3d along_x(-0.2, 0, 0), along_z(0, 0, -0.2), middle(0.1, 0.06, 0.02);
  // From rest, as the bar is placed.
  const auto from_rest = [](double amplitude, double rate) {
    return Input([=](double t) {
      return InputValue{amplitude * (1 - std::cos(rate * t)), amplitude * rate * std::sin(rate * t),
                        amplitude * rate * rate * std::cos(rate * t)};
    });
  };
  const Input swing = from_rest(0.5, 3), shake = from_rest(0.1, 9);
  const CardanAxes angles(Axis::z(), Axis::y(), Axis::x());
  const Eigen::Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  using Model = SpatialModel;
  using Place = const Frame<Spatial>&;
  return command(
      argc, argv,
      {shown("Revolute", along_x, {y},
             [](Model& m, Place a, Place b) { m.add_joint<Revolute>("joint", a, b, Axis::y()); }),
       shown("Prismatic", middle, {x},
             [](Model& m, Place a, Place b) { m.add_joint<Prismatic>("joint", a, b, Axis::x()); }),
       shown("Cylindrical", along_x, {y},
             [](Model& m, Place a, Place b) { m.add_joint<Cylindrical>("joint", a, b, Axis::y()); }),
       shown("Screw", along_x, {z},
             [](Model& m, Place a, Place b) { m.add_joint<Screw>("joint", a, b, Axis::z(), 0.02); }),
       shown("Universal", along_x, {z, y},
             [](Model& m, Place a, Place b) { m.add_joint<Universal>("joint", a, b, Axis::z(), Axis::y()); }),
       shown("ConstantVelocity", along_x, {},
             [](Model& m, Place a, Place b) { m.add_joint<ConstantVelocity>("joint", a, b, Axis::x()); }),
       shown("Spherical", along_x, {}, [](Model& m, Place a, Place b) { m.add_joint<Spherical>("joint", a, b); }),
       shown("PlaneJoint", along_x, {x, z},
             [](Model& m, Place a, Place b) { m.add_joint<PlaneJoint>("joint", a, b, Axis::y()); }),
       shown("PointOnLine", along_z, {x},
             [](Model& m, Place a, Place b) { m.add_joint<PointOnLine>("joint", a, b, Axis::x()); }),
       shown("PointOnPlane", along_z, {x, y},
             [](Model& m, Place a, Place b) { m.add_joint<PointOnPlane>("joint", a, b, Axis::z()); }),
       shown("PointOnPlaneByAngles", along_z, {x, y},
             [angles](Model& m, Place a, Place b) {
               m.add_joint<PointOnPlaneByAngles>("joint", a, b, Axis::z(), angles);
             }),
       shown("Fixed", along_x, {}, [](Model& m, Place a, Place b) { m.add_joint<Fixed>("joint", a, b); }),
       shown("Free", along_x, {}, [](Model& m, Place a, Place b) { m.add_joint<Free>("joint", a, b); }),
       shown("FreeByAngles", along_x, {},
             [angles](Model& m, Place a, Place b) { m.add_joint<FreeByAngles>("joint", a, b, angles); }),
       shown("FreeTranslation", along_x, {x, y, z},
             [](Model& m, Place a, Place b) { m.add_joint<FreeTranslation>("joint", a, b); }),
       shown("DrivenRevolute", along_x, {y},
             [swing](Model& m, Place a, Place b) { m.add_joint<DrivenRevolute>("joint", a, b, Axis::y(), swing); }),
       shown("DrivenPrismatic", middle, {x},
             [shake](Model& m, Place a, Place b) { m.add_joint<DrivenPrismatic>("joint", a, b, Axis::x(), shake); }),
       shown("DrivenPath", along_x, {y}, [swing](Model& m, Place a, Place b) {
         m.add_joint<DrivenPath>("joint", a, b, turning_path(Axis::y()), swing);
       })});
}
