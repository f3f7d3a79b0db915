// A corrector of your own for bdf: Newton's method itself, with a new matrix at every iterate. It takes far more
// Jacobians than the library's simplified Newton, and squares the error with every iteration.
//
// To add another one, say when a new matrix is taken, and how what F leaves becomes a correction. BdfOptions::corrector
// makes it for each system; all evaluations of F that it makes are counted among its function calls.

#include <linkwork/linkwork.hpp>

#include <cmath>
#include <iostream>

using namespace linkwork;
class ExactNewton final : public Corrector {
 public:
  explicit ExactNewton(ResidualFunction& system)
      : system_(system), jacobian_(system, {.partitioned = PartitionedUpdates::off}) {}
  std::string_view name() const override { return "exact"; }

  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override {
    alpha_ = 0;
    if (Outcome renewed = jacobian_.renew(point, F, cause); !renewed) return renewed;
    if (!factors_) factors_ = make_iteration_matrix(IterationSolver::automatic, jacobian_.matrix());
    const Outcome factored = factors_->factor(jacobian_.matrix(), point.alpha, jacobian_.pattern_version(), system_);
    if (factored) alpha_ = point.alpha;
    return factored;
  }
  bool can_improve(double) const override { return false; }  // the matrix is new as it is
  double alpha() const override { return alpha_; }
  void forget() override { alpha_ = 0; }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override {
    if (Outcome renewed = refresh(point, F, JacobianCause::start); !renewed) return renewed;
    delta = F;
    factors_->solve(delta);
    return {};
  }
  const JacobianStatistics& jacobian_statistics() const override { return jacobian_.statistics(); }
  std::int64_t factorizations() const override { return factors_ ? factors_->statistics().factorizations : 0; }

 private:
  ResidualFunction& system_;
  Jacobian jacobian_;
  std::unique_ptr<IterationMatrix> factors_;
  double alpha_ = 0;
};

/// F = y^3 - t, without derivatives: y = t^(1/3).
class Cube final : public ResidualFunction {
 public:
  Cube() : ResidualFunction(1) {}
  void evaluate(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&, Eigen::VectorXd& F) override {
    F = y.array().cube() - t;
  }
};

// The exponent by which errors go down from iterate to iterate.
double order_of_convergence() {
  Cube cube;
  ExactNewton newton(cube);
  Eigen::VectorXd y = Eigen::VectorXd::Constant(1, 2.2), rate = Eigen::VectorXd::Zero(1), weights = rate, F(1),
                  delta(1);
  double errors[3] = {};
  for (double& error : errors) {
    error = std::abs(y[0] - 2);
    cube.evaluate(8, y, rate, F);
    if (!newton.correct({8, y, rate, 1, 1, weights}, F, delta)) return 0;
    y -= delta;
  }
  return std::log(errors[2] / errors[1]) / std::log(errors[1] / errors[0]);
}

int main() {
  PlanarModel model("double pendulum");
  model.set_gravity({0, -9.81});
  auto upper = model.add_body("upper", MassProperties::rod(1, 1)),
       lower = model.add_body("lower", MassProperties::rod(1, 1));
  upper.place({0.5, 0});
  lower.place({1.5, 0});
  model.add_joint<Revolute>("shoulder", model.ground().origin(), upper.at({-0.5, 0}));
  model.add_joint<Revolute>("elbow", upper.at({0.5, 0}), lower.at({-0.5, 0}));
  model.add_observable("height", "m", [=](const Snapshot<Planar>& at) { return at.pose(lower.origin()).position.y(); });
  const auto run = [&](const CorrectorFactory& corrector, IntegratorStatistics& counts) {
    Simulation simulation(model, {.integrator = BdfOptions{.rtol = 1e-7, .atol = 1e-7, .corrector = corrector}});
    const double height = simulation.run(0, 1).values("height").values.back();
    counts = simulation.statistics().integrator;
    return height;
  };
  IntegratorStatistics exact, simplified;
  const auto make = [](ResidualFunction& system, const StateLayout&) { return std::make_unique<ExactNewton>(system); };
  const double difference = std::abs(run(make, exact) - run({}, simplified)), order = order_of_convergence();
  std::cout << "order " << order << ", heights differ by " << difference
            << " m; Jacobians: " << exact.jacobian_evaluations << " exact, " << simplified.jacobian_evaluations
            << " simplified\n";
  return std::abs(order - 2) < 0.2 && difference < 1e-4 && exact.jacobian_evaluations > simplified.jacobian_evaluations
             ? 0
             : 1;
}
