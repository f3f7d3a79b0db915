#include "expect_error.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/model_graph.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace linkwork {
namespace model_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Elements of a user.

/// A body whose answers the test chooses.
class OddBody final : public Body<Spatial> {
 public:
  explicit OddBody(double mass, const Eigen::Matrix3d& inertia = Eigen::Matrix3d::Identity(),
                   const Eigen::Vector3d& center_of_mass = Eigen::Vector3d::Zero(), bool rotates = true)
      : mass_(mass), inertia_(inertia), center_of_mass_(center_of_mass), rotates_(rotates) {}
  std::string_view type() const override { return "odd"; }
  bool rotates() const override { return rotates_; }
  double mass() const override { return mass_; }
  Inertia inertia() const override { return inertia_; }
  Eigen::Vector3d center_of_mass() const override { return center_of_mass_; }

 private:
  double mass_;
  Eigen::Matrix3d inertia_;
  Eigen::Vector3d center_of_mass_;
  bool rotates_;
};

/// A joint with one freedom, or with any number of them.
template <class Space>
class Slider final : public Joint<Space> {
 public:
  explicit Slider(int freedoms = 1) : freedoms_(freedoms) {}
  std::string_view type() const override { return "slider"; }
  int freedoms() const override { return freedoms_; }

 private:
  void do_pose(Instant, const double* q, Pose<Space>& X) const override { X.position[0] = q[0]; }
  int freedoms_;
};

/// Keeps the first coordinates of its frames' origins together, or has no rows.
template <class Space>
class SameX final : public Constraint<Space> {
 public:
  explicit SameX(std::vector<Frame<Space>> frames, int rows = 1) : Constraint<Space>(std::move(frames)), rows_(rows) {
    if (rows < 0) throw std::invalid_argument("SameX: rows must not be negative.");
  }
  std::string_view type() const override { return "same x"; }
  int rows() const override { return rows_; }

 private:
  void do_rows(const Motion<Space>&, ConstraintRows<Space>& out) const override {
    out.add_linear(0, 0, Vector<Space>::Unit(0));
  }
  int rows_;
};

/// Pulls its first frame towards the second.
template <class Space>
class Pull final : public ForceElement<Space> {
 public:
  struct Options {
    double force = 0;
    double initial = 0;
  };
  Pull(const Frame<Space>& first, const Frame<Space>& second, const Options& options)
      : ForceElement<Space>({first, second}), options_(options) {
    if (!(options.force >= 0)) throw ModelError("Pull: the force is negative; expected >= 0.");
  }
  Pull(std::vector<Frame<Space>> frames, std::vector<ConstraintRef<Space>> reactions = {})
      : ForceElement<Space>(std::move(frames), std::move(reactions)) {}
  std::string_view type() const override { return "pull"; }
  int states() const override { return 1; }
  double initial_state(int) const override { return options_.initial; }
  double force() const { return options_.force; }

 private:
  void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const override {
    sums.add_force(0, options_.force * (m.frame(1).pose.position - m.frame(0).pose.position));
  }
  Options options_;
};

/// Ground - arm - hand, with a slider and a pull.
struct ModelTest : testing::Test {
  SpatialModel model{"robot"};
  BodyRef<Spatial> arm = model.add_body("arm", MassProperties::rod(1.2, 0.3));
  BodyRef<Spatial> hand = model.add_body<PointMass>("hand", 0.4);
  JointRef<Spatial> elbow = model.add_joint<Slider>("elbow", arm.at({0.15, 0, 0}), hand.origin());
};

// Building.

TEST_F(ModelTest, AddsBodiesFromRecipesTemplatesAndTypes) {
  EXPECT_EQ(arm.name(), "arm");
  EXPECT_EQ(model.data().bodies[0].body->mass(), 1.2);
  EXPECT_EQ(model.data().bodies[1].body->type(), "point mass");
  const auto odd = model.add_body<OddBody>("odd", 3.0);
  EXPECT_EQ(odd.index(), 2);
  EXPECT_EQ(model.add_body<MasslessNode>("node").index(), 3);
  PlanarModel planar;
  planar.add_body("plate", MassProperties::planar(2, 0.1));
  EXPECT_EQ(planar.data().bodies[0].body->freedoms(), 3);
}

TEST_F(ModelTest, GivesJointsTheirFramesAndNumbersThemWithConstraints) {
  const auto same = model.add_constraint<SameX>("same", std::vector{arm.origin(), model.ground().origin()});
  EXPECT_EQ(elbow.index, 0);
  EXPECT_EQ(same.index, 1);
  const auto& entries = model.data().constraints;
  EXPECT_EQ(entries[0].constraint->frames()[0].body, arm.index());
  EXPECT_EQ(entries[0].constraint->frames()[0].offset, Eigen::Vector3d(0.15, 0, 0));
  EXPECT_EQ(entries[0].constraint->frames()[1].body, hand.index());
  EXPECT_EQ(entries[0].joint, entries[0].constraint.get());
  EXPECT_EQ(entries[1].joint, nullptr);
}

TEST_F(ModelTest, AddsForcesWithBracedOptions) {
  model.add_force<Pull>("by template", arm.origin(), hand.origin(), {.force = 3});
  model.add_force<Pull<Spatial>>("by type", arm.origin(), hand.origin(), {.force = 4});
  model.add_force<Pull>("by constructor", std::vector{arm.origin(), hand.origin()});
  const auto& forces = model.data().forces;
  ASSERT_EQ(forces.size(), 3u);
  EXPECT_EQ(dynamic_cast<const Pull<Spatial>&>(*forces[0].force).force(), 3);
  EXPECT_EQ(dynamic_cast<const Pull<Spatial>&>(*forces[1].force).force(), 4);
}

TEST_F(ModelTest, KeepsInitialPosesAndVelocities) {
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitY()));
  arm.place({1, 2, 3}, turned).move({4, 5, 6}, {7, 8, 9});
  const BodyEntry<Spatial>& entry = model.data().bodies[0];
  EXPECT_EQ(entry.pose.position, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(entry.pose.rotation.isApprox(turned.toRotationMatrix(), 1e-15));
  EXPECT_EQ(entry.velocity.linear, Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(entry.velocity.angular, Eigen::Vector3d(7, 8, 9));

  PlanarModel planar;
  planar.add_body("plate", MassProperties::planar(2, 0.1)).place({1, 2}, 7).move({3, 4}, 5);
  EXPECT_EQ(planar.data().bodies[0].pose.angle, 7);
  EXPECT_EQ(planar.data().bodies[0].orientation, 7);
  EXPECT_EQ(planar.data().bodies[0].pose.rotation, rotation_matrix(7.0));
  EXPECT_EQ(planar.data().bodies[0].velocity.angular, 5);
}

TEST_F(ModelTest, NormalisesQuaternionsThatAreNearlyUnit) {
  const Eigen::Quaterniond rounded(0.7071068, 0.7071068, 0, 0);
  arm.place({0, 0, 0}, rounded);
  EXPECT_NEAR(model.data().bodies[0].orientation.norm(), 1, 1e-15);
  EXPECT_NEAR(arm.at({0, 0, 0}, rounded).orientation.norm(), 1, 1e-15);
}

TEST_F(ModelTest, NamesThatHandlesGaveOutlastTheModelsGrowth) {
  const auto& name = arm.name();
  for (int i = 0; i < 100; ++i) model.add_body<MasslessNode>(concat("node ", i));
  EXPECT_EQ(name, "arm");
}

TEST_F(ModelTest, HandlesSurviveAMoveOfTheModel) {
  SpatialModel moved = std::move(model);
  arm.place({1, 0, 0});
  EXPECT_EQ(arm.name(), "arm");
  EXPECT_EQ(moved.data().bodies[0].pose.position, Eigen::Vector3d(1, 0, 0));
  moved.add_joint<Slider>("bearing", moved.ground().origin(), arm.origin());
  EXPECT_EQ(moved.body("arm"), arm);
}

TEST_F(ModelTest, FindsElementsByName) {
  EXPECT_EQ(model.body("hand"), hand);
  EXPECT_EQ(model.body("ground"), model.ground());
  EXPECT_EQ(model.joint("elbow").index, elbow.index);
  EXPECT_EQ(model.constraint("elbow").index, elbow.index);
  const auto pull = model.add_force<Pull>("pull", arm.origin(), hand.origin(), {});
  EXPECT_EQ(model.force("pull").index, pull.index);
}

TEST_F(ModelTest, EquationsKeepTheElementsAlive) {
  std::shared_ptr<const ModelData<Spatial>> data;
  {
    SpatialModel local("short-lived");
    local.add_body<PointMass>("bob", 1.0);
    data = local.share();
  }
  EXPECT_EQ(data->body_name(0), "bob");
  EXPECT_EQ(data->body_name(-1), "ground");
}

// The object graph.

TEST_F(ModelTest, GraphHasTheGroundFirstAndAnEdgeForEachPair) {
  const auto node = model.add_body<MasslessNode>("node");
  model.add_constraint<SameX>("three", std::vector{arm.origin(), hand.origin(), node.origin()});
  model.add_constraint<SameX>("fixed x", std::vector{node.origin()});
  model.add_force<Pull>("pull", arm.origin(), arm.at({0, 1, 0}), {});
  const ModelGraph graph = make_graph(model.data());

  ASSERT_EQ(num_vertices(graph), 4u);
  EXPECT_EQ(graph[0].name, "ground");
  EXPECT_EQ(graph[0].freedoms, 0);
  EXPECT_EQ(graph[1].name, "arm");
  EXPECT_EQ(graph[1].freedoms, 6);
  EXPECT_EQ(graph[2].type, "point mass");
  EXPECT_EQ(graph[2].freedoms, 3);
  EXPECT_FALSE(graph[2].massless);
  EXPECT_TRUE(graph[3].massless);

  struct Expected {
    const char* name;
    EdgeKind kind;
    int element, rows;
    bool can_be_tree_edge;
    std::size_t first, second;
  };
  const std::vector<Expected> expected = {{"elbow", EdgeKind::joint, 0, 5, true, 1, 2},
                                          {"three", EdgeKind::constraint, 1, 1, false, 1, 2},
                                          {"three", EdgeKind::constraint, 1, 1, false, 1, 3},
                                          {"fixed x", EdgeKind::constraint, 2, 1, true, 0, 3},
                                          {"pull", EdgeKind::force, 0, 0, true, 0, 1}};
  ASSERT_EQ(num_edges(graph), expected.size());
  auto edge = edges(graph).first;
  for (const Expected& e : expected) {
    SCOPED_TRACE(e.name);
    EXPECT_EQ(graph[*edge].name, e.name);
    EXPECT_EQ(graph[*edge].kind, e.kind);
    EXPECT_EQ(graph[*edge].element, e.element);
    EXPECT_EQ(graph[*edge].rows, e.rows);
    EXPECT_EQ(graph[*edge].can_be_tree_edge, e.can_be_tree_edge);
    EXPECT_TRUE(graph[*edge].holonomic);
    EXPECT_EQ(source(*edge, graph), e.first);
    EXPECT_EQ(target(*edge, graph), e.second);
    ++edge;
  }
}

// Names.

TEST_F(ModelTest, RefusesNamesThatAreTakenEmptyOrReserved) {
  expect_error<ModelError>(
      "add_body: body 'elbow': there is already a joint of this name; names are unique across all elements.",
      [&] { model.add_body<PointMass>("elbow", 1.0); });
  expect_error<ModelError>(
      "add_joint: joint 'arm': there is already a body of this name; names are unique across all elements.",
      [&] { model.add_joint<Slider>("arm", model.ground().origin(), arm.origin()); });
  expect_error<ModelError>(
      "add_constraint: constraint 'arm': there is already a body of this name; names are unique across all elements.",
      [&] { model.add_constraint<SameX>("arm", std::vector{arm.origin()}); });
  expect_error<ModelError>(
      "add_force: force 'arm': there is already a body of this name; names are unique across all elements.",
      [&] { model.add_force<Pull>("arm", arm.origin(), hand.origin(), {}); });
  expect_error<ModelError>("add_body: the name of a body is empty; give it a name of its own.",
                           [&] { model.add_body<PointMass>("", 1.0); });
  expect_error<ModelError>(
      "add_body: a body can't be named 'ground', which is the ground of every model; choose another name.",
      [&] { model.add_body<PointMass>("ground", 1.0); });
}

TEST_F(ModelTest, AnUnknownNameBringsTheNearestOnes) {
  expect_error<ModelError>("body: model 'robot' has no body 'hnd'; there are: 'hand', 'arm'.",
                           [&] { model.body("hnd"); });
  expect_error<ModelError>("joint: model 'robot' has no joint 'arm' ('arm' is a body); there are: 'elbow'.",
                           [&] { model.joint("arm"); });
  expect_error<ModelError>("constraint: model 'robot' has no constraint 'x'; there are: 'elbow'.",
                           [&] { model.constraint("x"); });
  expect_error<ModelError>("force: model 'robot' has no force 'x'; there are: none.", [&] { model.force("x"); });
  for (int k = 0; k < 10; ++k) model.add_body<PointMass>("bead " + std::to_string(k), 1.0);
  expect_error<ModelError>(
      "body: model 'robot' has no body 'bed 7'; there are: 'bead 7', 'bead 0', 'bead 1', 'bead 2', 'bead 3', 'bead 4', "
      "'bead 5', 'bead 6' and 4 more.",
      [&] { model.body("bed 7"); });
}

TEST_F(ModelTest, RefusesObservablesOfOneNameOrWithoutFunction) {
  const auto value = [](const Snapshot<Spatial>&) { return 1.0; };
  model.add_observable("arm", "m", value);  // an observable may be named like an element
  expect_error<ModelError>("add_observable: there is already an observable 'arm'; choose another name.",
                           [&] { model.add_observable("arm", "m", value); });
  expect_error<ModelError>("add_observable: the name of an observable is empty; give it a name of its own.",
                           [&] { model.add_observable("", "m", value); });
  expect_error<ModelError>("add_observable: 'x' has no function; give one that returns its value.",
                           [&] { model.add_observable("x", "m", nullptr); });
}

// Bodies and frames.

TEST_F(ModelTest, NamesTheElementWhoseConstructorThrew) {
  expect_error<ModelError>(
      "'bob': PointMass: the mass is -1 kg; expected > 0 (a point without mass is a MasslessNode).",
      [&] { model.add_body<PointMass>("bob", -1.0); });
  expect_error<ModelError>("'crank': MassProperties::rod: the length is 0 m; expected > 0.",
                           [&] { model.add_body("crank", MassProperties::rod(1, 0)); });
  expect_error<ModelError>("'same': SameX: rows must not be negative.",
                           [&] { model.add_constraint<SameX>("same", std::vector{arm.origin()}, -1); });
  expect_error<ModelError>("'pull': Pull: the force is negative; expected >= 0.",
                           [&] { model.add_force<Pull>("pull", arm.origin(), hand.origin(), {.force = -1}); });
}

TEST_F(ModelTest, ChecksWhatAUsersBodyAnswers) {
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  expect_error<ModelError>("add_body: body 'b' (odd): the mass is -1 kg; expected >= 0.",
                           [&] { model.add_body<OddBody>("b", -1.0); });
  expect_error<ModelError>("add_body: body 'b' (odd): the mass is nan kg; expected >= 0.",
                           [&] { model.add_body<OddBody>("b", nan); });
  expect_error<ModelError>("add_body: body 'b' (odd): the centre of mass is (nan 0 0) m; expected finite numbers.",
                           [&] { model.add_body<OddBody>("b", 1.0, one, Eigen::Vector3d(nan, 0, 0)); });
  expect_error<ModelError>(
      "add_body: body 'b' (odd): the centre of mass is (1 0 0) m; a body that does not rotate has it at its origin.",
      [&] { model.add_body<OddBody>("b", 1.0, one, Eigen::Vector3d(1, 0, 0), false); });
  expect_error<ModelError>("add_body: body 'b' (odd): the inertia is not finite; expected kg m^2.",
                           [&] { model.add_body<OddBody>("b", 1.0, one * nan); });
  Eigen::Matrix3d skew = one;
  skew(0, 1) = 0.5;
  expect_error<ModelError>("add_body: body 'b' (odd): the inertia is not symmetric; expected a symmetric matrix.",
                           [&] { model.add_body<OddBody>("b", 1.0, skew); });
  expect_error<ModelError>(
      "add_body: body 'b' (odd): the smallest principal moment of inertia is -1 kg m^2; expected none below zero.",
      [&] { model.add_body<OddBody>("b", 1.0, Eigen::Matrix3d(-one)); });
}

/// A recipe that forgot its body.
struct NoRecipe {
  template <class Space>
  std::unique_ptr<Body<Space>> make_body() const {
    return nullptr;
  }
};

TEST_F(ModelTest, RefusesARecipeWithoutABody) {
  expect_error<ModelError>("add_body: the recipe of body 'b' made no body.", [&] { model.add_body("b", NoRecipe{}); });
}

TEST_F(ModelTest, RefusesNumbersThatAreNotFinite) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  expect_error<ModelError>("set_gravity: the gravity is (0 0 nan) m/s^2; expected finite numbers.", [&] {
    model.set_gravity({0, 0, nan});
  });
  expect_error<ModelError>("at: body 'arm': the offset is (inf 0 0) m; expected finite numbers.", [&] {
    arm.at({inf, 0, 0});
  });
  expect_error<ModelError>("place: body 'arm': the position is (nan 0 0) m; expected finite numbers.", [&] {
    arm.place({nan, 0, 0});
  });
  expect_error<ModelError>("move: body 'arm': the velocity is (nan 0 0) m/s; expected finite numbers.", [&] {
    arm.move({nan, 0, 0});
  });
  expect_error<ModelError>("move: body 'arm': the angular velocity is (0 0 nan) rad/s; expected finite numbers.", [&] {
    arm.move({0, 0, 0}, {0, 0, nan});
  });
  expect_error<ModelError>(
      "add_force: force 'pull' (pull): the initial value of state 0 is nan; expected finite numbers.",
      [&] { model.add_force<Pull>("pull", arm.origin(), hand.origin(), {.initial = nan}); });
  Frame<Spatial> altered = arm.origin();
  altered.offset.x() = nan;
  expect_error<ModelError>(
      "add_joint: joint 'j' (slider): frame 1: the offset is (nan 0 0) m; expected finite numbers.",
      [&] { model.add_joint<Slider>("j", altered, hand.origin()); });

  PlanarModel planar;
  auto plate = planar.add_body("plate", MassProperties::planar(2, 0.1));
  expect_error<ModelError>("at: body 'plate': the angle is nan rad; expected finite numbers.", [&] {
    plate.at({0, 0}, nan);
  });
  expect_error<ModelError>("place: body 'plate': the angle is inf rad; expected finite numbers.", [&] {
    plate.place({0, 0}, inf);
  });
  expect_error<ModelError>("move: body 'plate': the angular velocity is nan rad/s; expected finite numbers.", [&] {
    plate.move({0, 0}, nan);
  });
}

TEST_F(ModelTest, RefusesQuaternionsThatAreNoRotation) {
  const std::string complaint =
      "the quaternion (w, x, y, z) = (2 0 0 0) has norm 2; expected a unit quaternion: call normalized().";
  const Eigen::Quaterniond wrong(2, 0, 0, 0);
  expect_error<ModelError>("at: body 'arm': " + complaint, [&] { arm.at({0, 0, 0}, wrong); });
  expect_error<ModelError>("place: body 'arm': " + complaint, [&] { arm.place({0, 0, 0}, wrong); });
  EXPECT_THROW(arm.place({0, 0, 0}, Eigen::Quaterniond(nan, 0, 0, 0)), ModelError);
}

TEST_F(ModelTest, APointHasNoOffsetsAndDoesNotTurn) {
  expect_error<ModelError>(
      "at: body 'hand' is a point, and the offset is (1 0 0) m; use origin(), or a body that rotates.", [&] {
        hand.at({1, 0, 0});
      });
  expect_error<ModelError>("place: body 'hand' (point mass) is a point and can't be turned; leave the orientation out.",
                           [&] {
                             hand.place({1, 0, 0}, Eigen::Quaterniond(0, 1, 0, 0));
                           });
  expect_error<ModelError>(
      "move: body 'hand' (point mass) is a point and has no angular velocity, but was given (0 0 1) rad/s; leave it "
      "out.",
      [&] {
        hand.move({1, 0, 0}, {0, 0, 1});
      });
  PlanarModel planar;
  auto bob = planar.add_body<PointMass>("bob", 1.0);
  EXPECT_THROW(bob.place({0, 0}, 1), ModelError);
  EXPECT_THROW(bob.move({0, 0}, 1), ModelError);
  EXPECT_NO_THROW(bob.place({1, 2}).move({3, 4}));
}

TEST_F(ModelTest, TheGroundStaysWhereItIs) {
  auto ground = model.ground();
  expect_error<ModelError>("place: the ground can't be placed or moved; place the bodies instead.", [&] {
    ground.place({0, 0, 1});
  });
  expect_error<ModelError>("move: the ground can't be placed or moved; place the bodies instead.", [&] {
    ground.move({0, 0, 1});
  });
}

TEST(BodyRef, OfNoModelSaysSo) {
  const BodyRef<Planar> nothing;
  expect_error<ModelError>("at: this handle belongs to no body; take it from add_body.", [&] { nothing.origin(); });
  expect_error<ModelError>("name: this handle belongs to no body; take it from add_body.", [&] { nothing.name(); });
}

// Joints, constraints and forces.

TEST_F(ModelTest, AJointConnectsTwoBodies) {
  expect_error<ModelError>(
      "add_joint: joint 'wrist' (slider) would connect body 'arm' to itself; the two bodies must differ.", [&] {
        model.add_joint<Slider>("wrist", arm.origin(), arm.at({1, 0, 0}));
      });
  expect_error<ModelError>(
      "add_joint: joint 'wrist' (slider) would connect the ground to itself; the two bodies must differ.", [&] {
        model.add_joint<Slider>("wrist", model.ground().origin(), model.ground().at({1, 0, 0}));
      });
  expect_error<ModelError>("add_joint: joint 'wrist' (slider) has 7 freedoms; expected 0 to 6 in a spatial model.",
                           [&] { model.add_joint<Slider>("wrist", model.ground().origin(), arm.origin(), 7); });
}

TEST_F(ModelTest, RefusesFramesOfAnotherModel) {
  SpatialModel other("other");
  const auto stranger = other.add_body<PointMass>("stranger", 1.0);
  expect_error<ModelError>(
      "add_joint: joint 'j' (slider): frame 2 belongs to another model; take it from a body of model 'robot' by "
      "body.at(offset).",
      [&] { model.add_joint<Slider>("j", arm.origin(), stranger.origin()); });
  EXPECT_THROW(model.add_constraint<SameX>("c", std::vector{stranger.origin()}), ModelError);
  EXPECT_THROW(model.add_force<Pull>("f", arm.origin(), other.ground().origin(), {}), ModelError);
  expect_error<ModelError>(
      "add_force: force 'f' (pull): frame 2 belongs to no body of this model; take it from a body of model 'robot' by "
      "body.at(offset).",
      [&] { model.add_force<Pull>("f", arm.origin(), Frame<Spatial>{}, {}); });
}

TEST_F(ModelTest, RefusesElementsThatContributeNothing) {
  const auto ground = model.ground().origin();
  expect_error<ModelError>(
      "add_constraint: constraint 'c' (same x) has no frames and contributes nothing; give it a frame on a body.",
      [&] { model.add_constraint<SameX>("c", std::vector<Frame<Spatial>>{}); });
  expect_error<ModelError>(
      "add_constraint: constraint 'c' (same x) has all its frames on the ground and contributes nothing; give it a "
      "frame "
      "on a body.",
      [&] { model.add_constraint<SameX>("c", std::vector{ground}); });
  expect_error<ModelError>(
      "add_constraint: constraint 'c' (same x) has 0 rows and contributes nothing; expected at least 1.",
      [&] { model.add_constraint<SameX>("c", std::vector{arm.origin()}, 0); });
  expect_error<ModelError>(
      "add_force: force 'f' (pull) has no frames and contributes nothing; give it a frame on a body.",
      [&] { model.add_force<Pull>("f", std::vector<Frame<Spatial>>{}); });
  expect_error<ModelError>(
      "add_force: force 'f' (pull) has all its frames on the ground and contributes nothing; give it a frame on a "
      "body.",
      [&] { model.add_force<Pull>("f", ground, ground, {}); });
}

struct LessThanNothing final : ForceElement<Spatial> {
  explicit LessThanNothing(const Frame<Spatial>& frame) : ForceElement<Spatial>({frame}) {}
  std::string_view type() const override { return "less than nothing"; }
  int states() const override { return -1; }
  void do_add_to(const Motion<Spatial>&, ForceSums<Spatial>&) const override {}
};

TEST_F(ModelTest, RefusesCountsBelowZero) {
  expect_error<ModelError>("add_force: force 'f' (less than nothing) has -1 states; expected 0 or more.",
                           [&] { model.add_force<LessThanNothing>("f", arm.origin()); });
}

TEST_F(ModelTest, AForceReadsReactionsOfItsOwnModelOnly) {
  const std::string complaint =
      "add_force: force 'f' (pull) reads the reaction of a constraint that is not in model 'robot'; add the joint or "
      "constraint first and give the handle that add_joint or add_constraint returned.";
  using Reads = std::vector<ConstraintRef<Spatial>>;
  SpatialModel other("other");
  const auto add = [&](const ConstraintRef<Spatial>& read) {
    model.add_force<Pull>("f", std::vector{arm.origin()}, Reads{read});
  };
  expect_error<ModelError>(complaint, [&] { add({0, &other.data()}); });
  expect_error<ModelError>(complaint, [&] { add({1, &model.data()}); });
  expect_error<ModelError>(complaint, [&] { add({}); });
  EXPECT_NO_THROW(add(elbow));
}

TEST_F(ModelTest, ThatWasMovedAwaySaysSo) {
  PlanarModel source("source");
  const auto body = source.add_body("body", MassProperties::planar(1, 1));
  PlanarModel target = std::move(source);
  const std::string message = "Model: this model was moved away; use the model that it was moved to.";
  // NOLINTBEGIN(bugprone-use-after-move): that is the question
  expect_error<ModelError>(message, [&] { source.name(); });
  expect_error<ModelError>(message, [&] { source.ground(); });
  expect_error<ModelError>(message, [&] { source.set_gravity({0, -9.81}); });
  expect_error<ModelError>(message, [&] { source.add_body("another", MassProperties::planar(1, 1)); });
  expect_error<ModelError>(message, [&] { source.body("body"); });
  expect_error<ModelError>(message, [&] { source.share(); });
  // NOLINTEND
  EXPECT_EQ(target.body("body"), body);
}

TEST_F(ModelTest, CannotChangeOnceInUse) {
  model.share();
  const std::string reason =
      ": model 'robot' is in use by equations of motion and can't change any more; finish the model first, or build "
      "another one.";
  const auto frame = arm.origin();
  expect_error<ModelError>("add_body: 'new'" + reason, [&] { model.add_body<PointMass>("new", 1.0); });
  expect_error<ModelError>("add_joint: 'new'" + reason, [&] { model.add_joint<Slider>("new", frame, hand.origin()); });
  expect_error<ModelError>("add_constraint: 'new'" + reason,
                           [&] { model.add_constraint<SameX>("new", std::vector{frame}); });
  expect_error<ModelError>("add_force: 'new'" + reason,
                           [&] { model.add_force<Pull>("new", frame, hand.origin(), {}); });
  expect_error<ModelError>("add_observable: 'new'" + reason, [&] { model.add_observable("new", "m", nullptr); });
  expect_error<ModelError>("set_gravity" + reason, [&] { model.set_gravity({0, 0, 0}); });
  expect_error<ModelError>("place: body 'arm'" + reason, [&] { arm.place({0, 0, 0}); });
  expect_error<ModelError>("move: body 'arm'" + reason, [&] { arm.move({0, 0, 0}); });
}

}  // namespace model_test
}  // namespace linkwork
