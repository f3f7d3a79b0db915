// Handles of models that are gone, with numbers that do not exist, or of nothing at all end in a message; so does an
// element that writes where it has no place.
#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "../messages.hpp"
#include "expect_error.hpp"

namespace linkwork {
namespace handles_test {

const char* const gone =
    "the model of this handle is gone; use handles while their model, or a simulation of it, is there.";

MassProperties cube() { return MassProperties::box(1, {1, 1, 1}); }

/// A body, a joint, and a force of a model that lives no more.
struct Dead {
  BodyRef<Spatial> body;
  JointRef<Spatial> joint;
  Frame<Spatial> frame;

  Dead() {
    SpatialModel model("dead");
    model.add_body("x", cube());
    body = model.add_body("a", cube());
    frame = body.at({1, 0, 0});
    joint = model.add_joint<Revolute>("pin", model.ground().origin(), frame, Axis::y());
  }
};

TEST(Handles, OfAModelThatIsGoneEndInAMessage) {
  Dead dead;
  EXPECT_TRUE(dead.body.model().is_gone());
  expect_error<ModelError>(std::string("name: ") + gone, [&] { (void)dead.body.name(); });
  expect_error<ModelError>(std::string("at: ") + gone, [&] { (void)dead.body.at({0, 0, 0}); });
  expect_error<ModelError>(std::string("at: ") + gone, [&] { (void)dead.body.origin(); });
  expect_error<ModelError>(std::string("place: ") + gone, [&] { dead.body.place({0, 0, 0}); });
  expect_error<ModelError>(std::string("move: ") + gone, [&] { dead.body.move({0, 0, 0}); });
  expect_error<ModelError>(gone, [&] { (void)joint_coordinate(dead.joint); });
  expect_error<ModelError>(gone, [&] { (void)joint_velocity(dead.joint); });
  expect_error<ModelError>(gone, [&] { (void)position_of(dead.frame, 0); });
  expect_error<ModelError>(gone, [&] { (void)element_of(dead.joint); });
}

TEST(Handles, OfAModelThatIsGoneAreNoPartOfAnother) {
  // New models may stand where the old one stood: that must not make its handles theirs.
  for (int bodies = 1; bodies <= 3; ++bodies) {
    Dead dead;
    SpatialModel model("new");
    BodyRef<Spatial> last;
    for (int i = 0; i < bodies; ++i) last = model.add_body("b" + std::to_string(i), cube());
    expect_error<ModelError>(std::string("add_joint: joint 'pivot' (revolute): frame 1: ") + gone,
                             [&] { model.add_joint<Revolute>("pivot", dead.frame, last.origin(), Axis::y()); });
    const auto pin = model.add_joint<Revolute>("pin", model.ground().origin(), last.origin());
    EXPECT_EQ(test::error_of([&] { model.add_constraint<Gear>("gear", pin, dead.joint, 2.0); }),
              std::string("'gear': ") + gone);
  }
}

TEST(Handles, LiveAsLongAsASimulationOfTheirModel) {
  std::optional<Simulation> simulation;
  BodyRef<Spatial> body;
  {
    SpatialModel model("kept");
    body = model.add_body("a", cube()).place({0, 0, -1});
    model.add_joint<Revolute>("pin", model.ground().origin(), body.at({0, 0, 1}), Axis::y());
    simulation.emplace(model);
  }
  EXPECT_EQ(body.name(), "a");
  const auto height = position_of(body.at({0, 0, 1}), 2);
  State start = simulation->equations().initial_state();
  EXPECT_NEAR(measure(simulation->equations(), start, height.value), 0, 1e-12);
  simulation.reset();
  EXPECT_TRUE(body.model().is_gone());
}

TEST(Handles, OfNothingEndInAMessage) {
  expect_error<ModelError>("at: this handle belongs to no body; take it from add_body.", [] {
    (void)BodyRef<Planar>().at({0, 0});
  });
  const std::string none = "this handle belongs to no model; take handles from the functions that add elements.";
  expect_error<ModelError>(none, [] { (void)joint_coordinate(JointRef<Planar>{}); });
  expect_error<ModelError>(none, [] { (void)position_of(Frame<Planar>{}, 0); });
}

TEST(Handles, WithNumbersThatDoNotExistEndInAMessage) {
  SpatialModel model("m");
  const auto body = model.add_body("a", cube());
  const auto joint = model.add_joint<Revolute>("pin", model.ground().origin(), body.origin(), Axis::y());
  const ModelData<Spatial>* data = &model.data();

  const std::string no_body =
      "model 'm' has no body of number 7; it has 1, counted from 0. Take handles from the functions that add elements.";
  BodyRef<Spatial> seventh(7, body.model());
  expect_error<ModelError>(no_body, [&] { (void)seventh.name(); });
  expect_error<ModelError>(no_body, [&] { (void)seventh.at({0, 0, 0}); });
  expect_error<ModelError>(no_body, [&] { seventh.place({0, 0, 0}); });
  expect_error<ModelError>(no_body, [&] { (void)position_of(Frame<Spatial>{.body = 7, .model = data}, 0); });
  EXPECT_TRUE(test::contains(test::error_of([&] {
                               (void)BodyRef<Spatial>(-2, body.model()).at({0, 0, 0});
                             }),
                             "has no body of number -2"));
  expect_error<ModelError>(
      "model 'm' has no constraint of number 5; it has 1, counted from 0. Take handles from the functions that add "
      "elements.",
      [&] {
        (void)joint_coordinate(JointRef<Spatial>{{5, data}});
      });
  expect_error<ModelError>(
      "model 'm' has no force element of number 0; it has 0, counted from 0. Take handles from the functions that add "
      "elements.",
      [&] {
        (void)element_of(ForceRef<Spatial>{0, data});
      });

  // What observables ask, in every formulation.
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto equations = make_equations(model, {formulation});
    State state = equations->initial_state();
    const auto error = [&](const std::function<double(const Snapshot<Spatial>&)>& value) {
      return test::error_of([&] { (void)measure(*equations, state, value); });
    };
    EXPECT_TRUE(test::contains(error([&](const auto& now) {
                                 return now.reaction({5, data}).force.x();
                               }),
                               "has no constraint of number 5"));
    EXPECT_TRUE(test::contains(error([&](const auto& now) {
                                 return now.multiplier({-1, data}, 0);
                               }),
                               "has no constraint of number -1"));
    EXPECT_TRUE(test::contains(error([&](const auto& now) {
                                 return now.contact({5, data}, 0);
                               }),
                               "has no constraint of number 5"));
    EXPECT_TRUE(test::contains(error([&](const auto& now) {
                                 return now.state({0, data}, 0);
                               }),
                               "has no force element of number 0"));
    EXPECT_TRUE(test::contains(error([&](const auto& now) {
                                 return now.auxiliary({0, data}, 0);
                               }),
                               "has no force element of number 0"));
    EXPECT_TRUE(test::contains(
        error([&](const auto& now) { return now.pose(Frame<Spatial>{.body = 7, .model = data}).position.x(); }),
        "has no body of number 7"));
    EXPECT_TRUE(test::contains(error([&](const auto& now) { return now.multiplier(joint, 9); }), "has no row 9"));
  }
}

TEST(Handles, ASimulationIsNotMovedByItsOwnCallback) {
  SpatialModel model("m");
  const auto body = model.add_body("a", cube()).place({0, 0, -1});
  model.add_joint<Revolute>("pin", model.ground().origin(), body.at({0, 0, 1}), Axis::y());
  const std::string moved =
      "Simulation: moved by one of its own callbacks while it runs; move it before or after the run.";
  Simulation simulation(model);
  std::string away, into;
  simulation.on_progress([&](double, double) {
    away = test::error_of([&] { const Simulation other = std::move(simulation); });
    into = test::error_of([&] { simulation = Simulation(model); });
  });
  simulation.run(0, 0.01);
  EXPECT_EQ(away, moved);
  EXPECT_EQ(into, moved);
  EXPECT_FALSE(simulation.trajectory().empty());
  Simulation other = std::move(simulation);  // now it may
  EXPECT_EQ(test::error_of([&] { simulation.run(0, 1); }),
            "Simulation::run: the simulation was moved away; use the new one.");
}

// Elements that write where they have no place.

class OneFrame final : public ForceElement<Planar> {
 public:
  OneFrame(const Frame<Planar>& frame, int writes_to) : ForceElement({frame}), writes_to_(writes_to) {}
  std::string_view type() const override { return "one frame"; }

 private:
  void do_add_to(const Motion<Planar>&, ForceSums<Planar>& sums) const override { sums.add_force(writes_to_, {1, 0}); }
  int writes_to_;
};

class OneRow final : public Constraint<Planar> {
 public:
  enum class Fault { row, frame, rate, block };
  OneRow(const Frame<Planar>& frame, Fault fault) : Constraint({frame}), fault_(fault) {}
  std::string_view type() const override { return "one row"; }
  int rows() const override { return 1; }
  Level level() const override { return Level::nonholonomic; }

 private:
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override {
    switch (fault_) {
      case Fault::row:
        return out.add_linear(1, 0, {1, 0});
      case Fault::frame:
        return out.add(0, 1, 0, {1, 0});
      case Fault::rate:
        out.rate(-1) = 1;
        return;
      case Fault::block:
        out.block(3).setZero();
    }
  }
  void do_bias(const Motion<Planar>&, double* bias) const override { bias[0] = 0; }
  Fault fault_;
};

TEST(Bounds, WritingOutsideOfFramesAndRowsNamesTheElement) {
  const auto error = [](const auto& add) {
    PlanarModel model("m");
    const auto body = model.add_body("a", MassProperties::planar(1, 1));
    add(model, body.origin());
    const auto equations = make_equations(model, {Formulation::absolute});
    return test::error_of([&] {
      equations->set(equations->initial_state());
      equations->f();
      equations->G();
    });
  };
  for (const int frame : {1, -1, 1000})
    EXPECT_EQ(error([&](PlanarModel& model, const Frame<Planar>& at) { model.add_force<OneFrame>("push", at, frame); }),
              concat("'push' at t = 0 s: a force element writes to its frame ", frame,
                     "; it has 1, counted from 0. Declare as many as are written."));
  const auto of = [&](OneRow::Fault fault) {
    return error(
        [&](PlanarModel& model, const Frame<Planar>& at) { model.add_constraint<OneRow>("blade", at, fault); });
  };
  const std::string start = "'blade' at t = 0 s: a constraint writes to its ";
  const std::string end = "; it has 1, counted from 0. Declare as many as are written.";
  EXPECT_EQ(of(OneRow::Fault::row), start + "row 1" + end);
  EXPECT_EQ(of(OneRow::Fault::frame), start + "frame 1" + end);
  EXPECT_EQ(of(OneRow::Fault::rate), start + "row -1" + end);
  EXPECT_EQ(of(OneRow::Fault::block), start + "frame 3" + end);
}

}  // namespace handles_test
}  // namespace linkwork
