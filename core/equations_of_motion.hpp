#pragma once

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/block_tree.hpp>
#include <linkwork/core/dependencies.hpp>
#include <linkwork/core/element_memory.hpp>
#include <linkwork/core/equation_names.hpp>
#include <linkwork/core/equation_reports.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/state.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace linkwork {

/// How often each kind of function was evaluated. Kept by the equations, so that no integrator counts its own work.
struct EvaluationCounters {
  std::int64_t force = 0;            ///< f
  std::int64_t matrix = 0;           ///< M, G and the velocity offset together, assembled or as a joint tree
  std::int64_t position_matrix = 0;  ///< M and C, for projections of positions, assembled or as a joint tree
  std::int64_t residual = 0;         ///< g alone, by projections and by residuals of implicit methods; 0 without rows
  std::int64_t state_rate = 0;       ///< r'
  std::int64_t auxiliary = 0;        ///< d and c
  std::int64_t force_jacobian = 0;   ///< F = df/dlambda
  std::int64_t invariant = 0;        ///< e
};

/// Derivatives of the solution invariants e(t, p, v, s), s going along with the position as 0 = c demands.
struct InvariantJacobian {
  Eigen::MatrixXd p;  ///< (de/dp) Z; n_e x n_v
  Eigen::MatrixXd v;  ///< n_e x n_v
  Eigen::VectorXd t;  ///< n_e
};

/// The equations of motion of a mechanism, in the general form (union of MEXX 1.1 and GEOMS 1)
///
///   p' = Z(t,p) v + z(t,p)                            n_p >= n_v; mechanisms have no drift z
///   M(t,p) v' = f(t,p,v,r,w,s,lambda) - G^T lambda     M symmetric, semidefinite, definite on ker G
///   r' = b(t,p,v,r,w,s,lambda)
///   0 = d(t,p,v,r,w,s,lambda)                         auxiliary variables w, d_w regular
///   0 = c(t,p,s)                                      contact-point coordinates s, c_s regular
///   0 = g(t,p,s)                                      position constraints
///   0 = G(t,p,s) v + offset(t,p,s)                    velocity constraints: the holonomic rows first, then the
///                                                     nonholonomic ones; lambda likewise
///   C(t,p,v,s) v' = gamma                             servo constraints: the last rows (REDUCE A2)
///   0 = e(t,p,v,s)                                    solution invariants (GEOMS 3), which follow from the rest
///
/// Nonholonomic rows may be nonlinear in the velocities, 0 = phi(t,p,v,s): then G = phi_v, and offset is phi - G v, so
/// that G v + offset is their residual, here as in linear rows. C stands in G like all rows, and has no velocity
/// residual: that of servos is zero. Where rows_read_velocity(), G and offset change with v, too. Forces of servos in
/// other directions than C^T are forces that read multipliers: [M, G^T - F; G, 0] has them.
///
/// The holonomic rows of G are (g_p - g_s c_s^-1 c_p) Z, and offset and gamma are formed likewise: v' and lambda follow
/// from M, G, f and gamma alone.
///
/// w and s are unknowns (dimensions().w and .s) or eliminated: then the equations solve 0 = d and 0 = c on their own
/// wherever something depends on them, these dimensions are zero, and all else is the same. What is found continues
/// what was found at the last accepted state (remember); where there is no solution, what needs it throws
/// RecoverableFailure.
///
/// One object per run and thread: it is the workspace. It holds the current point; each set_ function makes stale what
/// depends on it, and a quantity is computed when it is asked for. Subclass it to pose a system that was never a graph
/// of bodies: dimensions, M, G, f, g and gamma are enough where there is no r, w and s.
///
/// A solution invariant is a quantity that every motion leaves constant, such as the energy of a conservative system;
/// e is its value less its level, which was given or is that of a state (hold_invariants).
///
/// Nonfinite values: M, G, C, F, g, f, gamma, r', d, c, the invariants and the offset are checked where they are
/// computed; a value that is not finite throws NonFiniteValue naming the element and the time.
class EquationsOfMotion : public EquationNames, public ElementMemory, public EquationReports {
 public:
  virtual ~EquationsOfMotion() = default;
  EquationsOfMotion(const EquationsOfMotion&) = delete;
  EquationsOfMotion& operator=(const EquationsOfMotion&) = delete;

  const Dimensions& dimensions() const { return dimensions_; }
  const EvaluationCounters& counters() const { return counters_; }

  // What a subclass's functions leave has the sizes of dimensions(); where it has not, what asked for it throws
  // ModelError. Whether they fit each other is what check_equations looks at (conformance.hpp).

  // The current point. `lambda` has dimensions().constraints() entries.
  // @throws ModelError for a wrong size
  void set_position(double t, const Eigen::VectorXd& p);
  void set_velocity(const Eigen::VectorXd& v);
  void set_states(const Eigen::VectorXd& r);
  /// Where w is eliminated: where its solution starts, until another part of the point is set.
  void set_auxiliary(const Eigen::VectorXd& w);
  /// Makes stale what the position does: g and G depend on s. Where s is eliminated: where its solution starts, at this
  /// position.
  void set_contacts(const Eigen::VectorXd& s);
  void set_multipliers(const Eigen::VectorXd& lambda);
  /// Generalised forces of one's own (motors, controllers), added to f from now on; n_v entries, zero at first. In
  /// joint coordinates they are forces and torques in the joints.
  void set_applied_force(const Eigen::VectorXd& force);
  /// t, p, v, r, w, s and lambda of a state; its a is kept for reports.
  void set(const State& state);
  double time() const { return t_; }
  const Eigen::VectorXd& position() const { return p_; }
  const Eigen::VectorXd& velocity() const { return v_; }
  const Eigen::VectorXd& states() const { return r_; }
  /// As set, or as solved for: up to date after what depends on them was asked for, or after solved_auxiliary() and
  /// solved_contacts().
  const Eigen::VectorXd& auxiliary() const { return w_; }
  const Eigen::VectorXd& contacts() const { return s_; }
  const Eigen::VectorXd& solved_auxiliary();
  const Eigen::VectorXd& solved_contacts();
  /// Brings w to where 0 = d, or s to where 0 = c, from their current values, all else held: for consistent starts of
  /// systems in which they are unknowns; the others do so unasked. @throws RecoverableFailure where no solution is
  /// found
  void solve_auxiliary();
  void solve_contacts();
  const Eigen::VectorXd& multipliers() const { return lambda_; }
  const Eigen::VectorXd& applied_force() const { return applied_force_; }
  /// a of the last set(State), zero where it gave none. Stays when single parts of the point are set.
  const Eigen::VectorXd& accelerations() const { return a_; }

  /// n_v x n_v, at the position.
  const BlockMatrix& M();
  /// (n_lambda + n_mu) x n_v, at the position, and at the velocity where rows_read_velocity(). Counts one matrix
  /// evaluation per position, then per velocity.
  const BlockMatrix& G();
  /// Velocity offset: G v + offset = 0 (MEXX's g^I). Changes when G does.
  const Eigen::VectorXd& velocity_offset();
  /// n_lambda x n_v: (dg/dp) Z (MEXX 2.10); equal to the first rows of G for most models.
  const BlockMatrix& C();
  /// n_lambda.
  const Eigen::VectorXd& g();
  /// G v + offset, the residual of the velocity constraints; n_lambda + n_mu. Position and velocity.
  const Eigen::VectorXd& velocity_residual();
  /// Generalised forces without those of the constraints; n_v.
  const Eigen::VectorXd& f();
  /// G v' = gamma; n_lambda + n_mu. Position and velocity.
  const Eigen::VectorXd& gamma();
  const Eigen::VectorXd& r_rate();
  /// n_w, the residual of the auxiliary equations.
  const Eigen::VectorXd& d();
  /// n_s, the residual of the contact equations; position level.
  const Eigen::VectorXd& c();
  /// y = M x at the position; n_v. In joint coordinates without M being assembled.
  void multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y);
  /// M a - f + G^T lambda at the current point, the residual formalism (CORR 1); n_v. In joint coordinates O(n).
  void dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Eigen::VectorXd& residual);
  /// p' = Z v + z at the current position and velocity; n_p.
  void position_rate(Eigen::VectorXd& p_rate);
  /// y += factor z at the current position: what moves positions while v = 0. Independent coordinates of a mechanism
  /// that is driven have it.
  void add_position_drift(double factor, Eigen::VectorXd& y);
  /// y = Z x at the current position; x has n_v entries, y gets n_p.
  void multiply_Z(const Eigen::VectorXd& x, Eigen::VectorXd& y);
  /// p_new = p + Z(p) step at the current position.
  void position_step(const Eigen::VectorXd& step, Eigen::VectorXd& p_new);
  /// Restores the norms of redundant coordinates; q and -q are one attitude, the one nearer to `near` is taken.
  virtual void normalise(const Eigen::VectorXd& /*near*/, Eigen::VectorXd& /*p*/) const {}

  /// Whether f depends on lambda, so that force_jacobian() is not zero.
  virtual bool forces_read_multipliers() const { return false; }
  /// Whether G depends on velocities: rows of nonlinear nonholonomic constraints, or of servos, are among them.
  bool rows_read_velocity() const { return dimensions_.nonlinear + dimensions_.servo > 0; }
  /// F = df/dlambda at the current point, with w following from d = 0: f_lambda - f_w d_w^-1 d_lambda (GEOMS 5);
  /// n_v x (n_lambda + n_mu); blocks fixed.
  const BlockMatrix& force_jacobian();

  /// Values of the solution invariants; n_e. Position and velocity.
  const Eigen::VectorXd& invariants();
  /// invariants() less their levels; n_e. @throws ModelError where a level is neither given nor held
  const Eigen::VectorXd& e();
  /// Its derivatives at the current point, which stays as it is. By central differences of all invariants, whose
  /// relative error is about 1e-10 where they bend over metres, radians and seconds, unless the system gives them.
  const InvariantJacobian& invariant_jacobian();
  /// The current values are the levels from now on, of those that were not given one.
  void hold_invariants();
  /// The current values are the levels of all until they are released, also of those that were given one: after a jump.
  void renew_invariants();
  /// Undoes hold_invariants and renew_invariants.
  void release_invariants();
  /// Whether all levels are known.
  bool holds_invariants() const { return levels_.allFinite(); }
  /// Gives the level of an invariant, for every start. @throws ModelError where there is no such invariant, or for a
  /// level that is not finite
  void set_invariant_level(int i, double level);

  /// The sparsity that follows from the structure of the system: the entries of `unknown` that each row of `part` may
  /// depend on, at any point. Default: nothing is known.
  virtual Dependencies dependencies(EquationPart part, Unknown unknown) const;

  // Prescribed motions u(t) of the system's elements (driven joints, rods, ...), which the equations depend on beside
  // t itself. One that several elements share counts once.
  virtual int inputs() const { return 0; }
  /// u, u' and u'' at the current time, offsets included.
  virtual InputValue input(int /*i*/) { return {}; }
  /// Adds constants to u, u' and u'' of an input from now on, in place of earlier ones: for derivatives with respect to
  /// inputs (CORR 26). Makes everything stale. @throws ModelError where there is no such input
  void offset_input(int i, const InputValue& offset);

  /// Whether a component follows from others, so that it must not count a second time in the norm of errors.
  virtual bool is_dependent_position(int /*i*/) const { return false; }
  virtual bool is_dependent_velocity(int /*i*/) const { return false; }

  /// Mass matrix, forces and rows, with the multipliers that are set.
  Energies energies() override;
  double element_power() override;
  ConstraintResidual constraint_residual() override;

  /// Initial values as the user gave them (not projected): t is left alone, a and lambda are zero.
  virtual State initial_state() const;

  /// Block structure along a tree for [M G^T; G 0], or with C in place of G; null where there is none.
  virtual const BlockTree* velocity_tree() const { return nullptr; }
  virtual const BlockTree* position_tree() const { return nullptr; }
  /// The mechanism in joint coordinates, for recursions that never ask for M and G; none where there is no such tree.
  /// The object stays at its place, the update_ functions refresh what stands in it.
  virtual AnyJointTree joint_tree() const { return {}; }
  /// The same for equations in coordinates of bodies and of joints at once. It is refreshed by update_joint_tree.
  virtual AnyMixedTree mixed_tree() const { return {}; }
  /// Brings what belongs to the position up to date, and the closure rows of one kind. Counts as an evaluation of the
  /// matrices, once per position and kind.
  void update_joint_tree(RowKind kind);
  /// Brings velocities, biases and forces up to date. Counts as an evaluation of f.
  void update_joint_tree_forces();

 protected:
  /// Sets the sizes and makes the workspaces. M, G, C and F get no blocks; the subclass adds them.
  explicit EquationsOfMotion(const Dimensions& dimensions);
  void set_dimensions(const Dimensions& dimensions);
  /// After set_dimensions: how many w and s there are beside the unknowns, for a system that solves for them itself. It
  /// then calls solve_contacts_here from do_position.
  void set_eliminated(int w, int s);
  /// Brings s_ to where 0 = c, from the start that do_start_contacts gives or set_contacts gave.
  void solve_contacts_here();
  /// Brings the shared work of a level up to date, for reports that need it and no quantity of the base.
  void need_position();
  void need_velocity();
  /// need_velocity, and w where it is eliminated.
  void need_auxiliary();

  BlockMatrix M_, G_, C_, F_;

 private:
  // Shared work of a level, done before the first quantity of that level is computed.
  virtual void do_position() {}
  virtual void do_velocity() {}
  /// Values of M; called once per position unless mass_is_constant(). Blocks may be added at the first call, so that
  /// nobody pays for a matrix that nobody asks for; the same holds for G and C.
  virtual void do_M(BlockMatrix& M) = 0;
  virtual bool mass_is_constant() const { return false; }
  virtual void do_G(BlockMatrix& G, Eigen::VectorXd& offset) = 0;
  /// Whether C differs from the first rows of G.
  virtual bool has_position_rows() const { return false; }
  virtual void do_C(BlockMatrix& C);
  virtual void do_g(Eigen::VectorXd& g) = 0;
  virtual void do_f(Eigen::VectorXd& f) = 0;
  virtual void do_gamma(Eigen::VectorXd& gamma) = 0;
  virtual void do_r_rate(Eigen::VectorXd& /*rate*/) {}
  virtual void do_d(Eigen::VectorXd& /*d*/) {}
  virtual void do_c(Eigen::VectorXd& /*c*/) {}
  virtual void do_invariants(Eigen::VectorXd& /*values*/) {}
  /// Default: central differences. Matrices have their sizes.
  virtual void do_invariant_jacobian(InvariantJacobian& jacobian);
  /// Where the solution of eliminated unknowns starts, unless it was given.
  virtual void do_start_auxiliary(Eigen::VectorXd& /*w*/) const {}
  virtual void do_start_contacts(Eigen::VectorXd& /*s*/) const {}
  /// Finds w with 0 = d, or s with 0 = c, from what they are; throws RecoverableFailure where there is none. Default:
  /// Newton's method with differences on all of d, all of c.
  virtual void do_solve_auxiliary(Eigen::VectorXd& w);
  virtual void do_solve_contacts(Eigen::VectorXd& s);
  virtual void do_offset_input(int /*i*/, const InputValue& /*offset*/) {}
  /// Calls need_velocity where it reads more than v itself.
  virtual void do_velocity_residual(Eigen::VectorXd& residual);
  virtual void do_multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y);
  virtual void do_dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, Eigen::VectorXd& residual);
  /// May ask for G (or C), which then counts.
  virtual void do_joint_tree(RowKind /*kind*/) {}
  /// Without applied_force(): that is a generalised force, no wrench on a link.
  virtual void do_joint_tree_forces() {}
  /// p += Z(p_current) x
  virtual void do_add_position_change(const Eigen::VectorXd& x, Eigen::VectorXd& p) const { p += x; }
  /// p += factor z(p_current)
  virtual void do_add_position_drift(double /*factor*/, Eigen::VectorXd& /*p*/) const {}
  /// Default: differences of f, one evaluation for each column that F has blocks in.
  virtual void do_force_jacobian(BlockMatrix& F);

  /// What is computed from the current point and kept until what it depends on changes: which levels of shared work
  /// each needs, and which parts of the point make it stale, stands in one table (equations_of_motion.cpp).
  enum class Quantity : unsigned;
  bool is_stale(Quantity quantity) const { return (stale_ >> static_cast<unsigned>(quantity) & 1u) != 0; }
  void mark_fresh(Quantity quantity) { stale_ &= ~(1u << static_cast<unsigned>(quantity)); }
  /// Brings the shared work below a quantity up to date, and calls compute() where the quantity itself is stale. After
  /// an exception it stays stale, and throws again.
  template <class Compute>
  void renew(Quantity quantity, const Compute& compute);
  void check_finite(const Eigen::VectorXd& values, const char* what, bool by_velocity) const;
  void check_finite(const Eigen::VectorXd& values, const char* what,
                    std::string (EquationsOfMotion::*name)(int) const) const;
  void check_finite(const BlockMatrix& matrix, const char* what, bool by_velocity) const;

  Dimensions dimensions_;
  EvaluationCounters counters_;
  double t_ = 0;
  Eigen::VectorXd p_, v_, r_, w_, s_, lambda_, applied_force_, a_;
  Eigen::VectorXd offset_, velocity_residual_, g_, f_, gamma_, r_rate_, d_, c_;
  Eigen::VectorXd invariants_, e_, levels_, given_levels_;  // levels that are not known are no numbers
  InvariantJacobian invariant_jacobian_;
  unsigned stale_ = ~0u;
  unsigned stale_after_velocity_ = ~0u;  ///< the quantities that velocities make stale, rows among them or not
  bool mass_known_ = false, auxiliary_given_ = false, contacts_given_ = false;
};

}  // namespace linkwork
