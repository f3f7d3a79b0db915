#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/analyses/element_quantities.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Internal: what is read of runs by name.

namespace linkwork {

/// What can be asked of a run by name: entries of the vectors of a state, then observables, then what elements tell. A
/// name that an earlier one has gets its kind, "x (observable)"; an element that tells what has a name already, such as
/// a joint its coordinates where they are those of the formulation, leaves it out.
class Columns {
 public:
  enum class Kind { position, velocity, state, auxiliary, contact, observable, element };
  struct Column {
    std::string name, unit;
    Kind kind = Kind::position;
    std::size_t index = 0;  ///< in what its kind is read from
  };

  /// @param segments  of the run, where dense output may have been selected for some components; none: for all
  /// @param equations  stay where they are
  explicit Columns(const EquationsOfMotion& equations, const std::vector<TrajectorySegment>& segments = {});

  std::size_t size() const { return columns_.size(); }
  const Column& operator[](std::size_t i) const { return columns_[i]; }
  /// Of those that are there without asking, and of elements where they were asked for.
  std::vector<std::string> names() const;
  /// Those of some kinds, from the first to the last one.
  std::vector<std::size_t> of_kinds(Kind first, Kind last) const;
  /// Those that fit patterns; without any all that are no element's.
  std::vector<std::size_t> chosen(const char* asked_by, const std::vector<std::string>& patterns);
  /// What is drawn over time: those that fit patterns; without any the observables, or where there are none the first
  /// coordinates.
  std::vector<std::size_t> as_curves(const char* asked_by, const std::vector<std::string>& patterns);
  /// Of a chart that all of its kind and unit share, such as "coordinates [m]".
  std::string title_of_chart(std::size_t i) const;
  /// The one of a name.
  std::optional<std::size_t> find(const std::string& name);

  /// Some of them at a state that the equations are set to. Only what is asked for is computed. Where accelerations and
  /// multipliers are not known, observables that need them are no numbers.
  void read(const State& state, EquationsOfMotion& equations, const std::vector<std::size_t>& which,
            std::vector<double>& row);

 private:
  /// What elements tell is looked at where somebody asks for names.
  void add_elements();
  void read_observables(const State& state, EquationsOfMotion& equations);

  const EquationsOfMotion* equations_;
  bool has_elements_ = true;  // or can have none
  std::set<std::string> taken_;
  std::vector<Column> columns_;
  ElementQuantities elements_;
  Eigen::VectorXd observables_;    // scratch, as are the following
  std::vector<std::size_t> told_;  // of elements
  std::vector<double> told_values_;
};

}  // namespace linkwork
