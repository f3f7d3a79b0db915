#include <linkwork/linkwork.hpp>

#include "../core/expect_error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::test {
namespace diagnosis_test {

using Names = std::vector<std::string>;
using Eigen::Vector3d;

/// A closed loop of bodies that turn about axes through given points, the first and the last on the ground; names A, B,
/// C, ... All axes of bodies are those of the ground at the start.
SpatialModel hinged_loop(const std::vector<Vector3d>& points, const std::vector<Vector3d>& axes) {
  SpatialModel model("loop");
  Frame<Spatial> last = model.ground().at(points[0]);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    auto body = model.add_body("bar " + std::to_string(i + 1), MassProperties::sphere(1, 0.1));
    const Vector3d middle = (points[i] + points[i + 1]) / 2;
    body.place(middle);
    model.add_joint<Revolute>(std::string(1, static_cast<char>('A' + i)), last, body.at(points[i] - middle),
                              Axis(axes[i]));
    last = body.at(points[i + 1] - middle);
  }
  model.add_joint<Revolute>(std::string(1, static_cast<char>('A' + points.size() - 1)),
                            model.ground().at(points.back()), last, Axis(axes.back()));
  return model;
}

const std::vector<Vector3d> four_points = {{0, 0, 0}, {0.3, 1, 0}, {1.6, 1.2, 0}, {2, 0, 0}};
const std::vector<Vector3d> four_axes(4, Vector3d::UnitZ());

bool has_sentence(const Diagnosis& diagnosis, const std::string& sentence) {
  return std::find(diagnosis.sentences.begin(), diagnosis.sentences.end(), sentence) != diagnosis.sentences.end();
}
/// For the message of a test that fails.
std::string told(const Diagnosis& diagnosis) {
  std::string out;
  for (const std::string& sentence : diagnosis.sentences) out += sentence + "\n";
  return out;
}

TEST(Diagnosis, NamesTheRedundantRowsOfAPlanarLoopInSpace) {
  const Diagnosis found = diagnose(hinged_loop(four_points, four_axes));
  EXPECT_EQ(found.mobility(), 1);
  EXPECT_EQ(found.redundant, 3);
  EXPECT_EQ(found.permanent, 3);
  EXPECT_TRUE(found.knows_nearby);
  ASSERT_EQ(found.loops.size(), 1u);
  const Diagnosis::Loop& loop = found.loops[0];
  EXPECT_EQ(loop.elements.size(), 4u);
  EXPECT_EQ(loop.redundant, 3);
  EXPECT_EQ(loop.directions, (Names{"translation along z", "rotation about x", "rotation about y"}));
  ASSERT_EQ(loop.rows.size(), 5u);
  EXPECT_EQ(loop.rows[0].name, "translation along x");
  EXPECT_EQ(loop.rows[0].unit, "m");
  EXPECT_FALSE(loop.rows[0].depends);
  EXPECT_EQ(loop.rows[2].name, "translation along z");
  EXPECT_TRUE(loop.rows[2].depends);
  EXPECT_EQ(loop.rows[3].unit, "rad");
  EXPECT_TRUE(loop.rows[3].depends);
  ASSERT_EQ(found.reactions.size(), 4u);
  for (const Diagnosis::Reaction& reaction : found.reactions)
    EXPECT_EQ(reaction.components, (Names{"force along z", "torque about x", "torque about y"})) << reaction.element;
  EXPECT_TRUE(
      has_sentence(found, "the reactions at A, B, C, D are not unique: force along z, torque about x, torque about y."))
      << told(found);
  EXPECT_TRUE(has_sentence(found,
                           "loop of joints B, A, D, C: 3 of the 5 closure rows at C are redundant (translation along "
                           "z, rotation about x, rotation about y)."))
      << told(found);
}

TEST(Diagnosis, FollowsALoopThatIsTurnedOutOfTheCoordinatePlanes) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -0.5).normalized()));
  std::vector<Vector3d> points, axes;
  for (const Vector3d& point : four_points) points.push_back(turn * point);
  for (const Vector3d& axis : four_axes) axes.push_back(turn * axis);
  const Diagnosis found = diagnose(hinged_loop(points, axes));
  EXPECT_EQ(found.redundant, 3);
  EXPECT_EQ(found.permanent, 3);
  ASSERT_EQ(found.loops.size(), 1u);
  ASSERT_EQ(found.loops[0].directions.size(), 3u);
  const Vector3d normal = turn * Vector3d::UnitZ();
  const auto digits = [](double x) { return concat(std::round(1000 * x) / 1000); };
  EXPECT_EQ(found.loops[0].directions[0],
            "translation along (" + digits(normal.x()) + " " + digits(normal.y()) + " " + digits(normal.z()) + ")");
}

TEST(Diagnosis, TellsAxesOfTheJointFrameFromThoseOfTheGround) {
  SpatialModel model("two slides");  // along one axis of turned joint frames: five rows are redundant
  auto body = model.add_body("carriage", MassProperties::sphere(1, 0.1));
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.4, Vector3d(1, 1, 0).normalized()));
  model.add_joint<Prismatic>("left rail", model.ground().at({0, 0, 0}, turn), body.at({0, 0, 0}, turn), Axis::x());
  model.add_joint<Prismatic>("right rail", model.ground().at({0, 1, 0}, turn), body.at({0, 1, 0}, turn), Axis::x());
  const Diagnosis found = diagnose(model);
  EXPECT_EQ(found.redundant, 5);
  ASSERT_EQ(found.loops.size(), 1u);
  EXPECT_EQ(found.loops[0].directions[0], "translation along y of the joint frame");
  EXPECT_EQ(found.loops[0].directions[1], "translation along z of the joint frame");
}

TEST(Diagnosis, FindsTheRedundantRowOfBricardsMechanism) {
  const Diagnosis found = diagnose(hinged_loop({{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}},
                                               {Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX(),
                                                Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX()}));
  EXPECT_EQ(found.mobility(), 1) << told(found);
  EXPECT_EQ(found.permanent, 1);
  ASSERT_EQ(found.loops.size(), 1u);
  EXPECT_EQ(found.loops[0].redundant, 1);
  EXPECT_EQ(found.loops[0].directions.size(), 1u) << "one wrench that mixes force and torque";
  EXPECT_EQ(found.reactions.size(), 6u);
}

TEST(Diagnosis, FindsTheThreeRedundantRowsOfBennettsLinkage) {
  // A skew quadrilateral with equal opposite sides, symmetric to the z axis; every hinge is normal to both its sides.
  const std::vector<Vector3d> points = {{1, 0.2, 0}, {0.3, 0.9, 0.5}, {-1, -0.2, 0}, {-0.3, -0.9, 0.5}};
  std::vector<Vector3d> axes;
  for (std::size_t i = 0; i < 4; ++i)
    axes.push_back((points[(i + 1) % 4] - points[i]).cross(points[(i + 3) % 4] - points[i]));
  const Diagnosis found = diagnose(hinged_loop(points, axes));
  EXPECT_EQ(found.mobility(), 1) << told(found);
  EXPECT_EQ(found.redundant, 3);
  EXPECT_EQ(found.permanent, 3) << "nearby positions need a projection that lives with dependent rows";
}

/// A planar parallelogram with cranks of 1 m at an angle, and perhaps a third crank.
PlanarModel parallelogram(double angle, bool third) {
  PlanarModel model("parallelogram");
  const Eigen::Vector2d arm(std::cos(angle), std::sin(angle));
  auto coupler = model.add_body("coupler", MassProperties::rod(1, 2));
  coupler.place(Eigen::Vector2d(1, 0) + arm);
  for (int i = 0; i < (third ? 3 : 2); ++i) {
    const std::string number = std::to_string(i + 1);
    const Eigen::Vector2d foot(third ? i : 2 * i, 0);
    auto crank = model.add_body("crank " + number, MassProperties::rod(1, 1));
    crank.place(foot + arm / 2, angle);
    model.add_joint<Revolute>("foot " + number, model.ground().at(foot), crank.at({-0.5, 0}));
    model.add_joint<Revolute>("pin " + number, crank.at({0.5, 0}), coupler.at({foot.x() - 1, 0}));
  }
  return model;
}

TEST(Diagnosis, TellsASingularPositionFromPermanentRedundancy) {
  const Diagnosis upright = diagnose(parallelogram(1, false));
  EXPECT_EQ(upright.redundant, 0);
  EXPECT_TRUE(upright.sentences.empty()) << told(upright);
  const Diagnosis flat = diagnose(parallelogram(0, false));
  EXPECT_EQ(flat.redundant, 1);
  EXPECT_EQ(flat.permanent, 0);
  EXPECT_EQ(flat.mobility(), 2);
  EXPECT_EQ(flat.usual_mobility(), 1);
  EXPECT_TRUE(has_sentence(flat, "singular position: mobility 2 here, 1 nearby.")) << told(flat);
  ASSERT_EQ(flat.loops.size(), 1u);
  EXPECT_EQ(flat.loops[0].directions, Names{"translation along x"});
  EXPECT_NE(flat.sentences[0].find("(translation along x), at this position only."), std::string::npos) << told(flat);
}

TEST(Diagnosis, FindsRowsThatAreRedundantOnlyTogether) {
  const Diagnosis found = diagnose(parallelogram(1, true));
  EXPECT_EQ(found.mobility(), 1) << "a third crank that fits";
  EXPECT_EQ(found.permanent, 1);
  ASSERT_EQ(found.loops.size(), 2u);
  for (const Diagnosis::Loop& loop : found.loops) EXPECT_EQ(loop.redundant, 0) << "alone";
  EXPECT_NE(found.sentences[0].find("together 1 more of their closure rows is redundant."), std::string::npos)
      << told(found);
  EXPECT_EQ(found.reactions.size(), 6u);
}

TEST(Diagnosis, FindsTrussesThatCanNotMove) {
  PlanarModel model("truss");
  auto left = model.add_body("left", MassProperties::rod(1, 1)),
       right = model.add_body("right", MassProperties::rod(1, 1));
  left.place({0.25, std::sqrt(3) / 4}, std::numbers::pi / 3);
  right.place({0.75, std::sqrt(3) / 4}, -std::numbers::pi / 3);
  model.add_joint<Revolute>("A", model.ground().origin(), left.at({-0.5, 0}));
  model.add_joint<Revolute>("B", left.at({0.5, 0}), right.at({-0.5, 0}));
  model.add_joint<Revolute>("C", right.at({0.5, 0}), model.ground().at({1, 0}));
  const Diagnosis found = diagnose(model);
  EXPECT_EQ(found.mobility(), 0);
  EXPECT_EQ(found.immovable, (Names{"left", "right"}));
  EXPECT_EQ(found.sentences,
            Names{"the mechanism can't move: mobility 0, 6 freedoms and as many independent constraint rows."});
}

TEST(Diagnosis, DoesNotTakeADeadPointForABodyThatCanNotMove) {
  // Crank and coupler lie in one line, and the rocker stands still for a moment.
  const Diagnosis found = diagnose(hinged_loop({{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2.5, -1.5, 0}}, four_axes));
  EXPECT_EQ(found.mobility(), 1);
  EXPECT_TRUE(found.immovable.empty()) << told(found);
}

TEST(Diagnosis, CountsTheHingesOfADoor) {
  for (const int hinges : {1, 2, 3}) {
    SpatialModel model("door");
    auto leaf = model.add_body("leaf", MassProperties::box(20, {1, 0.05, 2}));
    leaf.place({0.5, 0, 1});
    for (int i = 0; i < hinges; ++i)
      model.add_joint<Revolute>("hinge " + std::to_string(i + 1), model.ground().at({0, 0, 0.5 + 0.5 * i}),
                                leaf.at({-0.5, 0, -0.5 + 0.5 * i}), Axis::z());
    const Diagnosis found = diagnose(model);
    EXPECT_EQ(found.mobility(), 1);
    EXPECT_EQ(found.permanent, 5 * (hinges - 1));
    EXPECT_EQ(found.loops.size(), static_cast<std::size_t>(hinges - 1));
    for (const Diagnosis::Loop& loop : found.loops) EXPECT_EQ(loop.redundant, 5);
    for (const Diagnosis::Reaction& reaction : found.reactions)
      EXPECT_EQ(reaction.components,
                (Names{"force along x", "force along y", "force along z", "torque about x", "torque about y"}));
  }
}

TEST(Diagnosis, NamesALoopThatCanNotBeAssembledAndItsGap) {
  PlanarModel model("too short");
  auto left = model.add_body("left", MassProperties::rod(1, 1)),
       right = model.add_body("right", MassProperties::rod(1, 1));
  left.place({0.5, 0.1}, 0.2);
  right.place({2.0, 0.1}, -0.2);
  model.add_joint<Revolute>("A", model.ground().origin(), left.at({-0.5, 0}));
  model.add_joint<Revolute>("B", left.at({0.5, 0}), right.at({-0.5, 0}));
  model.add_joint<Revolute>("C", model.ground().at({2.5, 0}), right.at({0.5, 0}));
  const Diagnosis found = diagnose(model);
  ASSERT_EQ(found.gaps.size(), 1u);
  // Two bars of 1 m span 2 m of the 2.5 m.
  EXPECT_EQ(
      found.sentences,
      Names{"loop of joints A, C, B can't be assembled: the smallest gap reached at B is 0.5 m; check the lengths "
            "and frames of its bodies."});
}

TEST(Diagnosis, AssemblesWhatIsOffAtTheStart) {
  PlanarModel model("nearly");
  auto left = model.add_body("left", MassProperties::rod(1, 1)),
       right = model.add_body("right", MassProperties::rod(1, 1));
  left.place({0.4, 0.4}, 0.9);
  right.place({1.1, 0.3}, -0.8);
  model.add_joint<Revolute>("A", model.ground().origin(), left.at({-0.5, 0}));
  model.add_joint<Revolute>("B", left.at({0.5, 0}), right.at({-0.5, 0}));
  model.add_joint<Revolute>("C", model.ground().at({1.4, 0}), right.at({0.5, 0}));
  const Diagnosis found = diagnose(model);
  EXPECT_TRUE(found.gaps.empty());
  EXPECT_EQ(found.mobility(), 0);
}

TEST(Diagnosis, LooksAtAStateThatIsGiven) {
  const PlanarModel model = parallelogram(1, false);
  State state = make_absolute_equations(parallelogram(0, false))->initial_state();
  EXPECT_EQ(diagnose(model, state).redundant, 1);
  state.p.conservativeResize(5);
  expect_error<ModelError>("diagnose: the state has 5 positions; model 'parallelogram' has 9 in absolute coordinates.",
                           [&] { diagnose(model, state); });
}

TEST(RankMonitor, ReportsASingularPositionThatAStepPasses) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
    PlanarModel model = parallelogram(1, false);
    model.set_gravity({0, 0});
    // The parallel motion: cranks turn at -1 rad/s, the coupler keeps its attitude. Flat at t = 1 s.
    for (const int i : {1, 2}) {
      const Vector<Planar> arm(std::cos(1.0), std::sin(1.0));
      model.body("crank " + std::to_string(i)).move(cross(-1.0, Vector<Planar>(arm / 2)), -1);
      model.body("coupler").move(cross(-1.0, arm));
    }
    RankMonitor monitor(model, {.formulation = formulation});
    Simulation simulation(model, {.formulation = formulation});
    simulation.observe(monitor.observer());
    simulation.run(0, 1.5);
    ASSERT_EQ(monitor.reports().size(), 1u) << name_of(formulation);
    EXPECT_NEAR(monitor.reports()[0].t, 1, 0.02) << "linear interpolation in a step of about 0.2 s";
    EXPECT_NE(monitor.reports()[0].sentence.find("1 row of the loop"), std::string::npos)
        << monitor.reports()[0].sentence;
    EXPECT_NE(monitor.reports()[0].sentence.find("mobility 2 instead of 1."), std::string::npos);
  }
}

/// Bars in a regular polygon, each pinned to the next, the first to the ground as well.
/// @param length  of a bar [m]
PlanarModel polygon(int bars, double gap = 0, double length = 1) {
  PlanarModel model("polygon");
  const double side = 2 * std::numbers::pi / bars, radius = length / (2 * std::sin(side / 2));
  std::vector<BodyRef<Planar>> all;
  for (int i = 0; i < bars; ++i) {
    all.push_back(model.add_body("bar " + std::to_string(i), MassProperties::rod(1, length)));
    const double angle = (i + 0.5) * side, middle = radius * std::cos(side / 2) + gap * i;
    all.back().place({middle * std::cos(angle), middle * std::sin(angle)}, angle + std::numbers::pi / 2);
  }
  for (int i = 0; i < bars; ++i)
    model.add_joint<Revolute>("pin " + std::to_string(i), all[static_cast<std::size_t>(i)].at({length / 2, 0}),
                              all[static_cast<std::size_t>((i + 1) % bars)].at({-length / 2, 0}));
  model.add_joint<Revolute>("bearing", model.ground().at({radius, 0}), all[0].at({-length / 2, 0}));
  return model;
}

// A gap of a tenth of a bar is closed, and what is found is the same, whatever the unit of length.
TEST(Diagnosis, IsTheSameInMicrometresAndInMegametres) {
  const Diagnosis metres = diagnose(polygon(6, /*gap*/ 0.1));
  EXPECT_TRUE(metres.knows_ranks);
  EXPECT_EQ(metres.mobility(), 4);
  for (const double unit : {1e-6, 1e6}) {
    const Diagnosis other = diagnose(polygon(6, 0.1 * unit, unit));
    EXPECT_EQ(other.mobility(), metres.mobility()) << unit;
    EXPECT_EQ(other.sentences, metres.sentences) << unit;
    EXPECT_EQ(other.immovable, metres.immovable) << unit;
  }
}

TEST(Diagnosis, SaysThatAMechanismIsTooLargeToBeAssembled) {
  const Diagnosis found = diagnose(polygon(101, /*gap*/ 1e-6));
  EXPECT_FALSE(found.knows_ranks);
  ASSERT_EQ(found.sentences.size(), 1u);
  const std::string& sentence = found.sentences[0];
  EXPECT_EQ(sentence.find("the constraints are off by "), 0u) << sentence;
  EXPECT_NE(sentence.find(" rad or characteristic lengths ("), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(" at the start, and the mechanism is too large (303 freedoms) to be assembled here; give "
                          "positions that satisfy them."),
            std::string::npos)
      << sentence;
  EXPECT_EQ(found.mobility(), 303 - 204);
}

TEST(Diagnosis, SaysThatLoopsAreTooLargeForRanks) {
  const Diagnosis found = diagnose(polygon(751));
  EXPECT_FALSE(found.knows_ranks);
  EXPECT_EQ(found.redundant, 0);
  EXPECT_EQ(found.sentences, (Names{"the loops share joints in a group of more than 1500 rows: too large for ranks; "
                                    "the counts are those of the graph."}))
      << told(found);
}

TEST(Diagnosis, SaysWhatCannotBeEvaluated) {
  PlanarModel model("model");
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  model.add_constraint<Rod>("rod", model.ground().origin(), body.origin(), Input([](double) {
                              return InputValue{-1, 0, 0};
                            }));
  try {
    diagnose(model);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("diagnose: model 'model' can't be evaluated at the position: 'rod' at t = "
                        "0 s: "),
              0u)
        << error.what();
  }
}

TEST(Diagnosis, NamesTheMultiplierWhereTorquesCancel) {
  PlanarModel model("model");
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1)),
       arm = model.add_body("arm", MassProperties::rod(1, 1));
  arm.place({0.5, 0});
  wheel.place({1, 0});
  const auto shoulder = model.add_joint<Revolute>("shoulder", model.ground().origin(), arm.at({-0.5, 0}));
  const auto hub = model.add_joint<Revolute>("hub", arm.at({0.5, 0}), wheel.origin());
  model.add_constraint<Gear>("gear", shoulder, hub, -1.0);
  model.add_constraint<Gear>("same gear", hub, shoulder, -1.0);  // its torques on the arm cancel
  const Diagnosis found = diagnose(model);
  EXPECT_EQ(found.redundant, 1);
  EXPECT_TRUE(has_sentence(found, "the reactions at same gear are not unique: multiplier.")) << told(found);
}

TEST(RankMonitor, KeepsSilentAboutRowsThatAreAlwaysRedundant) {
  const SpatialModel model = hinged_loop(four_points, four_axes);
  RankMonitor monitor(model);
  const auto equations = make_absolute_equations(model);
  const auto observe = monitor.observer();
  State state = equations->initial_state();
  equations->set(state);
  EXPECT_TRUE(observe(state, *equations));
  state.t = 0.1;
  EXPECT_TRUE(observe(state, *equations));
  EXPECT_TRUE(monitor.reports().empty());
}

TEST(RankMonitor, ReportsAStartAtASingularPositionOnce) {
  const PlanarModel model = parallelogram(0, false);
  RankMonitor monitor(model);
  const auto equations = make_absolute_equations(model);
  const auto observe = monitor.observer();
  State state = equations->initial_state();
  for (const double t : {0.0, 0.1, 0.2}) {
    state.t = t;
    observe(state, *equations);
  }
  ASSERT_EQ(monitor.reports().size(), 1u);
  EXPECT_EQ(monitor.reports()[0].t, 0);
}

}  // namespace diagnosis_test
}  // namespace linkwork::test
