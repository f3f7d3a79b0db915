#include "zoo/models.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/profile_contact.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/joints/plane_joint.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/revolute.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

// A roller chain that runs around two equal sprockets and along a guide, as the third model of Nijhuis, DASSL+ (2013),
// section 1.2: many short collisions, which repeat with every link and with every revolution of the chain. The thesis
// gives no numbers; these are those of a chain of one inch pitch (ISO 606, 16B-1) at 2 m/s, in a horizontal plane, in
// which sliding blocks keep the links. So the strands don't sag, and a chain of 1,000 links is the same chain, longer.
//
// Rollers meet the teeth of the sprockets and the guide by elastic contacts with losses and without friction: rollers
// turn on their pins. Each has one contact with either sprocket and one with the guide, whose cost does not depend on
// the number of teeth or links. The gaps between the teeth are a little too far out for the chain, which tightens it.
//
// The sprockets turn as prescribed, on shafts that gears connect, or are bodies on a motor and on a brake. As bodies
// they feel all rollers: their rows have entries for every link, and a Jacobian by differences has as many groups of
// columns as these have entries, so that its cost grows with the square of the number of links. As prescribed ones they
// are no bodies, and all rows are short: evaluation, factorisation and Jacobian are linear in the number of links.

namespace linkwork::apps {
namespace sprocket_chain {

using std::numbers::pi;

constexpr double pitch = 0.0254;                                              // [m]
constexpr double link_mass = 0.0686, link_moment = 6e-6;                      // 2.7 kg/m; about z [kg m^2]
constexpr double link_height = 0.021, link_width = 0.036;                     // [m]
constexpr double tooth_height = 0.008, tightening = 3e-4;                     // [m]
constexpr double stiffness = 1e7, contact_damping = 3;                        // [N/m^1.5], [s/m]
constexpr double pin_damping = 0.03;                                          // [N m s/rad]
constexpr double guide_press = 5e-4, guide_drop = 0.02, guide_clearance = 2;  // [m], [m], [pitches] to the sprockets
constexpr double sprocket_width = 0.016, density = 7850;                      // [m], [kg/m^3]
constexpr double motor_gain = 20, motor_lag = 0.02;                           // [N m s/rad], [s]
constexpr double brake_torque = 10;                                           // at the nominal speed [N m]

/// The chain at rest around both sprockets: the first pin is on top of the left one, which stands at the origin, and
/// the chain runs to the right from there.
class Course {
 public:
  Course(int links, int teeth) : teeth_(teeth), strand_((links - teeth) / 2) {}
  double radius() const { return pitch / (2 * std::sin(pi / teeth_)); }
  double distance() const { return strand_ * pitch; }  ///< of the shafts
  int strand() const { return strand_; }               ///< links in either strand

  /// The k-th pin, and the velocity [m] per radian of the sprockets' turn, which is clockwise.
  Eigen::Vector3d pin(int k) const { return point(k).first; }
  Eigen::Vector3d velocity(int k) const { return point(k).second; }

 private:
  std::pair<Eigen::Vector3d, Eigen::Vector3d> point(int k) const {
    const int half = teeth_ / 2;
    const double R = radius();
    if (k <= strand_) return {{k * pitch, R, 0}, {R, 0, 0}};
    if (k <= strand_ + half) return on_sprocket(distance(), k - strand_, R);
    if (k <= 2 * strand_ + half) return {{distance() - (k - strand_ - half) * pitch, -R, 0}, {-R, 0, 0}};
    return on_sprocket(0, k - 2 * strand_, R);
  }
  std::pair<Eigen::Vector3d, Eigen::Vector3d> on_sprocket(double x, int gaps, double R) const {
    const double angle = pi / 2 - 2 * pi * gaps / teeth_;
    const Eigen::Vector3d out(std::cos(angle), std::sin(angle), 0);
    return {Eigen::Vector3d(x, 0, 0) + R * out, R * Eigen::Vector3d(out.y(), -out.x(), 0)};
  }

  int teeth_, strand_;
};

enum class Sprockets { prescribed, bodies };

class Chain {
 public:
  explicit Chain(const Parameters& parameters)
      : links_(static_cast<int>(parameters.at("links"))),
        teeth_(static_cast<int>(parameters.at("teeth"))),
        sprockets_(parameters.at("sprockets") == 0 ? Sprockets::prescribed : Sprockets::bodies),
        course_(links_, teeth_) {
    check();
    turning_ = 2 * pi * parameters.at("speed") / (teeth_ * pitch);
    model_.set_gravity({0, 0, -9.81});
    add_links();
    add_pins();
    for (const double x : {0.0, course_.distance()}) add_sprocket(x);
    add_guide();
    if (sprockets_ == Sprockets::bodies) drive();
    observe();
  }
  SpatialModel take() { return std::move(model_); }

 private:
  void check() const {
    const int least = teeth_ + 2 * static_cast<int>(2 * guide_clearance + 2);
    if (teeth_ % 2 == 0 && links_ % 2 == 0 && links_ >= least) return;
    throw ModelError(concat("sprocket_chain: links is ", links_, " and teeth is ", teeth_,
                            "; both have to be even, so that either strand has whole links, and links at least ", least,
                            ", so that there is room for the guide."));
  }
  std::size_t next(std::size_t k) const { return k + 1 == pins_.size() ? 0 : k + 1; }

  /// The origin of a link is its rear pin, which carries its roller. Contacts there don't read how the link turns.
  void add_links() {
    const MassProperties mass = MassProperties::given(
        link_mass, {pitch / 2, 0, 0},
        Eigen::Vector3d(link_mass * (link_height * link_height + link_width * link_width) / 12,
                        link_moment + link_mass * (link_width * link_width - link_height * link_height) / 12,
                        link_moment)
            .asDiagonal());
    for (int k = 0; k < links_; ++k) {
      const Eigen::Vector3d rear = course_.pin(k), front = course_.pin((k + 1) % links_);
      const Eigen::Vector3d rear_speed = turning_ * course_.velocity(k),
                            front_speed = turning_ * course_.velocity((k + 1) % links_);
      const Eigen::Vector3d along = (front - rear) / pitch, left(-along.y(), along.x(), 0);
      const double angle = std::atan2(along.y(), along.x()), rate = left.dot(front_speed - rear_speed) / pitch;
      auto link = model_.add_body(concat("link ", k + 1), mass);
      link.place(rear, Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ())))
          .move(rear_speed, {0, 0, rate});
      model_.add_joint<PlaneJoint>(concat("block ", k + 1), model_.ground().origin(), link.origin(), Axis::z());
      pins_.push_back(link.origin());
      fronts_.push_back(link.at({pitch, 0, 0}));
    }
  }

  /// What holds two links together across the pin; along it both are on their blocks.
  void add_pins() {
    for (std::size_t k = 0; k < pins_.size(); ++k) {
      const std::string name = concat("pin ", next(k) + 1);
      const auto pin = model_.add_joint<PointOnLine>(name, fronts_[k], pins_[next(k)], Axis::z());
      if (k == 0) measured_pin_ = pin;
      model_.add_force<TorsionSpringDamper>(concat("friction of ", name), fronts_[k], pins_[next(k)], Axis::z(),
                                            TorsionSpringDamper<Spatial>::Options{.damping = pin_damping});
    }
  }

  /// The left one has the first pin in a gap at the top, and so has the right one the pin at the end of the strand.
  void add_sprocket(double x) {
    const bool is_left = x == 0;
    const std::string name = is_left ? "left sprocket" : "right sprocket";
    ProfileContact<Spatial>::Options contact{.stiffness = stiffness, .damping = contact_damping};
    const Eigen::Quaterniond upright(Eigen::AngleAxisd(pi / 2, Eigen::Vector3d::UnitZ()));
    Frame<Spatial> frame = model_.ground().at({x, 0, 0}, upright);
    if (sprockets_ == Sprockets::prescribed) {
      contact.turning = Input([turning = turning_](double t) { return InputValue{-turning * t, -turning, 0}; });
    } else {
      const double R = course_.radius(), mass = density * pi * R * R * sprocket_width;
      auto body = model_.add_body(name, MassProperties::cylinder(mass, R, sprocket_width));
      body.place({x, 0, 0}, upright).move({0, 0, 0}, {0, 0, -turning_});
      model_.add_joint<Revolute>(concat(name, " bearing"), frame, body.origin(), Axis::z());
      frame = body.origin();
    }
    const ContactProfile profile = toothed_wheel_profile(teeth_, course_.radius() + tightening, tooth_height);
    for (std::size_t k = 0; k < pins_.size(); ++k)
      model_.add_force<ProfileContact>(concat("roller ", k + 1, " on the ", name), frame, pins_[k], profile, contact);
    sprocket_frames_.push_back(frame);
    laws_.emplace_back(frame, pins_[0], profile, contact);
  }

  /// Presses the strand at the top outwards by a little more than the sprockets' teeth leave to it in the mean.
  void add_guide() {
    const double clearance = guide_clearance * pitch, ramp = pitch;
    const double height = course_.radius() * (1 + std::cos(pi / teeth_)) / 2 + guide_press;
    const ContactProfile profile =
        rail_profile(clearance + ramp, course_.distance() - clearance - ramp, height, ramp, guide_drop);
    for (std::size_t k = 0; k < pins_.size(); ++k)
      model_.add_force<ProfileContact>(
          concat("roller ", k + 1, " on the guide"), model_.ground().origin(), pins_[k], profile,
          ProfileContact<Spatial>::Options{.stiffness = stiffness, .damping = contact_damping});
  }

  /// A motor on the left shaft keeps the speed, a brake on the right one resists it in proportion to the speed.
  void drive() {
    const FrameUse turns{.position = false, .rotation = false, .velocity = false, .force = false, .torque = false};

    model_.add_force<Actuator>("motor", model_.ground().origin(), sprocket_frames_[0],
                               {.command =
                                    [speed = -turning_](const Motion<Spatial>& m) {
                                      return motor_gain * (speed - m.frame(1).velocity.angular.z()) - brake_torque;
                                    },
                                .time_constant = motor_lag,
                                .initial = -brake_torque,
                                .command_reads = ForceUse{.frames = {FrameUse::nothing(), turns}},
                                .axis = Exact<3>{0, 0, 1}});
    model_.add_force<TorsionSpringDamper>("brake", model_.ground().at({course_.distance(), 0, 0}), sprocket_frames_[1],
                                          Axis::z(),
                                          TorsionSpringDamper<Spatial>::Options{.damping = brake_torque / turning_});
  }

  /// Torque [N m] of all rollers on a sprocket about its shaft.
  template <class Now>
  static double torque_on(const Now& now, const ProfileContact<Spatial>& law, const Frame<Spatial>& sprocket,
                          const std::vector<Frame<Spatial>>& rollers) {
    const FrameMotion<Spatial> of_sprocket{now.pose(sprocket), now.velocity(sprocket), {}};
    double sum = 0;
    for (const Frame<Spatial>& roller : rollers) {
      const FrameMotion<Spatial> of_roller{now.pose(roller), now.velocity(roller), {}};
      const Eigen::Vector3d force = law.force(now.time(), of_sprocket, of_roller);
      sum -= (of_roller.pose.position - of_sprocket.pose.position).cross(force).z();
    }
    return sum;
  }

  void observe() {
    const auto pin = pins_[0];
    const auto pins = pins_;
    model_.add_observable("x", "m", [=](const auto& now) { return now.pose(pin).position.x(); });
    model_.add_observable("y", "m", [=](const auto& now) { return now.pose(pin).position.y(); });
    model_.add_observable("speed", "m/s", [=](const auto& now) {
      double sum = 0;
      for (const Frame<Spatial>& each : pins) sum += now.pose(each).rotation.col(0).dot(now.velocity(each).linear);
      return sum / static_cast<double>(pins.size());
    });
    model_.add_observable("pin_force", "N",
                          [=, joint = measured_pin_](const auto& now) { return now.reaction(joint).force.norm(); });
    const std::string sides[] = {"left", "right"};
    for (std::size_t i = 0; i < 2; ++i)
      model_.add_observable(sides[i] + "_torque", "N m",
                            [=, law = laws_[i], frame = sprocket_frames_[i]](const auto& now) {
                              return torque_on(now, law, frame, pins);
                            });
    model_.add_observable("left_speed", "rad/s", [=, frame = sprocket_frames_[0], turning = turning_](const auto& now) {
      return now.velocity(frame).angular.z() - (frame.body < 0 ? turning : 0);
    });
  }

  SpatialModel model_{"sprocket_chain"};
  int links_, teeth_;
  Sprockets sprockets_;
  Course course_;
  double turning_ = 0;  ///< of the sprockets, clockwise [rad/s]
  std::vector<Frame<Spatial>> pins_, fronts_, sprocket_frames_;
  std::vector<ProfileContact<Spatial>> laws_;
  ConstraintRef<Spatial> measured_pin_;
};

AnyModel build(const Parameters& parameters) { return Chain(parameters).take(); }

}  // namespace sprocket_chain

ZooModel sprocket_chain_model() {
  using namespace sprocket_chain;
  return {.name = "sprocket_chain",
          .description = "Roller chain around two sprockets and along a guide: many short collisions (DASSL+ 1.2).",
          .space = Spatial::name,
          .parameters = {{"links", "", 54, "of the chain, even", 20, 10000, true},
                         {"teeth", "", 16, "of either sprocket, even", 8, 1000, true},
                         {"speed", "m/s", 2, "of the chain", 0.01, 20},
                         {"sprockets",
                          "",
                          0,
                          "turn as prescribed, or by a motor against a brake",
                          0,
                          1,
                          true,
                          {"prescribed", "bodies"}}},
          .t_end = 0.6858,  // one revolution of the chain: 54 links of one inch
          .build = build};
}

}  // namespace linkwork::apps
