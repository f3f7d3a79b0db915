#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/solvers/equations/absolute.hpp>
#include <linkwork/solvers/integrators/extrapolation.hpp>
#include <linkwork/solvers/trajectory.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace linkwork {

enum class Formulation { absolute };

/// Options of an integrator choose the integrator.
using IntegratorOptions = std::variant<ExtrapolationOptions>;

/// Which points the dense output is delivered at (MEXX's four modes).
struct OutputPoints {
  enum class Mode { none, equidistant, per_step, at_most, given };
  Mode mode = Mode::none;
  int count = 0;                  ///< equidistant: points between the ends; per_step: points inside each step
  double interval = 0;            ///< at_most: largest distance [s]
  std::vector<double> times;      ///< given: ascending [s]
};

/// A zero of a function along the solution (MEXX 2.16).
struct Event {
  enum class Direction { any, rising, falling };
  enum class Action { report, stop, change };

  std::string name;
  /// Called with the state (t, p, v, r, a, lambda) set; may ask the equations anything.
  std::function<double(const State&, EquationsOfMotion&)> function;
  Direction direction = Direction::any;
  Action action = Action::report;
  double residual_threshold = 0;  ///< MEXX 4.1b: both values around a sign change must be larger in size
  int checking_points = 1;        ///< subintervals of a step in which signs are compared
  int maximum_count = 10000;      ///< more zeros than this end the run with a message
  /// Action::change: alters v (and r) at the zero, an impact; the state is then projected and the run restarts.
  std::function<void(State&, EquationsOfMotion&)> effect;
};

struct SimulationOptions {
  Formulation formulation = Formulation::absolute;
  std::string linear_solver = "auto";
  IntegratorOptions integrator = ExtrapolationOptions{};
  bool keep_dense_output = true;     ///< the trajectory can be evaluated anywhere
  bool keep_steps = true;            ///< false: only the last segment is kept
  bool energy_balance = false;       ///< integrate the work of the force elements along
  std::string step_log;              ///< CSV file of the step monitor; "" for none
};

struct SimulationStatistics {
  IntegratorStatistics integrator;
  EvaluationCounters evaluations;
  LinearSolverStatistics linear;
  int events = 0, restarts = 0;
  double wall_seconds = 0, dense_seconds = 0, event_seconds = 0;
};

}  // namespace linkwork
