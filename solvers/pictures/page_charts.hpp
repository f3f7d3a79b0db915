#pragma once

#include <linkwork/solvers/simulation/trajectory.hpp>

#include <cmath>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

// Internal: the curves of pages.

namespace linkwork {

/// A quantity at all frames: what it is more than its first value, so that single precision shows small changes too.
struct PageCurve {
  std::string name, unit = {};
  double offset = std::numeric_limits<double>::quiet_NaN();
  std::vector<float> values = {};

  void add(double value) {
    if (!std::isfinite(offset) && std::isfinite(value)) offset = value;
    values.push_back(static_cast<float>(value - offset));
  }
};
/// Curves that share an axis, over the frames of the page.
nlohmann::json page_chart(const std::string& title, const std::vector<const PageCurve*>& curves);

/// Adds residuals of the constraints on all three levels, at ends of steps as the integrator has left them, to a list
/// of charts; accelerations are those of the equations there. Nothing where there are no constraints, or where they are
/// met exactly.
void add_residuals(const Trajectory& path, nlohmann::json& charts);

/// Adds lengths and orders of the steps that were tried, where they begin; where the run tells of none, the lengths of
/// its segments. Some of them where they are many.
void add_steps(const Trajectory& path, nlohmann::json& charts);

}  // namespace linkwork
