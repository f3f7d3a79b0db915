// A linear solver of your own: M = L L^T, and the multipliers from the dense matrix G M^-1 G^T, for small mechanisms
// whose bodies all have mass and whose constraints are independent.
//
// To add another one, give analyze, factor and solve of [M G^T; G 0] [w; lambda] = [f; g]. What it can't treat is a
// failure that names the reason; a LinearSolverChoice brings it to a run.

#include <linkwork/linkwork.hpp>

#include <Eigen/Cholesky>
#include <cmath>
#include <iostream>

using namespace linkwork;

class SchurComplement final : public LinearSolver {
 public:
  std::string_view name() const override { return "schur-complement"; }

 private:
  Outcome do_analyze() override {
    if (equations_->forces_read_multipliers())
      return Outcome::failure(
          "schur-complement: forces that read reactions make the matrix unsymmetric; take dense-lu.");
    return {};
  }
  Outcome do_factor(const AugmentedMatrix& matrix) override {
    mass_.compute(matrix.M->dense());
    if (mass_.info() != Eigen::Success)
      return Outcome::failure(
          "schur-complement: the mass matrix is not positive definite; take redundant or sparse-lu.");
    G_ = matrix.G->dense();
    complement_.compute(G_ * mass_.solve(G_.transpose()));
    if (complement_.info() != Eigen::Success)
      return Outcome::failure("schur-complement: constraint rows depend on each other; take redundant.");
    return {};
  }
  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    const Eigen::VectorXd free = mass_.solve(f);
    lambda = complement_.solve(G_ * free - g);
    w = free - mass_.solve(G_.transpose() * lambda);
  }

  Eigen::LLT<Eigen::MatrixXd> mass_, complement_;
  Eigen::MatrixXd G_;
};

int main() {
  PlanarModel model("slider crank");
  model.set_gravity({0, -9.81});
  auto crank = model.add_body("crank", MassProperties::rod(1.2, 0.3));
  auto rod = model.add_body("rod", MassProperties::rod(1.5, 0.5));
  auto slider = model.add_body("slider", MassProperties::planar(0.8, 1e-3));
  crank.place({0, 0.15}, std::atan2(1, 0));
  rod.place({0.2, 0.15}, std::atan2(-3, 4));
  slider.place({0.4, 0});
  model.add_joint<Revolute>("main bearing", model.ground().origin(), crank.at({-0.15, 0}));
  model.add_joint<Revolute>("big end", crank.at({0.15, 0}), rod.at({-0.25, 0}));
  model.add_joint<Revolute>("small end", rod.at({0.25, 0}), slider.origin());
  model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
  model.add_force<SpringDamper>("buffer", slider.origin(), model.ground().at({1, 0}),
                                {.stiffness = 40, .damping = 2, .free_length = 0.5});

  const auto end = [&](Formulation formulation, const LinearSolverChoice& solver) {
    const ExtrapolationOptions tight{.rtol = 1e-10, .atol = 1e-10};
    Simulation simulation(model, {.formulation = formulation, .linear_solver = solver, .integrator = tight});
    simulation.run(0, 1);
    std::cout << simulation.summary();
    return simulation.trajectory().final_state();
  };
  double difference = 0;
  for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
    const LinearSolverChoice own("schur-complement", [] { return std::make_unique<SchurComplement>(); });
    const State ours = end(formulation, own), theirs = end(formulation, "dense-lu");
    difference = std::max(
        {difference, (ours.p - theirs.p).cwiseAbs().maxCoeff(), (ours.lambda - theirs.lambda).cwiseAbs().maxCoeff()});
  }
  std::cout << "differs from dense-lu by " << difference << '\n';
  return difference < 1e-7 ? 0 : 1;  // two runs at 1e-10, whose steps differ in their last digits; forces of 100 N
}
