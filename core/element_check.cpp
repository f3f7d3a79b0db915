#include <linkwork/core/element_check.hpp>

#include <linkwork/core/conformance_findings.hpp>
#include <linkwork/core/model.hpp>

#include <cmath>

namespace linkwork::detail {

namespace {

using conformance::GuardedArray;
using conformance::not_a_number;

/// How much differences may be off: what is asked for are factors, signs and forgotten terms.
constexpr double tolerance = 1e-4;
/// Steps along the test motion, of its own unit of time: small beside what the element calls its detail.
double step_of(double difference_step) { return difference_step / 16; }

/// Numbers between -1 and 1 that are no multiples of each other, the same at every start.
class TestDirection {
 public:
  double number() { return std::sin(1.0 + 2.4 * static_cast<double>(count_++)); }
  template <class Space>
  Twist<Space> twist(bool turns, double length) {
    Twist<Space> out;
    if constexpr (Space::dimension == 2)
      out.angular = turns ? number() : 0.0;
    else if (turns)
      out.angular = {number(), number(), number()};
    for (int i = 0; i < Space::dimension; ++i) out.linear[i] = length * number();
    return out;
  }

 private:
  int count_ = 0;
};

/// A derivative by central differences with steps h and 2 h, and how far they disagree.
struct Difference {
  Eigen::VectorXd value, uncertainty;
};
template <class Function>
Difference difference(double step, Function&& function) {
  const auto quotient = [&](double h) { return Eigen::VectorXd((function(h) - function(-h)) / (2 * h)); };
  const Eigen::VectorXd fine = quotient(step);
  return {fine, (quotient(2 * step) - fine).cwiseAbs()};
}

/// The first entry that deviates, -1 if none does.
/// @param sizes  of what adds up to each entry
Eigen::Index first_off(const Eigen::VectorXd& actual, const Difference& expected, const Eigen::VectorXd& sizes) {
  for (Eigen::Index i = 0; i < actual.size(); ++i)
    if (std::abs(actual[i] - expected.value[i]) >
        tolerance * (sizes[i] + std::abs(expected.value[i])) + 10 * expected.uncertainty[i])
      return i;
  return -1;
}

/// "do_rows: entry 0 is 2 along a test motion, and differences of do_residual give 1; ..."
std::string deviation(const char* function, const char* what, Eigen::Index entry, double actual, double expected,
                      const char* of, const char* kit) {
  return concat(function, ": ", what, " ", entry, " is ", actual, " along a test motion, and differences of ", of,
                " give ", expected, "; mend one of the two, or leave ", function, " out where it has a default. ", kit,
                " (conformance.hpp) tells more.");
}

std::string overrun(const char* function, int count) {
  return concat(function, ": writes beyond the ", count, " numbers that its declared size leaves room for; declare as ",
                "many as are written.");
}

/// Calls a function that writes `count` numbers.
/// @param fault  gets what is wrong with it
template <class Call>
Eigen::VectorXd written(const char* function, int count, double fill, std::string& fault, Call&& call) {
  GuardedArray out(count, fill);
  call(out.data());
  if (fault.empty() && !out.intact()) fault = overrun(function, count);
  const Eigen::VectorXd values = out.values();
  if (fault.empty() && !values.allFinite())
    fault = concat(function, ": leaves one of its ", count, " numbers unwritten, or writes one that is not finite.");
  return values;
}

// Constraints.

/// A constraint whose bodies move at constant twists.
template <class Space>
class MovingConstraint {
 public:
  MovingConstraint(const Constraint<Space>& constraint, const ElementPoint<Space>& at, double length)
      : constraint_(constraint), at_(at), count_(constraint.rows()) {
    TestDirection direction;
    const std::vector<Frame<Space>>& frames = constraint.frames();
    for (std::size_t k = 0; k < frames.size(); ++k) {
      Twist<Space>& twist = at_.frames[k].velocity;
      std::size_t first = 0;
      while (frames[first].body != frames[k].body) ++first;
      if (frames[k].body < 0) {
        twist = {};
      } else if (first == k) {
        const bool turns =
            !frames[k].model || frames[k].model->bodies[static_cast<std::size_t>(frames[k].body)].body->rotates();
        twist = direction.twist<Space>(turns, length);
      } else {  // on one body
        const Vector<Space> arm = at_.frames[k].pose.position - at_.frames[first].pose.position;
        twist = at_.frames[first].velocity;
        twist.linear += cross(twist.angular, arm);
      }
    }
    if (constraint.contacts() > 0) {
      contact_rates_ = written("do_contact_rates", constraint.contacts(), not_a_number, fault,
                               [&](double* out) { constraint.contact_rates(at_.motion(), out); });
    }
  }

  std::string fault;

  Eigen::VectorXd residual(double dt) {
    return at(dt, [&](const Motion<Space>& m) {
      return written("do_residual", count_, not_a_number, fault, [&](double* out) { constraint_.residual(m, out); });
    });
  }
  /// phi of a nonlinear constraint, the velocities being `factor` times what they are.
  Eigen::VectorXd velocity_residual(double dt, double factor) {
    return at(dt, [&](const Motion<Space>& m) {
      std::vector<FrameMotion<Space>> frames;
      for (int k = 0; k < static_cast<int>(at_.frames.size()); ++k) {
        frames.push_back(m.frame(k));
        frames.back().velocity.angular *= factor;
        frames.back().velocity.linear *= factor;
      }
      return written("do_velocity_residual", count_, not_a_number, fault,
                     [&](double* out) { constraint_.velocity_residual(m.at(m.time(), frames.data()), out); });
    });
  }
  /// The rows times the twists, and the rate.
  /// @param sizes  get the sizes of what is added up
  Eigen::VectorXd rate(double dt, bool of_positions, Eigen::VectorXd* sizes = nullptr) {
    const int frames = static_cast<int>(at_.frames.size()), size = count_ * frames * Space::n;
    const Eigen::VectorXd values = at(dt, [&](const Motion<Space>& m) {
      return written("do_rows", size + count_, 0.0, fault, [&](double* out) {
        ConstraintRows<Space> rows(count_, out, out + size, frames);
        if (of_positions)
          constraint_.position_rows(m, rows);
        else
          constraint_.velocity_rows(m, rows);
      });
    });
    Eigen::VectorXd out = values.tail(count_);
    if (sizes) *sizes = out.cwiseAbs();
    for (int k = 0; k < frames; ++k) {
      Eigen::Matrix<double, Space::n, 1> twist;
      twist << at_.frames[static_cast<std::size_t>(k)].velocity.angular,
          at_.frames[static_cast<std::size_t>(k)].velocity.linear;
      for (int row = 0; row < count_; ++row) {
        const auto entries = values.segment<Space::n>((k * count_ + row) * Space::n);
        out[row] += entries.dot(twist);
        if (sizes) (*sizes)[row] += entries.cwiseAbs().dot(twist.cwiseAbs());
      }
    }
    return out;
  }
  Eigen::VectorXd bias() {
    return written("do_bias", count_, not_a_number, fault, [&](double* out) { constraint_.bias(at_.motion(), out); });
  }

 private:
  /// Calls function(motion) at another time of the motion.
  template <class Function>
  Eigen::VectorXd at(double dt, Function&& function) const {
    ElementPoint<Space> there = at_;
    there.time = there.time + dt;
    for (FrameMotion<Space>& frame : there.frames) frame.pose = moved(frame.pose, frame.velocity, dt);
    for (std::size_t i = 0; i < there.contacts.size(); ++i)
      there.contacts[i] += dt * contact_rates_[static_cast<Eigen::Index>(i)];
    return function(there.motion());
  }

  const Constraint<Space>& constraint_;
  ElementPoint<Space> at_;
  int count_;
  Eigen::VectorXd contact_rates_;
};

/// Whether rows and bias of a nonlinear constraint are the derivatives of phi, by velocities and along the motion.
template <class Space>
std::string false_nonlinear(const Constraint<Space>& constraint, MovingConstraint<Space>& moving,
                            const Eigen::VectorXd& rates, const Eigen::VectorXd& bias, const Eigen::VectorXd& sizes) {
  const double step = step_of(constraint.difference_step());
  const Difference by_velocity = difference(step, [&](double more) { return moving.velocity_residual(0, 1 + more); });
  const Difference in_time =
      difference(step, [&](double dt) { return Eigen::VectorXd(-moving.velocity_residual(dt, 1)); });
  if (!moving.fault.empty()) return moving.fault;
  const Eigen::Index row = first_off(rates, by_velocity, sizes);
  if (row >= 0)
    return deviation("do_rows", "row", row, rates[row], by_velocity.value[row], "do_velocity_residual",
                     "check_constraint");
  const Eigen::Index off = constraint.joints().empty() ? first_off(bias, in_time, sizes) : -1;
  if (off < 0) return "";
  return deviation("do_bias", "row", off, bias[off], in_time.value[off], "do_velocity_residual", "check_constraint");
}

}  // namespace

template <class Space>
std::string false_function(const Constraint<Space>& constraint, const ElementPoint<Space>& at, double length) {
  MovingConstraint<Space> moving(constraint, at, length);
  const double step = step_of(constraint.difference_step());
  const bool can_move = constraint.joints().empty();  // else its bodies may not move as they like
  if (constraint.level() == Level::holonomic) {
    moving.residual(0);
    if (!moving.fault.empty()) return moving.fault;
    if (can_move) {
      Eigen::VectorXd sizes;
      const Eigen::VectorXd rate = moving.rate(0, true, &sizes);
      const Difference expected = difference(step, [&](double dt) { return moving.residual(dt); });
      if (!moving.fault.empty()) return moving.fault;
      const Eigen::Index off = first_off(rate, expected, sizes);
      if (off >= 0)
        return deviation(constraint.has_position_rows() ? "do_position_rows" : "do_rows", "row", off, rate[off],
                         expected.value[off], "do_residual", "check_constraint, or check_joint,");
    }
  }
  Eigen::VectorXd sizes;
  const Eigen::VectorXd rates = moving.rate(0, false, &sizes);
  const Eigen::VectorXd bias = moving.bias();
  if (constraint.level() == Level::servo) return moving.fault;  // its rows are the derivative of nothing
  if (constraint.level() == Level::nonlinear) return false_nonlinear(constraint, moving, rates, bias, sizes);
  if (!moving.fault.empty() || !can_move) return moving.fault;
  const Difference expected = difference(step, [&](double dt) { return Eigen::VectorXd(-moving.rate(dt, false)); });
  // Where rows do not change, neither bias nor differences are more than rounding beside the rows.
  const Eigen::Index off = first_off(bias, expected, sizes);
  if (off < 0) return moving.fault;
  return deviation("do_bias", "row", off, bias[off], expected.value[off], "do_rows",
                   "check_constraint, or check_joint,");
}

// Joints.

template <class Space>
std::string false_motion(const Joint<Space>& joint, Instant time, const Pose<Space>& X, double length) {
  const int freedoms = joint.freedoms(), coordinates = joint.coordinates();
  std::string fault;
  Eigen::VectorXd q = written("do_home", coordinates, not_a_number, fault, [&](double* out) { joint.home(out); });
  if (!fault.empty()) return fault;
  joint.locate(time, X, q.data());

  JointMotion<Space> motion;
  joint.motion(time, q.data(), motion);
  if (motion.S.cols() != freedoms)
    return concat("do_motion: S has ", motion.S.cols(), " columns; freedoms() is ", freedoms, ".");
  TestDirection direction;
  Eigen::VectorXd v(freedoms);
  for (int i = 0; i < freedoms; ++i) {
    const bool slides = motion.S.col(i).template head<Space::angular>().isZero(0);
    v[i] = (slides ? length : 1.0) * direction.number();
  }
  const auto moved_to = [&](double dt) {
    Eigen::VectorXd there = q;
    const Eigen::VectorXd change = dt * v;
    if (freedoms > 0)
      there = written("do_retract", coordinates, not_a_number, fault,
                      [&](double* out) { joint.retract(q.data(), change.data(), out); });
    return there;
  };
  const auto velocity = [&](const JointMotion<Space>& at) { return Eigen::VectorXd(at.S * v + at.drift); };
  const double step = step_of(joint.difference_step());

  const Pose<Space> here = joint.pose(time, q.data());
  const Difference twist = difference(step, [&](double dt) {
    return Eigen::VectorXd(logarithm(relative_pose(here, joint.pose(time + dt, moved_to(dt).data()))));
  });
  Eigen::VectorXd sizes = motion.S.cwiseAbs() * v.cwiseAbs() + motion.drift.cwiseAbs();
  Eigen::Index off = first_off(velocity(motion), twist, sizes);
  if (!fault.empty()) return fault;
  if (off >= 0)
    return deviation(joint.constant_motion() ? "constant_motion" : "do_motion", "component of the twist S v + drift",
                     off, velocity(motion)[off], twist.value[off], "do_pose", "check_joint");

  Components<Space> bias = Components<Space>::Constant(not_a_number);
  joint.motion_bias(time, q.data(), v.data(), bias);
  const Difference change = difference(step, [&](double dt) {
    JointMotion<Space> there;
    joint.motion(time + dt, moved_to(dt).data(), there);
    return velocity(there);
  });
  if (!bias.allFinite()) return "do_motion_bias: leaves a component unwritten, or writes one that is not finite.";
  const double speed = std::max(1.0, v.size() > 0 ? v.cwiseAbs().maxCoeff() / length : 0.0);
  sizes = sizes * speed;
  off = first_off(bias, change, sizes);
  if (off >= 0)
    return deviation("do_motion_bias", "component", off, bias[off], change.value[off], "do_motion", "check_joint");

  const Eigen::VectorXd rate =
      written("do_rate", coordinates, not_a_number, fault, [&](double* out) { joint.rate(q.data(), v.data(), out); });
  const Difference of_q = difference(step, moved_to);
  if (!fault.empty()) return fault;
  off = first_off(rate, of_q, v.size() > 0 ? Eigen::VectorXd::Constant(coordinates, v.cwiseAbs().maxCoeff()) : rate);
  if (off >= 0)
    return deviation("do_rate", "rate of coordinate", off, rate[off], of_q.value[off], "do_retract", "check_joint");
  return "";
}

// Forces.

template <class Space>
std::string false_function(const ForceElement<Space>& force, const ElementPoint<Space>& at) {
  std::string fault;
  const Motion<Space> m = at.motion();
  std::vector<Wrench<Space>> wrenches(at.frames.size());
  ForceSums<Space> sums(wrenches.data(), static_cast<int>(wrenches.size()));
  force.add_to(m, sums);
  if (force.states() > 0)
    written("do_state_rates", force.states(), not_a_number, fault, [&](double* out) { force.state_rates(m, out); });
  if (force.auxiliaries() > 0)
    written("do_auxiliary", force.auxiliaries(), not_a_number, fault,
            [&](double* out) { force.auxiliary_residual(m, out); });
  GuardedArray memory(force.memory_size(), 0.0);
  std::copy(at.memory.begin(), at.memory.end(), memory.data());
  force.remember(m, false, -1, memory.data());
  if (fault.empty() && !memory.intact()) fault = overrun("do_remember", force.memory_size());
  return fault;
}

template std::string false_function(const Constraint<Planar>&, const ElementPoint<Planar>&, double);
template std::string false_function(const Constraint<Spatial>&, const ElementPoint<Spatial>&, double);
template std::string false_motion(const Joint<Planar>&, Instant, const Pose<Planar>&, double);
template std::string false_motion(const Joint<Spatial>&, Instant, const Pose<Spatial>&, double);
template std::string false_function(const ForceElement<Planar>&, const ElementPoint<Planar>&);
template std::string false_function(const ForceElement<Spatial>&, const ElementPoint<Spatial>&);

}  // namespace linkwork::detail
