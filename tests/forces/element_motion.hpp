#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/core/force_element.hpp>

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace linkwork::test {

/// Frames on different bodies, for elements that are evaluated without a model.
template <class Space>
const Frame<Space> ground = {};
template <class Space>
const Frame<Space> body = {.body = 0};

/// A frame that turns and moves at constant velocity: its pose at any time is known in closed form.
template <class Space>
struct Flight {
  Pose<Space> start;
  Twist<Space> velocity;

  FrameMotion<Space> at(double t) const {
    FrameMotion<Space> frame;
    frame.velocity = velocity;
    frame.pose.position = start.position + t * velocity.linear;
    if constexpr (Space::dimension == 2) {
      frame.pose.angle = start.angle + t * velocity.angular;
      frame.pose.rotation = rotation_matrix(frame.pose.angle);
    } else {
      const double speed = velocity.angular.norm();
      frame.pose.rotation = start.rotation;
      if (speed > 0)
        frame.pose.rotation =
            Eigen::AngleAxisd(speed * t, velocity.angular / speed).toRotationMatrix() * start.rotation;
    }
    return frame;
  }
};

/// Numbers between -1 and 1, positions in a cube of 2 m, any attitude.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  double number() { return uniform_(generator_); }
  template <class Space>
  Vector<Space> vector() {
    return Vector<Space>::NullaryExpr([this] { return number(); });
  }
  template <class Space>
  Angular<Space> angular() {
    if constexpr (Space::dimension == 2)
      return number();
    else
      return vector<Spatial>();
  }
  template <class Space>
  Flight<Space> flight() {
    Flight<Space> flight;
    flight.start.position = vector<Space>();
    flight.velocity = {angular<Space>(), vector<Space>()};
    if constexpr (Space::dimension == 2)
      flight.start.angle = 3 * number();
    else
      flight.start.rotation = Eigen::Quaterniond(number(), number(), number(), number()).normalized();
    return flight;
  }

 private:
  std::mt19937 generator_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// The numbers behind a Motion, and what an element does with it.
template <class Space>
struct ElementMotion {
  double time = 0;
  std::vector<FrameMotion<Space>> frames = std::vector<FrameMotion<Space>>(2);
  std::vector<double> states = {0}, memory = std::vector<double>(8), rates = {0}, auxiliary = {0}, contacts = {0};
  std::vector<Wrench<Space>> reactions = std::vector<Wrench<Space>>(1);

  Motion<Space> motion() const {
    return {time, frames.data(), states.data(), memory.data(), reactions.data(), auxiliary.data(), contacts.data()};
  }
  std::vector<Wrench<Space>> wrenches(const ForceElement<Space>& element) const {
    std::vector<Wrench<Space>> result(frames.size());
    ForceSums<Space> sums(result.data());
    element.add_to(motion(), sums);
    return result;
  }
  void remember(const ForceElement<Space>& element, bool restart = false, int crossed = -1) {
    element.remember(motion(), restart, crossed, memory.data());
  }
  double power(const ForceElement<Space>& element) const {
    const std::vector<Wrench<Space>> w = wrenches(element);
    double sum = 0;
    for (std::size_t k = 0; k < w.size(); ++k)
      sum += dot(w[k].torque, frames[k].velocity.angular) + w[k].force.dot(frames[k].velocity.linear);
    return sum;
  }
};

/// The message of the ModelError that `build` throws; "" and a failed test if it throws none.
template <class Build>
std::string model_error(Build&& build) {
  try {
    build();
  } catch (const ModelError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ModelError";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' does not contain '" << part << "'";
}

}  // namespace linkwork::test
