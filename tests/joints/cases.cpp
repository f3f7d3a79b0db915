#include "cases.hpp"

namespace linkwork::test {

namespace {

template <class Space, class J>
Case<Space> joint_case(const std::string& name, const std::string& kinds, J joint) {
  auto shared = std::make_shared<const J>(std::move(joint));
  return {name, shared, shared, kinds};
}
template <class Space, class C>
Case<Space> constraint_case(const std::string& name, C constraint, const std::string& kinds = "m") {
  const std::size_t frames = constraint.frames().size();
  return {name, std::make_shared<const C>(std::move(constraint)), nullptr, kinds, frames};
}

}  // namespace

template <>
std::vector<Case<Planar>> all_cases<Planar>() {
  const Frame<Planar> ground, body{.body = 0};
  return {
      joint_case<Planar>("revolute", "mm", Revolute<Planar>()),
      joint_case<Planar>("prismatic", "mr", Prismatic<Planar>(Axis({1, 2, 0}))),
      joint_case<Planar>("fixed", "mmr", Fixed<Planar>()),
      joint_case<Planar>("driven revolute", "mmr", DrivenRevolute<Planar>(shaken_angle)),
      joint_case<Planar>("driven prismatic", "mmr", DrivenPrismatic<Planar>(Axis({1, 2, 0}), shaken_angle)),
      joint_case<Planar>("point on line", "m", PointOnLine<Planar>(Axis({1, 2, 0}))),
      joint_case<Planar>("free translation", "r", FreeTranslation<Planar>()),
      joint_case<Planar>("free", "", Free<Planar>()),
      joint_case<Planar>("curve follower", "", CurveFollower()),
      joint_case<Planar>("pin in slot", "", PinInSlot()),
      constraint_case<Planar>("rod", Rod<Planar>(ground, body, 0.7)),
      constraint_case<Planar>("breathing rod", Rod<Planar>(ground, body, breathing_length)),
      constraint_case<Planar>("rack and pinion", RackAndPinion<Planar>(ground, body, 0.7, Axis({1, 2, 0}))),
      constraint_case<Planar>(
          "gear", Gear<Planar>(Geared<Planar>::shared().turn, Geared<Planar>::shared().other_turn, -0.6), "r"),
      constraint_case<Planar>("gear to a slide",
                              Gear<Planar>(Geared<Planar>::shared().turn, Geared<Planar>::shared().slide, 0.3)),
      constraint_case<Planar>("knife edge", KnifeEdge<Planar>(body)),
      constraint_case<Planar>("driven speed", DrivenSpeed<Planar>(body, Axis({1, 2, 0}), shaken_angle)),
  };
}
template <>
std::vector<Case<Spatial>> all_cases<Spatial>() {
  const Frame<Spatial> ground, body{.body = 0};
  const Axis oblique({1, -2, 3});
  return {
      joint_case<Spatial>("revolute", "mmmrr", Revolute<Spatial>(oblique)),
      joint_case<Spatial>("prismatic", "mmrrr", Prismatic<Spatial>(oblique)),
      joint_case<Spatial>("fixed", "mmmrrr", Fixed<Spatial>()),
      joint_case<Spatial>("spherical", "mmm", Spherical()),
      joint_case<Spatial>("universal", "mmmr", Universal(oblique, Axis({2, 1, 0}))),
      joint_case<Spatial>("cylindrical", "mmrr", Cylindrical(oblique)),
      joint_case<Spatial>("planar joint", "mrr", PlaneJoint(oblique)),
      joint_case<Spatial>("driven revolute", "mmmrrr", DrivenRevolute<Spatial>(oblique, shaken_angle)),
      joint_case<Spatial>("driven prismatic", "mmmrrr", DrivenPrismatic<Spatial>(oblique, shaken_angle)),
      joint_case<Spatial>("screw", "mmrrm", Screw(oblique, -0.3)),
      joint_case<Spatial>("constant velocity", "mmmr", ConstantVelocity(oblique)),
      joint_case<Spatial>("point on line", "mm", PointOnLine<Spatial>(oblique)),
      joint_case<Spatial>("point on plane", "m", PointOnPlane(oblique)),
      joint_case<Spatial>("free translation", "rrr", FreeTranslation<Spatial>()),
      joint_case<Spatial>("free", "", Free<Spatial>()),
      joint_case<Spatial>("free by angles", "", FreeByAngles({Axis::y(), Axis::z(), Axis::x()})),
      joint_case<Spatial>("free by angles of a left-handed triple", "",
                          FreeByAngles({Axis({0, 0, -1}), Axis::y(), Axis::x()})),
      joint_case<Spatial>("point on plane by angles", "m",
                          PointOnPlaneByAngles(oblique, {Axis::z(), Axis::y(), Axis::x()})),
      joint_case<Spatial>("driven path", "", DrivenPath(bent_track(), shaken_angle)),
      joint_case<Spatial>("user screw", "", UserScrew()),
      joint_case<Spatial>("bent slider", "", BentSlider()),
      joint_case<Spatial>("shaken revolute", "", ShakenRevolute()),
      constraint_case<Spatial>("rod", Rod<Spatial>(ground, body, 0.7)),
      constraint_case<Spatial>("breathing rod", Rod<Spatial>(ground, body, breathing_length)),
      constraint_case<Spatial>("curve contact", CurveContact(ground, body, wheel_above_track(), 2)),
      constraint_case<Spatial>("rack and pinion", RackAndPinion<Spatial>(ground, body, -0.7, oblique, Axis({2, 1, 0}))),
      constraint_case<Spatial>(
          "gear", Gear<Spatial>(Geared<Spatial>::shared().turn, Geared<Spatial>::shared().other_turn, -0.6), "r"),
      constraint_case<Spatial>("gear from a slide",
                               Gear<Spatial>(Geared<Spatial>::shared().slide, Geared<Spatial>::shared().screw, 3), "r"),
      constraint_case<Spatial>("knife edge", KnifeEdge<Spatial>(body, oblique)),
      constraint_case<Spatial>("disc on plane", DiscOnPlane(ground, body, 0.7, oblique)),
      constraint_case<Spatial>("rolling disc", RollingDisc(ground, body, 0.7, oblique), "mm"),
      constraint_case<Spatial>("driven speed", DrivenSpeed<Spatial>(body, oblique, shaken_angle)),
  };
}

}  // namespace linkwork::test
