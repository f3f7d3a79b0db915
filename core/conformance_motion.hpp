#pragma once

// Random motions for the conformance kit, and what an element sees of them. Not public.

#include <linkwork/core/conformance_findings.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/pose.hpp>
#include <linkwork/core/small_system.hpp>
#include <linkwork/core/usage_check.hpp>

#include <Eigen/Core>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace linkwork::conformance {

/// Numbers between -1 and 1, and vectors and twists of them.
class Random {
 public:
  Random(unsigned seed, std::size_t sample) {
    std::seed_seq sequence{seed, static_cast<unsigned>(sample)};
    generator_.seed(sequence);
  }
  double number() { return uniform_(generator_); }
  Eigen::VectorXd numbers(int count) {
    return Eigen::VectorXd::NullaryExpr(count, [this] { return number(); });
  }
  template <class Space>
  Vector<Space> vector() {
    return Vector<Space>::NullaryExpr([this] { return number(); });
  }
  template <class Space>
  Angular<Space> angular() {
    if constexpr (Space::dimension == 2)
      return number();
    else
      return vector<Spatial>();
  }
  template <class Space>
  Twist<Space> twist() {
    const Angular<Space> turn = angular<Space>();
    return {turn, vector<Space>()};
  }
  /// Any attitude, within 1 m.
  template <class Space>
  Pose<Space> pose() {
    Twist<Space> turn = twist<Space>();
    turn.angular *= 3;
    return moved(Pose<Space>{}, turn, 1.0);
  }
  /// Between a tenth of `last` and `last`.
  double time(double last) { return last * (0.55 + 0.45 * number()); }

 private:
  std::mt19937 generator_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

template <class Space>
Components<Space> components(const Twist<Space>& twist) {
  Components<Space> out;
  out << twist.angular, twist.linear;
  return out;
}
template <class Space>
Twist<Space> to_twist(const Components<Space>& components) {
  if constexpr (Space::dimension == 2)
    return {components[0], components.template tail<2>()};
  else
    return {components.template head<3>(), components.template tail<3>()};
}
/// A twist of the frame's own axes in ground axes, and back.
template <class Space>
Twist<Space> in_ground_axes(const Pose<Space>& pose, const Components<Space>& own) {
  Twist<Space> out = to_twist<Space>(own);
  if constexpr (Space::dimension == 3) out.angular = pose.rotation * out.angular;
  out.linear = pose.rotation * out.linear;
  return out;
}
template <class Space>
double largest_speed(const Twist<Space>& twist) {
  return std::max(std::sqrt(dot(twist.angular, twist.angular)), twist.linear.norm());
}
template <class Space>
Pose<Space> inverse(const Pose<Space>& X) {
  return relative_pose(X, Pose<Space>{});
}

/// What is hidden from a function behind numbers that are not finite.
enum Hidden : unsigned {
  undeclared_frames = 1,
  undeclared_states = 2,
  undeclared_memory = 4,
  undeclared_reactions = 8,
  accelerations = 16,
  velocities = 32,
  undeclared_auxiliary = 64,
  undeclared_contacts = 128,
  undeclared = undeclared_frames | undeclared_states | undeclared_memory | undeclared_reactions | accelerations |
               undeclared_auxiliary | undeclared_contacts
};

/// The numbers that an element is evaluated with: its frames at one point, its unknowns, memory and reactions.
template <class Space>
struct Surroundings {
  double time = 0;
  std::vector<FrameMotion<Space>> frames;
  std::vector<double> states, memory, auxiliary, contacts;
  std::vector<Wrench<Space>> reactions;

  /// All twists one below the other.
  Eigen::VectorXd twists() const {
    Eigen::VectorXd out(static_cast<Eigen::Index>(frames.size()) * Space::n);
    for (std::size_t k = 0; k < frames.size(); ++k)
      out.segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n) = components<Space>(frames[k].velocity);
    return out;
  }
  double speed() const {
    double largest = 0;
    for (const FrameMotion<Space>& frame : frames) largest = std::max(largest, largest_speed<Space>(frame.velocity));
    return largest;
  }
  Surroundings with_twists(const std::vector<Twist<Space>>& twists) const {
    Surroundings out = *this;
    for (std::size_t k = 0; k < frames.size(); ++k) out.frames[k].velocity = twists[k];
    return out;
  }
  /// Calls function(motion) with more of everything than is declared, as `hidden` says.
  template <class Function>
  void show(unsigned hidden, Function&& function) const {
    constexpr std::size_t margin = 4;
    const auto value = [hidden](unsigned what) { return hidden & what ? not_a_number : 0.0; };
    std::vector<FrameMotion<Space>> seen_frames = frames;
    for (FrameMotion<Space>& frame : seen_frames) {
      frame.bias = constant_twist(value(accelerations));
      if (hidden & velocities) frame.velocity = constant_twist(not_a_number);
    }
    FrameMotion<Space> outside;
    outside.velocity = outside.bias = constant_twist(value(undeclared_frames));
    if (hidden & undeclared_frames) outside.pose.position.setConstant(not_a_number);
    if (hidden & undeclared_frames) outside.pose.rotation.setConstant(not_a_number);
    seen_frames.resize(frames.size() + margin, outside);
    const auto with_margin = [&](std::vector<double> values, unsigned what) {
      values.resize(values.size() + margin, value(what));
      return values;
    };
    const std::vector<double> seen_states = with_margin(states, undeclared_states),
                              seen_memory = with_margin(memory, undeclared_memory),
                              seen_auxiliary = with_margin(auxiliary, undeclared_auxiliary),
                              seen_contacts = with_margin(contacts, undeclared_contacts);
    std::vector<Wrench<Space>> seen_reactions = reactions;
    const Twist<Space> reaction = constant_twist(value(undeclared_reactions));
    seen_reactions.resize(reactions.size() + margin, {reaction.angular, reaction.linear});
    function(Motion<Space>(time, seen_frames.data(), seen_states.data(), seen_memory.data(), seen_reactions.data(),
                           seen_auxiliary.data(), seen_contacts.data()));
  }

 private:
  static Twist<Space> constant_twist(double value) { return to_twist<Space>(Components<Space>::Constant(value)); }
};

/// Evaluates a function of an element into a guarded array, with everything hidden that it must not read.
/// @param fill  what stands in the array before: not_a_number where the function must write every entry
/// @param call  call(motion, double*)
/// @throws Unusable after noting what is wrong with the values
template <class Space, class Call>
Eigen::VectorXd evaluate(Findings& findings, const char* function, const Surroundings<Space>& at, unsigned hidden,
                         int count, double fill, Call&& call) {
  const auto result = [&](unsigned now_hidden, double now_fill) {
    GuardedArray out(count, now_fill);
    at.show(now_hidden, [&](const Motion<Space>& m) { call(m, out.data()); });
    return out;
  };
  const GuardedArray out = result(hidden, fill);
  if (!out.intact()) {
    findings.fail(function, "overrun",
                  concat("writes beyond the ", count, " numbers that its declared size leaves room for"));
    throw Unusable{};
  }
  if (out.values().allFinite()) return out.values();

  const auto finite_without = [&](unsigned what) { return result(hidden & ~what, fill).values().allFinite(); };
  const auto blame = [&]() -> std::string {
    if (std::isnan(fill) && result(hidden, 0.0).values().allFinite()) return "leaves entries of its result unwritten";
    if (hidden & velocities && finite_without(velocities))
      return "reads velocities, which are not valid in it (only in forces and do_bias)";
    if (finite_without(accelerations)) return "reads the bias of a frame, which is not valid in elements";
    if (finite_without(undeclared_frames)) return "reads a frame that is not among its frames()";
    if (finite_without(undeclared_states)) return "reads a state beyond those that states() declares";
    if (finite_without(undeclared_memory)) return "reads memory beyond what memory_size() declares";
    if (finite_without(undeclared_auxiliary))
      return "reads an auxiliary variable beyond those that auxiliaries() declares";
    if (finite_without(undeclared_contacts)) return "reads a contact coordinate beyond those that are declared";
    if (finite_without(undeclared_reactions)) return "reads a reaction that is not among its declared reactions()";
    return "gives values that are not finite";
  };
  findings.fail(function, "not finite", blame());
  throw Unusable{};
}

/// Solves the equations that an element leaves implicit, evaluated by function(at) for `unknowns` of it.
/// @throws RecoverableFailure where there is no solution
template <class Space, class Typical, class Function>
void solve_implicit(Surroundings<Space>& at, std::vector<double> Surroundings<Space>::*unknowns, const char* what,
                    Typical&& typical, Function&& function) {
  std::vector<double>& x = at.*unknowns;
  if (x.empty()) return;
  std::vector<double> solution = x;
  detail::SmallNewton newton;
  const Outcome outcome =
      newton.solve(static_cast<int>(x.size()), solution.data(), typical, [&](const double* values, double* residual) {
        std::copy_n(values, x.size(), x.begin());
        const Eigen::VectorXd F = function(at);
        std::copy_n(F.data(), F.size(), residual);
      });
  if (!outcome) throw RecoverableFailure(concat(what, ": ", outcome.reason()));
  x = solution;
}

/// A motion of an element's frames through one point. `at(dt)`: velocities stay those of the point, as do states,
/// memory, reactions and implicit unknowns; poses and time go on.
template <class Space>
struct FramePath {
  using Poses = std::vector<Pose<Space>>;
  Surroundings<Space> here;
  std::function<Poses(double dt)> poses;

  Surroundings<Space> at(double dt) const {
    Surroundings<Space> out = here;
    out.time += dt;
    const Poses moved_poses = poses(dt);
    for (std::size_t k = 0; k < out.frames.size(); ++k) out.frames[k].pose = moved_poses[k];
    return out;
  }
};

/// The path of frames whose poses are given; their velocities by differences.
template <class Space>
FramePath<Space> make_path(double time, std::function<std::vector<Pose<Space>>(double dt)> poses) {
  constexpr double step = 0.0025;
  FramePath<Space> path;
  path.here.time = time;
  const std::vector<Pose<Space>> start = poses(0);
  path.here.frames.resize(start.size());
  for (std::size_t k = 0; k < start.size(); ++k) path.here.frames[k].pose = start[k];
  Eigen::VectorXd own = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(start.size()) * Space::n);
  for (int i = 1; i <= 3; ++i)
    for (const double side : {1.0, -1.0}) {
      const std::vector<Pose<Space>> there = poses(side * i * step);
      for (std::size_t k = 0; k < start.size(); ++k)
        own.segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n) +=
            side * detail::difference_weights[i - 1] / step * logarithm(relative_pose(start[k], there[k]));
    }
  for (std::size_t k = 0; k < start.size(); ++k)
    path.here.frames[k].velocity =
        in_ground_axes<Space>(start[k], own.segment<Space::n>(static_cast<Eigen::Index>(k) * Space::n));
  path.poses = std::move(poses);
  return path;
}

/// From the same point with other velocities, each frame on its own.
template <class Space>
FramePath<Space> with_free_twists(const FramePath<Space>& path, const std::vector<Twist<Space>>& twists) {
  FramePath<Space> out;
  out.here = path.here.with_twists(twists);
  const std::vector<FrameMotion<Space>> frames = out.here.frames;
  out.poses = [frames](double dt) {
    std::vector<Pose<Space>> poses;
    for (const FrameMotion<Space>& frame : frames) poses.push_back(moved(frame.pose, frame.velocity, dt));
    return poses;
  };
  return out;
}

/// Step of differences along a motion of this speed.
inline double step_for(double difference_step, double speed) { return 0.5 * difference_step / std::max(1.0, speed); }

/// Frames of bodies in random motion: those on one body move together, the ground's are at rest, points do not turn,
/// and bodies that `joints` lead to move as these allow.
template <class Space>
FramePath<Space> random_path(const std::vector<Frame<Space>>& frames, const std::vector<JointRef<Space>>& joints,
                             Random& random, const ConformanceOptions& options);

extern template FramePath<Planar> random_path(const std::vector<Frame<Planar>>&, const std::vector<JointRef<Planar>>&,
                                              Random&, const ConformanceOptions&);
extern template FramePath<Spatial> random_path(const std::vector<Frame<Spatial>>&,
                                               const std::vector<JointRef<Spatial>>&, Random&,
                                               const ConformanceOptions&);

// The constraint side, shared by constraints and joints.

/// Rows over the stacked twists of all frames, and the rates.
struct EvaluatedRows {
  Eigen::MatrixXd rows;
  Eigen::VectorXd rate;
};
template <class Space>
EvaluatedRows rows_at(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at,
                      RowKind which = RowKind::velocity);
template <class Space>
Eigen::VectorXd residual_at(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at);
template <class Space>
Eigen::VectorXd bias_at(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at);
/// c at a point.
template <class Space>
Eigen::VectorXd contact_residual_at(Findings& findings, const Constraint<Space>& element,
                                    const Surroundings<Space>& at);
/// The point with contact coordinates that satisfy c = 0, found from those that it has.
template <class Space>
Surroundings<Space> in_contact(Findings& findings, const Constraint<Space>& element, Surroundings<Space> at);
/// Starts the memory of an element in `at`.
template <class Space>
void start_memory(Findings& findings, const Constraint<Space>& element, Surroundings<Space>& at);

/// Rows (those of dg) against the derivative of the residual along a path.
template <class Space>
void check_rows_of_residual(Findings& findings, const Constraint<Space>& element, const FramePath<Space>& path,
                            double bound, const std::string& where);
template <class Space>
void check_bias(Findings& findings, const Constraint<Space>& element, const FramePath<Space>& path);
/// Rows that claim is_relative() do not see a rigid motion of all frames together.
template <class Space>
void check_relative(Findings& findings, const Constraint<Space>& element, const Surroundings<Space>& at);
/// is_angular against the parts of the rows that are not zero at any of the points.
template <class Space>
void check_units(Findings& findings, const Constraint<Space>& element, const std::vector<Surroundings<Space>>& points);

/// Declared uses (use(), rate_use(), auxiliary_use(); row_use(), is_invariant()) against what the element uses.
/// @param frames  their names, by frame; "" for one on the ground
template <class Space, class Element>
void check_uses(Findings& findings, const Element& element, const Surroundings<Space>& at,
                const std::vector<std::string>& frames) {
  const detail::ElementPoint<Space> point{at.time,      at.frames,   at.states,   at.memory,
                                          at.auxiliary, at.contacts, at.reactions};
  findings.count(1);
  for (const detail::UndeclaredUse& use : detail::undeclared_uses(element, point, frames))
    findings.fail(use.declaration, use.what, concat("does not say that the element ", use.what, ": ", use.evidence),
                  use.size);
}
/// "frame 0", "" for those on the ground.
template <class Space>
std::vector<std::string> frame_names(const std::vector<Frame<Space>>& frames) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < frames.size(); ++k) out.push_back(frames[k].body < 0 ? "" : concat("frame ", k));
  return out;
}

/// A rank-revealing factorisation's rank, with a threshold that rounding of differences does not reach.
inline Eigen::Index rank_of(const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0) return 0;
  PivotedQr qr;
  qr.set_threshold(1e-8);
  qr.compute(matrix);
  return qr.rank();
}

/// What two rounds of evaluation give, the second in the opposite order: the same bits.
using NamedFunction = std::pair<const char*, std::function<Eigen::VectorXd(std::size_t sample)>>;
void check_repeatable(Findings& findings, std::size_t samples, const std::vector<NamedFunction>& functions);

}  // namespace linkwork::conformance
