#include "bench/rod_pendulum.hpp"
#include "bench/yardstick.hpp"
#include "reproduce/tables.hpp"
#include "text_table.hpp"

#include <string>
#include <vector>

// Times of the other codes were measured on a machine whose yardstick was 76.4 ns, and are carried to this one by its
// own.

namespace linkwork::apps {
namespace {

/// On a machine whose yardstick was 76.4 ns.
const std::vector<WorkPoint>& simbody() {
  static const std::vector<WorkPoint> points = {{"Simbody, Merson", "1e-5", 620, 3.6e-6},
                                                {"Simbody, Merson", "1e-7", 1960, 4.2e-8}};
  return points;
}
const std::vector<WorkPoint>& mujoco() {
  static const std::vector<WorkPoint> points = {{"MuJoCo, RK4", "0.001 s", 604, 1.4e-5},
                                                {"MuJoCo, RK4", "0.0005 s", 1210, 1.1e-6},
                                                {"MuJoCo, RK4", "0.00025 s", 2480, 8.2e-8}};
  return points;
}

}  // namespace

void reproduce_pendulum_32(std::ostream& out) {
  constexpr double their_yardstick = 76.4, wanted_drift = 1e-6;
  constexpr int rods = 32;
  constexpr double t_end = 10;  // [s]
  const double scale = measure_yardstick().minimum / their_yardstick;
  TextTable table({"code", "tolerance or step", "ms", "drift", "steps", "accelerations"});
  std::vector<WorkPoint> ours;
  for (double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const RodPendulumRun run = run_rod_pendulum(rods, t_end, tolerance);
    ours.push_back(run.point);
    table.add({run.point.code, run.point.setting, number(run.point.milliseconds, 3), number(run.point.error, 2),
               std::to_string(run.steps), std::to_string(run.accelerations)});
  }
  for (const auto& peer : {simbody(), mujoco()})
    for (const WorkPoint& point : peer)
      table.add({point.code, point.setting, number(scale * point.milliseconds, 3), number(point.error, 2), "", ""});
  table.print(out);

  const double our_time = time_at_error(ours, wanted_drift);
  const double simbody_time = scale * time_at_error(simbody(), wanted_drift),
               mujoco_time = scale * time_at_error(mujoco(), wanted_drift);
  out << "\nAt a drift of 1e-6: Linkwork " << number(our_time, 3) << " ms; Simbody " << number(simbody_time, 3)
      << " ms, " << number(simbody_time / our_time, 3) << " times as long; MuJoCo " << number(mujoco_time, 3) << " ms, "
      << number(mujoco_time / our_time, 3) << " times as long.\nDrift: of the energy, over the largest "
      << "kinetic energy. Smallest processor times of several runs.\n";
}

}  // namespace linkwork::apps
