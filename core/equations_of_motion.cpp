#include <linkwork/core/equations_of_motion.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/small_system.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

void check_size(const char* what, Eigen::Index got, int expected) {
  if (got != expected)
    throw ModelError(concat("EquationsOfMotion: ", what, " has ", got, " entries; this system has ", expected, "."));
}

/// What a function of the subclass returned: entries are written, not resized.
void check_returned(const EquationsOfMotion& equations, const char* function, Eigen::Index got, int expected) {
  if (got != expected)
    throw ModelError(concat("model '", equations.model_name(), "': ", function, " left ", got,
                            " entries; this system has ", expected,
                            ". Write the entries, and leave the size as it is."));
}

/// One sum over the vector: cheap, and not finite if any entry is not.
bool all_finite(const double* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * 0.0;
  return sum == 0.0;
}

/// x with residual_at(x) = 0, from what it is, by Newton's method with differences on all of it.
/// @param equations  () -> their name, for the message
template <class Residual, class Name>
void solve_whole(Eigen::VectorXd& x, const Residual& residual_at, const Name& equations, double t) {
  Eigen::VectorXd trial = x;
  const auto residual = [&](const double* values, double* out) {
    trial = Eigen::VectorXd::Map(values, x.size());
    Eigen::VectorXd::Map(out, x.size()) = residual_at(trial);
  };
  detail::SmallNewton newton;
  const Outcome outcome = newton.solve(
      static_cast<int>(x.size()), x.data(), [](int) { return 1.0; }, residual);
  if (!outcome)
    throw RecoverableFailure(concat(equations(), " have no solution at t = ", t, " s: ", outcome.reason(), "."));
}

}  // namespace

enum class EquationsOfMotion::Quantity : unsigned {
  position_work,
  velocity_work,
  w,
  M,
  G,
  C,
  g,
  c,
  velocity_residual,
  velocity_tree,
  position_tree,
  f,
  F,
  gamma,
  r_rate,
  d,
  tree_forces,
  invariants,
  invariant_jacobian
};

namespace {

/// Parts of the current point. A position, with its time and contact coordinates, makes everything stale.
enum Part : unsigned {
  on_velocity = 1,
  on_states = 2,
  on_auxiliary = 4,
  on_multipliers = 8,
  on_multipliers_in_forces = 16,  // where forces read multipliers
  on_applied_force = 32,
  on_velocity_in_rows = 64  // where rows read velocities
};

enum class Work { none, position, velocity, auxiliary };

struct Dependence {
  Work needs;          ///< shared work that is up to date before
  unsigned parts = 0;  ///< what makes the quantity stale beside the position
};

constexpr unsigned as_forces = on_velocity | on_states | on_auxiliary | on_multipliers_in_forces;
constexpr unsigned as_rates = on_velocity | on_states | on_auxiliary | on_multipliers;

/// Row k is of quantity k.
constexpr std::array dependences = {
    Dependence{Work::none},                                     // position_work
    Dependence{Work::position, on_velocity},                    // velocity_work
    Dependence{Work::velocity, as_forces},                      // w
    Dependence{Work::position},                                 // M
    Dependence{Work::position, on_velocity_in_rows},            // G
    Dependence{Work::position},                                 // C
    Dependence{Work::position},                                 // g
    Dependence{Work::position},                                 // c
    Dependence{Work::position, on_velocity},                    // velocity_residual
    Dependence{Work::position, on_velocity_in_rows},            // velocity_tree
    Dependence{Work::position},                                 // position_tree
    Dependence{Work::auxiliary, as_forces | on_applied_force},  // f
    Dependence{Work::velocity, as_forces},                      // F
    Dependence{Work::velocity, on_velocity},                    // gamma
    Dependence{Work::auxiliary, as_rates},                      // r_rate
    Dependence{Work::velocity, as_rates},                       // d
    Dependence{Work::auxiliary, as_forces},                     // tree_forces
    Dependence{Work::velocity, on_velocity},                    // invariants
    Dependence{Work::velocity, on_velocity},                    // invariant_jacobian
};

/// Whether all that makes shared work stale makes what needs it stale, too. What depends on multipliers does so whether
/// forces read them or not.
constexpr bool quantities_follow_their_work() {
  for (const Dependence& each : dependences) {
    const unsigned parts = each.parts | ((each.parts & on_multipliers) != 0 ? unsigned{on_multipliers_in_forces} : 0u);
    const unsigned of_work = each.needs == Work::auxiliary  ? as_forces
                             : each.needs == Work::velocity ? unsigned{on_velocity}
                                                            : 0u;
    if ((of_work & ~parts) != 0) return false;
  }
  return true;
}
static_assert(quantities_follow_their_work());

/// The flags of all quantities that depend on a part.
template <unsigned part>
constexpr unsigned stale_after = [] {
  unsigned out = 0;
  for (std::size_t k = 0; k < dependences.size(); ++k)
    if ((dependences[k].parts & part) != 0) out |= 1u << k;
  return out;
}();

}  // namespace

template <class Compute>
inline void EquationsOfMotion::renew(Quantity quantity, const Compute& compute) {
  static_assert(dependences.size() == static_cast<std::size_t>(Quantity::invariant_jacobian) + 1);
  if (!is_stale(quantity)) return;  // whatever makes the work below it stale makes it stale, too
  switch (dependences[static_cast<std::size_t>(quantity)].needs) {
    case Work::auxiliary:
      need_auxiliary();
      break;
    case Work::velocity:
      need_velocity();
      break;
    case Work::position:
      need_position();
      break;
    case Work::none:
      break;
  }
  compute();
  mark_fresh(quantity);
}

EquationsOfMotion::EquationsOfMotion(const Dimensions& dimensions) { set_dimensions(dimensions); }

void EquationsOfMotion::set_dimensions(const Dimensions& dimensions) {
  dimensions_ = dimensions;
  mass_known_ = false;
  const int rows = dimensions.constraints();
  p_ = Eigen::VectorXd::Zero(dimensions.p);
  v_ = a_ = Eigen::VectorXd::Zero(dimensions.v);
  r_ = Eigen::VectorXd::Zero(dimensions.r);
  w_ = d_ = Eigen::VectorXd::Zero(dimensions.w);
  s_ = c_ = Eigen::VectorXd::Zero(dimensions.s);
  lambda_ = Eigen::VectorXd::Zero(rows);
  offset_ = gamma_ = velocity_residual_ = Eigen::VectorXd::Zero(rows);
  g_ = Eigen::VectorXd::Zero(dimensions.lambda);
  f_ = applied_force_ = Eigen::VectorXd::Zero(dimensions.v);
  r_rate_ = Eigen::VectorXd::Zero(dimensions.r);
  M_ = BlockMatrix(dimensions.v, dimensions.v);
  G_ = BlockMatrix(rows, dimensions.v);
  C_ = BlockMatrix(dimensions.lambda, dimensions.v);
  F_ = BlockMatrix(dimensions.v, rows);
  invariants_ = e_ = invariant_jacobian_.t = Eigen::VectorXd::Zero(dimensions.e);
  levels_ = given_levels_ = Eigen::VectorXd::Constant(dimensions.e, std::numeric_limits<double>::quiet_NaN());
  invariant_jacobian_.p = invariant_jacobian_.v = Eigen::MatrixXd::Zero(dimensions.e, dimensions.v);
  stale_ = ~0u;
  stale_after_velocity_ = stale_after<on_velocity> | (rows_read_velocity() ? stale_after<on_velocity_in_rows> : 0u);
}

void EquationsOfMotion::set_eliminated(int w, int s) {
  w_ = Eigen::VectorXd::Zero(w);
  s_ = Eigen::VectorXd::Zero(s);
}

void EquationsOfMotion::set_position(double t, const Eigen::VectorXd& p) {
  check_size("p", p.size(), dimensions_.p);
  t_ = t;
  p_ = p;
  stale_ = ~0u;
  auxiliary_given_ = contacts_given_ = false;
}
void EquationsOfMotion::set_velocity(const Eigen::VectorXd& v) {
  check_size("v", v.size(), dimensions_.v);
  v_ = v;
  stale_ |= stale_after_velocity_;
  auxiliary_given_ = false;
}
void EquationsOfMotion::set_states(const Eigen::VectorXd& r) {
  check_size("r", r.size(), dimensions_.r);
  r_ = r;
  stale_ |= stale_after<on_states>;
  auxiliary_given_ = false;
}
void EquationsOfMotion::set_auxiliary(const Eigen::VectorXd& w) {
  check_size("w", w.size(), static_cast<int>(w_.size()));
  w_ = w;
  stale_ |= stale_after<on_auxiliary>;
  auxiliary_given_ = true;
}
void EquationsOfMotion::set_contacts(const Eigen::VectorXd& s) {
  check_size("s", s.size(), static_cast<int>(s_.size()));
  s_ = s;
  stale_ = ~0u;
  contacts_given_ = true;
}
void EquationsOfMotion::set_multipliers(const Eigen::VectorXd& lambda) {
  check_size("lambda", lambda.size(), dimensions_.constraints());
  lambda_ = lambda;
  if (forces_read_multipliers()) stale_ |= stale_after<on_multipliers_in_forces>;
  stale_ |= stale_after<on_multipliers>;
  auxiliary_given_ = false;
}
void EquationsOfMotion::set_applied_force(const Eigen::VectorXd& force) {
  check_size("the applied force", force.size(), dimensions_.v);
  applied_force_ = force;
  stale_ |= stale_after<on_applied_force>;
}
void EquationsOfMotion::set(const State& state) {
  set_position(state.t, state.p);
  set_velocity(state.v);
  set_states(state.r);
  set_multipliers(state.lambda);
  if (dimensions_.w > 0 || state.w.size() > 0) set_auxiliary(state.w);
  if (dimensions_.s > 0 || state.s.size() > 0) set_contacts(state.s);
  if (state.a.size() == dimensions_.v)
    a_ = state.a;
  else
    a_.setZero();
}

void EquationsOfMotion::need_position() {
  renew(Quantity::position_work, [this] { do_position(); });
}
void EquationsOfMotion::need_velocity() {
  renew(Quantity::velocity_work, [this] { do_velocity(); });
}
void EquationsOfMotion::need_auxiliary() {
  renew(Quantity::w, [this] {
    if (w_.size() <= dimensions_.w) return;
    ++counters_.auxiliary;
    if (!auxiliary_given_) do_start_auxiliary(w_);
    do_solve_auxiliary(w_);
  });
}
void EquationsOfMotion::solve_contacts_here() {
  ++counters_.auxiliary;
  if (!contacts_given_) do_start_contacts(s_);
  do_solve_contacts(s_);
}
void EquationsOfMotion::solve_auxiliary() {
  need_auxiliary();
  if (dimensions_.w == 0) return;
  Eigen::VectorXd w = w_;
  do_solve_auxiliary(w);
  set_auxiliary(w);
}
void EquationsOfMotion::solve_contacts() {
  need_position();
  if (dimensions_.s == 0) return;
  Eigen::VectorXd s = s_;
  do_solve_contacts(s);
  set_contacts(s);
}
void EquationsOfMotion::do_solve_auxiliary(Eigen::VectorXd& w) {
  const auto d_at = [this](const Eigen::VectorXd& x) -> const Eigen::VectorXd& {
    set_auxiliary(x);
    return d();
  };
  solve_whole(
      w, d_at, [this] { return concat("model '", model_name(), "': the auxiliary equations 0 = d"); }, t_);
}
void EquationsOfMotion::do_solve_contacts(Eigen::VectorXd& s) {
  const auto c_at = [this](const Eigen::VectorXd& x) -> const Eigen::VectorXd& {
    set_contacts(x);
    return c();
  };
  solve_whole(
      s, c_at, [this] { return concat("model '", model_name(), "': the contact equations 0 = c"); }, t_);
}
const Eigen::VectorXd& EquationsOfMotion::solved_auxiliary() {
  need_auxiliary();
  return w_;
}
const Eigen::VectorXd& EquationsOfMotion::solved_contacts() {
  need_position();
  return s_;
}

void EquationsOfMotion::check_finite(const Eigen::VectorXd& values, const char* what, bool by_velocity) const {
  if (all_finite(values.data(), static_cast<std::size_t>(values.size()))) return;
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  const int index = static_cast<int>(bad - values.begin());
  throw NonFiniteValue(concat("model '", model_name(), "': ", what, " is not finite at t = ", t_,
                              " s, in the entry of ", by_velocity ? velocity_name(index) : constraint_name(index),
                              "; check the elements that act there."));
}
void EquationsOfMotion::check_finite(const BlockMatrix& matrix, const char* what, bool by_velocity) const {
  if (all_finite(matrix.data(), matrix.size())) return;
  for (const BlockMatrix::Block& block : matrix.blocks()) {
    if (all_finite(matrix.data() + block.offset, static_cast<std::size_t>(block.height * block.width))) continue;
    throw NonFiniteValue(concat(
        "model '", model_name(), "': ", what, " is not finite at t = ", t_, " s, in the rows of ",
        by_velocity ? velocity_name(block.row) : constraint_name(block.row), "; check the elements that act there."));
  }
}

void EquationsOfMotion::check_finite(const Eigen::VectorXd& values, const char* what,
                                     std::string (EquationsOfMotion::*name)(int) const) const {
  const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (bad == values.end()) return;
  throw NonFiniteValue(concat("model '", model_name(), "': ", what, " ",
                              (this->*name)(static_cast<int>(bad - values.begin())), " is not finite at t = ", t_,
                              " s; check its element."));
}

const BlockMatrix& EquationsOfMotion::M() {
  if (mass_known_ && mass_is_constant()) return M_;
  renew(Quantity::M, [this] {
    do_M(M_);
    check_finite(M_, "the mass matrix", true);
    mass_known_ = true;
  });
  return M_;
}
const BlockMatrix& EquationsOfMotion::G() {
  renew(Quantity::G, [this] {
    if (is_stale(Quantity::velocity_tree)) ++counters_.matrix;
    if (rows_read_velocity()) need_velocity();
    do_G(G_, offset_);
    check_returned(*this, "do_G (the offset)", offset_.size(), dimensions_.constraints());
    check_finite(offset_, "the velocity offset", false);
    check_finite(G_, "the constraint matrix", false);
  });
  return G_;
}
const Eigen::VectorXd& EquationsOfMotion::velocity_offset() {
  G();
  return offset_;
}
const BlockMatrix& EquationsOfMotion::C() {
  renew(Quantity::C, [this] {
    if (is_stale(Quantity::position_tree)) ++counters_.position_matrix;
    do_C(C_);
    check_finite(C_, "the matrix of the position rows", false);
  });
  return C_;
}
const Eigen::VectorXd& EquationsOfMotion::g() {
  renew(Quantity::g, [this] {
    ++counters_.residual;
    do_g(g_);
    check_returned(*this, "do_g", g_.size(), dimensions_.lambda);
    check_finite(g_, "the position residual", false);
  });
  return g_;
}
const Eigen::VectorXd& EquationsOfMotion::f() {
  renew(Quantity::f, [this] {
    const bool counted = !is_stale(Quantity::tree_forces);  // with the joint tree; do_f may count that itself
    const std::int64_t before = counters_.force;
    do_f(f_);
    check_returned(*this, "do_f", f_.size(), dimensions_.v);
    if (!counted && counters_.force == before) ++counters_.force;
    f_ += applied_force_;
    check_finite(f_, "the generalised force", true);
  });
  return f_;
}
const Eigen::VectorXd& EquationsOfMotion::velocity_residual() {
  renew(Quantity::velocity_residual, [this] {
    do_velocity_residual(velocity_residual_);
    check_returned(*this, "do_velocity_residual", velocity_residual_.size(), dimensions_.constraints());
    check_finite(velocity_residual_, "the velocity residual", false);
  });
  return velocity_residual_;
}
void EquationsOfMotion::multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  check_size("the factor of M", x.size(), dimensions_.v);
  need_position();
  y.resize(dimensions_.v);
  do_multiply_mass(x, y);
}
void EquationsOfMotion::dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda,
                                         Eigen::VectorXd& residual) {
  check_size("a", a.size(), dimensions_.v);
  check_size("lambda", lambda.size(), dimensions_.constraints());
  need_velocity();
  residual.resize(dimensions_.v);
  do_dynamic_residual(a, lambda, residual);
}
void EquationsOfMotion::update_joint_tree(RowKind kind) {
  renew(kind == RowKind::velocity ? Quantity::velocity_tree : Quantity::position_tree, [this, kind] {
    // The same evaluation as that of G (or C), where that was asked for already.
    const bool counted = !is_stale(kind == RowKind::velocity ? Quantity::G : Quantity::C);
    std::int64_t& count = kind == RowKind::velocity ? counters_.matrix : counters_.position_matrix;
    const std::int64_t before = count;
    do_joint_tree(kind);
    if (!counted && count == before) ++count;
  });
}
void EquationsOfMotion::update_joint_tree_forces() {
  renew(Quantity::tree_forces, [this] {
    if (is_stale(Quantity::f)) ++counters_.force;
    do_joint_tree_forces();
  });
}
const Eigen::VectorXd& EquationsOfMotion::gamma() {
  renew(Quantity::gamma, [this] {
    do_gamma(gamma_);
    check_returned(*this, "do_gamma", gamma_.size(), dimensions_.constraints());
    check_finite(gamma_, "the acceleration term gamma", false);
  });
  return gamma_;
}
const Eigen::VectorXd& EquationsOfMotion::r_rate() {
  if (dimensions_.r == 0) return r_rate_;
  renew(Quantity::r_rate, [this] {
    ++counters_.state_rate;
    do_r_rate(r_rate_);
    check_returned(*this, "do_r_rate", r_rate_.size(), dimensions_.r);
    check_finite(r_rate_, "the rate of state", &EquationsOfMotion::state_name);
  });
  return r_rate_;
}
const Eigen::VectorXd& EquationsOfMotion::d() {
  if (dimensions_.w == 0) return d_;
  renew(Quantity::d, [this] {
    ++counters_.auxiliary;
    do_d(d_);
    check_returned(*this, "do_d", d_.size(), dimensions_.w);
    check_finite(d_, "the equation of auxiliary variable", &EquationsOfMotion::auxiliary_name);
  });
  return d_;
}
const Eigen::VectorXd& EquationsOfMotion::c() {
  if (dimensions_.s == 0) return c_;
  renew(Quantity::c, [this] {
    ++counters_.auxiliary;
    do_c(c_);
    check_returned(*this, "do_c", c_.size(), dimensions_.s);
    check_finite(c_, "the equation of contact coordinate", &EquationsOfMotion::contact_name);
  });
  return c_;
}
const Eigen::VectorXd& EquationsOfMotion::invariants() {
  if (dimensions_.e == 0) return invariants_;
  renew(Quantity::invariants, [this] {
    ++counters_.invariant;
    do_invariants(invariants_);
    check_returned(*this, "do_invariants", invariants_.size(), dimensions_.e);
    check_finite(invariants_, "the invariant", &EquationsOfMotion::invariant_name);
  });
  return invariants_;
}
const Eigen::VectorXd& EquationsOfMotion::e() {
  e_ = invariants() - levels_;
  for (int i = 0; i < dimensions_.e; ++i)
    if (!std::isfinite(e_[i]))
      throw ModelError(concat("model '", model_name(), "': invariant '", invariant_name(i),
                              "' has no level yet; call hold_invariants at a consistent state, or give its level."));
  return e_;
}
const InvariantJacobian& EquationsOfMotion::invariant_jacobian() {
  if (dimensions_.e == 0) return invariant_jacobian_;
  renew(Quantity::invariant_jacobian, [this] {
    do_invariant_jacobian(invariant_jacobian_);
    if (!(invariant_jacobian_.p.allFinite() && invariant_jacobian_.v.allFinite() && invariant_jacobian_.t.allFinite()))
      throw NonFiniteValue(concat("model '", model_name(),
                                  "': the derivatives of the invariants are not finite at t = ", t_,
                                  " s; check their functions."));
  });
  return invariant_jacobian_;
}
void EquationsOfMotion::do_invariant_jacobian(InvariantJacobian& jacobian) {
  constexpr double relative_step = 6e-6;  // cube root of the rounding: where errors of central differences are least
  const double t = t_;
  const Eigen::VectorXd p = p_, v = v_, s = s_, w = w_;
  const bool w_was_given = auxiliary_given_, s_was_given = contacts_given_;
  const auto move_to = [&](double time, const Eigen::VectorXd& position) {
    set_position(time, position);
    if (dimensions_.s == 0) return;
    set_contacts(s);
    solve_contacts();
  };
  Eigen::VectorXd ahead, moved = v, unit = Eigen::VectorXd::Zero(dimensions_.v), direction;
  for (int j = 0; j < dimensions_.v; ++j) {
    const double step = relative_step * std::max(1.0, std::abs(v[j]));
    moved[j] = v[j] + step;
    set_velocity(moved);
    ahead = invariants();
    moved[j] = v[j] - step;
    set_velocity(moved);
    jacobian.v.col(j) = (ahead - invariants()) / (2 * step);
    moved[j] = v[j];
  }
  set_velocity(v);
  for (int j = 0; j < dimensions_.v; ++j) {
    move_to(t, p);
    unit[j] = 1;
    multiply_Z(unit, direction);
    unit[j] = 0;
    const double step = relative_step * std::max(1.0, p.cwiseProduct(direction).cwiseAbs().maxCoeff());
    move_to(t, p + step * direction);
    ahead = invariants();
    move_to(t, p - step * direction);
    jacobian.p.col(j) = (ahead - invariants()) / (2 * step);
  }
  const double step = relative_step * std::max(1.0, std::abs(t));
  move_to(t + step, p);
  ahead = invariants();
  move_to(t - step, p);
  jacobian.t = (ahead - invariants()) / (2 * step);
  set_position(t, p);
  if (dimensions_.s > 0 || s_was_given) set_contacts(s);
  if (dimensions_.w > 0 || w_was_given) set_auxiliary(w);
}
void EquationsOfMotion::hold_invariants() {
  invariants();
  for (int i = 0; i < dimensions_.e; ++i) levels_[i] = std::isnan(given_levels_[i]) ? invariants_[i] : given_levels_[i];
}
void EquationsOfMotion::renew_invariants() { levels_ = invariants(); }
void EquationsOfMotion::release_invariants() { levels_ = given_levels_; }
void EquationsOfMotion::set_invariant_level(int i, double level) {
  if (i < 0 || i >= dimensions_.e)
    throw ModelError(concat("EquationsOfMotion: there is no invariant ", i, "; model '", model_name(), "' has ",
                            dimensions_.e, " invariants, counted from 0."));
  if (!std::isfinite(level))
    throw ModelError(concat("model '", model_name(), "': the level of invariant '", invariant_name(i), "' is ", level,
                            invariant_unit(i).empty() ? "" : " ", invariant_unit(i), "; expected a finite number."));
  levels_[i] = given_levels_[i] = level;
}
void EquationsOfMotion::multiply_Z(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  check_size("the factor of Z", x.size(), dimensions_.v);
  need_position();
  y.setZero(dimensions_.p);
  do_add_position_change(x, y);
}
void EquationsOfMotion::position_rate(Eigen::VectorXd& p_rate) {
  multiply_Z(v_, p_rate);
  do_add_position_drift(1, p_rate);
}
void EquationsOfMotion::add_position_drift(double factor, Eigen::VectorXd& y) {
  check_size("the drift", y.size(), dimensions_.p);
  need_position();
  do_add_position_drift(factor, y);
}
void EquationsOfMotion::position_step(const Eigen::VectorXd& step, Eigen::VectorXd& p_new) {
  check_size("the step", step.size(), dimensions_.v);
  need_position();
  p_new = p_;
  do_add_position_change(step, p_new);
}
Dependencies EquationsOfMotion::dependencies(EquationPart part, Unknown unknown) const {
  const auto rows = [&] {
    switch (part) {
      case EquationPart::position_rate:
        return dimensions_.p;
      case EquationPart::dynamics:
      case EquationPart::constraint_force:
        return dimensions_.v;
      case EquationPart::state_rate:
        return dimensions_.r;
      case EquationPart::auxiliary:
        return dimensions_.w;
      case EquationPart::contact:
        return dimensions_.s;
      case EquationPart::position_constraint:
        return dimensions_.lambda;
      case EquationPart::velocity_constraint:
        break;
    }
    return dimensions_.constraints();
  };
  const auto columns = [&] {
    switch (unknown) {
      case Unknown::p:
        return dimensions_.p;
      case Unknown::v:
      case Unknown::a:
        return dimensions_.v;
      case Unknown::r:
        return dimensions_.r;
      case Unknown::w:
        return dimensions_.w;
      case Unknown::s:
        return dimensions_.s;
      case Unknown::lambda:
        return dimensions_.constraints();
      case Unknown::factor:
        break;
    }
    return part == EquationPart::constraint_force ? dimensions_.lambda : dimensions_.v;
  };
  return {SparsityPattern(rows(), columns()), false};
}
void EquationsOfMotion::offset_input(int i, const InputValue& offset) {
  if (i < 0 || i >= inputs())
    throw ModelError(concat("EquationsOfMotion: there is no input ", i, "; model '", model_name(), "' has ", inputs(),
                            " inputs, counted from 0."));
  do_offset_input(i, offset);
  stale_ = ~0u;
}
const BlockMatrix& EquationsOfMotion::force_jacobian() {
  renew(Quantity::F, [this] {
    ++counters_.force_jacobian;
    do_force_jacobian(F_);
    check_finite(F_, "the derivative of the forces with respect to the multipliers", true);
  });
  return F_;
}

void EquationsOfMotion::do_C(BlockMatrix& C) {
  G();
  if (C.blocks().empty()) {  // the same layout as the holonomic rows of G
    for (const BlockMatrix::Block& block : G_.blocks())
      if (block.row < dimensions_.lambda) {
        const int height = std::min(block.height, dimensions_.lambda - block.row);
        C.add_block(block.row, block.column, height, block.width);
      }
  }
  int to = 0;
  for (std::size_t from = 0; from < G_.blocks().size(); ++from) {
    if (G_.blocks()[from].row >= dimensions_.lambda) continue;
    const BlockMatrix::Block& target = C.blocks()[static_cast<std::size_t>(to)];
    std::copy_n(G_.values(static_cast<int>(from)), target.height * target.width, C.values(to));
    ++to;
  }
}

void EquationsOfMotion::do_velocity_residual(Eigen::VectorXd& residual) {
  residual = velocity_offset();
  G_.multiply_add(1.0, v_, residual);
  residual.tail(dimensions_.servo).setZero();  // whatever their offset is
}
void EquationsOfMotion::do_multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  y.setZero();
  M().multiply_add(1.0, x, y);
}
void EquationsOfMotion::do_dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda,
                                            Eigen::VectorXd& residual) {
  residual = -f();
  M().multiply_add(1.0, a, residual);
  G().transpose_multiply_add(1.0, lambda, residual);
}

void EquationsOfMotion::do_force_jacobian(BlockMatrix& F) {
  if (F.blocks().empty()) return;
  F.set_zero();
  const Eigen::VectorXd lambda = lambda_;
  const Eigen::VectorXd w = w_;
  const bool carried = dimensions_.w > 0;  // then w follows lambda here only
  if (carried) solve_auxiliary();
  const Eigen::VectorXd f0 = f();
  std::vector<char> wanted(static_cast<std::size_t>(F.columns()), 0);
  for (const BlockMatrix::Block& block : F.blocks())
    for (int j = 0; j < block.width; ++j) wanted[static_cast<std::size_t>(block.column + j)] = 1;
  Eigen::VectorXd moved = lambda;
  for (int column = 0; column < F.columns(); ++column) {
    if (!wanted[static_cast<std::size_t>(column)]) continue;
    const double step = 1e-6 * std::max(1.0, std::abs(lambda[column]));
    moved[column] = lambda[column] + step;
    set_multipliers(moved);
    if (carried) solve_auxiliary();
    const Eigen::VectorXd& f1 = f();
    for (std::size_t b = 0; b < F.blocks().size(); ++b) {
      const BlockMatrix::Block& block = F.blocks()[b];
      if (column < block.column || column >= block.column + block.width) continue;
      double* value = F.values(static_cast<int>(b));
      for (int i = 0; i < block.height; ++i)
        value[i * block.width + (column - block.column)] =
            (f1[block.row + i] - f0[block.row + i]) / (moved[column] - lambda[column]);
    }
    moved[column] = lambda[column];
  }
  set_multipliers(lambda);
  if (carried) set_auxiliary(w);
}

Energies EquationsOfMotion::energies() {
  Energies out;
  Eigen::VectorXd Mv = Eigen::VectorXd::Zero(dimensions_.v);
  M().multiply_add(1.0, v_, Mv);
  out.kinetic = 0.5 * v_.dot(Mv);
  return out;
}

double EquationsOfMotion::element_power() { return f().dot(v_) + lambda_.dot(velocity_offset()); }

ConstraintResidual EquationsOfMotion::constraint_residual() {
  ConstraintResidual out;
  if (dimensions_.lambda > 0) out.position_m = g().cwiseAbs().maxCoeff();
  if (dimensions_.constraints() > 0) out.velocity_m_per_s = velocity_residual().cwiseAbs().maxCoeff();
  return out;
}

State EquationsOfMotion::initial_state() const {
  State out;
  out.p = Eigen::VectorXd::Zero(dimensions_.p);
  out.v = out.a = Eigen::VectorXd::Zero(dimensions_.v);
  out.r = Eigen::VectorXd::Zero(dimensions_.r);
  out.w = Eigen::VectorXd::Zero(dimensions_.w);
  out.s = Eigen::VectorXd::Zero(dimensions_.s);
  out.lambda = Eigen::VectorXd::Zero(dimensions_.constraints());
  return out;
}

}  // namespace linkwork
