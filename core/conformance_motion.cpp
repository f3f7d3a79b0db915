#include <linkwork/core/conformance_motion.hpp>

namespace linkwork::conformance {

namespace {

template <class Space>
Pose<Space> pose_in_body(const Frame<Space>& frame) {
  Pose<Space> out;
  out.position = frame.offset;
  out.rotation = rotation_matrix(frame.orientation);
  if constexpr (Space::dimension == 2) out.angle = frame.orientation;
  return out;
}

template <class Space>
bool is_point(const Frame<Space>& frame) {
  return frame.body >= 0 && frame.model && static_cast<std::size_t>(frame.body) < frame.model->bodies.size() &&
         !frame.model->bodies[static_cast<std::size_t>(frame.body)].body->rotates();
}

/// Poses of bodies as functions of the time after the point.
template <class Space>
class BodyMotions {
 public:
  using Motion = std::function<Pose<Space>(double dt)>;

  BodyMotions(double time, Random& random, const ConformanceOptions& options)
      : time_(time), random_(random), reach_(options.reach) {
    bodies_[-1] = [](double) { return Pose<Space>{}; };
  }
  bool has(int body) const { return bodies_.count(body) > 0; }
  const Motion& of(int body) const { return bodies_.at(body); }
  void put(int body, Motion motion) { bodies_[body] = std::move(motion); }

  /// At constant velocity, its frame near the first one that was placed.
  void add_free(const Frame<Space>& frame) {
    if (has(frame.body)) {
      set_center(of(frame.body)(0), frame);
      return;
    }
    Twist<Space> away = random_.template twist<Space>(), velocity = random_.template twist<Space>();
    away.linear *= reach_;
    away.angular *= reach_;
    Pose<Space> start = moved(has_center_ ? center_ : random_.template pose<Space>(), away, 1.0);
    if (is_point(frame)) {
      start = {};
      start.position = center_.position + away.linear;
      velocity.angular = zero_angular<Space>();
    }
    const Pose<Space> back = inverse(pose_in_body(frame));
    put(frame.body, [=](double dt) { return compose(moved(start, velocity, dt), back); });
    set_center(of(frame.body)(0), frame);
  }

  /// One of the joint's bodies from the other.
  void add_by_joint(const ConstraintEntry<Space>& entry) {
    const Joint<Space>& joint = *entry.joint;
    const Frame<Space>&father = joint.frames()[0], &son = joint.frames()[1];
    if (!has(father.body) && !has(son.body)) add_free(father);
    if (has(father.body) && has(son.body)) return;
    const Eigen::VectorXd step = reach_ * random_.numbers(joint.freedoms()), v = random_.numbers(joint.freedoms());
    Eigen::VectorXd q(joint.coordinates());
    joint.home(q.data());
    joint.retract(q.data(), step.data(), q.data());
    const double time = time_;
    const auto across = [&joint, q, v, time](double dt) {
      Eigen::VectorXd now(q.size());
      const Eigen::VectorXd by = dt * v;
      joint.retract(q.data(), by.data(), now.data());
      return joint.pose(time + dt, now.data());
    };
    const Pose<Space> at_father = pose_in_body(father), at_son = pose_in_body(son);
    if (has(father.body)) {
      const Motion known = of(father.body);
      put(son.body,
          [=](double dt) { return compose(compose(compose(known(dt), at_father), across(dt)), inverse(at_son)); });
    } else {
      const Motion known = of(son.body);
      put(father.body, [=](double dt) {
        return compose(compose(compose(known(dt), at_son), inverse(across(dt))), inverse(at_father));
      });
    }
  }

 private:
  void set_center(const Pose<Space>& body, const Frame<Space>& frame) {
    if (!has_center_) center_ = compose(body, pose_in_body(frame));
    has_center_ = true;
  }

  double time_;
  Random& random_;
  double reach_;
  std::map<int, Motion> bodies_;
  Pose<Space> center_;
  bool has_center_ = false;
};

}  // namespace

template <class Space>
FramePath<Space> random_path(const std::vector<Frame<Space>>& frames, const std::vector<JointRef<Space>>& joints,
                             Random& random, const ConformanceOptions& options) {
  const double time = random.time(options.last_time);
  BodyMotions<Space> bodies(time, random, options);
  for (const JointRef<Space>& joint : joints)
    bodies.add_by_joint(joint.model->constraints[static_cast<std::size_t>(joint.index)]);
  // The ground is where it is, so that the others are placed near to it.
  for (const bool on_ground : {true, false})
    for (const Frame<Space>& frame : frames)
      if ((frame.body < 0) == on_ground) bodies.add_free(frame);
  std::vector<std::pair<std::function<Pose<Space>(double)>, Pose<Space>>> parts;
  for (const Frame<Space>& frame : frames) parts.emplace_back(bodies.of(frame.body), pose_in_body(frame));
  return make_path<Space>(time, [parts](double dt) {
    std::vector<Pose<Space>> out;
    for (const auto& [body, frame] : parts) out.push_back(compose(body(dt), frame));
    return out;
  });
}

void check_repeatable(Findings& findings, std::size_t samples, const std::vector<NamedFunction>& functions) {
  for (const auto& [name, function] : functions) {
    if (findings.failed(name)) continue;
    std::vector<Eigen::VectorXd> first(samples);
    findings.at_every_sample(name, [&, &evaluated = function](std::size_t i) { first[i] = evaluated(i); });
    findings.at_every_sample(name, [&, &evaluated = function, named = name](std::size_t i) {
      const std::size_t j = samples - 1 - i;
      const Eigen::VectorXd again = evaluated(j);
      findings.count(again.size());
      if (first[j].size() == again.size() && !(first[j].array() == again.array()).all())
        findings.fail(named, "repeatable",
                      concat("gives another result when it is asked again at sample ", j, " (entries differ by up to ",
                             (again - first[j]).cwiseAbs().maxCoeff(),
                             "); an element may depend on time, frames, states, memory and reactions only"));
    });
  }
}

template FramePath<Planar> random_path(const std::vector<Frame<Planar>>&, const std::vector<JointRef<Planar>>&, Random&,
                                       const ConformanceOptions&);
template FramePath<Spatial> random_path(const std::vector<Frame<Spatial>>&, const std::vector<JointRef<Spatial>>&,
                                        Random&, const ConformanceOptions&);

}  // namespace linkwork::conformance
