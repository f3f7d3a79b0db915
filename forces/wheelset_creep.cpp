#include <linkwork/forces/wheelset_creep.hpp>

#include <utility>

namespace linkwork {

namespace {
constexpr const char* creep_type = "wheelset creep";
}

WheelsetCreep::WheelsetCreep(const Frame<Spatial>& track, const Frame<Spatial>& wheelset, Options options)
    : ForceElement<Spatial>(detail::two_frames(creep_type, track, wheelset)), options_(std::move(options)) {
  for (const CurvePair& contact : options_.contacts) contact.check(creep_type);
  options_.axle = detail::unit_direction(creep_type, "axle", options_.axle);
  detail::check_positive(creep_type, "radius of the wheel's profile", options_.profile, "m");
  detail::check_positive(creep_type, "speed", options_.speed, "m/s");
  detail::check_positive(creep_type, "longitudinal coefficient", options_.longitudinal, "N");
  detail::check_not_negative(creep_type, "lateral coefficient", options_.lateral, "N");
  detail::check_not_negative(creep_type, "lateral spin coefficient", options_.lateral_spin, "N m");
  detail::check_not_negative(creep_type, "spin coefficient", options_.spin, "N m^2");
}

struct WheelsetCreep::Contact {
  Eigen::Vector3d point;                     ///< on the wheel, ground axes
  Eigen::Vector3d tangent, lateral, normal;  ///< ground axes
};

WheelsetCreep::Contact WheelsetCreep::contact(const Motion<Spatial>& m, std::size_t wheel) const {
  const int first = 2 * static_cast<int>(wheel);
  const CurveApproach at =
      options_.contacts[wheel].common_normal(m.frame(0).pose, m.frame(1).pose, {m.memory(first), m.memory(first + 1)});
  Contact out;
  out.normal = -at.gap().normalized();
  out.point = at.b.position + options_.profile * out.normal;
  out.tangent = at.a.first.normalized();
  out.lateral = out.normal.cross(out.tangent);
  return out;
}

Wrench<Spatial> WheelsetCreep::creep(const Contact& at, const Eigen::Vector3d& velocity,
                                     const Eigen::Vector3d& omega) const {
  const double along = velocity.dot(at.tangent) / options_.speed, across = velocity.dot(at.lateral) / options_.speed,
               spin = omega.dot(at.normal) / options_.speed;
  return {(options_.lateral_spin * across - options_.spin * spin) * at.normal,
          -options_.longitudinal * along * at.tangent -
              (options_.lateral * across + options_.lateral_spin * spin) * at.lateral};
}

/// Both contacts, and what acts there on the wheels.
struct WheelsetCreep::Rolling {
  std::array<Contact, 2> contacts;
  std::array<Wrench<Spatial>, 2> wrenches;
};

WheelsetCreep::Rolling WheelsetCreep::rolling(const Motion<Spatial>& m) const {
  const FrameMotion<Spatial>&track = m.frame(0), &wheelset = m.frame(1);
  const Eigen::Vector3d axle = wheelset.pose.rotation * options_.axle;
  const auto torque_about_axle = [&](const Contact& at, const Wrench<Spatial>& w) {
    return axle.dot((at.point - wheelset.pose.position).cross(w.force) + w.torque);
  };
  // The creep of the body alone, and that of a unit turn about the axle: the forces are linear in both.
  Rolling out;
  std::array<Wrench<Spatial>, 2>& of_body = out.wrenches;
  std::array<Wrench<Spatial>, 2> of_turn;
  double torque = 0, torque_per_turn = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Contact& at = out.contacts[k] = contact(m, k);
    const Eigen::Vector3d velocity = detail::velocity_at(m, 1, at.point) - detail::velocity_at(m, 0, at.point);
    of_body[k] = creep(at, velocity, wheelset.velocity.angular - track.velocity.angular);
    of_turn[k] = creep(at, axle.cross(at.point - wheelset.pose.position), axle);
    torque += torque_about_axle(at, of_body[k]);
    torque_per_turn += torque_about_axle(at, of_turn[k]);
  }
  const double turn = -torque / torque_per_turn;
  for (std::size_t k = 0; k < 2; ++k) {
    of_body[k].force += turn * of_turn[k].force;
    of_body[k].torque += turn * of_turn[k].torque;
  }
  return out;
}

void WheelsetCreep::do_add_to(const Motion<Spatial>& m, ForceSums<Spatial>& sums) const {
  const Rolling at = rolling(m);
  for (std::size_t k = 0; k < 2; ++k) {
    detail::add_opposite_forces<Spatial>(m, at.wrenches[k].force, at.contacts[k].point, sums);
    detail::add_opposite_torques<Spatial>(at.wrenches[k].torque, sums);
  }
}

void WheelsetCreep::do_report(const Motion<Spatial>& m, double* values) const {
  const Rolling at = rolling(m);
  for (std::size_t k = 0; k < 2; ++k) {
    *values++ = at.wrenches[k].force.dot(at.contacts[k].tangent);
    *values++ = at.wrenches[k].force.dot(at.contacts[k].lateral);
  }
}

std::vector<Outline> WheelsetCreep::outlines() const {
  std::vector<Outline> out;
  for (const CurvePair& contact : options_.contacts)
    for (const Outline& outline : outlines_of(contact)) out.push_back(outline);
  return out;
}

void WheelsetCreep::do_remember(const Motion<Spatial>& m, bool restart, int, double* memory) const {
  for (std::size_t k = 0; k < 2; ++k) {
    Eigen::Map<Eigen::Vector2d> u(memory + 2 * k);
    if (restart) u = options_.contacts[k].start;
    u = options_.contacts[k].common_normal(m.frame(0).pose, m.frame(1).pose, u).u;
  }
}

}  // namespace linkwork
