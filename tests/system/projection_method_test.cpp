// The projection method (REDUCE appendix A): constraint forces by orthogonal projection, in the metric of M^-1, motion
// by tangential projection, and quasi-velocities, against what the linear solvers find. And REDUCE 6.2: the mass matrix
// of joint coordinates is J^T M J.

#include "servo_models.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/constraints/rod.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/joints/universal.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/formulations/graph_equations.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace linkwork::test {
namespace projection_method_test {

Eigen::MatrixXd solved(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  FullyPivotedLu factors;
  factors.compute(A);
  return factors.solve_columns(B);
}

/// The matrices of the appendix: C_lambda = G, C_tau^T a basis of its null space.
struct Projections {
  Eigen::MatrixXd M, G, tangents, M_inverse_Gt, metric;  ///< metric: M_lambda = G M^-1 G^T

  explicit Projections(EquationsOfMotion& equations)
      : M(equations.M().dense()),
        G(equations.G().dense()),
        tangents(basis(G)),
        M_inverse_Gt(solved(M, G.transpose())),
        metric(G * M_inverse_Gt) {}
  static Eigen::MatrixXd basis(const Eigen::MatrixXd& rows) {
    FullyPivotedLu factors;
    factors.compute(rows);
    return factors.kernel();
  }
};

/// At a consistent state with its accelerations and multipliers.
void expect_projections(EquationsOfMotion& equations, const State& state) {
  equations.set(state);
  const Projections by(equations);
  const double size = 1 + equations.f().norm() + state.lambda.norm();
  // Condition numbers are below 1e4.
  const double bound = 1e-10 * size;
  ASSERT_EQ(by.tangents.cols(), by.G.cols() - by.G.rows());

  // (3.3a) with (2.7c): M_lambda lambda = G M^-1 f - gamma.
  const Eigen::VectorXd free = solved(by.M, equations.f());
  const Eigen::VectorXd lambda = solved(by.metric, by.G * free - equations.gamma());
  EXPECT_LT((lambda - state.lambda).norm(), bound);
  // The force as a projection: P f - G^T M_lambda^-1 gamma, P the projector onto the rows that is orthogonal in M^-1.
  const Eigen::MatrixXd P = by.G.transpose() * solved(by.metric, by.M_inverse_Gt.transpose());
  EXPECT_LT((P * P - P).norm(), 1e-10 * P.norm());
  EXPECT_LT((by.tangents.transpose() * P).norm(), 1e-10 * by.tangents.norm() * P.norm());
  const Eigen::VectorXd force = P * equations.f() - by.G.transpose() * solved(by.metric, equations.gamma());
  EXPECT_LT((force - by.G.transpose() * state.lambda).norm(), bound * (1 + by.G.norm()));

  // (3.3b) and (2.7c) together: T M v' = T f beside G v' = gamma.
  Eigen::MatrixXd both(by.M.rows(), by.M.cols());
  both << by.tangents.transpose() * by.M, by.G;
  Eigen::VectorXd right(both.rows());
  right << by.tangents.transpose() * equations.f(), equations.gamma();
  EXPECT_LT((solved(both, right) - state.a).norm(), bound * (1 + state.a.norm()));

  // (5.4) and (3.9): v from the quasi-velocities u = C_tau M v and what the constraints prescribe.
  const Eigen::VectorXd quasi = by.tangents.transpose() * by.M * state.v;
  const Eigen::MatrixXd tangent_metric = by.tangents.transpose() * by.M * by.tangents;
  const Eigen::VectorXd v =
      by.tangents * solved(tangent_metric, quasi) - by.M_inverse_Gt * solved(by.metric, equations.velocity_offset());
  EXPECT_LT((v - state.v).norm(), 1e-8 * (1 + state.v.norm()));  // the projection of velocities at 1e-9
}

template <class Space>
void expect_projections_in_motion(const Model<Space>& model, const std::vector<Formulation>& formulations) {
  for (const Formulation formulation : formulations) {
    SCOPED_TRACE(concat(model.name(), " in ", name_of(formulation), " coordinates"));
    Simulation simulation(model,
                          {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
    simulation.set_initial_conditions({});
    expect_projections(simulation.equations(), simulation.run(0, 0.3).final_state());
  }
}

TEST(ProjectionMethod, HolonomicConstraints) {
  SpatialModel model("loop in space");
  model.set_gravity({0, 0, -gravity});
  auto arm = model.add_body("arm", MassProperties::box(1, {0.6, 0.1, 0.1})).place({0.3, 0, 0});  // M is regular
  auto link = model.add_body("link", MassProperties::box(0.7, {0.5, 0.1, 0.05})).place({0.85, 0, 0});
  model.add_joint<Revolute>("base", model.ground().origin(), arm.at({-0.3, 0, 0}), Axis::y());
  model.add_joint<Universal>("elbow", arm.at({0.3, 0, 0}), link.at({-0.25, 0, 0}), Axis::y(), Axis::z());
  const Input length([](double t) { return InputValue{1 + 0.1 * std::sin(t), 0.1 * std::cos(t), -0.1 * std::sin(t)}; });
  model.add_constraint<Rod>("stay", model.ground().at({0.9, 1, 0.2}), link.at({0.25, 0, 0}), length);
  expect_projections_in_motion(model, {Formulation::absolute, Formulation::relative});
}

TEST(ProjectionMethod, LinearNonholonomicConstraints) {
  PlanarModel model("sleigh with a trailer");
  auto sleigh = model.add_body("sleigh", MassProperties::planar(2, 0.4, {0.25, 0}));
  sleigh.move({-0.8, 0}, 1.5);
  auto trailer = model.add_body("trailer", MassProperties::planar(1, 0.2)).place({-0.5, 0});
  trailer.move({-0.8, -0.15});
  model.add_joint<Revolute>("hook", sleigh.at({-0.1, 0}), trailer.at({0.4, 0}));
  model.add_constraint<KnifeEdge>("knife edge", sleigh.origin());
  expect_projections_in_motion(model, {Formulation::absolute, Formulation::relative});
}

TEST(ProjectionMethod, NonlinearNonholonomicConstraints) {
  expect_projections_in_motion(falling_weight(0.5, 1), {Formulation::absolute, Formulation::relative});
  expect_projections_in_motion(driven_double_pendulum(), {Formulation::absolute, Formulation::relative});
}

/// Velocities of the bodies, as absolute coordinates have them, for each velocity of the joints.
Eigen::MatrixXd body_velocities(GraphEquations<Spatial>& relative, GraphEquations<Spatial>& absolute) {
  Eigen::MatrixXd J(absolute.dimensions().v, relative.dimensions().v);
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    relative.set_velocity(Eigen::VectorXd::Unit(J.cols(), j));
    relative.need_body_motions();
    Eigen::Index row = 0;
    for (int i = 0; i < absolute.body_count(); ++i) {
      int same = 0;
      while (&relative.body_entry(same) != &absolute.body_entry(i)) ++same;
      const Twist<Spatial>& twist = relative.body_twist(same);
      if (absolute.body_entry(i).body->rotates()) {
        J.col(j).segment<3>(row) = relative.body_pose(same).rotation.transpose() * twist.angular;
        row += 3;
      }
      J.col(j).segment<3>(row) = twist.linear;
      row += 3;
    }
  }
  return J;
}

TEST(ProjectionMethod, MassMatrixOfJointsIsThatOfBodiesProjected) {
  SpatialModel model("tree");
  auto arm = model.add_body("arm", MassProperties::box(1.3, {0.6, 0.2, 0.1})).place({0.3, 0, 0});
  auto link = model.add_body("link", MassProperties::rod(0.7, 0.5)).place({0.85, 0, 0});
  auto ball = model.add_body("ball", MassProperties::box(0.4, {0.2, 0.3, 0.1})).place({1.1, 0.2, 0.1});
  auto slide = model.add_body("slide", MassProperties::box(0.9, {0.1, 0.2, 0.3})).place({0.3, 0.4, -0.2});
  auto bead = model.add_body<PointMass>("bead", 0.3).place({2, 1, 0.5});
  model.add_joint<Revolute>("base", model.ground().origin(), arm.at({-0.3, 0, 0}), Axis({1, 2, 0.5}));
  model.add_joint<Universal>("elbow", arm.at({0.3, 0, 0}), link.at({-0.25, 0, 0}), Axis::y(), Axis::z());
  model.add_joint<Spherical>("wrist", link.at({0.25, 0, 0}), ball.at({0, -0.2, -0.1}));
  model.add_joint<Prismatic>("guide", arm.at({0, 0.4, -0.2}), slide.origin(), Axis({0.3, -1, 0.2}));
  model.add_force<SpringDamper>("tie", bead.origin(), slide.origin(), {.stiffness = 10});

  const auto absolute = make_equations(model, {.formulation = Formulation::absolute});
  // At a bent position: after a run.
  Simulation simulation(model, {.formulation = Formulation::relative});
  State start = simulation.equations().initial_state();
  for (Eigen::Index i = 0; i < start.v.size(); ++i) start.v[i] = 1 + 0.3 * static_cast<double>(i % 4);
  simulation.set_initial_state(start);
  const State bent = simulation.run(0, 0.5).final_state();
  EquationsOfMotion& relative = simulation.equations();
  relative.set(bent);
  const Eigen::MatrixXd M = relative.M().dense();
  const Eigen::MatrixXd J = body_velocities(dynamic_cast<GraphEquations<Spatial>&>(relative),
                                            dynamic_cast<GraphEquations<Spatial>&>(*absolute));
  absolute->set(absolute->initial_state());
  EXPECT_LT((J.transpose() * absolute->M().dense() * J - M).norm(), 1e-13 * M.norm());
}

}  // namespace projection_method_test
}  // namespace linkwork::test
