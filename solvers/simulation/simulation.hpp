#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/solvers/formulations/coordinate_places.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/initial_values/initial_conditions.hpp>
#include <linkwork/solvers/initial_values/initial_values.hpp>
#include <linkwork/solvers/initial_values/reassembly.hpp>
#include <linkwork/solvers/integrators/bdf.hpp>
#include <linkwork/solvers/integrators/extrapolation.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/integrators/integrator_options.hpp>
#include <linkwork/solvers/integrators/radau.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/linear/linear_solver_choice.hpp>
#include <linkwork/solvers/reductions/reduction_options.hpp>
#include <linkwork/solvers/simulation/events.hpp>
#include <linkwork/solvers/simulation/output.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// What becomes of w and s: unknowns where the integrator solves for them, else eliminated by the equations, as in all
/// reductions to independent coordinates.
/// @throws ModelError for options that make no sense
AuxiliaryUnknowns unknowns_for(const IntegratorOptions& options, Reduction reduction = Reduction::none);

/// Written out, SimulationOptions{.formulation = ...}, a misspelt option is named by the compiler; in braces alone it
/// only says that no function takes them. So it is with all options.
struct SimulationOptions {
  Formulation formulation = Formulation::absolute;
  TopologyOptions topology = {};              ///< how loops are cut open
  LinearSolverChoice linear_solver = "auto";  ///< one of linear_solver_names(), or your own
  IntegratorOptions integrator = ExtrapolationOptions{};
  ReductionOptions reduction = {};  ///< to independent coordinates, before the integrator sees the equations
  bool keep_dense_output = true;    ///< the trajectory can be evaluated anywhere
  bool keep_steps = true;           ///< false: only the last segment is kept
  bool energy_balance = false;  ///< integrate the work of the force elements along; needs dense output of every step
  /// At every accepted step: a ModelError where a force element or a constraint uses what it does not declare.
  bool check_declarations = false;
  std::string step_log = {};  ///< CSV file of the step monitor (MEXX 4.2); "" for none
  /// Bodies may be placed, and move, off what their joints allow: initial values are searched for. Only relative
  /// coordinates refuse that otherwise.
  bool rough_placement = false;
};

/// What a run cost. The work of integrating is counted apart from that of the driver (events, outputs, reports), so
/// that asking for a report does not change the figures of a method.
struct SimulationStatistics {
  IntegratorStatistics integrator;
  EvaluationCounters evaluations;         ///< by the integrator
  EvaluationCounters driver_evaluations;  ///< by the driver and by user functions that it calls
  LinearSolverStatistics linear;          ///< by the integrator, and by what moves events' states onto invariants
  int events = 0, restarts = 0;
  double wall_seconds = 0;     ///< of the run, without balance_seconds
  double balance_seconds = 0;  ///< integrating the energy balance, dense output for it included
  double dense_seconds = 0;    ///< making dense output
  double event_seconds = 0;    ///< finding and treating events, dense output included
  double output_seconds = 0;   ///< outputs, observers, reports
};

/// Energy at accepted steps.
struct EnergyReport {
  double initial = 0, final = 0;  ///< kinetic and potential [J]
  double max_drift = 0;           ///< largest |E - E(0)| [J]
  /// Largest |T + V - (T + V)(0) - W| [J], V the potential of gravity, W the work of force elements and driven
  /// constraints, integrated along by Gauss's formula with 10 points per step. The work of impacts is left out. -1
  /// where SimulationOptions::energy_balance is off.
  double balance = -1;
};

/// A solution invariant at accepted steps.
struct InvariantReport {
  std::string name, unit;
  double level = 0;      ///< after the last jump
  double max_drift = 0;  ///< largest |e|
};

/// What projecting the initial values onto the constraints changed: the largest component and its name.
struct StartProjection {
  double position = 0, velocity = 0;
  std::string position_name, velocity_name;
};

/// Drives one model through time: integrates, finds events, delivers outputs, keeps the trajectory and the accounts.
/// One object per thread; any number of them may share a model.
///
/// What a run hands out keeps this promise:
///   1. A step is accepted only if its error estimate has seen the forces where the step ends. What can't be resolved
///      is a failure that names the element and says what to do; a run that is limited by stability says so in its
///      summary, with the integrator to take.
///   2. Positions and velocities satisfy their constraints to rounding anywhere in time, and are as accurate there as
///      at the ends of steps: errors at most 10 times those, plus 10 tolerances. Near singular positions, where shorter
///      steps don't help, they may be larger.
///   3. Accelerations, multipliers, reactions and what is computed from them are those of the state at that time, from
///      the equations, wherever they are read: observables, on_output, observers, write_csv, Trajectory::at and values,
///      events, final_state. Where the equations have none (at a singular position, where rows lose rank) they are NaN,
///      and the summary says how many, since when and why (for what is read after the run, Series::unknown and the
///      value of write_csv do); the final state keeps those of the integrator then.
///   4. Events are found with default options, where the dense output of the step crosses zero (see Event).
///   5. Nothing depends on where time begins, or on a first step that was rejected.
///   6. What a tolerance means for the error at a given time is said with each integrator's options.
/// TrajectorySegment holds the integrator's own numbers, for those who study the method.
class Simulation {
 public:
  /// Makes the equations of motion of a model, in the formulation of the options. From then on the model can't be
  /// changed.
  /// @throws ModelError for a model or for options that make no sense
  template <class Space>
  explicit Simulation(const Model<Space>& model, SimulationOptions options = {})
      : Simulation(make_equations(
                       model, {options.formulation, options.topology,
                               unknowns_for(options.integrator, options.reduction.method), options.rough_placement}),
                   options) {}
  /// Runs equations that were posed directly.
  explicit Simulation(std::unique_ptr<EquationsOfMotion> equations, SimulationOptions options = {});
  ~Simulation();
  /// @throws ModelError for a simulation that runs, when one of its own callbacks moves it
  Simulation(Simulation&&);
  Simulation& operator=(Simulation&&);

  /// Start of the next run, in place of the model's own initial values. t is ignored; a and lambda may be empty, and w
  /// and s, which are where their solution starts.
  /// @throws ModelError for a wrong size or a value that is not finite
  void set_initial_state(const State& state);
  /// From now on every run starts with values that satisfy constraints and conditions, searched for from the initial
  /// state (linkwork::find_initial_values), for every integrator. A run that finds none is a RunError.
  void set_initial_conditions(InitialConditions conditions);
  /// The values that a run at t would start with; nothing is run. The initial state stays as it is.
  /// @throws ModelError as linkwork::find_initial_values
  InitialValues find_initial_values(double t);
  /// Whether the initial state itself is consistent at t.
  /// @throws ModelError as linkwork::check_initial_values
  InitialValues check_initial_values(double t);
  /// The ways to close the loops at the start, beginning with the one that is taken; none where there is no start.
  std::vector<AssemblyBranch> assembly_branches(double t);
  /// Moves the initial state continuously to where a joint's coordinate has a value at t, all loops closed
  /// (linkwork::move_and_reassemble); where it stops early, to there. Initial conditions are not looked at.
  /// @param coordinate  counted from 0
  /// @throws ModelError as linkwork::move_and_reassemble and joint_coordinate
  template <class Space>
  Reassembly move_and_reassemble(const JointRef<Space>& joint, int coordinate, double value, double t = 0) {
    return move_initial_state(joint_coordinate(joint, coordinate), value, t);
  }
  /// The same for any quantity of positions.
  template <class Space>
  Reassembly move_and_reassemble(const Quantity<Space>& quantity, double value, double t = 0) {
    return move_initial_state(quantity, value, t);
  }
  /// @throws ModelError for a name that is empty or taken, an unknown observable, or for Event::why_invalid
  void add_event(Event event);
  /// Called at the start, at every accepted step, at every event and after every restart; false stops the run.
  void observe(std::function<bool(const State&, EquationsOfMotion&)> observer);
  /// Delivers the state at chosen points, in the order of time; the equations are set to it, and may be asked by the
  /// callback through equations(). At a jump per_step and at_most deliver both values, the other modes the one before
  /// it.
  /// @throws ModelError for OutputPoints::why_invalid; times outside of a run are refused by `run`
  void on_output(OutputPoints points, std::function<void(const State&)> callback);
  /// Called after every accepted step with the time reached and the end of the run.
  void on_progress(std::function<void(double t, double t_end)> callback);

  /// Integrates from t_begin to t_end, or to the first event or observer that stops the run. A second call starts again
  /// from the initial state; trajectories of earlier runs stay as they are, in the hands of those who have them.
  /// @return the same as trajectory(); a copy is cheap
  /// @throws ModelError for times that make no sense, and for what can't work with these equations
  /// @throws RunError if the run can't go on, a user's exception nested in it; what was computed stays in trajectory()
  Trajectory run(double t_begin, double t_end);

  /// Of the last run, or of the one that goes on; the next run puts another one in its place.
  const Trajectory& trajectory() const { return trajectory_; }
  const SimulationStatistics& statistics() const { return statistics_; }
  const EnergyReport& energy() const { return energy_; }
  /// Largest residuals at accepted steps.
  const ConstraintResidual& constraint_residual() const { return residual_; }
  /// Solution invariants, in their order; empty where nothing was computed.
  const std::vector<InvariantReport>& invariants() const { return invariants_; }
  const StartProjection& start_projection() const { return start_projection_; }
  /// Points at which the run was asked in vain for accelerations and multipliers.
  const UnknownPoints& unknown_points() const { return unknown_points_; }
  /// How the last run's initial conditions were met; empty where none were set.
  const InitialValues& initial_values() const { return initial_values_; }
  /// What is allowed and yet looks like a mistake, a sentence for each (linkwork::remarks_on), and a mechanism
  /// that can't move.
  std::vector<std::string> remarks() const;
  /// For a person: steps, evaluations, residuals, energy and times by phase.
  std::string summary() const;

  /// Where a joint's coordinates stand in p and v of this simulation's states.
  /// @throws ModelError where it has none of its own, see linkwork::places_of
  template <class Space>
  CoordinatePlaces places_of(const JointRef<Space>& joint) const {
    return linkwork::places_of(equations(), joint);
  }

  EquationsOfMotion& equations();
  const EquationsOfMotion& equations() const;
  std::string linear_solver_name() const;
  std::string integrator_name() const;
  /// Those of the integrator's steps.
  Tolerances tolerances() const;

 private:
  class Run;
  /// @throws ModelError for a simulation that was moved from
  void require_here(const char* function) const;
  /// @throws ModelError also while a run is going on
  void require_idle(const char* function) const;
  void require_carried_unknowns() const;
  struct Output {
    OutputPoints points;
    std::function<void(const State&)> callback;
  };
  State initial_state_at(double t) const;
  template <class Space>
  Reassembly move_initial_state(const Quantity<Space>& quantity, double value, double t) {
    require_idle("move_and_reassemble");
    Reassembly moved = linkwork::move_and_reassemble(*equations_, initial_state_at(t), quantity, value);
    initial_state_ = moved.state;
    return moved;
  }
  void make_solver();
  void make_integrator();
  bool dense_output_wanted() const;
  std::string redundant_constraints() const;
  std::string implicit_work() const;
  std::string kept_invariants() const;

  /// Whether a run is going on; then nothing may be moved.
  class Running {
   public:
    Running() = default;
    Running(Running&& from) { from.require_idle(); }
    Running& operator=(Running&& from) {
      from.require_idle();
      require_idle();
      return *this;
    }
    Running& operator=(bool now) {
      now_ = now;
      return *this;
    }
    explicit operator bool() const { return now_; }

   private:
    void require_idle() const;
    bool now_ = false;
  };

  Running running_;  // first, so that a move that is refused has moved nothing
  SimulationOptions options_;
  std::shared_ptr<EquationsOfMotion> equations_;  // shared with the trajectories, which outlive the simulation
  std::unique_ptr<LinearSolver> solver_;
  std::unique_ptr<Integrator> integrator_;
  bool has_run_ = false;
  double t_begin_ = 0;  // of the last run

  State initial_state_;
  std::optional<InitialConditions> initial_conditions_;
  std::vector<Event> events_;
  std::vector<std::function<bool(const State&, EquationsOfMotion&)>> observers_;
  std::vector<Output> outputs_;
  std::vector<std::function<void(double, double)>> progress_;

  Trajectory trajectory_;
  SimulationStatistics statistics_;
  EnergyReport energy_;
  ConstraintResidual residual_;
  std::vector<InvariantReport> invariants_;
  StartProjection start_projection_;
  InitialValues initial_values_;
  UnknownPoints unknown_points_;
  std::vector<std::string> odd_observables_;  // sentences
};

}  // namespace linkwork
