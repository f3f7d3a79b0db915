#include <linkwork/solvers/initial_values/initial_conditions.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>

namespace linkwork {

namespace {

void check(const InitialConditions::Condition& condition) {
  if (condition.name.empty()) throw ModelError("InitialConditions: a condition or guess has no name; give one.");
  if (!std::isfinite(condition.value))
    throw ModelError(
        concat("InitialConditions: '", condition.name, "' is to be ", condition.value, "; expected a finite number."));
}

}  // namespace

InitialConditions& InitialConditions::add_condition(Condition condition) {
  check(condition);
  conditions_.push_back(std::move(condition));
  return *this;
}

InitialConditions& InitialConditions::add_guess(Condition condition) {
  check(condition);
  guesses_.push_back(std::move(condition));
  return *this;
}

InitialConditions& InitialConditions::fix(const std::string& name) {
  return add_condition({.name = name, .as_guessed = true});
}

InitialConditions& InitialConditions::fix(const std::string& name, double value) {
  return add_condition({.name = name, .value = value});
}

InitialConditions& InitialConditions::guess(const std::string& name, double value) {
  return add_guess({.name = name, .value = value});
}

InitialConditions& InitialConditions::require(const std::string& name, Function h) {
  if (!h) throw ModelError(concat("InitialConditions: '", name, "' is an empty function; give one."));
  return add_condition({.name = name, .quantity = std::move(h), .is_function = true});
}

template <class Space>
InitialConditions& InitialConditions::fix_pose(const Frame<Space>& frame, const Pose<Space>& pose) {
  if (!(pose.position.allFinite() && pose.rotation.allFinite()))
    throw ModelError("InitialConditions::fix_pose: the pose has a number that is not finite.");
  const std::string name = frame.model->body_name(frame.body);
  for (int i = 0; i < Space::n; ++i) {
    const bool turns = i < Space::angular;
    fix(Quantity<Space>{concat(name, turns ? ": rotation " : ": displacement ", (turns ? i : i - Space::angular) + 1,
                               " from its fixed pose"),
                        turns ? "rad" : "m",
                        [frame, pose, i](const Snapshot<Space>& now) {
                          return logarithm(relative_pose(pose, now.pose(frame)))[i];
                        }},
        0);
  }
  return *this;
}

template <class Space>
InitialConditions& InitialConditions::fix_velocity(const Frame<Space>& frame, const Twist<Space>& velocity) {
  if constexpr (Space::dimension == 2) {
    fix(angular_velocity_of(frame), velocity.angular);
  } else {
    for (int i = 0; i < 3; ++i) fix(angular_velocity_of(frame, i), velocity.angular[i]);
  }
  for (int i = 0; i < Space::dimension; ++i) fix(velocity_of(frame, i), velocity.linear[i]);
  return *this;
}

template InitialConditions& InitialConditions::fix_pose(const Frame<Planar>&, const Pose<Planar>&);
template InitialConditions& InitialConditions::fix_pose(const Frame<Spatial>&, const Pose<Spatial>&);
template InitialConditions& InitialConditions::fix_velocity(const Frame<Planar>&, const Twist<Planar>&);
template InitialConditions& InitialConditions::fix_velocity(const Frame<Spatial>&, const Twist<Spatial>&);

}  // namespace linkwork
