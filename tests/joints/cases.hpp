#pragma once

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/constant_velocity.hpp>
#include <linkwork/joints/constraints/curve_contact.hpp>
#include <linkwork/joints/constraints/disc_on_plane.hpp>
#include <linkwork/joints/constraints/driven_speed.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/constraints/rack_and_pinion.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/cylindrical.hpp>
#include <linkwork/joints/driven_path.hpp>
#include <linkwork/joints/driven_prismatic.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/fixed.hpp>
#include <linkwork/joints/free.hpp>
#include <linkwork/joints/free_by_angles.hpp>
#include <linkwork/joints/plane_joint.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/point_on_plane.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/screw.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace linkwork::test {

/// A joint as a user writes it: sizes and X(q). Its frames are named here because no model gives them.
template <class Space>
class UserJoint : public Joint<Space> {
 public:
  UserJoint() { this->attach({Frame<Space>{}, Frame<Space>{.body = 0}}); }
  std::string_view type() const override { return "user joint"; }
};

/// Screw along an axis that is no axis of coordinates.
class UserScrew final : public UserJoint<Spatial> {
 public:
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 3).normalized();
    X.rotation = Eigen::AngleAxisd(q[0], axis).toRotationMatrix();
    X.position = 0.3 * q[0] * axis;
  }
};

/// Two freedoms whose motion subspace changes with both coordinates.
class BentSlider final : public UserJoint<Spatial> {
 public:
  int freedoms() const override { return 2; }

 private:
  void do_pose(Instant, const double* q, Pose<Spatial>& X) const override {
    const Eigen::AngleAxisd first(q[0], Eigen::Vector3d::UnitX());
    const Eigen::AngleAxisd second(0.4 * q[0] * q[1] + 0.3 * q[1], Eigen::Vector3d::UnitZ());
    X.rotation = (first * second).toRotationMatrix();
    X.position = first * Eigen::Vector3d(0.2 * q[0], q[1], 0.3 * q[1] * q[1]);
  }
};

/// One freedom and a prescribed motion beside it.
class ShakenRevolute final : public UserJoint<Spatial> {
 public:
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant time, const double* q, Pose<Spatial>& X) const override {
    X.rotation = (Eigen::AngleAxisd(0.5 * std::sin(time), Eigen::Vector3d::UnitX()) *
                  Eigen::AngleAxisd(q[0], Eigen::Vector3d::UnitZ()))
                     .toRotationMatrix();
    X.position = Eigen::Vector3d(0.2 * time * time, 0, 0.1 * std::cos(time));
  }
};

/// Follows a curve in the plane and turns on it.
class CurveFollower final : public UserJoint<Planar> {
 public:
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Planar>& X) const override {
    X.position = Eigen::Vector2d(q[0], 0.4 * std::sin(q[0]));
    X.rotation = rotation_matrix(0.7 * q[0]);
  }
};

/// A pin in a circular slot: two freedoms, one dependent on time.
class PinInSlot final : public UserJoint<Planar> {
 public:
  int freedoms() const override { return 2; }

 private:
  void do_pose(Instant time, const double* q, Pose<Planar>& X) const override {
    const double radius = 0.8 + 0.1 * std::sin(time);
    X.position = radius * Eigen::Vector2d(std::cos(q[1]) - 1, std::sin(q[1]));
    X.rotation = rotation_matrix(q[0]);
  }
};

/// The derived side of a joint that has rows of its own.
template <class Space>
class Derived final : public UserJoint<Space> {
 public:
  explicit Derived(const Joint<Space>& joint) : joint_(joint) {}
  int freedoms() const override { return joint_.freedoms(); }
  int coordinates() const override { return joint_.coordinates(); }

 private:
  void do_pose(Instant time, const double* q, Pose<Space>& X) const override { X = joint_.pose(time, q); }
  void do_home(double* q) const override { joint_.home(q); }
  void do_retract(const double* q, const double* step, double* q_new) const override { joint_.retract(q, step, q_new); }
  const Joint<Space>& joint_;
};

/// The same rows as another constraint, with the default bias.
template <class Space>
class WithDefaultBias final : public Constraint<Space> {
 public:
  WithDefaultBias(const Constraint<Space>& other, std::size_t frames)
      : Constraint<Space>(std::vector<Frame<Space>>(frames)), other_(other) {}
  std::string_view type() const override { return other_.type(); }
  int rows() const override { return other_.rows(); }
  double difference_step() const override { return other_.difference_step(); }

 private:
  void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const override { other_.velocity_rows(m, out); }
  const Constraint<Space>& other_;
};

/// One element of the contract test.
template <class Space>
struct Case {
  std::string name;
  std::shared_ptr<const Constraint<Space>> element;
  std::shared_ptr<const Joint<Space>> joint;  ///< the same where it is one
  std::string kinds;                          ///< of its rows: m or r (angular); empty where the rows are derived
  std::size_t frames = 2;

  bool is_derived() const { return kinds.empty(); }
};

/// A model with joints that gears can couple.
template <class Space>
struct Geared {
  Model<Space> model;
  JointRef<Space> turn, other_turn, slide, screw, user_screw;

  static const Geared& shared() {
    static const Geared geared;
    return geared;
  }

 private:
  Geared() {
    const Axis oblique({1, -2, Space::dimension == 2 ? 0.0 : 3.0});
    BodyRef<Space> last = model.ground();
    const auto next = [&] {
      const std::string name = "body " + std::to_string(last.index() + 2);
      return Space::dimension == 2 ? model.add_body(name, MassProperties::planar(1, 1))
                                   : model.add_body(name, MassProperties::box(1, {1, 1, 1}));
    };
    const auto join = [&]<class J>(const std::string& name, const J& joint) {
      const BodyRef<Space> son = next();
      const JointRef<Space> out = model.template add_joint<J>(name, last.origin(), son.origin(), joint);
      last = son;
      return out;
    };
    if constexpr (Space::dimension == 2) {
      turn = join("turn", Revolute<Planar>());
      other_turn = join("other turn", Revolute<Planar>());
    } else {
      turn = join("turn", Revolute<Spatial>(oblique));
      other_turn = join("other turn", Revolute<Spatial>(Axis::y()));
      screw = join("screw", Screw(oblique, 0.3));
      user_screw = join("user screw", UserScrew());
    }
    slide = join("slide", Prismatic<Space>(oblique));
  }
};

inline InputValue shaken_angle(double t) {
  return {0.4 + t + 0.3 * std::sin(2 * t), 1 + 0.6 * std::cos(2 * t), -1.2 * std::sin(2 * t)};
}
inline InputValue breathing_length(double t) { return {1 + 0.2 * std::sin(t), 0.2 * std::cos(t), -0.2 * std::sin(t)}; }

/// A track that bends in all directions.
inline Path bent_track() {
  return track_path([](double u) {
    const double s = std::sin(0.5 * u), c = std::cos(0.5 * u);
    return SpaceCurvePoint{
        {u, 0.6 * s, 0.4 * c}, {1, 0.3 * c, -0.2 * s}, {0, -0.15 * s, -0.1 * c}, {0, -0.075 * c, 0.05 * s}};
  });
}
/// A wheel of 1 m radius 2 m above that track.
inline CurvePair wheel_above_track() { return {{bent_track(), {0, 0.1, -3}}, {turning_path(Axis::y()), {0, 0.2, -1}}}; }

/// All joints and constraints of the library, and joints that give X(q) only. A new one is one line here.
template <class Space>
std::vector<Case<Space>> all_cases();

template <>
std::vector<Case<Planar>> all_cases<Planar>();
template <>
std::vector<Case<Spatial>> all_cases<Spatial>();

}  // namespace linkwork::test
