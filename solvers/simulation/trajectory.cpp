#include <linkwork/solvers/simulation/trajectory.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/nearest_names.hpp>
#include <linkwork/solvers/simulation/csv_samples.hpp>
#include <linkwork/solvers/simulation/output_schedule.hpp>
#include <linkwork/solvers/simulation/solution_reader.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <boost/io/ios_state.hpp>
#include <functional>
#include <limits>
#include <numeric>
#include <ostream>
#include <set>
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

/// Where the names stand that fit patterns: each once, in the order of the patterns; all where there are none.
std::vector<std::size_t> columns_that_fit(const std::vector<std::string>& names,
                                          const std::vector<std::string>& patterns) {
  std::vector<std::size_t> out;
  std::vector<bool> is_taken(names.size());
  for (const std::string& pattern : patterns.empty() ? std::vector<std::string>{"*"} : patterns) {
    bool fits = names.empty();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (fnmatch(pattern.c_str(), names[i].c_str(), 0) != 0) continue;
      fits = true;
      if (!is_taken[i]) out.push_back(i);
      is_taken[i] = true;
    }
    if (!fits)
      throw ModelError(concat("Trajectory::write_csv: no column fits '", pattern,
                              "'; there are: ", nearest_names(pattern, {names.begin(), names.end()}), "."));
  }
  return out;
}

/// The components that dense output has in every segment; all of them if there is none. A segment with an event may
/// have more than were selected.
std::vector<int> selected(const std::vector<TrajectorySegment>& segments,
                          DensePolynomial::Group DensePolynomial::*group, Eigen::Index size) {
  std::vector<int> fewest(static_cast<std::size_t>(size));
  std::iota(fewest.begin(), fewest.end(), 0);
  for (const TrajectorySegment& segment : segments)
    if (segment.dense && ((*segment.dense).*group).components.size() < fewest.size())
      fewest = ((*segment.dense).*group).components;
  return fewest;
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
        equations(other.equations),
        linear_solver(other.linear_solver) {}
  Data& operator=(const Data&) = delete;

  std::vector<TrajectorySegment> segments;
  std::vector<EventRecord> events;
  std::shared_ptr<EquationsOfMotion> equations;
  LinearSolverChoice linear_solver;
  std::unique_ptr<SolutionReader> reader;  // made at the first use
};

Trajectory::Trajectory(std::vector<TrajectorySegment> segments, std::vector<EventRecord> events,
                       std::shared_ptr<EquationsOfMotion> equations, LinearSolverChoice linear_solver) {
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

State Trajectory::at(double t, Side side) const {
  require_content("at");
  if (!(t >= t_begin() && t <= t_end()))
    throw ModelError(concat("Trajectory::at: t = ", t, " s is outside of [", t_begin(), ", ", t_end(),
                            "] s; ask for a time of the run."));
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

/// What can be asked for by name: entries of vectors of a state in groups, then observables. A name that an earlier one
/// has gets its kind.
struct Trajectory::Columns {
  struct Group {
    const char* kind;
    const Eigen::VectorXd State::*values;
    std::vector<int> components;
  };
  std::vector<Group> groups;
  std::size_t observables = 0;
  std::vector<std::string> names;  // of all of them

  /// All values, in the order of the names.
  void fill(const State& state, const Eigen::VectorXd& values, std::vector<double>& row) const {
    std::size_t k = 0;
    for (const Group& group : groups)
      for (int i : group.components) row[k++] = (state.*group.values)[i];
    if (observables == 0) return;
    for (double value : values) row[k++] = value;
  }
};

Trajectory::Columns Trajectory::columns() const {
  const EquationsOfMotion& equations = *data_->equations;
  const Dimensions& n = equations.dimensions();
  const std::vector<TrajectorySegment>& all = segments();
  const bool everything =
      std::all_of(all.begin(), all.end(), [&](const TrajectorySegment& segment) { return is_readable(segment, n); });
  const auto of_size = [](Eigen::Index size) {
    std::vector<int> components(static_cast<std::size_t>(size));
    std::iota(components.begin(), components.end(), 0);
    return components;
  };
  /// w and s, as unknowns or solved for.
  const auto solved = [&](DensePolynomial::Group DensePolynomial::*group, int unknowns, Eigen::Index size) {
    return unknowns > 0 ? selected(all, group, unknowns) : of_size(everything ? size : 0);
  };
  Columns out;
  std::set<std::string> taken;
  const auto add_name = [&](const std::string& name, const char* kind) {
    out.names.push_back(taken.insert(name).second ? name : concat(name, " (", kind, ')'));
  };
  const auto add = [&](const char* kind, const Eigen::VectorXd State::*values, std::vector<int> components,
                       std::string (EquationsOfMotion::*name)(int) const) {
    for (int i : components) add_name((equations.*name)(i), kind);
    out.groups.push_back({kind, values, std::move(components)});
  };
  add("position", &State::p, selected(all, &DensePolynomial::p, n.p), &EquationsOfMotion::position_name);
  add("velocity", &State::v, selected(all, &DensePolynomial::v, n.v), &EquationsOfMotion::velocity_name);
  add("state", &State::r, selected(all, &DensePolynomial::r, n.r), &EquationsOfMotion::state_name);
  add("auxiliary variable", &State::w, solved(&DensePolynomial::w, n.w, equations.auxiliary().size()),
      &EquationsOfMotion::auxiliary_name);
  add("contact coordinate", &State::s, solved(&DensePolynomial::s, n.s, equations.contacts().size()),
      &EquationsOfMotion::contact_name);
  if (!everything) return out;
  const std::vector<std::string> observables = equations.observable_names();
  out.observables = observables.size();
  for (const std::string& name : observables) add_name(name, "observable");
  return out;
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
  const Columns columns = this->columns();
  const auto found = std::find(columns.names.begin(), columns.names.end(), name);
  if (found == columns.names.end())
    throw ModelError(concat("Trajectory::values: there is no '", name, "'; there are: ", listed(columns.names), "."));
  const auto wanted = static_cast<std::size_t>(found - columns.names.begin());

  Series out;
  out.name = name;
  std::vector<double> row(columns.names.size());
  State state;
  Eigen::VectorXd values;
  for_each_point(points, [&](const TrajectorySegment& segment, double t) {
    if (const Outcome read = reader().read(segment, t, state, columns.observables > 0 ? &values : nullptr); !read)
      out.unknown.note(t, read.reason());
    columns.fill(state, values, row);
    out.t.push_back(t);
    out.values.push_back(row[wanted]);
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
  const Columns columns = this->columns();
  const std::vector<std::size_t> chosen = columns_that_fit(columns.names, patterns);
  out << 't';
  for (std::size_t i : chosen) out << ',' << csv_field(columns.names[i]);
  out << '\n';

  const boost::io::ios_precision_saver precision(out, std::numeric_limits<double>::max_digits10);
  UnknownPoints unknown;
  std::vector<double> row(columns.names.size());
  State state;
  Eigen::VectorXd values;
  for (double k = 0; k <= samples.last; ++k) {
    const double t = samples.time(k);
    const TrajectorySegment& segment = segment_at(t, Side::right);
    if (const Outcome read = reader().read(segment, t, state, columns.observables > 0 ? &values : nullptr); !read)
      unknown.note(t, read.reason());
    out << t;
    columns.fill(state, values, row);
    for (std::size_t i : chosen) out << ',' << row[i];
    out << '\n';
  }
  return unknown;
}

}  // namespace linkwork
