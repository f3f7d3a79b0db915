// Compiled with assertions on, as Debian's library is: they change the layout of Simbody's classes.

#include "bench/simbody_mechanisms.hpp"

#include "bench/cpu_clock.hpp"

#include <Simbody.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>

namespace linkwork::apps {
namespace {

/// A system of slender rods of 1 m and 1 kg on pins, in the plane of x and y.
class Rods {
 public:
  Rods() { SimTK::Force::UniformGravity(forces_, matter_, SimTK::Vec3(0, -9.81, 0)); }

  int add(int father, const SimTK::Vec3& pin, double angle, double rate) {
    constexpr double inertia = 1.0 / 12, slender = 1e-3;
    const SimTK::Vec3 center(0.5, 0, 0);
    const SimTK::Body::Rigid rod(
        SimTK::MassProperties(1, center, SimTK::Inertia(slender, inertia, inertia).shiftFromMassCenter(-center, 1)));
    SimTK::MobilizedBody& on =
        father < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.updGround()) : matter_.updMobilizedBody(index(father));
    rods_.push_back(
        {SimTK::MobilizedBody::Pin(on, SimTK::Transform(pin), rod, SimTK::Transform()).getMobilizedBodyIndex(), angle,
         rate});
    return static_cast<int>(rods_.size()) - 1;
  }
  /// The ends of two rods coincide, one metre to the right of `origin` when both are upright there.
  void close(int crank, int coupler) {
    SimTK::MobilizedBody &a = matter_.updMobilizedBody(index(crank)), &b = matter_.updMobilizedBody(index(coupler));
    SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(1, 0, 0), 1, b, end());
    SimTK::Constraint::PointInPlane(a, SimTK::UnitVec3(0, 1, 0), 0, b, end());
  }

  SimbodyRun run(double t_end, const std::string& integrator, double accuracy) {
    SimTK::State start = system_.realizeTopology();
    system_.realizeModel(start);
    for (const Rod& rod : rods_) {
      matter_.getMobilizedBody(rod.index).setOneQ(start, 0, rod.angle);
      matter_.getMobilizedBody(rod.index).setOneU(start, 0, rod.rate);
    }
    system_.realize(start, SimTK::Stage::Acceleration);
    const double energy = system_.calcEnergy(start);
    const std::unique_ptr<SimTK::Integrator> method = make(integrator);
    method->setAccuracy(accuracy);
    SimTK::TimeStepper stepper(system_, *method);
    stepper.initialize(start);
    SimbodyRun out;
    double kinetic = 0;
    constexpr int parts = 100;
    for (int i = 1; i <= parts; ++i) {
      const double begin = cpu_seconds();
      stepper.stepTo(t_end * i / parts);
      out.cpu_seconds += cpu_seconds() - begin;
      system_.realize(method->getState(), SimTK::Stage::Dynamics);
      kinetic = std::max(kinetic, system_.calcKineticEnergy(method->getState()));
    }
    const SimTK::State& now = method->getState();
    const SimTK::Vec3 point = matter_.getMobilizedBody(rods_.front().index).findStationLocationInGround(now, end());
    out.x = point[0];
    out.y = point[1];
    out.drift = std::abs(system_.calcEnergy(now) - energy);
    largest_kinetic_ = kinetic;
    out.finished = true;
    return out;
  }
  double largest_kinetic() const { return largest_kinetic_; }

 private:
  struct Rod {
    SimTK::MobilizedBodyIndex index;
    double angle, rate;  ///< relative to the rod before it [rad, rad/s]
  };
  static SimTK::Vec3 end() { return SimTK::Vec3(1, 0, 0); }
  SimTK::MobilizedBodyIndex index(int rod) const { return rods_[static_cast<std::size_t>(rod)].index; }

  std::unique_ptr<SimTK::Integrator> make(const std::string& name) {
    if (name == "Merson") return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
    if (name == "Fehlberg") return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system_);
    if (name == "RK3") return std::make_unique<SimTK::RungeKutta3Integrator>(system_);
    return std::make_unique<SimTK::CPodesIntegrator>(system_);
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  std::vector<Rod> rods_;
  double largest_kinetic_ = 0;
};

SimbodyRun in_own_process(const std::function<SimbodyRun()>& work, double limit) {
  SimbodyRun out;
  int ends[2];
  if (pipe(ends) != 0) return out;
  std::fflush(stdout);  // else the child writes what waits there once more
  const pid_t child = fork();
  if (child == 0) {
    const auto seconds = static_cast<rlim_t>(std::ceil(limit));
    const rlimit cpu{seconds, seconds};
    setrlimit(RLIMIT_CPU, &cpu);
    const bool quiet = std::freopen("/dev/null", "w", stdout) && std::freopen("/dev/null", "w", stderr);
    SimbodyRun result;
    try {
      if (quiet) result = work();
    } catch (const std::exception&) {
      result.finished = false;
    }
    _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  close(ends[1]);
  if (child > 0) {
    if (read(ends[0], &out, sizeof out) != sizeof out) out = {};
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
  return out;
}

}  // namespace

std::vector<std::string> simbody_integrators() { return {"Merson", "Fehlberg", "RK3", "CPodes"}; }

SimbodyRun run_n_four_bar_in_simbody(int windows, double t_end, const std::string& integrator, double accuracy,
                                     double limit) {
  return in_own_process(
      [&] {
        constexpr double upright = 1.57079632679489661923, rate = -1;
        Rods rods;
        std::vector<int> cranks;
        for (int i = 0; i <= windows; ++i) cranks.push_back(rods.add(-1, SimTK::Vec3(i, 0, 0), upright, rate));
        for (int i = 0; i < windows; ++i) {
          const auto left = static_cast<std::size_t>(i);
          const int coupler = rods.add(cranks[left], SimTK::Vec3(1, 0, 0), -upright, -rate);
          rods.close(cranks[left + 1], coupler);
        }
        return rods.run(t_end, integrator, accuracy);
      },
      limit);
}

SimbodyRun run_rod_pendulum_in_simbody(int rods, double t_end, const std::string& integrator, double accuracy,
                                       double limit) {
  return in_own_process(
      [&] {
        Rods chain;
        for (int i = 0; i < rods; ++i) chain.add(i - 1, SimTK::Vec3(i > 0, 0, 0), 0, 0);
        SimbodyRun out = chain.run(t_end, integrator, accuracy);
        out.drift /= chain.largest_kinetic();
        return out;
      },
      limit);
}

}  // namespace linkwork::apps
