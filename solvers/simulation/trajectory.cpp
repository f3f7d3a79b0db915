#include <linkwork/solvers/simulation/trajectory.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/simulation/columns.hpp>
#include <linkwork/solvers/simulation/csv_samples.hpp>
#include <linkwork/solvers/simulation/output_schedule.hpp>
#include <linkwork/solvers/simulation/solution_reader.hpp>

#include <algorithm>
#include <boost/io/ios_state.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <utility>

namespace linkwork {

namespace {

void check_sizes(const State& state, const EquationsOfMotion& equations) {
  const Dimensions& n = equations.dimensions();
  const auto check = [](const char* what, Eigen::Index got, int expected) {
    if (got != expected)
      throw ModelError(concat("Trajectory: a state's ", what, " has ", got, " entries; the equations have ", expected,
                              "; give the equations of the model that was run."));
  };
  check("p", state.p.size(), n.p);
  check("v", state.v.size(), n.v);
  check("r", state.r.size(), n.r);
  check("w", state.w.size(), static_cast<int>(equations.auxiliary().size()));
  check("s", state.s.size(), static_cast<int>(equations.contacts().size()));
  check("a", state.a.size(), n.v);
  check("lambda", state.lambda.size(), n.constraints());
}

/// A polynomial that was read from a file may hold anything.
void check_dense(const DensePolynomial& dense, const State& state, std::size_t segment) {
  const auto check = [&](const char* what, const DensePolynomial::Group& group, Eigen::Index size) {
    const std::vector<int>& c = group.components;
    const bool ascends = std::adjacent_find(c.begin(), c.end(), std::greater_equal<>()) == c.end();
    if (!ascends || (!c.empty() && (c.front() < 0 || c.back() >= size)) ||
        group.coefficients.rows() != static_cast<Eigen::Index>(c.size()) ||
        (!c.empty() && group.coefficients.cols() == 0))
      throw ModelError(concat("Trajectory: the polynomial of ", what, " in segment ", segment,
                              " does not fit the equations; give ascending components from 0 to ", size - 1,
                              " with a row of coefficients each."));
  };
  check("p", dense.p, state.p.size());
  check("v", dense.v, state.v.size());
  check("r", dense.r, state.r.size());
  check("w", dense.w, state.w.size());
  check("s", dense.s, state.s.size());
  check("a", dense.a, state.a.size());
  check("lambda", dense.lambda, state.lambda.size());
}

State unknown_state(const State& sizes) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  State out = sizes;
  for (Eigen::VectorXd* x : {&out.p, &out.v, &out.r, &out.w, &out.s, &out.a, &out.lambda}) x->setConstant(unknown);
  return out;
}

}  // namespace

State interpolate(const TrajectorySegment& segment, const EquationsOfMotion& equations, double t) {
  if (t == segment.begin.t) return segment.begin;
  if (t == segment.end.t) return segment.end;
  if (!segment.dense)
    throw ModelError(concat("Trajectory::at: t = ", t, " s lies between two steps (", segment.begin.t, " s and ",
                            segment.end.t, " s) and the run kept no dense output; set keep_dense_output."));
  State out = unknown_state(segment.begin);
  segment.dense->evaluate(t, out);
  const double part = (t - segment.begin.t) / (segment.end.t - segment.begin.t);
  const auto start_between = [&](Eigen::VectorXd State::*x) {
    out.*x = (1 - part) * (segment.begin.*x) + part * (segment.end.*x);
  };
  if (equations.dimensions().w == 0) start_between(&State::w);
  if (equations.dimensions().s == 0) start_between(&State::s);
  if (static_cast<Eigen::Index>(segment.dense->p.components.size()) == out.p.size())
    equations.normalise(out.p, out.p);  // signs of quaternions may change within a step
  return out;
}

void UnknownPoints::note(double t, const std::string& why) {
  if (count++ > 0) return;
  first = t;
  reason = why;
}

std::string UnknownPoints::sentence() const {
  if (count == 0) return "";
  return concat("accelerations and multipliers could not be found at ", count,
                count == 1 ? " point that was read" : " points that were read", ", first at t = ", first,
                " s: ", reason);
}

// -------------------------------------------------------------------------------------------------- content

struct Trajectory::Data {
  Data(std::shared_ptr<EquationsOfMotion> given, LinearSolverChoice solver)
      : equations(std::move(given)), linear_solver(std::move(solver)) {}
  Data(const Data& other)
      : segments(other.segments),
        events(other.events),
        attempts(other.attempts),
        equations(other.equations),
        linear_solver(other.linear_solver) {}
  Data& operator=(const Data&) = delete;

  std::vector<TrajectorySegment> segments;
  std::vector<EventRecord> events;
  std::vector<StepAttempt> attempts;
  std::shared_ptr<EquationsOfMotion> equations;
  LinearSolverChoice linear_solver;
  std::unique_ptr<SolutionReader> reader;  // made at the first use
};

Trajectory::Trajectory(std::vector<TrajectorySegment> segments, std::vector<EventRecord> events,
                       std::shared_ptr<EquationsOfMotion> equations, LinearSolverChoice linear_solver,
                       std::vector<StepAttempt> attempts) {
  if (!equations) throw ModelError("Trajectory: no equations were given; make them from the model that was run.");
  const Eigen::Index memory = memory_of(*equations).size();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    check_sizes(segments[i].begin, *equations);
    check_sizes(segments[i].end, *equations);
    if (segments[i].dense) check_dense(*segments[i].dense, segments[i].end, i);
    if (segments[i].memory && segments[i].memory->size() != memory)
      throw ModelError(concat("Trajectory: the memory of segment ", i, " has ", segments[i].memory->size(),
                              " entries; the equations have ", memory,
                              "; give the equations of the model that was run."));
    const double begin = segments[i].begin.t, end = segments[i].end.t;
    if (!(begin <= end) || (i > 0 && begin != segments[i - 1].end.t))
      throw ModelError(concat("Trajectory: segment ", i, " goes from ", begin, " s to ", end,
                              " s; segments must ascend, each beginning where the one before it ends."));
  }
  data_ = std::make_shared<Data>(std::move(equations), std::move(linear_solver));
  data_->segments = std::move(segments);
  data_->events = std::move(events);
  data_->attempts = std::move(attempts);
}

Trajectory::Data& Trajectory::own() {
  if (data_.use_count() > 1) data_ = std::make_shared<Data>(*data_);
  return *data_;
}
/// In the order of time: an event may become known after later ones (see FoundZero).
void Trajectory::append(EventRecord event) {
  std::vector<EventRecord>& events = own().events;
  const auto place = std::upper_bound(events.begin(), events.end(), event.t,
                                      [](double t, const EventRecord& other) { return t < other.t; });
  events.insert(place, std::move(event));
}
void Trajectory::append(TrajectorySegment segment) { own().segments.push_back(std::move(segment)); }
void Trajectory::append(const StepAttempt& attempt) { own().attempts.push_back(attempt); }
void Trajectory::clear_segments() { own().segments.clear(); }
TrajectorySegment& Trajectory::last_segment() { return own().segments.back(); }

const std::vector<TrajectorySegment>& Trajectory::segments() const {
  static const std::vector<TrajectorySegment> none;
  return data_ ? data_->segments : none;
}
const std::vector<EventRecord>& Trajectory::events() const {
  static const std::vector<EventRecord> none;
  return data_ ? data_->events : none;
}

const std::vector<StepAttempt>& Trajectory::attempts() const {
  static const std::vector<StepAttempt> none;
  return data_ ? data_->attempts : none;
}

void Trajectory::require_content(const char* function) const {
  if (empty()) throw ModelError(concat("Trajectory::", function, ": the trajectory is empty; run a simulation first."));
}

double Trajectory::t_begin() const {
  require_content("t_begin");
  return segments().front().begin.t;
}
double Trajectory::t_end() const {
  require_content("t_end");
  return segments().back().end.t;
}
const State& Trajectory::final_state() const {
  require_content("final_state");
  return segments().back().end;
}
const EquationsOfMotion& Trajectory::equations() const {
  require_content("equations");
  return *data_->equations;
}

const LinearSolverChoice& Trajectory::linear_solver() const {
  require_content("linear_solver");
  return data_->linear_solver;
}

// -------------------------------------------------------------------------------------------------- reading

SolutionReader& Trajectory::reader() const {
  if (!data_->reader) data_->reader = std::make_unique<SolutionReader>(data_->equations, data_->linear_solver);
  return *data_->reader;
}

const TrajectorySegment& Trajectory::segment_at(double t, Side side) const {
  const std::vector<TrajectorySegment>& all = segments();
  if (side == Side::left)
    return *std::partition_point(all.begin(), all.end(), [&](const TrajectorySegment& s) { return s.end.t < t; });
  return *std::prev(
      std::partition_point(all.begin(), all.end(), [&](const TrajectorySegment& s) { return s.begin.t <= t; }));
}

State Trajectory::at(double time, Side side) const {
  require_content("at");
  // Times are computed: i / n of the duration may end a last digit behind the end.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_begin()), std::abs(t_end()));
  if (!(time >= t_begin() - rounding && time <= t_end() + rounding))
    throw ModelError(concat("Trajectory::at: t = ", time, " s is outside of [", t_begin(), ", ", t_end(),
                            "] s; ask for a time of the run."));
  const double t = std::clamp(time, t_begin(), t_end());
  State state;
  if (const Outcome found = reader().read(segment_at(t, side), t, state); !found)
    throw RunError(concat("Trajectory::at: model '", data_->equations->model_name(),
                          "' has no accelerations and "
                          "multipliers at t = ",
                          t, " s: ", found.reason(),
                          " interpolate(segment, equations, t) gives "
                          "positions and velocities there."),
                   t);
  return state;
}

template <class Read>
void Trajectory::for_each_point(const OutputPoints& points, Read&& read) const {
  OutputSchedule schedule(points, t_begin(), t_end());
  std::vector<double> times;
  const TrajectorySegment* before = nullptr;
  for (const TrajectorySegment& segment : segments()) {
    const bool starts = !before || segment.begin.p != before->end.p || segment.begin.v != before->end.v ||
                        segment.begin.r != before->end.r;
    schedule.next(segment.begin.t, segment.end.t, starts, times);
    for (double t : times) read(segment, t);
    before = &segment;
  }
}

UnknownPoints Trajectory::visit(const OutputPoints& points,
                                const std::function<void(const State&, EquationsOfMotion&)>& look) const {
  require_content("visit");
  UnknownPoints unknown;
  State state;
  for_each_point(points, [&](const TrajectorySegment& segment, double t) {
    if (const Outcome read = reader().visit(segment, t, state, look); !read) unknown.note(t, read.reason());
  });
  return unknown;
}

Series Trajectory::values(const std::string& name) const { return values(name, OutputPoints::per_step(0)); }

Series Trajectory::values(const std::string& name, const OutputPoints& points) const {
  require_content("values");
  Columns columns(*data_->equations, segments());
  const std::optional<std::size_t> found = columns.find(name);
  if (!found)
    throw ModelError(concat("Trajectory::values: there is no '", name, "'; there are: ", listed(columns.names()), "."));

  Series out;
  out.name = name;
  const std::vector<std::size_t> wanted{*found};
  std::vector<double> row(1);
  out.unknown = visit(points, [&](const State& state, EquationsOfMotion& equations) {
    columns.read(state, equations, wanted, row);
    out.t.push_back(state.t);
    out.values.push_back(row.front());
  });
  return out;
}

UnknownPoints Trajectory::write_csv(const std::string& file, double samples_per_second,
                                    const std::vector<std::string>& columns) const {
  AtomicFile out(file);
  UnknownPoints unknown = write_csv(out.stream(), samples_per_second, columns);
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
  return unknown;
}

UnknownPoints Trajectory::write_csv(std::ostream& out, double samples_per_second,
                                    const std::vector<std::string>& patterns) const {
  require_content("write_csv");
  const CsvSamples samples("Trajectory::write_csv", *this, samples_per_second);
  Columns columns(*data_->equations, segments());
  const std::vector<std::size_t> chosen = columns.chosen("Trajectory::write_csv", patterns);
  out << 't';
  for (std::size_t i : chosen) out << ',' << csv_field(columns[i].name);
  out << '\n';

  const boost::io::ios_precision_saver precision(out, std::numeric_limits<double>::max_digits10);
  UnknownPoints unknown;
  std::vector<double> row(chosen.size());
  State state;
  const auto look = [&](const State& at, EquationsOfMotion& equations) { columns.read(at, equations, chosen, row); };
  for (double k = 0; k <= samples.last; ++k) {
    const double t = samples.time(k);
    if (const Outcome read = reader().visit(segment_at(t, Side::right), t, state, look); !read)
      unknown.note(t, read.reason());
    out << t;
    for (const double value : row) out << ',' << value;
    out << '\n';
  }
  return unknown;
}

}  // namespace linkwork
