// Jacobians of whole mechanisms: the structure that they claim, and differences by groups.

#include "structure.hpp"

#include "../random_mechanism.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/equations/formulation.hpp>

#include <gtest/gtest.h>

namespace linkwork {
namespace {

using test::RandomMechanism;

template <class Space>
void explore(const RandomMechanism& options, Formulation formulation, Formalism formalism) {
  Model<Space> model = test::random_mechanism<Space>(options);
  const auto equations = make_equations(model, {.formulation = formulation});
  const State start = equations->initial_state();
  equations->set(start);
  std::unique_ptr<StabilisedEquations> system;
  try {
    system = std::make_unique<StabilisedEquations>(*equations, StabilisedEquations::Options{formalism, true, {}});
  } catch (const ModelError& e) {
    return;
  }
  const test::SeenStructure seen(*system, start, 20);
  const Dependencies claimed = system->dependencies();
  EXPECT_TRUE(claimed.complete);
  int unseen = 0, total = 0, outside = 0;
  double worst = 0, least = 1;
  for (int i = 0; i < system->size(); ++i) {
    const auto& row = claimed.pattern.rows[static_cast<std::size_t>(i)];
    for (int j = 0; j < system->size(); ++j) {
      const bool is = std::binary_search(row.begin(), row.end(), j);
      if (is) {
        ++total;
        if (seen(i, j) <= 1e-12) {
          if (unseen < 6) std::printf("   %s by %s: %g\n", system->equation_name(i).c_str(), system->unknown_name(j).c_str(), seen(i,j));
          ++unseen;
        } else
          least = std::min(least, seen(i, j));
      } else {
        worst = std::max(worst, seen(i, j));
        if (seen(i, j) > 1e-12) ++outside;
      }
    }
  }
  std::printf("%s %s %d seed %u bodies %d loops %d: size %d claimed %d unseen %d least %g; outside %d worst %g\n", Space::name, std::string(name_of(formulation)).c_str(), static_cast<int>(formalism), options.seed, options.rigid_bodies, options.loops, system->size(), total, unseen, least, outside, worst);
}

TEST(MechanismJacobian, Explore) {
  std::vector<RandomMechanism> all = test::random_mechanisms(1);
  for (const auto& m : test::mechanisms_of_all_joints(2)) all.push_back(m);
  for (const RandomMechanism& options : all)
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative})
      for (const Formalism formalism : {Formalism::residual, Formalism::explicit_inverse}) {
        explore<Planar>(options, formulation, formalism);
        explore<Spatial>(options, formulation, formalism);
      }
}

}  // namespace
}  // namespace linkwork
