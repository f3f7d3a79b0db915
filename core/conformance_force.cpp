#include <linkwork/core/conformance_motion.hpp>
#include <linkwork/core/dense_factors.hpp>

namespace linkwork {

namespace conformance {

namespace {

template <class Space>
class ForceCheck {
 public:
  ForceCheck(const ForceElement<Space>& element, const ConformanceOptions& options)
      : element_(element), options_(options), findings_(element.type(), options) {}

  ConformanceReport run() {
    findings_.once("states", [&] { check_sizes(); });
    if (findings_.any()) return findings_.report();
    make_paths();
    if (findings_.any()) return findings_.report();
    if (element_.auxiliaries() > 0)
      findings_.at_every_sample("do_auxiliary", [&](std::size_t i) { start_auxiliary(i); });
    if (findings_.any()) return findings_.report();
    findings_.at_every_sample("do_remember", [&](std::size_t i) { check_memory(here(i)); });
    if (findings_.any()) return findings_.report();
    for (const auto& [name, function] : functions())
      findings_.at_every_sample(name, [&evaluated = function](std::size_t i) { evaluated(i); });
    check_repeatable(findings_, paths_.size(), functions());
    if (!findings_.any())
      findings_.at_every_sample(
          "use", [&](std::size_t i) { check_uses(findings_, element_, here(i), frame_names(element_.frames())); });
    const auto failed = [&](const char* function) { return findings_.failed(function); };
    if (!options_.feeds_energy && !failed("do_add_to") && !failed("do_potential_energy") && stores_energy())
      findings_.at_every_sample("do_potential_energy", [&](std::size_t i) {
        here(i);
        check_balance(paths_[i]);
      });
    return findings_.report();
  }

 private:
  void check_sizes() {
    const auto require = [&](const char* function, int count) {
      if (count < 0) findings_.fail(function, "count", concat("is ", count, "; expected 0 or more"));
    };
    if (element_.type().empty()) findings_.fail("type", "empty", "is empty; give the element a name of its kind");
    require("states", element_.states());
    require("memory_size", element_.memory_size());
    require("switches", element_.switches());
    require("auxiliaries", element_.auxiliaries());
    if (element_.frames().empty())
      findings_.fail("frames", "none", "is empty; give the constructor of ForceElement the frames that it acts on");
    for (int i = 0; i < element_.states(); ++i)
      if (!std::isfinite(element_.initial_state(i)))
        findings_.fail("initial_state", concat(i),
                       concat("of state ", i, " is ", element_.initial_state(i), "; expected a finite number"));
    for (int i = 0; i < element_.auxiliaries(); ++i) {
      if (!std::isfinite(element_.initial_auxiliary(i)))
        findings_.fail(
            "initial_auxiliary", concat(i),
            concat("of auxiliary variable ", i, " is ", element_.initial_auxiliary(i), "; expected a finite number"));
      if (!(std::isfinite(element_.typical_auxiliary(i)) && element_.typical_auxiliary(i) > 0))
        findings_.fail("typical_auxiliary", concat(i),
                       concat("of auxiliary variable ", i, " is ", element_.typical_auxiliary(i),
                              "; expected a finite number > 0"));
    }
  }

  void make_paths() {
    std::vector<double> times(static_cast<std::size_t>(options_.samples));
    paths_.resize(times.size());
    usable_.assign(times.size(), 1);
    findings_.set_times(times);
    findings_.at_every_sample("frames", [&](std::size_t i) {
      Random random(options_.seed, i);
      paths_[i] = random_path<Space>(element_.frames(), {}, random, options_);
      Surroundings<Space>& here = paths_[i].here;
      times[i] = here.time;
      for (int j = 0; j < element_.states(); ++j) here.states.push_back(element_.initial_state(j) + random.number());
      for (std::size_t j = 0; j < element_.reactions().size(); ++j) {
        const Twist<Space> wrench = random.twist<Space>();
        here.reactions.push_back({wrench.angular, wrench.linear});
      }
      for (const ConstraintRef<Space>& source : element_.contact_sources()) {
        const Constraint<Space>& constraint =
            *source.model->constraints[static_cast<std::size_t>(source.index)].constraint;
        for (int j = 0; j < constraint.contacts(); ++j)
          here.contacts.push_back(constraint.initial_contact(j) + random.number());
      }
      for (int j = 0; j < element_.auxiliaries(); ++j) here.auxiliary.push_back(element_.initial_auxiliary(j));
    });
    findings_.set_times(std::move(times));
  }

  Eigen::VectorXd auxiliary_residual(const Surroundings<Space>& at) {
    return evaluate(findings_, "do_auxiliary", at, undeclared, element_.auxiliaries(), not_a_number,
                    [&](const Motion<Space>& m, double* out) { element_.auxiliary_residual(m, out); });
  }
  void solve_auxiliary(Surroundings<Space>& at) {
    solve_implicit(
        at, &Surroundings<Space>::auxiliary, "the auxiliary equations d = 0 have no solution for w",
        [&](int i) { return element_.typical_auxiliary(i); },
        [&](const Surroundings<Space>& there) { return auxiliary_residual(there); });
  }
  /// Samples where there is no solution are left out from then on.
  void start_auxiliary(std::size_t sample) {
    usable_[sample] = 0;
    Surroundings<Space>& at = paths_[sample].here;
    at.memory.assign(static_cast<std::size_t>(element_.memory_size()), 0.0);
    solve_auxiliary(at);
    usable_[sample] = 1;
  }
  Surroundings<Space>& here(std::size_t sample) {
    if (!usable_[sample]) throw RecoverableFailure("there is no solution for w");
    return paths_[sample].here;
  }

  Eigen::VectorXd remembered(const Surroundings<Space>& at, bool restart, int crossed) {
    const int size = element_.memory_size();
    return evaluate(findings_, "do_remember", at, undeclared, size, 0.0, [&](const Motion<Space>& m, double* out) {
      for (int i = 0; i < size; ++i) out[i] = at.memory[static_cast<std::size_t>(i)];
      element_.remember(m, restart, crossed, out);
    });
  }
  void start(Surroundings<Space>& at) {
    at.memory.assign(static_cast<std::size_t>(element_.memory_size()), 0.0);
    const Eigen::VectorXd memory = remembered(at, true, -1);
    std::copy_n(memory.data(), memory.size(), at.memory.begin());
    solve_auxiliary(at);
  }
  void check_memory(Surroundings<Space>& at) {
    start(at);
    for (int crossed = -1; crossed < element_.switches(); ++crossed) remembered(at, false, crossed);
  }

  Eigen::VectorXd wrenches(const Surroundings<Space>& at) {
    const int frames = static_cast<int>(at.frames.size());
    return evaluate(findings_, "do_add_to", at, undeclared, frames * Space::n, 0.0,
                    [&](const Motion<Space>& m, double* out) { add_to(m, frames, out); });
  }
  /// The element's wrenches as numbers, torque first. What it adds beyond its frames lands behind its own numbers.
  void add_to(const Motion<Space>& m, int frames, double* out) {
    constexpr int margin = 4;
    std::vector<Wrench<Space>> sums(static_cast<std::size_t>(frames + margin));
    ForceSums<Space> adder(sums.data());
    element_.add_to(m, adder);
    for (int k = 0; k < frames + 1; ++k) {
      Wrench<Space> wrench = sums[static_cast<std::size_t>(k)];
      if (k == frames) {
        for (int beyond = 1; beyond < margin; ++beyond) {
          wrench.force += sums[static_cast<std::size_t>(frames + beyond)].force;
          wrench.torque += sums[static_cast<std::size_t>(frames + beyond)].torque;
        }
        if (wrench.force.isZero(0) && dot(wrench.torque, wrench.torque) == 0) break;
      }
      Eigen::Map<Components<Space>>(out + k * Space::n) = components<Space>({wrench.torque, wrench.force});
    }
  }
  double energy(const Surroundings<Space>& at) {
    return evaluate(findings_, "do_potential_energy", at, undeclared | velocities, 1, not_a_number,
                    [&](const Motion<Space>& m, double* out) { *out = element_.potential_energy(m); })[0];
  }
  Eigen::VectorXd switching(const Surroundings<Space>& at) {
    return evaluate(findings_, "do_switching_function", at, undeclared, element_.switches(), not_a_number,
                    [&](const Motion<Space>& m, double* out) {
                      for (int i = 0; i < element_.switches(); ++i) out[i] = element_.switching_function(m, i);
                    });
  }
  Eigen::VectorXd rates(const Surroundings<Space>& at) {
    return evaluate(findings_, "do_state_rates", at, undeclared, element_.states(), not_a_number,
                    [&](const Motion<Space>& m, double* out) { element_.state_rates(m, out); });
  }

  std::vector<NamedFunction> functions() {
    std::vector<NamedFunction> out;
    out.emplace_back("do_add_to", [&](std::size_t i) { return wrenches(here(i)); });
    out.emplace_back("do_state_rates", [&](std::size_t i) { return rates(here(i)); });
    out.emplace_back("do_auxiliary", [&](std::size_t i) { return auxiliary_residual(here(i)); });
    out.emplace_back("do_potential_energy",
                     [&](std::size_t i) { return Eigen::VectorXd::Constant(1, energy(here(i))); });
    out.emplace_back("do_switching_function", [&](std::size_t i) { return switching(here(i)); });
    out.emplace_back("do_remember", [&](std::size_t i) { return remembered(here(i), false, -1); });
    return out;
  }

  bool stores_energy() {
    bool stores = false;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      try {
        stores = stores || energy(here(i)) != 0;
      } catch (const RecoverableFailure&) {
      }
    }
    return stores;
  }

  /// P + dE/dt <= 0 at the velocities of the path and at those a million times slower, in both directions. The slow
  /// ones count per unit of speed: dampers, whose power is of second order, are gone there and dry friction is not.
  void check_balance(const FramePath<Space>& path) {
    const double step = step_for(0.005 * std::min(1.0, options_.reach), path.here.speed());
    for (const double slowness : {1.0, 1e-6})
      for (const double direction : {1.0, -1.0}) {
        Surroundings<Space> at = path.here;
        for (FrameMotion<Space>& frame : at.frames) {
          frame.velocity.linear *= direction * slowness;
          frame.velocity.angular *= direction * slowness;
        }
        start(at);
        const double power = wrenches(at).dot(at.twists()) / slowness;
        const Derivative storage = derivative(step, [&](double dt) -> Eigen::VectorXd {
          Surroundings<Space> there = path.at(direction * dt);
          there.time = at.time;
          there.memory = at.memory;
          there.auxiliary = at.auxiliary;
          solve_auxiliary(there);
          return Eigen::VectorXd::Constant(1, energy(there));
        });
        compare_balance(power, storage, slowness == 1);
      }
  }
  void compare_balance(double power, const Derivative& storage, bool at_speed) {
    const double rate = storage.value[0], excess = power + rate;
    const double scale = 1 + std::abs(power) + std::abs(rate);
    const double uncertainty = storage.uncertainty[0] + first_order_bound * scale;
    // Judged as an equality where it is exceeded; where energy is lost, there is nothing to say.
    const Eigen::VectorXd expected = Eigen::VectorXd::Constant(1, std::min(power, -rate));
    findings_.compare(
        {"do_potential_energy",
         at_speed
             ? "power of do_add_to on the bodies [W] beyond minus the rate of do_potential_energy, entry"
             : "power of do_add_to on the bodies in very slow motion [W per unit of speed] beyond minus the rate of "
               "do_potential_energy, entry",
         concat("a spring gives back what it stored and a damper takes; dE/dt is ", rate,
                " W by sixth-order differences", hint(power, rate, excess))},
        Eigen::VectorXd::Constant(1, power), expected, 0, Eigen::VectorXd::Constant(1, uncertainty));
  }
  static std::string hint(double power, double rate, double excess) {
    constexpr double close = 1e-6;
    if (std::abs(excess - 2 * rate) < close * std::abs(rate)) return "; the potential has the wrong sign";
    return concat("; the power is ", power / -rate, " times what the potential gives");
  }

  const ForceElement<Space>& element_;
  ConformanceOptions options_;
  Findings findings_;
  std::vector<FramePath<Space>> paths_;
  std::vector<char> usable_;
};

}  // namespace

template <class Space>
ConformanceReport check_body_parts(const Body<Space>& body, const ConformanceOptions& options) {
  Findings findings(body.type(), options);
  std::vector<double> times(static_cast<std::size_t>(options.samples));
  findings.set_times(times);
  findings.once("mass", [&] {
    if (body.type().empty()) findings.fail("type", "empty", "is empty; give the body a name of its kind");
    if (!(std::isfinite(body.mass()) && body.mass() >= 0))
      findings.fail("mass", "size", concat("is ", body.mass(), " kg; expected a finite number >= 0"));
    if (!body.center_of_mass().allFinite())
      findings.fail("center_of_mass", "finite", "is not finite; expected metres in the body's axes");
    else if (!body.rotates() && !body.center_of_mass().isZero(0))
      findings.fail(
          "center_of_mass", "point",
          concat("is (", body.center_of_mass().transpose(), ") m; a body that does not rotate has it at its origin"));
    if (!std::isfinite(body.internal_energy()))
      findings.fail("internal_energy", "finite", "is not finite; expected joules");
  });
  if (!body.rotates()) return findings.report();
  findings.once("inertia", [&] {
    constexpr double exact = 1e-12;  // rounding, relative
    const typename Body<Space>::Inertia inertia = body.inertia();
    const double size = inertia.cwiseAbs().maxCoeff();
    if (!inertia.allFinite()) {
      findings.fail("inertia", "finite", "is not finite; expected kg m^2");
    } else if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > exact * size) {
      findings.fail("inertia", "symmetric",
                    concat("is not symmetric: entries differ by ",
                           (inertia - inertia.transpose()).cwiseAbs().maxCoeff(), " kg m^2"));
    } else {
      const double smallest = symmetric_eigenvalues(inertia).minCoeff();
      if (smallest < -exact * size)
        findings.fail("inertia", "negative",
                      concat("has a principal moment of ", smallest, " kg m^2; expected none below zero"));
    }
  });
  if (findings.any()) return findings.report();
  findings.at_every_sample("gyroscopic_torque", [&](std::size_t i) {
    Random random(options.seed, i);
    const Angular<Space> omega = 5 * random.angular<Space>();  // [rad/s]
    const Angular<Space> torque = body.gyroscopic_torque(omega);
    const Eigen::VectorXd power = Eigen::VectorXd::Constant(1, dot(omega, torque));
    const double size = std::sqrt(dot(omega, omega) * dot(torque, torque));
    findings.compare(
        {"gyroscopic_torque", "its power omega . torque [W], entry", "a body's own momentum does no work; rounding"},
        power, Eigen::VectorXd::Zero(1), 1e-12 * (1 + size));
    if constexpr (Space::dimension == 3) {
      const Eigen::Vector3d plain = -omega.cross(body.inertia() * omega);
      if (body.is_plain())
        findings.compare(
            {"is_plain", "gyroscopic torque [N m], component", "-omega x I omega, since is_plain() is true; rounding"},
            torque, plain, 1e-12 * (1 + plain.norm()));
    }
  });
  return findings.report();
}

}  // namespace conformance

template <class Space>
ConformanceReport check_force(const ForceElement<Space>& force, const ConformanceOptions& options) {
  return conformance::ForceCheck<Space>(force, options).run();
}
template <class Space>
ConformanceReport check_body(const Body<Space>& body, const ConformanceOptions& options) {
  return conformance::check_body_parts<Space>(body, options);
}

template ConformanceReport check_force(const ForceElement<Planar>&, const ConformanceOptions&);
template ConformanceReport check_force(const ForceElement<Spatial>&, const ConformanceOptions&);
template ConformanceReport check_body(const Body<Planar>&, const ConformanceOptions&);
template ConformanceReport check_body(const Body<Spatial>&, const ConformanceOptions&);

}  // namespace linkwork
