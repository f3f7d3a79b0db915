#pragma once

// Small systems posed directly as equations, to test integrators without bodies.

#include <linkwork/core/equations_of_motion.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace linkwork::test {

/// Point mass on a massless rod in Cartesian coordinates: g = (x^2 + y^2 - L(t)^2) / 2, gravity 9.81 along -y.
/// L(t) = 1 + stretch sin(t): a rheonomic constraint where stretch is not zero.
class CartesianPendulum : public EquationsOfMotion {
 public:
  static constexpr double gravity = 9.81;
  explicit CartesianPendulum(double stretch = 0) : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1}), stretch_(stretch) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1, 0;
    s.v << stretch_, 0;
    return s;
  }
  std::string constraint_name(int) const override { return "rod"; }

 private:
  double length() const { return 1 + stretch_ * std::sin(time()); }
  double length_rate() const { return stretch_ * std::cos(time()); }
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[3] = 1; }
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.data()[0] = position()[0];
    G.data()[1] = position()[1];
    offset[0] = -length() * length_rate();
  }
  void do_g(Eigen::VectorXd& g) override { g[0] = 0.5 * (position().squaredNorm() - length() * length()); }
  void do_f(Eigen::VectorXd& f) override { f << 0, -gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override {
    gamma[0] = length_rate() * length_rate() - length() * stretch_ * std::sin(time()) - velocity().squaredNorm();
  }
  double stretch_;
};

/// Angle from the downward vertical and its rate, of the pendulum released from the horizontal at +x, by 4000 steps of
/// the classical Runge-Kutta method per second in the angle itself: an independent route, error below 1e-13.
inline std::pair<double, double> pendulum_angle(double t) {
  const int n = static_cast<int>(std::ceil(4000 * t)) + 1;
  const double h = t / n;
  double angle = std::acos(-1.0) / 2, rate = 0;
  const auto acceleration = [](double x) { return -CartesianPendulum::gravity * std::sin(x); };
  for (int i = 0; i < n; ++i) {
    const double k1 = rate, m1 = acceleration(angle);
    const double k2 = rate + h / 2 * m1, m2 = acceleration(angle + h / 2 * k1);
    const double k3 = rate + h / 2 * m2, m3 = acceleration(angle + h / 2 * k2);
    const double k4 = rate + h * m3, m4 = acceleration(angle + h * k3);
    angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (m1 + 2 * m2 + 2 * m3 + m4);
  }
  return {angle, rate};
}

/// State of the Cartesian pendulum (stretch 0) at t.
inline State pendulum_state(double t) {
  const auto [angle, rate] = pendulum_angle(t);
  const double s = std::sin(angle), c = std::cos(angle), g = CartesianPendulum::gravity;
  State out;
  out.t = t;
  out.p = Eigen::Vector2d(s, -c);
  out.v = Eigen::Vector2d(c * rate, s * rate);
  const double angular = -g * s;
  out.a = Eigen::Vector2d(c * angular - s * rate * rate, s * angular + c * rate * rate);
  out.lambda = Eigen::VectorXd::Constant(1, rate * rate + g * c);  // tension over length
  out.r = Eigen::VectorXd(0);
  return out;
}

/// A drum of unit radius that slides on a floor with friction mu, and a load on a cable around it (MEXX 5.1): forces
/// depend on multipliers. Closed form below.
class CableDrum : public EquationsOfMotion {
 public:
  explicit CableDrum(double mu) : EquationsOfMotion({.p = 4, .v = 4, .lambda = 3}), mu_(mu) {
    M_.add_block(0, 0, 4, 4);
    G_.add_block(0, 0, 3, 4);
    F_.add_block(0, 0, 4, 3);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 0, 0, 1, -1;
    const double lambda3 = -10 * (1 + mu_) / (11 - 10 * mu_);
    s.lambda << -mu_ * (lambda3 - 1), lambda3 - 1, lambda3;
    return s;
  }
  bool forces_read_multipliers() const override { return true; }
  /// Height of the load at t.
  double load_height(double t) const {
    const double k = 11 - 10 * mu_;
    const double A = -1 + (1 + mu_) / k, B = -0.1 + 0.1 / k;
    return A / B * (std::expm1(B * t) / B - t);
  }

 private:
  void do_M(BlockMatrix& M) override {
    M.data()[0] = 10;
    M.data()[5] = M.data()[10] = M.data()[15] = 1;
  }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    const double rows[12] = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, -1, -1};
    std::copy(rows, rows + 12, G.data());
    offset.setZero();
  }
  void do_g(Eigen::VectorXd& g) override {
    const Eigen::VectorXd& p = position();
    g << p[1], p[2] - 1, p[0] - p[2] - p[3];
  }
  void do_f(Eigen::VectorXd& f) override {
    const double friction = -mu_ * multipliers()[1];
    f << -10 - velocity()[0], friction, -1, friction;
  }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma.setZero(); }
  double mu_;
};

/// x'' = -x with a filter r' = x - r: no constraints, one state. x(0) = 1, r(0) = 0:
/// x = cos t, r = (cos t + sin t - exp(-t)) / 2.
class FilteredOscillator : public EquationsOfMotion {
 public:
  FilteredOscillator() : EquationsOfMotion({.p = 1, .v = 1, .r = 1}) { M_.add_block(0, 0, 1, 1); }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1;
    return s;
  }
  static double filtered(double t) { return 0.5 * (std::cos(t) + std::sin(t) - std::exp(-t)); }
  static double filtered_rate(double t) { return 0.5 * (std::cos(t) - std::sin(t) + std::exp(-t)); }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = -position()[0]; }
  void do_gamma(Eigen::VectorXd&) override {}
  void do_r_rate(Eigen::VectorXd& rate) override { rate[0] = position()[0] - states()[0]; }
};

/// x'' = force(t, x), at rest at x = 1.
class Mass : public EquationsOfMotion {
 public:
  using Force = std::function<double(double t, double x)>;
  explicit Mass(Force force) : EquationsOfMotion({.p = 1, .v = 1}), force_(std::move(force)) {
    M_.add_block(0, 0, 1, 1);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1;
    return s;
  }
  std::string position_name(int) const override { return "place"; }
  std::string velocity_name(int) const override { return "mass"; }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = 1; }
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = force_(time(), position()[0]); }
  void do_gamma(Eigen::VectorXd&) override {}
  Force force_;
};

/// A mass in space on a rod that is held twice; the copy also holds z by a lever of length l(t): G = (x, y, 0; 2 x, 2
/// y, l). The rows depend on each other where l = 0. Nothing pulls along z.
class LeveredPendulum : public EquationsOfMotion {
 public:
  /// l is zero before t = 1/2 and grows after it, or falls to zero at t = 1/2 and stays there.
  explicit LeveredPendulum(bool grows) : EquationsOfMotion({.p = 3, .v = 3, .lambda = 2}), sign_(grows ? 1 : -1) {
    M_.add_block(0, 0, 3, 3);
    G_.add_block(0, 0, 2, 3);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1, 0, 0;
    return s;
  }
  std::string constraint_name(int row) const override { return row == 0 ? "rod" : "copy"; }
  std::string velocity_name(int i) const override { return i == 2 ? "lift" : "swing"; }

 private:
  double lever() const {
    const double s = std::max(0.0, sign_ * (time() - 0.5));
    return 100 * s * s * s;
  }
  double lever_rate() const {
    const double s = std::max(0.0, sign_ * (time() - 0.5));
    return sign_ * 300 * s * s;
  }
  double circle() const { return 0.5 * (position().head<2>().squaredNorm() - 1); }
  void do_M(BlockMatrix& M) override { Eigen::Matrix3d::Map(M.data()).setIdentity(); }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    Eigen::Map<Eigen::Matrix<double, 2, 3, Eigen::RowMajor>> rows(G.data());
    rows << position()[0], position()[1], 0, 2 * position()[0], 2 * position()[1], lever();
    offset << 0, lever_rate() * position()[2];
  }
  void do_g(Eigen::VectorXd& g) override { g << circle(), 2 * circle() + lever() * position()[2]; }
  void do_f(Eigen::VectorXd& f) override { f << 0, -CartesianPendulum::gravity, 0; }
  void do_gamma(Eigen::VectorXd& gamma) override {
    const double square = velocity().head<2>().squaredNorm();
    gamma << -square, -2 * square - 2 * lever_rate() * velocity()[2];
  }
  double sign_;
};

}  // namespace linkwork::test
