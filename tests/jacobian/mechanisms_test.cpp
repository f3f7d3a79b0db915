// Jacobians of whole mechanisms: the structure that they claim, and differences by groups.

#include "structure.hpp"

#include "../consistent_velocities.hpp"
#include "../random_mechanism.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace linkwork {
namespace mechanisms_test {

using test::RandomMechanism;

/// A mechanism whose drives move it from the start.
template <class Space>
Model<Space> moving_mechanism(const RandomMechanism& options) {
  Model<Space> model = test::random_mechanism<Space>(options);
  const std::vector<Twist<Space>> velocities = test::consistent_velocities<Space>(options);
  for (std::size_t b = 0; b < velocities.size(); ++b)
    model.body(model.data().bodies[b].name).move(velocities[b].linear, velocities[b].angular);
  return model;
}

/// Of one mechanism, in one formulation and formalism. Entries are zero for one of two reasons where they don't show:
/// declarations know the parts of a body (its rotation, its position), not the axes, so that in absolute coordinates a
/// row of a pin along y counts as one of x too, and a closed loop need not feel all coordinates that lead to it.
template <class Space>
void expect_true_structure(const RandomMechanism& options, Formulation formulation, Formalism formalism) {
  SCOPED_TRACE(concat(Space::name, ", ", name_of(formulation), ", formalism ", static_cast<int>(formalism)));
  const auto equations = make_equations(moving_mechanism<Space>(options), {.formulation = formulation});
  const State start = equations->initial_state();
  equations->set(start);
  MotionResidual system(*equations, {.formalism = formalism, .eta_derivative = true});
  const Dependencies claims = system.dependencies();
  EXPECT_TRUE(claims.complete);
  const test::SeenStructure seen(system, test::RandomPoints(system, start, 0.1, true), 20);
  EXPECT_EQ(test::described(system, test::unclaimed(claims.pattern, seen)), "");
  const std::vector<test::Entry> unseen = test::unseen(claims.pattern, seen);
  const bool is_plain_tree = options.loops == 0 && !options.massless && formulation == Formulation::relative;
  if (is_plain_tree) {
    EXPECT_EQ(test::described(system, unseen), "");
  }
  constexpr double largest_share = 0.3;  // largest seen: 0.29
  EXPECT_LT(static_cast<double>(unseen.size()),
            largest_share * static_cast<double>(test::count_entries(claims.pattern)));

  // By groups and by columns: the same to the last bit in absolute coordinates, where a row sums what acts on its body.
  // In relative coordinates a row also sums what cancels outward of its joint, and rounds it: seen 4e-16.
  MotionResidual run(*equations, {.formalism = formalism});
  const double apart = test::groups_beside_columns(run, test::RandomPoints(run, start, 0.1, false), 2);
  EXPECT_LE(apart, formulation == Formulation::absolute ? 0 : 1e-12);
}

template <class Space>
void expect_true_structures() {
  std::vector<RandomMechanism> mechanisms = test::random_mechanisms(1);
  for (const RandomMechanism& options : test::mechanisms_of_all_joints(2)) mechanisms.push_back(options);
  for (const RandomMechanism& options : mechanisms) {
    SCOPED_TRACE(testing::Message() << options);
    for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
      expect_true_structure<Space>(options, formulation, Formalism::residual);
      if (!options.massless) expect_true_structure<Space>(options, formulation, Formalism::explicit_inverse);
    }
  }
}

TEST(MechanismJacobian, ClaimsWhatShowsAndGroupsGiveTheSameInThePlane) { expect_true_structures<Planar>(); }
TEST(MechanismJacobian, ClaimsWhatShowsAndGroupsGiveTheSameInSpace) { expect_true_structures<Spatial>(); }

// A claim without any one of its nonzeros is found out.
TEST(MechanismJacobian, AnyOneMissingNonzeroIsNoticed) {
  const auto equations = make_equations(moving_mechanism<Spatial>({}), {.formulation = Formulation::relative});
  const State start = equations->initial_state();
  equations->set(start);
  MotionResidual system(*equations, {.eta_derivative = true});
  const test::SeenStructure seen(system, test::RandomPoints(system, start, 0.1, true), 20);
  const SparsityPattern claims = system.dependencies().pattern;
  EXPECT_TRUE(test::unclaimed(claims, seen).empty());
  std::size_t noticed = 0;
  for (int i = 0; i < system.size(); ++i)
    for (const int j : claims.rows[detail::at(i)]) {
      SparsityPattern without = claims;
      std::erase(without.rows[detail::at(i)], j);
      const std::vector<test::Entry> found = test::unclaimed(without, seen);
      noticed += found.size() == 1 && found[0].row == i && found[0].column == j;
    }
  EXPECT_EQ(noticed, test::count_entries(claims));
}

}  // namespace mechanisms_test
}  // namespace linkwork
