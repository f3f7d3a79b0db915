#pragma once

#include <linkwork/solvers/analyses/jump_watch.hpp>
#include <linkwork/solvers/simulation/event_location.hpp>
#include <linkwork/solvers/simulation/output_schedule.hpp>
#include <linkwork/solvers/simulation/phase.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>
#include <linkwork/solvers/simulation/solution_reader.hpp>
#include <linkwork/solvers/simulation/step_log.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Internal to the driver.

namespace linkwork {

/// The loop of one run. It works on the simulation's parts and leaves its results there.
class Simulation::Run {
 public:
  Run(Simulation& simulation, double t_begin, double t_end);
  ~Run() {
    sum_up();
    s_.running_ = false;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void execute();

 private:
  struct Zero {
    double t, exact;    // see FoundZero
    std::size_t watch;  // events come first, then the switches of elements
  };
  /// Zeros that count as one instant: [first, last) of zeros_.
  struct Instant {
    std::size_t first, last;
  };

  /// Calls a function of the user. An exception that is none of Linkwork's ends the run as a RunError, in which it is
  /// nested.
  template <class Function>
  decltype(auto) ask_user(const char* kind, const std::string& name, double t, Function&& function) const;
  [[noreturn]] void fail_nested(const char* kind, const std::string& name, const std::string& what, double t) const;

  void start();
  /// Values that satisfy the initial conditions.
  State found_start(const State& given);
  void report_start(const State& projected);
  void advance();
  /// What the integrator tried since the last call.
  void keep_records();
  void call_integrator(const std::function<Outcome()>& function, double t);
  void initialize(State state);
  void expect_whole_state(double t) const;
  void step_towards(double limit);
  void add_watches();

  /// Returns why the step can't be taken, or "".
  std::string find_zeros();
  /// Treats the instants of the last step in the order of time. Returns the one that ends it early, if any.
  std::optional<Instant> treat_instants();
  std::optional<Instant> find_and_treat_zeros();
  void expect_no_jump();
  bool goes_over_an_edge();
  void step_to_the_edge();
  void close_failed_segment();
  void record(const Instant& instant);
  void restart(const Instant& instant, State state);
  bool restarts(const Instant& instant) const;
  bool is_reported(std::size_t watch) const;
  bool restarts(std::size_t watch) const;
  /// Among the zeros of the last step.
  std::vector<Zero>::const_iterator first_restart() const;
  bool is_switch(std::size_t watch) const { return watch >= s_.events_.size(); }

  /// With w and s where the equations eliminate them: where the search for them starts when the trajectory is read.
  State with_eliminated(State state);
  /// Keeps what the equations remember during the next step.
  void renew_memory();
  /// The state that the integrator has reached, as those see it who look on.
  const State& known_end();
  /// Gives the last state its accelerations and multipliers, and looks for observables that are no numbers there.
  void finish();
  void check_observables(const State& last);
  TrajectorySegment segment_to(const State& end);
  void close_segment(const State& end);
  void append(TrajectorySegment segment, bool starts);
  void deliver(bool starts);
  void integrate_power(double begin, double end);
  void measure(const State& state, bool after_jump);
  void measure_invariants();
  void ask_observers(const State& state);
  void sum_up();
  std::string stopped_text(const std::string& reason, double t) const;
  [[noreturn]] void fail(const std::string& reason, double t) const;

  Simulation& s_;
  EquationsOfMotion& equations_;
  Integrator& integrator_;
  const double t_begin_, t_end_;
  SolutionReader reader_;
  StepInterior interior_;
  JumpWatch jumps_;
  StepLog log_;
  std::vector<OutputSchedule> schedules_;
  std::vector<Watch> watches_;
  std::vector<Watch> watches_before_;  // as they were before the last step, if that can be repeated
  std::vector<RestartMonitor> monitors_;
  std::vector<int> counts_;
  std::vector<Zero> zeros_;
  std::vector<FoundZero> found_;
  std::vector<double> times_;

  double t_ = 0;        // reached by the trajectory
  double reached_ = 0;  // by the treatment of events
  double edge_;         // steps end there, before an edge; not above t_: at the end of the run
  bool stopped_ = false;
  bool segment_starts_ = true;                                  // the next segment begins the run or follows a jump
  std::shared_ptr<const Eigen::VectorXd> memory_;               // of the equations in the present step
  double mechanical_start_ = 0, work_ = 0, balance_error_ = 0;  // of the energy balance

  const InPhase::Clock::time_point wall_start_ = InPhase::Clock::now();
  const EvaluationCounters counters_before_;
  Phase integration_, events_, reports_, balance_;
};

}  // namespace linkwork
