#include "bench/insulator_chain_ida.hpp"

#include "bench/cpu_clock.hpp"
#include "bench/sundials.hpp"

#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace linkwork::apps {
namespace {

using Point = Eigen::Vector2d;

/// The chain's equations. Unknowns y = (q, v, lambda, mu), q = (x0, y0; x1, y1, phi1; ...), pin k joins a point of one
/// body to a point of another (or to the origin): g_k = P_first - P_second.
///
///   0 = q' - v + G^T mu,  0 = M v' - f(v) + G^T lambda,  0 = G v,  0 = g(q)
class InsulatorChain {
 public:
  explicit InsulatorChain(int n) : n_(n), nq_(3 * (n + 1) + 2), ng_(2 * (n + 2)) {
    constexpr double triangle = 0.37, cap_above = 0.12, cap_below = 0.08, top_above = 0.16, top_below = 0.08;
    const Point corner = triangle / 2 * Point(std::sqrt(3.0), 1);
    pins_.push_back({{0, Point::Zero()}, {1, Point(0, -triangle)}});
    pins_.push_back({{1, corner}, {2, Point(0, -cap_below)}});
    for (int i = 2; i <= n; ++i)
      pins_.push_back({{i, Point(0, cap_above)}, {i + 1, Point(0, i == n ? -top_below : -cap_below)}});
    pins_.push_back({{n + 1, Point(0, top_above)}, {-1, Point::Zero()}});

    mass_.assign(static_cast<std::size_t>(nq_), 15);
    for (int i = 1; i <= n + 1; ++i) set_mass(i, 15, 0.35);
    set_mass(1, 34, 3.1);
    set_mass(n + 1, 9.8, 0.05);
    mass_[0] = mass_[1] = 0;
  }

  int size() const { return 2 * (nq_ + ng_); }
  int positions() const { return nq_; }
  int constraints() const { return ng_; }
  static int first(int body) { return body == 0 ? 0 : 3 * body - 1; }
  int top() const { return n_ + 1; }
  int middle() const { return n_ / 2 + 1; }

  /// Hanging straight down at rest, with consistent accelerations and multipliers.
  void start(double* y, double* y_rate) const {
    std::fill(y, y + size(), 0.0);
    std::fill(y_rate, y_rate + size(), 0.0);
    for (std::size_t k = pins_.size(); k-- > 0;) {  // from the suspension down
      const Pin& pin = pins_[k];
      const bool lowest = pin.first.body == 0;
      const int hung = lowest ? 0 : pin.first.body, upper = pin.second.body;
      const Point anchor = upper < 0 ? Point::Zero() : Point(position(y, upper) + pin.second.arm);
      const Point place = anchor - pin.first.arm;
      y[first(hung)] = place.x();
      y[first(hung) + 1] = place.y();
    }
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nq_ + ng_, nq_ + ng_);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(nq_ + ng_);
    for (int i = 0; i < nq_; ++i) A(i, i) = mass_[static_cast<std::size_t>(i)];
    visit_rows(y, [&](int row, int column, double value, double) {
      A(nq_ + row, column) = value;
      A(column, nq_ + row) = value;
    });
    b.head<2>() = cable_pull(Point::Zero());
    const Eigen::VectorXd x = A.partialPivLu().solve(b);
    for (int i = 0; i < nq_; ++i) y_rate[nq_ + i] = x[i];
    for (int j = 0; j < ng_; ++j) y[2 * nq_ + j] = x[nq_ + j];
  }

  /// 1 for differential variables, 0 for algebraic ones.
  bool is_differential(int i) const { return i < 2 * nq_ && i != nq_ && i != nq_ + 1; }
  bool is_multiplier(int i) const { return i >= 2 * nq_; }

  void residual(const double* y, const double* y_rate, double* r) const {
    const double *v = y + nq_, *lambda = v + nq_, *mu = lambda + ng_;
    double *r_q = r, *r_v = r_q + nq_, *r_velocity = r_v + nq_, *r_position = r_velocity + ng_;
    for (int i = 0; i < nq_; ++i) {
      r_q[i] = y_rate[i] - v[i];
      r_v[i] = mass_[static_cast<std::size_t>(i)] * y_rate[nq_ + i];
    }
    const Point pull = cable_pull({v[0], v[1]});
    r_v[0] -= pull.x();
    r_v[1] -= pull.y();
    std::fill(r_velocity, r_velocity + ng_, 0.0);
    visit_rows(y, [&](int row, int column, double value, double) {
      r_q[column] += value * mu[row];
      r_v[column] += value * lambda[row];
      r_velocity[row] += value * v[column];
    });
    for (std::size_t k = 0; k < pins_.size(); ++k) {
      const Point gap = point(y, pins_[k].first) - point(y, pins_[k].second);
      r_position[2 * k] = gap.x();
      r_position[2 * k + 1] = gap.y();
    }
  }

  /// Calls add(row, column, value) for every entry of d r/d y + cj d r/d y', in the same order for every y; entries of
  /// one place add up.
  template <class Add>
  void jacobian(const double* y, double cj, const Add& add) const {
    const double *v = y + nq_, *lambda = v + nq_, *mu = lambda + ng_;
    const int at_v = nq_, at_lambda = 2 * nq_, at_mu = at_lambda + ng_;
    for (int i = 0; i < nq_; ++i) {
      add(i, i, cj);
      add(i, at_v + i, -1.0);
      if (mass_[static_cast<std::size_t>(i)] > 0) add(at_v + i, at_v + i, cj * mass_[static_cast<std::size_t>(i)]);
    }
    Eigen::Matrix2d slope;
    cable_slope({v[0], v[1]}, slope);
    for (int i : {0, 1})
      for (int j : {0, 1}) add(at_v + i, at_v + j, -slope(i, j));
    visit_rows(y, [&](int row, int column, double value, double angle_derivative) {
      add(column, at_mu + row, value);
      add(at_v + column, at_lambda + row, value);
      add(at_lambda + row, at_v + column, value);
      add(at_mu + row, column, value);
      if (column < 2 || (column - 2) % 3 != 2) return;  // only entries of angles depend on q
      add(column, column, angle_derivative * mu[row]);
      add(at_v + column, column, angle_derivative * lambda[row]);
      add(at_lambda + row, column, angle_derivative * v[column]);
    });
  }

 private:
  struct End {
    int body;  ///< -1: the ground
    Point arm;
  };
  struct Pin {
    End first, second;
  };

  void set_mass(int body, double mass, double inertia) {
    const auto i = static_cast<std::size_t>(first(body));
    mass_[i] = mass_[i + 1] = mass;
    mass_[i + 2] = inertia;
  }
  static Point position(const double* q, int body) { return {q[first(body)], q[first(body) + 1]}; }
  static Point turned(double angle, const Point& arm) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * arm.x() - s * arm.y(), s * arm.x() + c * arm.y()};
  }
  static Point turned_arm(const double* q, const End& end) {
    return end.body > 0 ? turned(q[first(end.body) + 2], end.arm) : Point::Zero();
  }
  static Point point(const double* q, const End& end) {
    if (end.body < 0) return Point::Zero();
    return position(q, end.body) + turned_arm(q, end);
  }

  /// Calls visit(row, column, G(row, column), its derivative with respect to the angle of that body).
  template <class Visit>
  void visit_rows(const double* q, const Visit& visit) const {
    for (std::size_t k = 0; k < pins_.size(); ++k) {
      const int row = 2 * static_cast<int>(k);
      visit_end(q, row, pins_[k].first, 1.0, visit);
      visit_end(q, row, pins_[k].second, -1.0, visit);
    }
  }
  template <class Visit>
  static void visit_end(const double* q, int row, const End& end, double sign, const Visit& visit) {
    if (end.body < 0) return;
    const int column = first(end.body);
    visit(row, column, sign, 0.0);
    visit(row + 1, column + 1, sign, 0.0);
    if (end.body == 0) return;  // the point has no angle
    const Point arm = turned_arm(q, end);
    visit(row, column + 2, -sign * arm.y(), -sign * arm.x());
    visit(row + 1, column + 2, sign * arm.x(), -sign * arm.y());
  }

  static constexpr double E = 8e9, area = 3.4e-4, rho = 3325, F0 = 230000;
  static double stiffness() { return E * area / std::sqrt(E / rho); }
  static double wave_speed() { return std::sqrt(F0 / (area * rho)); }
  static Point cable_pull(const Point& v) {
    const double F = F0 + stiffness() * v.y(), angle = -std::atan(v.x() / wave_speed());
    return {F * std::sin(angle), -F * std::cos(angle)};
  }
  static void cable_slope(const Point& v, Eigen::Matrix2d& slope) {
    const double F = F0 + stiffness() * v.y(), ratio = v.x() / wave_speed(), angle = -std::atan(ratio);
    const double angle_slope = -1 / (wave_speed() * (1 + ratio * ratio));
    slope << F * std::cos(angle) * angle_slope, stiffness() * std::sin(angle),  //
        F * std::sin(angle) * angle_slope, -stiffness() * std::cos(angle);
  }

  int n_, nq_, ng_;
  std::vector<Pin> pins_;
  std::vector<double> mass_;
};

/// Compressed columns of the Jacobian, and where each call of `add` goes.
struct JacobianPattern {
  std::vector<sunindextype> column_start, row;
  std::vector<std::size_t> slots;

  explicit JacobianPattern(const InsulatorChain& chain) {
    std::vector<double> y(static_cast<std::size_t>(chain.size())), rate(y.size());
    chain.start(y.data(), rate.data());
    std::vector<std::pair<int, int>> calls;  // (column, row)
    chain.jacobian(y.data(), 1.0, [&](int r, int c, double) { calls.emplace_back(c, r); });
    std::vector<std::pair<int, int>> entries = calls;
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    column_start.assign(y.size() + 1, 0);
    for (const auto& [c, r] : entries) {
      row.push_back(r);
      ++column_start[static_cast<std::size_t>(c) + 1];
    }
    for (std::size_t c = 0; c < y.size(); ++c) column_start[c + 1] += column_start[c];
    for (const auto& call : calls)
      slots.push_back(
          static_cast<std::size_t>(std::lower_bound(entries.begin(), entries.end(), call) - entries.begin()));
  }
};

struct Problem {
  const InsulatorChain* chain;
  const JacobianPattern* pattern;
};

int ida_residual(realtype, N_Vector y, N_Vector rate, N_Vector r, void* data) {
  static_cast<Problem*>(data)->chain->residual(NV_DATA_S(y), NV_DATA_S(rate), NV_DATA_S(r));
  return 0;
}

int ida_jacobian(realtype, realtype cj, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
                 N_Vector) {
  const Problem& problem = *static_cast<Problem*>(data);
  const JacobianPattern& pattern = *problem.pattern;
  std::copy(pattern.column_start.begin(), pattern.column_start.end(), SUNSparseMatrix_IndexPointers(J));
  std::copy(pattern.row.begin(), pattern.row.end(), SUNSparseMatrix_IndexValues(J));
  double* values = SUNSparseMatrix_Data(J);
  std::fill(values, values + pattern.row.size(), 0.0);
  std::size_t call = 0;
  problem.chain->jacobian(NV_DATA_S(y), cj, [&](int, int, double value) { values[pattern.slots[call++]] += value; });
  return 0;
}

}  // namespace

IdaResult integrate_insulator_chain_with_ida(int n, double t_end, double tolerance) {
  const InsulatorChain chain(n);
  const JacobianPattern pattern(chain);
  Problem problem{&chain, &pattern};

  using namespace sundials;
  const ContextOwner context = make_context();
  const VectorOwner y(N_VNew_Serial(chain.size(), context.get()));
  const VectorOwner rate(N_VClone(y.get())), kind(N_VClone(y.get())), atol(N_VClone(y.get()));
  chain.start(NV_DATA_S(y.get()), NV_DATA_S(rate.get()));
  for (int i = 0; i < chain.size(); ++i) {
    NV_DATA_S(kind.get())[i] = chain.is_differential(i) ? 1 : 0;
    NV_DATA_S(atol.get())[i] = chain.is_multiplier(i) ? 1e20 : tolerance;
  }
  const MatrixOwner matrix(SUNSparseMatrix(chain.size(), chain.size(), static_cast<sunindextype>(pattern.row.size()),
                                           CSC_MAT, context.get()));
  const SolverOwner solver(SUNLinSol_KLU(y.get(), matrix.get(), context.get()));
  const FileOwner nowhere(std::fopen("/dev/null", "w"));
  const IdaOwner ida(IDACreate(context.get()));

  IDASetErrFile(ida.get(), nowhere.get());
  IDAInit(ida.get(), ida_residual, 0.0, y.get(), rate.get());
  IDASVtolerances(ida.get(), tolerance, atol.get());
  IDASetUserData(ida.get(), &problem);
  IDASetId(ida.get(), kind.get());
  IDASetSuppressAlg(ida.get(), SUNTRUE);
  IDASetMaxNumSteps(ida.get(), 1000000);
  IDASetStopTime(ida.get(), t_end);
  IDASetLinearSolver(ida.get(), solver.get(), matrix.get());
  IDASetJacFn(ida.get(), ida_jacobian);

  IdaResult result;
  const double start = cpu_seconds();
  double t = 0;
  result.finished = IDASolve(ida.get(), t_end, &t, y.get(), rate.get(), IDA_NORMAL) >= 0;
  result.cpu_seconds = cpu_seconds() - start;
  IDAGetNumSteps(ida.get(), &result.steps);
  IDAGetNumResEvals(ida.get(), &result.residuals);
  IDAGetNumJacEvals(ida.get(), &result.jacobians);
  const double* q = NV_DATA_S(y.get());
  result.observables = {{"x0", q[0]},
                        {"y0", q[1]},
                        {"phi1", q[InsulatorChain::first(1) + 2]},
                        {"phi_middle", q[InsulatorChain::first(chain.middle()) + 2]},
                        {"phi_top", q[InsulatorChain::first(chain.top()) + 2]},
                        {"x_top", q[InsulatorChain::first(chain.top())]}};
  return result;
}

}  // namespace linkwork::apps
