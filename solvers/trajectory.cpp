#include <linkwork/solvers/trajectory.hpp>

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <boost/io/ios_state.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <ostream>
#include <set>

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

bool is_whole(const DensePolynomial::Group& group, Eigen::Index size) {
  return static_cast<Eigen::Index>(group.components.size()) == size;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// A group of columns in a file: which entries of which vector of a state, and how they are called.
struct Columns {
  const char* kind;
  const Eigen::VectorXd State::*values;
  std::vector<int> components;
  std::function<std::string(int)> name;
};

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

bool everything_is_known(const TrajectorySegment& segment, const Dimensions& n) {
  if (!segment.dense) return true;
  const DensePolynomial& dense = *segment.dense;
  const State& state = segment.end;
  return is_whole(dense.p, state.p.size()) && is_whole(dense.v, state.v.size()) && is_whole(dense.r, state.r.size()) &&
         is_whole(dense.w, n.w) && is_whole(dense.s, n.s) && is_whole(dense.a, state.a.size()) &&
         is_whole(dense.lambda, state.lambda.size());
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
  if (is_whole(segment.dense->p, out.p.size()))
    equations.normalise(out.p, out.p);  // signs of quaternions may change within a step
  return out;
}

Trajectory::Trajectory(std::vector<TrajectorySegment> segments, std::vector<EventRecord> events,
                       std::shared_ptr<EquationsOfMotion> equations)
    : segments_(std::move(segments)), events_(std::move(events)), equations_(std::move(equations)) {
  if (!equations_) throw ModelError("Trajectory: no equations were given; make them from the model that was run.");
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    check_sizes(segments_[i].begin, *equations_);
    check_sizes(segments_[i].end, *equations_);
    if (segments_[i].dense) check_dense(*segments_[i].dense, segments_[i].end, i);
    const double begin = segments_[i].begin.t, end = segments_[i].end.t;
    if (!(begin <= end) || (i > 0 && begin != segments_[i - 1].end.t))
      throw ModelError(concat("Trajectory: segment ", i, " goes from ", begin, " s to ", end,
                              " s; segments must ascend, each beginning where the one before it ends."));
  }
}

void Trajectory::require_content(const char* function) const {
  if (empty()) throw ModelError(concat("Trajectory::", function, ": the trajectory is empty; run a simulation first."));
}

double Trajectory::t_begin() const {
  require_content("t_begin");
  return segments_.front().begin.t;
}
double Trajectory::t_end() const {
  require_content("t_end");
  return segments_.back().end.t;
}
const State& Trajectory::final_state() const {
  require_content("final_state");
  return segments_.back().end;
}

State Trajectory::at(double t, Side side) const {
  require_content("at");
  if (!(t >= t_begin() && t <= t_end()))
    throw ModelError(concat("Trajectory::at: t = ", t, " s is outside of [", t_begin(), ", ", t_end(),
                            "] s; ask for a time of the run."));
  std::vector<TrajectorySegment>::const_iterator segment;
  if (side == Side::left) {
    segment = std::partition_point(segments_.begin(), segments_.end(),
                                   [&](const TrajectorySegment& s) { return s.end.t < t; });
  } else {
    segment = std::partition_point(segments_.begin(), segments_.end(),
                                   [&](const TrajectorySegment& s) { return s.begin.t <= t; });
    --segment;
  }
  State state = interpolate(*segment, *equations_, t);
  if (t != segment->begin.t && t != segment->end.t) solve_eliminated(*segment, state);
  return state;
}

void Trajectory::solve_eliminated(const TrajectorySegment& segment, State& state) const {
  const Dimensions& n = equations_->dimensions();
  const bool has_w = state.w.size() > n.w, has_s = state.s.size() > n.s;
  if (!has_w && !has_s) return;
  if (everything_is_known(segment, n)) {
    equations_->set(state);
    if (has_w) state.w = equations_->solved_auxiliary();
    if (has_s) state.s = equations_->solved_contacts();
  } else {
    if (has_w) state.w.setConstant(std::numeric_limits<double>::quiet_NaN());
    if (has_s) state.s.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

void Trajectory::write_csv(const std::string& file, double samples_per_second) const {
  AtomicFile out(file);
  write_csv(out.stream(), samples_per_second);
  if (const Outcome written = out.commit(); !written) throw ModelError(written.reason());
}

void Trajectory::write_csv(std::ostream& out, double samples_per_second) const {
  require_content("write_csv");
  if (!(std::isfinite(samples_per_second) && samples_per_second > 0))
    throw ModelError(concat("Trajectory::write_csv: the rate is ", samples_per_second,
                            " samples per second; expected a finite value above 0."));
  // A sample that misses the end by rounding belongs to it.
  const double samples = std::floor((t_end() - t_begin()) * samples_per_second * (1 + 1e-12));
  constexpr double most_samples = 1e15;  // whole numbers that a double can count
  if (!(samples <= most_samples))
    throw ModelError(concat("Trajectory::write_csv: the rate of ", samples_per_second, " samples per second gives ",
                            samples, " samples over the run; give a lower one."));
  EquationsOfMotion& equations = *equations_;
  const Dimensions& n = equations.dimensions();
  const bool everything = std::all_of(segments_.begin(), segments_.end(), [&](const TrajectorySegment& segment) {
    return everything_is_known(segment, n);
  });
  const int w = n.w > 0      ? n.w
                : everything ? static_cast<int>(equations.auxiliary().size())
                             : 0,
            s = n.s > 0      ? n.s
                : everything ? static_cast<int>(equations.contacts().size())
                             : 0;
  const auto carried = [&](DensePolynomial::Group DensePolynomial::*group, int unknowns, int size) {
    return selected(unknowns > 0 ? segments_ : std::vector<TrajectorySegment>{}, group, size);
  };
  const std::vector<Columns> groups = {{"position", &State::p, selected(segments_, &DensePolynomial::p, n.p),
                                        [&](int i) { return equations.position_name(i); }},
                                       {"velocity", &State::v, selected(segments_, &DensePolynomial::v, n.v),
                                        [&](int i) { return equations.velocity_name(i); }},
                                       {"state", &State::r, selected(segments_, &DensePolynomial::r, n.r),
                                        [&](int i) { return equations.state_name(i); }},
                                       {"auxiliary variable", &State::w, carried(&DensePolynomial::w, n.w, w),
                                        [&](int i) { return equations.auxiliary_name(i); }},
                                       {"contact coordinate", &State::s, carried(&DensePolynomial::s, n.s, s),
                                        [&](int i) { return equations.contact_name(i); }}};
  const std::vector<std::string> observables = everything ? equations.observable_names() : std::vector<std::string>{};

  std::set<std::string> taken;
  const auto write_name = [&](const std::string& name, const char* kind) {
    out << ',' << csv_field(taken.insert(name).second ? name : concat(name, " (", kind, ')'));
  };
  out << 't';
  for (const Columns& group : groups)
    for (int i : group.components) write_name(group.name(i), group.kind);
  for (const std::string& name : observables) write_name(name, "observable");
  out << '\n';

  const boost::io::ios_precision_saver precision(out, std::numeric_limits<double>::max_digits10);
  Eigen::VectorXd values;
  for (double k = 0; k <= samples; ++k) {
    const State state = at(std::min(t_begin() + k / samples_per_second, t_end()));
    out << state.t;
    for (const Columns& group : groups)
      for (int i : group.components) out << ',' << (state.*group.values)[i];
    if (!observables.empty()) {
      equations.observables(state, values);
      for (double value : values) out << ',' << value;
    }
    out << '\n';
  }
}

}  // namespace linkwork
