#pragma once

#include <linkwork/solvers/reductions/independent_coordinates.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Generalized coordinate partitioning (REDUCE 2): independent coordinates are some of the coordinates.
class CoordinatePartitioning final : public IndependentCoordinates {
 public:
  using IndependentCoordinates::IndependentCoordinates;

  std::string position_name(int i) const override {
    return full_.position_name(position_of_[static_cast<std::size_t>(i)]);
  }
  std::string velocity_name(int i) const override {
    return full_.velocity_name(velocity_of_[static_cast<std::size_t>(i)]);
  }
  Measure position_measure(int i) const override {
    return full_.position_measure(position_of_[static_cast<std::size_t>(i)]);
  }
  Measure velocity_measure(int i) const override {
    return full_.velocity_measure(velocity_of_[static_cast<std::size_t>(i)]);
  }

 private:
  Choice choose() override;

  std::vector<int> position_of_, velocity_of_;  // component by independent coordinate
};

}  // namespace linkwork
