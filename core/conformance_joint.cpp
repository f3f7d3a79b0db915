#include <linkwork/core/conformance_motion.hpp>

#include <Eigen/LU>

namespace linkwork {

namespace conformance {

namespace {

constexpr const char* by_differences = "from sixth-order differences of do_pose along do_retract";

/// The points at which a joint is tried, and the stages of the check.
template <class Space>
class JointCheck {
 public:
  JointCheck(const Joint<Space>& joint, const ConformanceOptions& options)
      : joint_(joint), options_(options), findings_(joint.type(), options) {}

  ConformanceReport run() {
    findings_.once("freedoms", [&] { check_sizes(); });
    if (findings_.any()) return findings_.report();
    findings_.once("do_home", [&] { home_ = finite("do_home", q_size(), [&](double* q) { joint_.home(q); }); });
    if (findings_.any()) return findings_.report();
    findings_.once("do_pose", [&] { check_reading(); });
    if (findings_.any()) return findings_.report();
    make_samples();
    findings_.at_every_sample("do_retract", [&](std::size_t i) { check_retract(samples_[i]); });
    findings_.once("do_retract", [&] { check_normalisation(); });
    findings_.at_every_sample("do_pose", [&](std::size_t i) { check_pose(samples_[i]); });
    if (findings_.any()) return findings_.report();

    findings_.at_every_sample("do_rate", [&](std::size_t i) { check_rate(samples_[i]); });
    findings_.once("constant_motion", [&] { check_constant_motion(); });
    if (findings_.failed("constant_motion")) return findings_.report();
    findings_.at_every_sample("do_motion", [&](std::size_t i) { check_motion(samples_[i]); });
    findings_.once("freedoms", [&] { check_independence(); });
    // The default bias, locate and rows come from these.
    if (findings_.failed("do_motion") || findings_.failed("freedoms")) return findings_.report();
    findings_.at_every_sample("do_motion_bias", [&](std::size_t i) { check_motion_bias(samples_[i]); });
    findings_.at_every_sample("is_shift", [&](std::size_t i) { check_shifts(samples_[i]); });
    findings_.at_every_sample("do_locate", [&](std::size_t i) { check_locate(i); });
    if (joint_.rows() > 0) check_constraint_side();
    check_repeatable(findings_, samples_.size(), functions());
    return findings_.report();
  }

 private:
  struct Sample {
    double time = 0;
    Eigen::VectorXd q, v;
    Eigen::VectorXd step;  ///< from the joint's zero to q
    Pose<Space> father;
    Twist<Space> father_velocity, free_twist;
    FramePath<Space> path;  ///< of both frames, the joint moving as it may
  };

  int q_size() const { return joint_.coordinates(); }

  /// Evaluates into a guarded array and looks at what was written.
  template <class Call>
  Eigen::VectorXd finite(const char* function, int count, Call&& call) {
    GuardedArray out(count, not_a_number);
    call(out.data());
    if (!out.intact()) {
      findings_.fail(function, "overrun",
                     concat("writes beyond the ", count, " numbers that its declared size leaves room for"));
      throw Unusable{};
    }
    if (!out.values().allFinite()) {
      findings_.fail(function, "not finite", "gives values that are not finite, or leaves entries unwritten");
      throw Unusable{};
    }
    return out.values();
  }
  Eigen::VectorXd retracted(const Eigen::VectorXd& q, const Eigen::VectorXd& step) {
    return finite("do_retract", q_size(), [&](double* out) { joint_.retract(q.data(), step.data(), out); });
  }
  Eigen::VectorXd rate(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    return finite("do_rate", q_size(), [&](double* out) { joint_.rate(q.data(), v.data(), out); });
  }
  JointMotion<Space> motion(Instant time, const Eigen::VectorXd& q) {
    JointMotion<Space> out;
    joint_.motion(time, q.data(), out);
    if (out.S.cols() != joint_.freedoms()) {
      findings_.fail("do_motion", "columns",
                     concat("gives S ", out.S.cols(), " columns; expected freedoms(), ", joint_.freedoms()));
      throw Unusable{};
    }
    if (!out.S.allFinite() || !out.drift.allFinite()) {
      findings_.fail("do_motion", "not finite", "gives values that are not finite, or leaves entries of S unwritten");
      throw Unusable{};
    }
    return out;
  }
  Components<Space> motion_bias(Instant time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    Components<Space> out = Components<Space>::Constant(not_a_number);
    joint_.motion_bias(time, q.data(), v.data(), out);
    if (!out.allFinite()) {
      findings_.fail(
          "do_motion_bias", "not finite",
          "gives values that are not finite, or leaves entries unwritten (the bias is not zero at the call)");
      throw Unusable{};
    }
    return out;
  }
  Eigen::VectorXd located(double time, const Pose<Space>& X, const Eigen::VectorXd& start) {
    GuardedArray q(q_size(), 0.0);
    std::copy_n(start.data(), q_size(), q.data());
    joint_.locate(time, X, q.data());
    if (!q.intact()) {
      findings_.fail("do_locate", "overrun", concat("writes beyond the ", q_size(), " numbers of coordinates()"));
      throw Unusable{};
    }
    if (!q.values().allFinite()) {
      findings_.fail("do_locate", "not finite", "gives values that are not finite");
      throw Unusable{};
    }
    return q.values();
  }

  void check_sizes() {
    const int freedoms = joint_.freedoms(), coordinates = joint_.coordinates();
    if (joint_.type().empty()) findings_.fail("type", "empty", "is empty; give the joint a name of its kind");
    if (freedoms < 0 || freedoms > Space::n)
      findings_.fail("freedoms", "count", concat("is ", freedoms, "; expected 0 to ", Space::n));
    else if (freedoms == 0 ? coordinates != 0 : coordinates < freedoms)
      findings_.fail("coordinates", "count",
                     concat("is ", coordinates, " with ", freedoms,
                            " freedoms; expected as many or more (0 where there are none)"));
    if (!(joint_.difference_step() > 0))
      findings_.fail("difference_step", "size", concat("is ", joint_.difference_step(), "; expected > 0"));
    if (!findings_.any() && joint_.memory_size() < 0)
      findings_.fail("memory_size", "count", concat("is ", joint_.memory_size(), "; expected 0 or more"));
  }

  /// Coordinates beyond those declared are not finite, and the pose must not show it.
  void check_reading() {
    const auto is_finite_beyond = [&](double beyond) {
      Eigen::VectorXd q = Eigen::VectorXd::Constant(q_size() + 8, beyond);
      q.head(q_size()) = home_;
      try {
        const Pose<Space> X = joint_.pose(options_.last_time, q.data());
        return X.rotation.allFinite() && X.position.allFinite();
      } catch (const RecoverableFailure&) {
        return false;
      }
    };
    if (is_finite_beyond(0.0) && !is_finite_beyond(not_a_number))
      findings_.fail("do_pose", "reading",
                     concat("reads coordinates beyond the ", q_size(), " that coordinates() declares"));
  }

  void make_samples() {
    samples_.resize(static_cast<std::size_t>(options_.samples));
    std::vector<double> times;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      Random random(options_.seed, i);
      Sample& sample = samples_[i];
      sample.time = random.time(options_.last_time);
      sample.step = options_.reach * random.numbers(joint_.freedoms());
      sample.v = random.numbers(joint_.freedoms());
      sample.father = random.pose<Space>();
      sample.father_velocity = random.twist<Space>();
      sample.free_twist = random.twist<Space>();
      times.push_back(sample.time);
    }
    findings_.set_times(std::move(times));
  }

  void check_retract(Sample& sample) {
    sample.q = retracted(home_, sample.step);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(joint_.freedoms());
    constexpr double exact = 1e-12;  // rounding of a few operations
    findings_.compare({"do_retract", "with a step of zeros, coordinate", "what it gave before; rounding"},
                      retracted(sample.q, none), sample.q, exact);
    const Eigen::VectorXd in_place = finite("do_retract", q_size(), [&](double* q) {
      std::copy_n(home_.data(), q_size(), q);
      joint_.retract(q, sample.step.data(), q);
    });
    findings_.compare({"do_retract", "with one array for q and q_new, coordinate", "the result in two arrays"},
                      in_place, sample.q, exact);
  }

  /// Tangents of the retraction, coordinates() x freedoms().
  Eigen::MatrixXd tangents(const Eigen::VectorXd& q) {
    Eigen::MatrixXd out(q_size(), joint_.freedoms());
    for (int j = 0; j < joint_.freedoms(); ++j)
      out.col(j) = tangent(q, Eigen::VectorXd::Unit(joint_.freedoms(), j)).value;
    return out;
  }
  Derivative tangent(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    return derivative(step_for(joint_.difference_step(), v.size() ? v.norm() : 0.0),
                      [&](double h) { return retracted(q, h * v); });
  }

  /// Coordinates pushed off their manifold come back by a step of zeros, up to the second order of the push.
  void check_normalisation() {
    constexpr double push = 1e-4;
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(joint_.freedoms());
    if (joint_.freedoms() == 0) return;
    for (const Sample& sample : samples_) {
      if (sample.q.size() == 0) continue;
      const Eigen::MatrixXd Z = tangents(sample.q);
      if (rank_of(Z) < joint_.freedoms()) {
        findings_.fail("do_retract", "rank",
                       concat("moves q in ", rank_of(Z), " independent directions only; expected freedoms(), ",
                              joint_.freedoms()));
        return;
      }
      QrFactors qr;
      qr.compute(Z);
      const Eigen::MatrixXd Q = qr.columns_of_Q(Z.rows());
      for (int j = joint_.freedoms(); j < q_size(); ++j) {
        const Eigen::VectorXd normal = Q.col(j);
        const double left = normal.dot(retracted(sample.q + push * normal, none) - sample.q);
        if (std::abs(left) > 0.1 * push)
          findings_.fail("do_retract", "normalise",
                         concat("with a step of zeros leaves ", left, " of a push of ", push,
                                " that took q off its manifold (a norm that is not one); expected a normalised q, "
                                "off by the square of the push at most"));
      }
    }
  }

  void check_pose(Sample& sample) {
    const Pose<Space> X = joint_.pose(sample.time, sample.q.data());
    const double off = (X.rotation.transpose() * X.rotation - Rotation<Space>::Identity()).cwiseAbs().maxCoeff();
    constexpr double exact = 1e-9;  // what check_pose of the derived side accepts
    if (!X.position.allFinite() || !X.rotation.allFinite())
      findings_.fail("do_pose", "finite", "gives a pose that is not finite");
    else if (!(off < exact) || !(X.rotation.determinant() > 0))
      findings_.fail("do_pose", "rotation",
                     concat("gives a rotation matrix with determinant ", X.rotation.determinant(), " that is ", off,
                            " from orthogonal; expected a rotation (bound ", exact, ")"));
    else
      make_path(sample);
  }
  void make_path(Sample& sample) {
    const Joint<Space>* joint = &joint_;
    const Eigen::VectorXd q = sample.q, v = sample.v;
    const Pose<Space> father = sample.father;
    const Twist<Space> velocity = sample.father_velocity;
    const double time = sample.time;
    sample.path = conformance::make_path<Space>(time, [=](double dt) {
      Eigen::VectorXd now(q.size());
      const Eigen::VectorXd step = dt * v;
      joint->retract(q.data(), step.data(), now.data());
      const Pose<Space> father_now = moved(father, velocity, dt);
      return std::vector<Pose<Space>>{father_now, compose(father_now, joint->pose(time + dt, now.data()))};
    });
  }

  void check_rate(const Sample& sample) {
    findings_.compare({"do_rate", "coordinate", "the derivative of do_retract by sixth-order differences"},
                      rate(sample.q, sample.v), tangent(sample.q, sample.v), first_order_bound);
  }

  /// What is declared about the coordinates: what does not depend on them must be the same to the last digits.
  void check_shifts(const Sample& sample) {
    const int redundant = joint_.coordinates() - joint_.freedoms();
    const Eigen::VectorXd q_rate = rate(sample.q, sample.v);
    if (joint_.rate_is_velocity() && !findings_.failed("do_rate"))
      findings_.compare({"rate_is_velocity", "coordinate", "v: q' = v is declared"}, q_rate, sample.v,
                        first_order_bound);
    const auto fixed = [&](const Eigen::VectorXd& q) {
      const JointMotion<Space> at = motion(sample.time, q);
      const Components<Space> bias = motion_bias(sample.time, q, sample.v);
      Eigen::VectorXd out(at.X.rotation.size() + at.S.size() + 2 * Space::n);
      out << at.X.rotation.reshaped(), at.S.reshaped(), at.drift, bias;
      return out;
    };
    for (int c = 0; c < joint_.coordinates(); ++c) {
      if (!joint_.is_shift(c)) continue;
      Eigen::VectorXd moved_q = sample.q;
      moved_q[c] += 0.5;
      findings_.compare({"is_shift", concat("with coordinate ", c, " moved by 0.5, entry"),
                         "rotation, S, drift and bias as before: it is declared to shift alone"},
                        fixed(moved_q), fixed(sample.q), second_order_bound);
      if (c < redundant)
        findings_.fail("is_shift", concat(c),
                       concat("is true for coordinate ", c, ", which has no velocity: those stand last in q"));
      else
        findings_.compare({"is_shift", "rate of a shift", "its velocity"}, q_rate.segment(c, 1),
                          sample.v.segment(c - redundant, 1), first_order_bound);
    }
  }

  /// Twist of the joint's motion along v, with or without the time, from poses alone.
  Derivative twist(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool in_time) {
    const Pose<Space> X = joint_.pose(time, q.data());
    const double speed = (v.size() ? v.norm() : 0.0) + (in_time ? 1.0 : 0.0);
    return derivative(step_for(joint_.difference_step(), speed), [&](double h) -> Eigen::VectorXd {
      return logarithm(relative_pose(X, joint_.pose(in_time ? time + h : time, retracted(q, h * v).data())));
    });
  }

  void check_motion(const Sample& sample) {
    const JointMotion<Space> at = motion(sample.time, sample.q);
    const Pose<Space> X = joint_.pose(sample.time, sample.q.data());
    constexpr double exact = 1e-12;  // rounding
    findings_.compare({"do_motion", "position of X, entry", "that of do_pose"}, at.X.position, X.position, exact);
    findings_.compare({"do_motion", "rotation of X, entry", "that of do_pose"}, at.X.rotation.reshaped(),
                      X.rotation.reshaped(), exact);
    const int freedoms = joint_.freedoms();
    for (int j = 0; j < freedoms; ++j)
      findings_.compare({"do_motion", concat("column ", j, " of S, component"), by_differences}, at.S.col(j),
                        twist(sample.time, sample.q, Eigen::VectorXd::Unit(freedoms, j), false), first_order_bound);
    findings_.compare({"do_motion", "drift, component", "from sixth-order differences of do_pose over time"}, at.drift,
                      twist(sample.time, sample.q, Eigen::VectorXd::Zero(freedoms), true), first_order_bound);
  }

  /// S by differences, at a sample.
  Eigen::MatrixXd subspace(const Sample& sample) {
    Eigen::MatrixXd S(Space::n, joint_.freedoms());
    for (int j = 0; j < joint_.freedoms(); ++j)
      S.col(j) = twist(sample.time, sample.q, Eigen::VectorXd::Unit(joint_.freedoms(), j), false).value;
    return S;
  }
  void check_independence() {
    Eigen::Index rank = 0;
    for (const Sample& sample : samples_) rank = std::max(rank, rank_of(subspace(sample)));
    if (rank < joint_.freedoms())
      findings_.fail(
          "freedoms", "rank",
          concat("is ", joint_.freedoms(), ", but only ", rank, " motions of X(q) are independent at any sample"));
  }

  void check_motion_bias(const Sample& sample) {
    const double speed = 1 + (sample.v.size() ? sample.v.norm() : 0.0);
    const Derivative expected = derivative(step_for(joint_.difference_step(), speed), [&](double h) -> Eigen::VectorXd {
      return twist(sample.time + h, retracted(sample.q, h * sample.v), sample.v, true).value;
    });
    findings_.compare({"do_motion_bias", "component",
                       "the derivative of S v + drift along the motion at constant v, from nested sixth-order "
                       "differences of do_pose"},
                      motion_bias(sample.time, sample.q, sample.v), expected, second_order_bound);
  }

  void check_constant_motion() {
    const std::optional<ConstantMotion<Space>> constant = joint_.constant_motion();
    if (!constant) return;
    if (constant->S.cols() != joint_.freedoms() || joint_.coordinates() != joint_.freedoms()) {
      findings_.fail("constant_motion", "sizes",
                     concat("gives S ", constant->S.cols(), " columns for ", joint_.freedoms(), " freedoms and ",
                            joint_.coordinates(), " coordinates; expected three equal numbers"));
      return;
    }
    findings_.at_every_sample("constant_motion", [&](std::size_t i) {
      const Sample& sample = samples_[i];
      const Components<Space> turn = constant->S * sample.q;
      const Pose<Space> X = joint_.pose(sample.time, sample.q.data());
      findings_.compare({"constant_motion", "X(0) exp(S q) against do_pose, component of the logarithm",
                         "a joint with constant S moves like this; rounding"},
                        logarithm(relative_pose(X, compose(constant->X, exponential(turn)))), Components<Space>::Zero(),
                        1e-12);
    });
  }

  void check_locate(std::size_t index) {
    const Sample& sample = samples_[index];
    Random random(options_.seed + 1, index);
    const Pose<Space> X = joint_.pose(sample.time, sample.q.data());
    const auto gap = [&](const Pose<Space>& target, const Eigen::VectorXd& start) -> Eigen::VectorXd {
      return logarithm(relative_pose(joint_.pose(sample.time, located(sample.time, target, start).data()), target));
    };
    const Eigen::VectorXd near_by = retracted(sample.q, 0.1 * options_.reach * random.numbers(joint_.freedoms()));
    constexpr double found = 1e-9;  // Gauss-Newton ends at steps below 1e-9
    try {
      findings_.compare({"do_locate", "pose found from coordinates near by, component of the gap", "X(q) is reached"},
                        gap(X, near_by), Components<Space>::Zero(), found);
      findings_.compare({"do_locate", "pose found from the joint's zero, component of the gap", "X(q) is reached"},
                        gap(X, home_), Components<Space>::Zero(), found);
      const double d = 1e-3;
      const Components<Space> off = d * components<Space>(sample.free_twist);
      findings_.compare({"do_locate", "nearest to a pose that is 0.001 off, component of the gap",
                         "not further from it than ten times that"},
                        gap(compose(X, exponential(off)), near_by), Components<Space>::Zero(), 10 * d);
    } catch (const RecoverableFailure& failure) {
      findings_.fail("do_locate", "lost", concat("finds no coordinates for X(q): '", failure.what(), "'"));
    }
  }

  // The constraint side --------------------------------------------------------------------------------------------

  void check_constraint_side() {
    findings_.at_every_sample("do_remember",
                              [&](std::size_t i) { start_memory(findings_, joint_, samples_[i].path.here); });
    if (findings_.failed("do_remember")) return;
    findings_.at_every_sample("do_residual", [&](std::size_t i) {
      // Poses of size 2, and coordinates that an iteration finds to 1e-12.
      findings_.compare({"do_residual", "on the joint's manifold, row", "X(q) is where the joint is; rounding"},
                        residual_at(findings_, joint_, samples_[i].path.here), Eigen::VectorXd::Zero(joint_.rows()),
                        1e-10);
    });
    findings_.at_every_sample("do_rows", [&](std::size_t i) { check_rows(samples_[i]); });
    if (!findings_.failed("do_residual") && !findings_.failed("do_rows"))
      findings_.at_every_sample("do_rows", [&](std::size_t i) { check_rows_and_residual(samples_[i]); });
    if (findings_.failed("do_rows")) return;
    findings_.at_every_sample("do_bias", [&](std::size_t i) { check_bias(findings_, joint_, samples_[i].path); });
    findings_.once("is_angular", [&] { check_units(findings_, joint_, points_for_units()); });
    findings_.at_every_sample("row_use", [&](std::size_t i) {
      check_uses(findings_, joint_, samples_[i].path.here, {"the father's frame", "the son's frame"});
    });
  }

  void check_rows(const Sample& sample) {
    const Surroundings<Space>& here = sample.path.here;
    const EvaluatedRows at = rows_at(findings_, joint_, here);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(joint_.rows());
    const Eigen::MatrixXd S = subspace(sample);
    for (int j = 0; j < joint_.freedoms(); ++j)
      findings_.compare({"do_rows", concat("on the son moving along freedom ", j, ", row"),
                         "rows vanish on the joint's own motions, S from differences of do_pose"},
                        at.rows.template rightCols<Space::n>() *
                            components<Space>(in_ground_axes<Space>(here.frames[1].pose, S.col(j))),
                        none, first_order_bound);
    findings_.compare({"do_rows", "rows times velocities plus rate, along a motion of the joint, row",
                       "rows and rate vanish on the joint's own motions"},
                      at.rows * here.twists() + at.rate, none, first_order_bound);
    check_relative(findings_, joint_, here);
    const Eigen::Index rank = rank_of(at.rows.template rightCols<Space::n>());
    if (rank < joint_.rows())
      findings_.fail("do_rows", "rank",
                     concat("only ", rank, " of its ", joint_.rows(), " rows on the son are independent; with ",
                            joint_.freedoms(), " freedoms they must forbid all other motions"));
  }

  /// On the manifold and near it, for motions that the joint does not allow.
  void check_rows_and_residual(const Sample& sample) {
    const std::vector<Twist<Space>> twists = {sample.father_velocity, sample.free_twist};
    const FramePath<Space> on = with_free_twists(sample.path, twists);
    check_rows_of_residual(findings_, joint_, on, first_order_bound, "");

    // Derived rows deviate by the distance, times curvatures of joints of metre and radian size.
    constexpr double d = 1e-4, near = 20 * d;
    Surroundings<Space> off = sample.path.here;
    off.frames[1].pose = moved(off.frames[1].pose, sample.free_twist, d);
    FramePath<Space> near_path = sample.path;
    near_path.here = off;
    check_rows_of_residual(findings_, joint_, with_free_twists(near_path, twists), near,
                           ", at 0.0001 from the manifold, where derived rows are off by as much");
  }

  /// Derived rows say their units at the joint's zero, and choose their components anew elsewhere.
  std::vector<Surroundings<Space>> points_for_units() {
    std::vector<Surroundings<Space>> points;
    if (joint_.memory_size() == 0) {
      for (const Sample& sample : samples_) points.push_back(sample.path.here);
      return points;
    }
    Surroundings<Space> zero;
    zero.frames.resize(2);
    zero.frames[1].pose = joint_.pose(0, home_.data());
    start_memory(findings_, joint_, zero);
    return {zero};
  }

  std::vector<NamedFunction> functions() {
    std::vector<NamedFunction> out;
    out.emplace_back("do_retract", [&](std::size_t i) { return retracted(home_, samples_[i].step); });
    out.emplace_back("do_pose", [&](std::size_t i) -> Eigen::VectorXd {
      return logarithm(joint_.pose(samples_[i].time, samples_[i].q.data()));
    });
    out.emplace_back("do_motion", [&](std::size_t i) -> Eigen::VectorXd {
      const JointMotion<Space> at = motion(samples_[i].time, samples_[i].q);
      Eigen::VectorXd flat(at.S.size() + Space::n);
      flat << at.S.reshaped(), at.drift;
      return flat;
    });
    out.emplace_back("do_motion_bias", [&](std::size_t i) -> Eigen::VectorXd {
      return motion_bias(samples_[i].time, samples_[i].q, samples_[i].v);
    });
    if (joint_.rows() > 0 && !findings_.failed("do_remember")) {
      out.emplace_back("do_residual",
                       [&](std::size_t i) { return residual_at(findings_, joint_, samples_[i].path.here); });
      out.emplace_back("do_rows", [&](std::size_t i) -> Eigen::VectorXd {
        return rows_at(findings_, joint_, samples_[i].path.here).rows.reshaped();
      });
      out.emplace_back("do_bias", [&](std::size_t i) { return bias_at(findings_, joint_, samples_[i].path.here); });
    }
    return out;
  }

  const Joint<Space>& joint_;
  ConformanceOptions options_;
  Findings findings_;
  Eigen::VectorXd home_;
  std::vector<Sample> samples_;
};

}  // namespace
}  // namespace conformance

template <class Space>
ConformanceReport check_joint(const Joint<Space>& joint, const ConformanceOptions& options) {
  return conformance::JointCheck<Space>(joint, options).run();
}

template ConformanceReport check_joint(const Joint<Planar>&, const ConformanceOptions&);
template ConformanceReport check_joint(const Joint<Spatial>&, const ConformanceOptions&);

}  // namespace linkwork
