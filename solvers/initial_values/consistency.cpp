#include <linkwork/solvers/initial_values/consistency.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/residual_text.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/manifold/assembly.hpp>
#include <linkwork/solvers/manifold/consistent_accelerations.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace linkwork {

namespace {

using detail::at;

constexpr double constraint_accuracy = 1e-10;  // of the sizes of positions and velocities; refine reaches rounding
constexpr double condition_accuracy = 1e-9;    // relative; differences in their derivative leave 1e-12
constexpr double guess_weight = 1e-3;          // they move nothing that others hold
// Below this part of the largest, rows are taken for redundant; closures are exact to 1e-10 when it is used.
constexpr double negligible_pivot = 1e-7;

/// Step of central differences, by the size of what is moved: truncation and rounding are 1e-10 of it both.
constexpr double difference_step = 1e-5;

/// The guess with unit quaternions. @throws ModelError where there is none
State normalised(EquationsOfMotion& e, const State& guess) {
  State out = guess;
  e.normalise(guess.p, out.p);
  for (int i = 0; i < out.p.size(); ++i)
    if (!std::isfinite(out.p[i]))
      throw ModelError(concat("initial values: ", e.position_name(i), " is ", guess.p[i],
                              " and belongs to a quaternion of norm 0; give a unit quaternion."));
  return out;
}

bool is_angle(const std::string& unit) { return unit.starts_with("rad"); }
bool is_length(const std::string& unit) { return unit == "m" || unit.starts_with("m/s"); }

}  // namespace

Eigen::VectorXd difference_without_turns(const EquationsOfMotion& e, const Eigen::VectorXd& from,
                                         const Eigen::VectorXd& to) {
  Eigen::VectorXd near = to;
  e.normalise(from, near);
  Eigen::VectorXd out = near - from;
  for (int i = 0; i < out.size(); ++i)
    if (e.position_measure(i) == Measure::angle) out[i] = std::remainder(out[i], 2 * std::numbers::pi);
  return out;
}

Consistency::Consistency(EquationsOfMotion& equations, const State& guess)
    : equations_(equations),
      guess_(normalised(equations, guess)),
      bodies_(make_body_metric(equations)),
      length_(equations.characteristic_length()),
      row_scales_(row_scales(equations)) {
  find_position_weights();
  restart_at(guess_);
  if (!bodies_) return;
  const State own = equations.initial_state();
  near_ = guess.p == own.p && guess.v == own.v ? bodies_->placed() : bodies_->here();
}

void Consistency::set_guess(const State& guess) {
  guess_ = guess;
  if (!bodies_) return;
  equations_.set(guess);
  const BodyMetric::Place place = bodies_->here();
  if (has_positions()) near_.poses = place.poses;
  if (has_velocities()) near_.twists = place.twists;
}

void Consistency::find_position_weights() {
  const Dimensions& n = equations_.dimensions();
  position_weights_.setOnes(n.p);
  for (int i = 0; i < n.p; ++i) {
    const Measure measure = equations_.position_measure(i);
    if (measure == Measure::angle) position_weights_[i] = length_;
    if (measure == Measure::unknown && n.normalisation > 0)
      position_weights_[i] = 2 * length_;  // |dq| is half the angle
  }
}

/// Of what is moved in a search: the square of the size of the system, which a check needs not pay.
void Consistency::find_velocity_scales() {
  velocity_scales_.setOnes(equations_.dimensions().v);
  for (int i = 0; i < velocity_scales_.size(); ++i)
    if (position_weights_[position_of(i, guess_)] != 1) velocity_scales_[i] = length_;
}

double Consistency::position_size(const State& x) const {
  return std::max(length_, x.p.cwiseProduct(position_weights_).lpNorm<Eigen::Infinity>());
}

double Consistency::speed_size(const State& x) {
  equations_.set(x);
  const BlockMatrix& G = equations_.G();
  Eigen::VectorXd terms = equations_.velocity_offset().cwiseAbs();
  for (const BlockMatrix::Block& block : G.blocks()) {
    const double* value = G.data() + block.offset;
    for (int i = block.row; i < block.row + block.height; ++i)
      for (int j = block.column; j < block.column + block.width; ++j) terms[i] += std::abs(*value++ * x.v[j]);
  }
  return std::max(position_size(x), terms.cwiseProduct(row_scales_).lpNorm<Eigen::Infinity>());
}

void Consistency::choose(StartLevel level, ChosenConditions conditions) {
  if (velocity_scales_.size() == 0) find_velocity_scales();
  level_ = level;
  conditions_ = std::move(conditions);
}

int Consistency::unknowns() const {
  const Dimensions& n = equations_.dimensions();
  return (has_positions() ? n.v : 0) + (has_velocities() ? n.v + n.r : 0);
}

int Consistency::constraint_rows() const {
  const Dimensions& n = equations_.dimensions();
  return (has_positions() ? n.lambda : 0) + (has_velocities() ? n.constraints() : 0);
}

int Consistency::position_of(int unknown, const State& x) {
  equations_.set(x);
  Eigen::VectorXd along;
  equations_.multiply_Z(Eigen::VectorXd::Unit(equations_.dimensions().v, unknown), along);
  Eigen::Index largest = 0;
  along.cwiseAbs().maxCoeff(&largest);
  return static_cast<int>(largest);
}

std::string Consistency::unknown_name(int i, const State& x) {
  const int nv = equations_.dimensions().v;
  if (has_positions() && i < nv) return equations_.position_name(position_of(i, x));
  if (has_positions()) i -= nv;
  return i < nv ? equations_.velocity_name(i) : equations_.state_name(i - nv);
}

// Conditions.

double Consistency::violation(const StartCondition& condition, const State& x) {
  double measured = 0;
  if (condition.reads_accelerations) {
    State known = x;
    if (const Outcome found = accelerate(known); !found) throw RecoverableFailure(found.reason());
    measured = condition.quantity(known, equations_);
  } else {
    measured = condition.quantity(x, equations_);
  }
  if (!std::isfinite(measured))
    throw NonFiniteValue(
        concat("condition ", condition.text(), " is ", measured, " at t = ", x.t, " s; check its function."));
  const double difference = measured - condition.value;
  return condition.period > 0 ? std::remainder(difference, condition.period) : difference;
}

void Consistency::restart_at(const State& x) {
  equations_.forget();
  equations_.set(x);
  equations_.remember(true, -1);
}

Outcome Consistency::accelerate(State& x) {
  if (!solver_) {
    solver_ = make_linear_solver("auto", equations_, equations_.forces_read_multipliers());
    if (Outcome analysed = solver_->analyze(equations_); !analysed) {
      solver_.reset();
      return analysed;
    }
  }
  return find_accelerations(equations_, *solver_, x);
}

// Equations.

Eigen::VectorXd Consistency::residual(const State& x) {
  const Dimensions& n = equations_.dimensions();
  Eigen::VectorXd out(constraint_rows() + static_cast<Eigen::Index>(conditions_.size()));
  equations_.set(x);
  Eigen::Index row = 0;
  if (has_positions()) {
    out.head(n.lambda) = row_scales_.head(n.lambda).cwiseProduct(equations_.g());
    row += n.lambda;
  }
  if (has_velocities()) {
    out.segment(row, n.constraints()) = row_scales_.cwiseProduct(equations_.velocity_residual());
    row += n.constraints();
  }
  for (const StartCondition* condition : conditions_)
    out[row++] = violation(*condition, x) * (is_angle(condition->unit) ? length_ : 1.0);
  return out;
}

Eigen::MatrixXd Consistency::jacobian(const State& x) {
  const Dimensions& n = equations_.dimensions();
  Eigen::MatrixXd J =
      Eigen::MatrixXd::Zero(constraint_rows() + static_cast<Eigen::Index>(conditions_.size()), unknowns());
  equations_.set(x);
  const Eigen::VectorXd inverse = velocity_scales_.cwiseInverse();
  if (has_positions())
    J.topLeftCorner(n.lambda, n.v) =
        row_scales_.head(n.lambda).asDiagonal() * equations_.C().dense() * inverse.asDiagonal();
  if (has_velocities())
    J.block(has_positions() ? n.lambda : 0, has_positions() ? n.v : 0, n.constraints(), n.v) =
        row_scales_.asDiagonal() * equations_.G().dense() * inverse.asDiagonal();
  if (level_ == StartLevel::all) add_velocity_rows_by_position(x, J);
  add_conditions(x, J);
  return J;
}

Eigen::MatrixXd Consistency::scaled_jacobian(const State& x) {
  Eigen::MatrixXd J = jacobian(x);
  for (Eigen::Index i = constraint_rows(); i < J.rows(); ++i) {
    const double size = J.row(i).norm();
    if (size > 0) J.row(i) /= size;
  }
  return J;
}

void Consistency::add_velocity_rows_by_position(const State& x, Eigen::MatrixXd& J) {
  const Dimensions& n = equations_.dimensions();
  const double step = difference_step * length_;
  const auto rows_at = [&](int i, double by) {
    equations_.set(moved(x, by * Eigen::VectorXd::Unit(unknowns(), i)));
    return Eigen::VectorXd(row_scales_.cwiseProduct(equations_.velocity_residual()));
  };
  for (int i = 0; i < n.v; ++i)
    J.block(n.lambda, i, n.constraints(), 1) = (rows_at(i, step) - rows_at(i, -step)) / (2 * step);
}

void Consistency::add_conditions(const State& x, Eigen::MatrixXd& J) {
  if (conditions_.empty()) return;
  const Dimensions& n = equations_.dimensions();
  for (int i = 0; i < unknowns(); ++i) {
    const bool is_position = has_positions() && i < n.v;
    const int among_velocities = has_positions() ? i - n.v : i;
    double size = length_;
    if (!is_position)
      size = among_velocities < n.v ? std::abs(x.v[among_velocities] * velocity_scales_[among_velocities])
                                    : std::abs(x.r[among_velocities - n.v]);
    const double step = difference_step * std::max(length_, size);
    const State up = moved(x, step * Eigen::VectorXd::Unit(unknowns(), i));
    const State down = moved(x, -step * Eigen::VectorXd::Unit(unknowns(), i));
    for (std::size_t k = 0; k < conditions_.size(); ++k) {
      const StartCondition& condition = *conditions_[k];
      double difference = violation(condition, up) - violation(condition, down);
      if (condition.period > 0) difference = std::remainder(difference, condition.period);
      J(constraint_rows() + static_cast<Eigen::Index>(k), i) =
          difference / (2 * step) * (is_angle(condition.unit) ? length_ : 1.0);
    }
  }
}

State Consistency::moved(const State& x, const Eigen::VectorXd& y) {
  const Dimensions& n = equations_.dimensions();
  State out = x;
  if (has_positions()) {
    equations_.set(x);
    equations_.position_step(y.head(n.v).cwiseQuotient(velocity_scales_), out.p);
    equations_.normalise(x.p, out.p);
    if (x.s.size() > 0) {
      equations_.set(out);
      equations_.solve_contacts();
      out.s = equations_.solved_contacts();
    }
  }
  if (has_velocities()) {
    const auto rest = y.tail(n.v + n.r);
    out.v += rest.head(n.v).cwiseQuotient(velocity_scales_);
    out.r += rest.tail(n.r);
  }
  return out;
}

// Solutions.

bool Consistency::constraints_hold(const State& x) {
  const double size = has_velocities() ? speed_size(x) : position_size(x);
  return residual(x).head(constraint_rows()).lpNorm<Eigen::Infinity>() <= constraint_accuracy * size;
}

bool Consistency::holds(const StartCondition& condition, const State& x) {
  const double unit_size = is_length(condition.unit) ? length_ : 1.0;
  return std::abs(violation(condition, x)) <= condition_accuracy * std::max(unit_size, std::abs(condition.value));
}

bool Consistency::holds(const State& x) {
  return constraints_hold(x) && std::all_of(conditions_.begin(), conditions_.end(),
                                            [&](const StartCondition* condition) { return holds(*condition, x); });
}

Eigen::VectorXd Consistency::weights(bool with_constraints) const {
  Eigen::VectorXd out(constraint_rows() + static_cast<Eigen::Index>(conditions_.size()));
  out.head(constraint_rows()).setConstant(with_constraints ? 1.0 : 0.0);
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    out[constraint_rows() + static_cast<Eigen::Index>(k)] = conditions_[k]->is_guess ? guess_weight : 1.0;
  return out;
}

class Consistency::Problem final : public LeastSquaresProblem {
 public:
  Problem(Consistency& owner, bool with_constraints, State& x)
      : owner_(owner), weights_(owner.weights(with_constraints)), x_(x), trial_(x), at_(&x_) {}
  Eigen::VectorXd residual() override { return owner_.residual(*at_).cwiseProduct(weights_); }
  Eigen::MatrixXd jacobian() override { return weights_.asDiagonal() * owner_.jacobian(x_); }
  bool is_solved() override { return owner_.holds(x_); }
  void try_step(const Eigen::VectorXd& step) override {
    trial_ = owner_.moved(x_, step);
    at_ = &trial_;
  }
  void keep() override {
    std::swap(x_, trial_);
    at_ = &x_;
  }
  void go_back() override { at_ = &x_; }

 private:
  Consistency& owner_;
  Eigen::VectorXd weights_;
  State &x_, trial_;
  const State* at_;
};

void Consistency::minimise_violation(State& x, bool with_constraints) {
  Problem problem(*this, with_constraints, x);
  minimise(problem, Eigen::VectorXd::Ones(unknowns()));
}

void Consistency::refine(State& x) {
  constexpr int most_iterations = 8;
  const auto size_of = [&](const Eigen::VectorXd& F) { return F.size() == 0 ? 0.0 : F.lpNorm<Eigen::Infinity>(); };
  Eigen::VectorXd F = residual(x);
  for (int i = 0; i < most_iterations && size_of(F) > 0 && unknowns() > 0; ++i) {
    const State trial = moved(x, -OrthogonalFactors(jacobian(x), negligible_pivot).solve(F));
    const Eigen::VectorXd F_trial = residual(trial);
    if (!(size_of(F_trial) < size_of(F))) return;
    const bool is_exhausted = size_of(F_trial) > 0.5 * size_of(F);
    x = trial;
    F = F_trial;
    if (is_exhausted) return;
  }
}

State Consistency::disturbed(const State& x, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd y(unknowns());
  for (double& entry : y) entry = size * length_ * normal(random);
  return moved(x, y);
}

bool Consistency::solve(State& x, unsigned attempts) {
  constexpr double disturbance = 0.3;
  if (unknowns() == 0) return holds(x);
  State best = x;
  double least = -1;
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    State trial = x;
    try {
      if (attempt > 0) trial = disturbed(x, disturbance, attempt);
      minimise_violation(trial, true);
      refine(trial);
      if (holds(trial)) {
        x = trial;
        return true;
      }
      const Eigen::VectorXd F = residual(trial);
      if (least < 0 || F.norm() < (1 - 1e-6) * least) {
        least = F.norm();
        best = trial;
      }
    } catch (const RecoverableFailure&) {  // elements can't be evaluated there
      if (attempt + 1 == attempts && least < 0) throw;
    }
  }
  x = best;
  return false;
}

bool Consistency::take_nearest_turns(const State& near, State& x) {
  const State given = x;
  const Eigen::VectorXd nearest = near.p + difference_without_turns(equations_, near.p, given.p);
  const auto is_turned = [&](int i) { return std::abs(nearest[i] - given.p[i]) >= std::numbers::pi; };
  x.p = nearest;
  bool taken = false;
  for (int i = 0; i < x.p.size(); ++i) taken = taken || is_turned(i);
  if (holds(x)) return taken;
  x = given;  // turns that hang together stay, others need not
  taken = false;
  for (int i = 0; i < x.p.size(); ++i) {
    if (!is_turned(i)) continue;
    x.p[i] = nearest[i];
    if (holds(x))
      taken = true;
    else
      x.p[i] = given.p[i];
  }
  return taken;
}

Eigen::VectorXd Consistency::change(const State& x) const {
  const Dimensions& n = equations_.dimensions();
  const Eigen::Index np = has_positions() ? n.p : 0, nv = has_velocities() ? n.v : 0, nr = has_velocities() ? n.r : 0;
  Eigen::VectorXd out(np + nv + nr);
  if (np > 0) {
    Eigen::VectorXd p = x.p;
    equations_.normalise(guess_.p, p);
    out.head(np) = (p - guess_.p).cwiseProduct(position_weights_);
  }
  if (nv > 0) out.segment(np, nv) = (x.v - guess_.v).cwiseProduct(velocity_scales_);
  if (nr > 0) out.tail(nr) = x.r - guess_.r;
  return out;
}

Eigen::MatrixXd Consistency::change_by_unknowns(const State& x) {
  const Dimensions& n = equations_.dimensions();
  const Eigen::Index np = has_positions() ? n.p : 0, rest = unknowns() - (has_positions() ? n.v : 0);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(np + rest, unknowns());
  if (has_positions()) {
    State nearest = x;
    equations_.normalise(guess_.p, nearest.p);  // q and -q are one attitude
    equations_.set(nearest);
    Eigen::VectorXd along;
    for (int i = 0; i < n.v; ++i) {
      equations_.multiply_Z(Eigen::VectorXd::Unit(n.v, i) / velocity_scales_[i], along);
      out.col(i).head(np) = along.cwiseProduct(position_weights_);
    }
  }
  out.bottomRightCorner(rest, rest).setIdentity();
  return out;
}

Eigen::VectorXd Consistency::distance(const State& x) {
  if (!bodies_) return change(x);
  equations_.set(x);
  const Eigen::VectorXd positions = has_positions() ? bodies_->position_change(near_) : Eigen::VectorXd();
  const Eigen::VectorXd velocities = has_velocities() ? bodies_->velocity_change(near_) : Eigen::VectorXd();
  const Eigen::VectorXd states = has_velocities() ? Eigen::VectorXd(x.r - guess_.r) : Eigen::VectorXd();
  Eigen::VectorXd out(positions.size() + velocities.size() + states.size());
  out << positions, velocities, states;
  return out;
}

/// What moving the positions does to the kinetic energy of a change of velocities is left out: those are looked for
/// after these.
Eigen::MatrixXd Consistency::distance_by_unknowns(const State& x) {
  if (!bodies_) return change_by_unknowns(x);
  equations_.set(x);
  const Dimensions& n = equations_.dimensions();
  const Eigen::VectorXd tangent = velocity_scales_.cwiseInverse();
  Eigen::MatrixXd positions, velocities;
  if (has_positions()) positions = bodies_->position_derivative(near_) * tangent.asDiagonal();
  if (has_velocities()) velocities = bodies_->velocity_derivative() * tangent.asDiagonal();
  const Eigen::Index states = has_velocities() ? n.r : 0;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(positions.rows() + velocities.rows() + states, unknowns());
  out.topLeftCorner(positions.rows(), positions.cols()) = positions;
  out.block(positions.rows(), positions.cols(), velocities.rows(), velocities.cols()) = velocities;
  out.bottomRightCorner(states, states).setIdentity();
  return out;
}

void Consistency::approach_guess(State& x) {
  slide_to_guess(x);
  if (!has_positions()) return;
  State nearer = x;  // a slide may end a turn away, too
  if (!take_nearest_turns(guess_, nearer)) return;
  slide_to_guess(nearer);
  if (distance(nearer).norm() < distance(x).norm()) x = nearer;
}

void Consistency::slide_to_guess(State& x) {
  constexpr int most_iterations = 50;
  constexpr double arrived = 1e-9;  // of the length, or of the distance that is left
  const double longest = 0.3 * length_, nothing = (has_positions() ? arrived : 1e-12) * length_;  // [m], [m/s]
  double left = distance(x).norm();
  for (int i = 0; i < most_iterations && left > nothing; ++i) {
    const Eigen::MatrixXd J = jacobian(x), D = distance_by_unknowns(x);
    Eigen::MatrixXd N = Eigen::MatrixXd::Identity(J.cols(), J.cols());
    if (J.size() > 0) {  // there is no decomposition of nothing
      PivotedQr rows(J.transpose());
      rows.set_threshold(negligible_pivot);
      N = rows.Q_times(N.rightCols(J.cols() - rows.rank()));
    }
    if (N.cols() == 0) return;
    Eigen::VectorXd step = -N * OrthogonalFactors(D * N).solve(distance(x));
    if (step.norm() > longest && level_ != StartLevel::velocities) step *= longest / step.norm();
    const double change = (D * step).norm();
    if (!shorten_change(x, left, step, distance(x).dot(D * step)) || change <= std::max(nothing, arrived * left))
      return;
  }
}

/// Goes along a step at whose beginning half the square of the distance has a slope, to where a parabola is least: far
/// from the guess the curvature of the solutions makes the step of linear least squares too long.
bool Consistency::shorten_change(State& x, double& left, Eigen::VectorXd& step, double slope) {
  constexpr int most_trials = 12;
  constexpr double rounding = 1e-13, shortest = 0.01, near_enough = 0.7;
  const State start = x;
  const double from = left;
  bool improved = false;
  for (int k = 0; k < most_trials; ++k) {
    State trial = moved(start, step);
    refine(trial);
    double part = 0.5;
    if (holds(trial)) {
      const double reached = distance(trial).norm();
      if (reached < (improved ? left : (1 + rounding) * from)) {
        x = trial;
        left = reached;
        improved = true;
      }
      const double bend = 0.5 * (reached - from) * (reached + from) - slope;
      part = bend > 0 ? std::max(shortest, -0.5 * slope / bend) : 1.0;
      if (improved && part >= near_enough) break;
      part = std::min(part, near_enough);
    } else if (improved) {
      break;
    }
    step *= part;
    slope *= part;
  }
  return improved;
}

// Explanations.

std::vector<int> Consistency::rows_in_balance(const Eigen::VectorXd& balance) const {
  constexpr double share = 1e-3;
  std::vector<int> out;
  if (balance.size() == 0) return out;
  const double least = share * balance.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < balance.size(); ++i)
    if (std::abs(balance[i]) >= least && balance[i] != 0) out.push_back(i);
  return out;
}

std::string Consistency::named(const std::vector<int>& rows, const StartCondition* without) const {
  const int position_rows = has_positions() ? equations_.dimensions().lambda : 0;
  std::vector<std::string> elements, conditions;
  const auto add = [](std::vector<std::string>& to, std::string text) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(std::move(text));
  };
  for (const int row : rows) {
    if (row < constraint_rows()) {
      for (const std::string& element : equations_.elements_of_row(row < position_rows ? row : row - position_rows))
        add(elements, element);
    } else if (const StartCondition* condition = conditions_[at(row - constraint_rows())]; condition != without) {
      add(conditions, condition->text());
    }
  }
  const std::string constraints = elements.empty() ? "" : concat("the constraints of ", listed(elements));
  if (conditions.empty()) return constraints;
  return concat(constraints, elements.empty() ? "" : " and ", conditions.size() == 1 ? "condition " : "conditions ",
                listed(conditions));
}

std::string Consistency::why_unclosed(const State& x) {
  const Eigen::VectorXd F = residual(x);
  Eigen::Index worst = 0;
  F.head(constraint_rows()).cwiseAbs().maxCoeff(&worst);
  const bool is_position = has_positions() && worst < equations_.dimensions().lambda;
  const int row = static_cast<int>(worst) - (has_positions() && !is_position ? equations_.dimensions().lambda : 0);
  equations_.set(x);
  // Rows that hold each other pull at the unknowns; that which is worst is one of them, also where it pulls at nothing.
  std::vector<int> holding = rows_in_balance(F.cwiseProduct(jacobian(x).rowwise().norm()));
  if (std::find(holding.begin(), holding.end(), worst) == holding.end()) holding.push_back(static_cast<int>(worst));
  std::sort(holding.begin(), holding.end());
  const std::string text =
      concat(named(holding, nullptr), " can't be satisfied together near the initial values: at best ");
  if (is_position)
    return concat(text, equations_.constraint_name(row), " is off by ",
                  residual_text(equations_, row, equations_.g()[row]),
                  "; check lengths and frames of their bodies, or give initial values that are nearer.");
  return concat(text, "the rate of ", equations_.constraint_name(row), " is off by ",
                rate_text(equations_, row, equations_.velocity_residual()[row]),
                "; check their drives, or start from other positions.");
}

}  // namespace linkwork
