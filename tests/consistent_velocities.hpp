#pragma once

#include "equations/dense_solution.hpp"
#include "random_mechanism.hpp"

#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>

#include <random>
#include <string>
#include <vector>

namespace linkwork::test {

template <class Space>
void observe(Model<Space>& model, const std::string& name, auto&& components) {
  for (int i = 0; i < Space::n; ++i)
    model.add_observable(name + std::to_string(i), "", [=](const Snapshot<Space>& now) { return components(now)[i]; });
}

template <class Space>
Components<Space> joined(const Angular<Space>& angular, const Vector<Space>& linear) {
  Components<Space> out;
  out << angular, linear;
  return out;
}

/// Random velocities that the constraints allow: of the bodies' origins, ground axes.
template <class Space>
std::vector<Twist<Space>> consistent_velocities(const RandomMechanism& options) {
  const Model<Space> model = random_mechanism<Space>(options);
  const auto equations = make_equations(model);
  State state = equations->initial_state();
  std::mt19937 random(options.seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd wish(equations->dimensions().v);
  for (double& component : wish) component = normal(random);
  equations->set(state);
  state.v = consistent_velocity(*equations, wish);
  std::vector<Twist<Space>> out(model.data().bodies.size());
  Model<Space> observed = random_mechanism<Space>(options);
  for (const BodyEntry<Space>& entry : model.data().bodies) {
    const Frame<Space> origin = observed.body(entry.name).origin();
    observe(observed, entry.name, [=](const Snapshot<Space>& now) {
      const Twist<Space> v = now.velocity(origin);
      return joined<Space>(v.angular, v.linear);
    });
  }
  Eigen::VectorXd values;
  const auto reporting = make_equations(observed);
  reporting->observables(state, values);
  const Eigen::Index first = values.size() - static_cast<Eigen::Index>(out.size()) * Space::n;
  for (std::size_t b = 0; b < out.size(); ++b) {
    const double* from = values.data() + first + static_cast<Eigen::Index>(b) * Space::n;
    if constexpr (Space::dimension == 2)
      out[b].angular = from[0];
    else
      out[b].angular = Eigen::Vector3d::Map(from);
    out[b].linear = Vector<Space>::Map(from + Space::angular);
  }
  return out;
}

}  // namespace linkwork::test
