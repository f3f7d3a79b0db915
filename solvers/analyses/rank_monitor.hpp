#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>

#include <Eigen/Core>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace linkwork {

/// Watches the rank of the constraints during a run and reports singular positions by time and name:
///
///   RankMonitor monitor(model);
///   simulation.observe(monitor.observer());   // the monitor has to live as long as the simulation
///
/// A step that passes a singular position is noticed although no step ends there: the smallest singular values of the
/// constraint rows are followed with their singular vectors, and change their signs. A run that stays at one is
/// reported once, until it has clearly left it (hysteresis). Rows that are redundant everywhere are no event. Steps so
/// long that the vectors turn by more than 60 degrees hide what they pass.
/// Cost per step: an eigenvalue problem of the rows' size; more than 200 rows are refused.
class RankMonitor {
 public:
  struct Report {
    double t = 0;  ///< [s]; between two steps by linear interpolation
    std::string sentence;
  };

  /// Diagnoses the model, to know which rows are always redundant.
  /// @param options  those of the equations that are simulated, for the names of loops
  /// @throws ModelError as diagnose
  template <class Space>
  explicit RankMonitor(const Model<Space>& model, const EquationsOptions& options = {});
  RankMonitor(const RankMonitor&) = delete;
  RankMonitor& operator=(const RankMonitor&) = delete;

  /// For Simulation::observe; never stops a run. @throws ModelError when it is called, for more than 200 rows
  std::function<bool(const State&, EquationsOfMotion&)> observer();
  const std::vector<Report>& reports() const { return reports_; }

 private:
  /// A singular value of the scaled rows, with its vectors.
  struct Direction {
    double value = 0;  ///< relative to the largest singular value
    Eigen::VectorXd rows, velocities;
  };
  void watch(double t, EquationsOfMotion& equations);
  std::vector<Direction> directions(EquationsOfMotion& equations) const;
  void report(double t, int count, const Eigen::VectorXd& rows, EquationsOfMotion& equations);

  std::map<std::string, std::string> loop_closed_by_;  ///< element: the elements of its loop
  int permanent_ = 0;
  Eigen::VectorXd scales_;
  double t_ = 0;
  std::vector<Direction> before_;
  bool is_singular_ = false;
  std::vector<Report> reports_;
};

extern template RankMonitor::RankMonitor(const Model<Planar>&, const EquationsOptions&);
extern template RankMonitor::RankMonitor(const Model<Spatial>&, const EquationsOptions&);

}  // namespace linkwork
