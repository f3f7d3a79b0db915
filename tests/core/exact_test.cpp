// Braces of the wrong dimension do not compile, wherever the public interface takes vectors; what has the right
// dimension does. Nearly all of it is decided by the compiler: each of the assertions below is one call.
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/core/curve_pair.hpp>
#include <linkwork/core/exact.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/path.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/wheelset_creep.hpp>
#include <linkwork/joints/constraints/plane_curve_contact.hpp>
#include <linkwork/joints/measures.hpp>
#include <linkwork/joints/motions.hpp>
#include <linkwork/joints/pieces.hpp>
#include <linkwork/joints/point_on_line.hpp>
#include <linkwork/joints/prismatic.hpp>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace linkwork {
namespace exact_test {

// A call that compiles, or does not, for the arguments in braces. `Space` makes them dependent, so that the answer is
// true or false and no error.
#define TAKES(name, ...)                                                                                              \
  template <class Space>                                                                                              \
  concept name = requires(Model<Space> & model, BodyRef<Space> & body, Frame<Space> & frame, ForceSums<Space> & sums, \
                          ConstraintRows<Space> & rows, Pose<Space> & pose, Twist<Space> & twist,                     \
                          Wrench<Space> & wrench, const Motion<Space>& motion) {                                      \
    __VA_ARGS__;                                                                                                      \
  }

TAKES(GravityOf2, model.set_gravity({0, -10}));
TAKES(GravityOf3, model.set_gravity({0, 0, -10}));
TAKES(GravityOfNothing, model.set_gravity({}));
TAKES(PlaceOf2, body.place({1, 2}));
TAKES(PlaceOf3, body.place({1, 2, 3}));
TAKES(PlaceOfNothing, body.place({}));
TAKES(PlaceOf3Turned, body.place({1, 2, 3}, {1, 0, 0, 0}));
TAKES(PlaceOf3TurnedBy3, body.place({1, 2, 3}, {1, 0, 0}));
TAKES(PlaceOf3TurnedByNothing, body.place({1, 2, 3}, {}));
TAKES(AtOf1, body.at({1}));
TAKES(AtOf2, body.at({1, 2}));
TAKES(AtOf3, body.at({1, 2, 3}));
TAKES(AtOfNothing, body.at({}));
TAKES(AtOf3Turned, body.at({1, 2, 3}, {1, 0, 0, 0}));
TAKES(AtOf3TurnedByNothing, body.at({1, 2, 3}, {}));
TAKES(MoveOf2, body.move({1, 2}));
TAKES(MoveOf3, body.move({1, 2, 3}));
TAKES(MoveOf3And2, body.move({1, 2, 3}, {1, 2}));
TAKES(MoveOf3And3, body.move({1, 2, 3}, {1, 2, 3}));
TAKES(MomentumOf2, model.add_momentum_invariant("momentum", {1, 0}));
TAKES(MomentumOf3, model.add_momentum_invariant("momentum", {1, 0, 0}));
TAKES(AngularMomentumOf2, model.add_angular_momentum_invariant("spin", {1, 0}));
TAKES(AngularMomentumOf3, model.add_angular_momentum_invariant("spin", {1, 0, 0}));
TAKES(AngularMomentumOf3And2, model.add_angular_momentum_invariant("spin", {1, 0, 0}, {0, 1}));
TAKES(AngularMomentumOf3And3, model.add_angular_momentum_invariant("spin", {1, 0, 0}, {0, 1, 0}));
TAKES(SumOf2, sums.add_force(0, {1, 0}));
TAKES(SumOf3, sums.add_force(0, {1, 0, 0}));
TAKES(TorqueSumOf2, sums.add_torque(0, {1, 0}));
TAKES(TorqueSumOf3, sums.add_torque(0, {1, 0, 0}));
TAKES(RowOf2, rows.add_linear(0, 0, {1, 0}));
TAKES(RowOf3, rows.add_linear(0, 0, {1, 0, 0}));
TAKES(RowsOf2And3, rows.add(0, 0, {1, 0}, {1, 0, 0}));
TAKES(RowsOf3And2, rows.add(0, 0, {1, 0, 0}, {1, 0}));
TAKES(RowsOf3And3, rows.add(0, 0, {1, 0, 0}, {1, 0, 0}));
TAKES(PositionOf2, pose.position = {1, 2});
TAKES(PositionOf3, pose.position = {1, 2, 3});
TAKES(PositionOfNothing, pose.position = {});
TAKES(RotationOf2, pose.rotation = {1, 2});
TAKES(RotationOf2Rows, pose.rotation = {{1, 0}, {0, 1}});
TAKES(RotationOf3Rows, pose.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
TAKES(VelocityOf2, twist.linear = {1, 2});
TAKES(VelocityOf3, twist.linear = {1, 2, 3});
TAKES(ForceOf2, wrench.force = {1, 2});
TAKES(ForceOf3, wrench.force = {1, 2, 3});
TAKES(OffsetOf2, frame.offset = {1, 2});
TAKES(OffsetOf3, frame.offset = {1, 2, 3});
TAKES(OffsetInBracesOf2, Frame<Space>{.offset = {1, 2}});
TAKES(OffsetInBracesOf3, Frame<Space>{.offset = {1, 2, 3}});
TAKES(TravelOf2, measures::Travel<Space>({1, 0}));
TAKES(TravelOf3, measures::Travel<Space>({1, 0, 0}));
TAKES(ExponentialOf2, exponential(Exact<Space::n>{1, 2}));
TAKES(ExponentialOf3, exponential(Exact<Space::n>{1, 2, 3}));
TAKES(ExponentialOf6, exponential(Exact<Space::n>{1, 2, 3, 4, 5, 6}));
TAKES(AppliedForceOf2, AppliedForce<Space>(frame, {0, -10}));
TAKES(AppliedForceOf3, AppliedForce<Space>(frame, {0, 0, -10}));
TAKES(AppliedForceAlong2, AppliedForce<Space>(frame, Input(), {0, 1}));
TAKES(AppliedForceAlong3, AppliedForce<Space>(frame, Input(), {0, 0, 1}));
TAKES(AppliedTorqueOf2, AppliedTorque<Space>(frame, {0, 1}));
TAKES(AppliedTorqueOf3, AppliedTorque<Space>(frame, {0, 0, 1}));
TAKES(ActuatorAlong2, (typename Actuator<Space>::Options{.axis = {{0, 1}}}));
TAKES(ActuatorAlong3, (typename Actuator<Space>::Options{.axis = {{0, 0, 1}}}));
TAKES(FrictionOf2, (typename DryFriction<Space>::Options{.normal = {0, 1}}));
TAKES(FrictionOf3, (typename DryFriction<Space>::Options{.normal = {0, 1, 0}}));
TAKES(FrictionAlong2, (typename DryFriction<Space>::Options{.tangent = {0, 1}}));
TAKES(FrictionAt2, (typename DryFriction<Space>::Options{.arm = {0, 1}}));
TAKES(BushingOf2, (typename Bushing<Space>::Options{.stiffness = {1, 2}}));
TAKES(BushingOf2Rows, (typename Bushing<Space>::Options{.damping = {{1, 0}, {0, 1}}}));
TAKES(BushingOf3Rows, (typename Bushing<Space>::Options{.damping = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}));
TAKES(PreloadOf2, (typename Bushing<Space>::Options{.preload = {1, 2}}));
TAKES(PreloadOf3, (typename Bushing<Space>::Options{.preload = {1, 2, 3}}));
TAKES(RigidBodyAt2, RigidBody<Space>(1, Eigen::Matrix3d(), {1, 2}));
TAKES(RigidBodyAt3, RigidBody<Space>(1, Eigen::Matrix3d(), {1, 2, 3}));
TAKES(PlanarBodyAt2, RigidBody<Space>(1, 1, {1, 2}));
TAKES(PlanarBodyAt3, RigidBody<Space>(1, 1, {1, 2, 3}));
TAKES(RigidBodyOf2, RigidBody<Space>(1, {1, 2}));

#undef TAKES

static_assert(GravityOf2<Planar> && !GravityOf3<Planar> && !GravityOfNothing<Planar>);
static_assert(!GravityOf2<Spatial> && GravityOf3<Spatial> && !GravityOfNothing<Spatial>);
static_assert(PlaceOf2<Planar> && !PlaceOf3<Planar> && !PlaceOfNothing<Planar>);
static_assert(!PlaceOf2<Spatial> && PlaceOf3<Spatial> && !PlaceOfNothing<Spatial>);
static_assert(PlaceOf3Turned<Spatial> && !PlaceOf3TurnedBy3<Spatial> && !PlaceOf3TurnedByNothing<Spatial>);
static_assert(!AtOf1<Planar> && AtOf2<Planar> && !AtOf3<Planar> && !AtOfNothing<Planar>);
static_assert(!AtOf1<Spatial> && !AtOf2<Spatial> && AtOf3<Spatial> && !AtOfNothing<Spatial>);
static_assert(AtOf3Turned<Spatial> && !AtOf3TurnedByNothing<Spatial>);
static_assert(MoveOf2<Planar> && !MoveOf3<Planar> && !MoveOf2<Spatial> && MoveOf3<Spatial>);
static_assert(!MoveOf3And2<Spatial> && MoveOf3And3<Spatial>);
static_assert(MomentumOf2<Planar> && !MomentumOf3<Planar> && !MomentumOf2<Spatial> && MomentumOf3<Spatial>);
static_assert(AngularMomentumOf2<Planar> && !AngularMomentumOf3<Planar>);
static_assert(!AngularMomentumOf2<Spatial> && AngularMomentumOf3<Spatial>);
static_assert(!AngularMomentumOf3And2<Spatial> && AngularMomentumOf3And3<Spatial>);
static_assert(SumOf2<Planar> && !SumOf3<Planar> && !SumOf2<Spatial> && SumOf3<Spatial>);
static_assert(!TorqueSumOf2<Planar> && !TorqueSumOf2<Spatial> && TorqueSumOf3<Spatial>);
static_assert(RowOf2<Planar> && !RowOf3<Planar> && !RowOf2<Spatial> && RowOf3<Spatial>);
static_assert(!RowsOf2And3<Spatial> && !RowsOf3And2<Spatial> && RowsOf3And3<Spatial>);
static_assert(PositionOf2<Planar> && !PositionOf3<Planar> && !PositionOfNothing<Planar>);
static_assert(!PositionOf2<Spatial> && PositionOf3<Spatial> && !PositionOfNothing<Spatial>);
static_assert(!RotationOf2<Planar> && RotationOf2Rows<Planar> && !RotationOf3Rows<Planar>);
static_assert(!RotationOf2<Spatial> && !RotationOf2Rows<Spatial> && RotationOf3Rows<Spatial>);
static_assert(VelocityOf2<Planar> && !VelocityOf3<Planar> && !VelocityOf2<Spatial> && VelocityOf3<Spatial>);
static_assert(ForceOf2<Planar> && !ForceOf3<Planar> && !ForceOf2<Spatial> && ForceOf3<Spatial>);
static_assert(OffsetOf2<Planar> && !OffsetOf3<Planar> && !OffsetOf2<Spatial> && OffsetOf3<Spatial>);
static_assert(OffsetInBracesOf2<Planar> && !OffsetInBracesOf3<Planar>);
static_assert(!OffsetInBracesOf2<Spatial> && OffsetInBracesOf3<Spatial>);
static_assert(TravelOf2<Planar> && !TravelOf3<Planar> && !TravelOf2<Spatial> && TravelOf3<Spatial>);
static_assert(!ExponentialOf2<Planar> && ExponentialOf3<Planar> && !ExponentialOf6<Planar>);
static_assert(!ExponentialOf2<Spatial> && !ExponentialOf3<Spatial> && ExponentialOf6<Spatial>);
static_assert(AppliedForceOf2<Planar> && !AppliedForceOf3<Planar>);
static_assert(!AppliedForceOf2<Spatial> && AppliedForceOf3<Spatial>);
static_assert(AppliedForceAlong2<Planar> && !AppliedForceAlong3<Planar>);
static_assert(!AppliedForceAlong2<Spatial> && AppliedForceAlong3<Spatial>);
static_assert(!AppliedTorqueOf2<Planar> && !AppliedTorqueOf2<Spatial> && AppliedTorqueOf3<Spatial>);
static_assert(ActuatorAlong2<Planar> && !ActuatorAlong3<Planar> && !ActuatorAlong2<Spatial> && ActuatorAlong3<Spatial>);
static_assert(FrictionOf2<Planar> && !FrictionOf3<Planar> && !FrictionOf2<Spatial> && FrictionOf3<Spatial>);
static_assert(FrictionAlong2<Planar> && !FrictionAlong2<Spatial> && FrictionAt2<Planar> && !FrictionAt2<Spatial>);
static_assert(!BushingOf2<Planar> && !BushingOf2<Spatial>);
static_assert(!BushingOf2Rows<Planar> && BushingOf3Rows<Planar> && !BushingOf3Rows<Spatial>);
static_assert(!PreloadOf2<Planar> && PreloadOf3<Planar> && !PreloadOf3<Spatial>);
static_assert(!RigidBodyAt2<Spatial> && RigidBodyAt3<Spatial> && PlanarBodyAt2<Planar> && !PlanarBodyAt3<Planar>);
static_assert(!RigidBodyOf2<Spatial>);

// Functions of one space only, by a parameter that makes them dependent.
template <class Properties>
concept BoxOf2 = requires {
  Properties::box(1, {1, 1});
};
template <class Properties>
concept BoxOf3 = requires {
  Properties::box(1, {1, 1, 1});
};
template <class Properties>
concept DenseBoxOf2 = requires {
  Properties::box_of_density(1, {1, 1});
};
template <class Properties>
concept GivenAt2 = requires {
  Properties::given(1, {1, 2}, Eigen::Matrix3d());
};
template <class Properties>
concept GivenAt3 = requires {
  Properties::given(1, {1, 2, 3}, Eigen::Matrix3d());
};
template <class Properties>
concept GivenOf2 = requires {
  Properties::given(1, {1, 2, 3}, {1, 2});
};
template <class Properties>
concept GivenOf2Rows = requires {
  Properties::given(1, {1, 2, 3}, {{1, 0}, {0, 1}});
};
template <class Properties>
concept GivenOf3Rows = requires {
  Properties::given(1, {1, 2, 3}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
};
template <class Properties>
concept PlanarAtNothing = requires {
  Properties::planar(1, 1, {});
};
template <class Properties>
concept ShiftedBy2 = requires(const Properties& box) {
  box.shifted({1, 2});
};
template <class Properties>
concept ShiftedBy3 = requires(const Properties& box) {
  box.shifted({1, 2, 3});
};
static_assert(!BoxOf2<MassProperties> && BoxOf3<MassProperties> && !DenseBoxOf2<MassProperties>);
static_assert(!GivenAt2<MassProperties> && GivenAt3<MassProperties>);
static_assert(!GivenOf2<MassProperties> && !GivenOf2Rows<MassProperties> && GivenOf3Rows<MassProperties>);
static_assert(!PlanarAtNothing<MassProperties> && !ShiftedBy2<MassProperties> && ShiftedBy3<MassProperties>);

template <class A>
concept AxisOf2 = requires {
  A({0, 1});
};
template <class A>
concept AxisOf3 = requires {
  A({0, 0, 1});
};
static_assert(!AxisOf2<Axis> && AxisOf3<Axis>);

template <class Carrier>
concept CarrierOf2 = requires(const MassProperties& mass) {
  Carrier(mass, {1, 2});
};
template <class Carrier>
concept CarrierOf3 = requires(const MassProperties& mass) {
  Carrier(mass, {1, 2, 3});
};
static_assert(!CarrierOf2<RotorCarrier> && CarrierOf3<RotorCarrier>);

template <class Options>
concept AxleOf2 = requires {
  Options{.axle = {0, 1}};
};
template <class Options>
concept AxleOf3 = requires {
  Options{.axle = {0, 1, 0}};
};
static_assert(!AxleOf2<WheelsetCreep::Options> && AxleOf3<WheelsetCreep::Options>);

template <class Point>
concept CurvePointOfNothing = requires {
  Point{.position = {}};
};
template <class Point>
concept CurvePointOf2 = requires {
  Point{.position = {1, 2}};
};
template <class Point>
concept CurvePointOf3 = requires {
  Point{.position = {1, 2, 3}};
};
static_assert(!CurvePointOfNothing<PlaneCurvePoint> && CurvePointOf2<PlaneCurvePoint> &&
              !CurvePointOf3<PlaneCurvePoint>);
static_assert(!CurvePointOf2<SpaceCurvePoint> && CurvePointOf3<SpaceCurvePoint>);

template <class Contact>
concept ContactAtNothing = requires(const Frame<Planar>& frame, const PlaneCurve& curve) {
  Contact(frame, curve, frame, curve, {});
};
template <class Contact>
concept ContactAt2 = requires(const Frame<Planar>& frame, const PlaneCurve& curve) {
  Contact(frame, curve, frame, curve, {1, 2});
};
static_assert(!ContactAtNothing<PlaneCurveContact> && ContactAt2<PlaneCurveContact>);

template <class Vector3>
concept CrossOf2 = requires(const Vector3& a) {
  cross(a, {1, 0});
};
static_assert(!CrossOf2<Eigen::Vector3d>);

// What is no braces.
static_assert(std::is_convertible_v<Eigen::Vector3d, Exact<3>> && std::is_convertible_v<Exact<3>, Eigen::Vector3d>);
static_assert(std::is_convertible_v<decltype(2.0 * Eigen::Vector3d()), Exact<3>>);
static_assert(std::is_convertible_v<Eigen::VectorXd, Exact<3>>);
static_assert(!std::is_convertible_v<Eigen::Vector2d, Exact<3>> && !std::is_convertible_v<double, Exact<3>>);
static_assert(!std::is_default_constructible_v<Exact<3>> && !std::is_default_constructible_v<ExactQuaternion>);
static_assert(std::is_convertible_v<Eigen::Quaterniond, ExactQuaternion>);

TEST(Exact, BracesGiveAllNumbers) {
  const int whole = 2;
  EXPECT_EQ(Exact<3>({1, whole, 0.5F}), Eigen::Vector3d(1, 2, 0.5));
  const Exact<2, 2> matrix = {{1, 2}, {3, 4}};
  EXPECT_EQ(matrix, (Eigen::Matrix2d() << 1, 2, 3, 4).finished());
}

TEST(Exact, ExpressionsAreValuesOfIt) {
  const Eigen::Vector3d x(1, 2, 3);
  Exact<3> y = 2 * x;
  EXPECT_EQ(y, Eigen::Vector3d(2, 4, 6));
  y = x.transpose();
  EXPECT_EQ(y, x);
  const Exact<3, 3> diagonal = x.asDiagonal();
  EXPECT_EQ(diagonal, Eigen::Matrix3d(x.asDiagonal()));
  Exact<3, 3> turned = diagonal;
  turned = turned * turned;  // through a copy, as Eigen's products
  EXPECT_EQ(turned.diagonal(), Eigen::Vector3d(1, 4, 9));
  turned = Eigen::AngleAxisd(0, Eigen::Vector3d::UnitX());
  EXPECT_EQ(turned, Eigen::Matrix3d::Identity());
}

TEST(Exact, SizesThatAreKnownLateAreChecked) {
  PlanarModel model;
  const std::string message =
      "a vector or matrix of size 3 x 1 was given where one of 2 x 1 is expected; give that many numbers.";
  expect_error<ModelError>(message, [&] { model.set_gravity(Eigen::VectorXd::Zero(3)); });
  Exact<2> gravity = {0, -10};
  expect_error<ModelError>(message, [&] { gravity = Eigen::VectorXd::Zero(3); });
  gravity = Eigen::VectorXd::Ones(2);
  EXPECT_EQ(gravity, Eigen::Vector2d(1, 1));
}

}  // namespace exact_test
}  // namespace linkwork
