#pragma once

#include <linkwork/core/bounds.hpp>
#include <linkwork/core/element_report.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/core/motion.hpp>
#include <linkwork/core/outline.hpp>
#include <linkwork/core/usage.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// What a constraint holds, with V and A the velocities and accelerations of its frames.
enum class Level {
  holonomic,     ///< 0 = g(t, poses)
  nonholonomic,  ///< 0 = rows V + rate: linear in the velocities
  nonlinear,     ///< 0 = phi(t, poses, V): nonholonomic, nonlinear in the velocities (REDUCE A5)
  servo          ///< rows A = bias: a program or control constraint, on accelerations only (REDUCE A2)
};

/// Whether the rows of such constraints depend on velocities.
constexpr bool rows_read_velocities(Level level) { return level == Level::nonlinear || level == Level::servo; }

/// Where a constraint writes its rows: for each of its frames a block of rows() x Space::n that acts on the frame's
/// twist (angular part first, ground axes, velocity of the frame's origin), and the rate. All zero at the call.
///
///   sum_k block(k) V_k + rate = d/dt g   (holonomic)      or      = 0 is the constraint itself (nonholonomic)
///   block(k) = d phi / d V_k             (nonlinear)              sum_k block(k) A_k = bias           (servo)
///
/// The rate is of the first two only.
template <class Space>
class ConstraintRows {
 public:
  using BlockMap = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Space::n, Eigen::RowMajor>>;

  /// @param frames  how many there are; without it writing beyond the rows and frames is not noticed
  ConstraintRows(int rows, double* blocks, double* rate, int frames = detail::uncounted)
      : rows_(rows), bounds_{frames == detail::uncounted ? frames : rows, frames}, blocks_(blocks), rate_(rate) {}
  // @throws std::out_of_range for a row or frame that the constraint does not have
  BlockMap block(int frame) {
    detail::check_place("a constraint", "frame", frame, bounds_.frames);
    return BlockMap(blocks_ + frame * rows_ * Space::n, rows_, Space::n);
  }
  double& rate(int row) {
    detail::check_place("a constraint", "row", row, bounds_.rows);
    return rate_[row];
  }
  /// Adds (angular, linear) to one row of one frame's block.
  void add(int row, int frame, const ExactAngular<Space>& angular, const ExactVector<Space>& linear) {
    double* to = place(row, frame);
    if constexpr (Space::dimension == 2) {
      to[0] += angular;
    } else {
      for (int i = 0; i < 3; ++i) to[i] += angular[i];
    }
    for (int i = 0; i < Space::dimension; ++i) to[Space::angular + i] += linear[i];
  }
  void add_linear(int row, int frame, const ExactVector<Space>& linear) {
    double* to = place(row, frame) + Space::angular;
    for (int i = 0; i < Space::dimension; ++i) to[i] += linear[i];
  }

 private:
  double* place(int row, int frame) {
    detail::check_place("a constraint", "row", row, bounds_.rows);
    detail::check_place("a constraint", "frame", frame, bounds_.frames);
    return blocks_ + (frame * rows_ + row) * Space::n;
  }

  int rows_;
  struct Bounds {
    int rows, frames;
  } bounds_;
  double* blocks_;
  double* rate_;
};

/// Extension point: a constraint between frames, without coordinates of its own.
///
/// A holonomic constraint must give its frames to the constructor, rows() and do_residual; a nonholonomic one do_rows
/// in place of the latter. What is not given in closed form comes by sixth-order differences. The generalised force of
/// a constraint on the system is -G^T lambda.
///
/// A nonlinear nonholonomic constraint gives do_velocity_residual; its rows are d phi / d V, so that its forces are
/// those of Chetaev's rule. A servo constraint gives do_rows and do_bias, C and -c of C V' + c = 0 (REDUCE A2, 2.3),
/// which may depend on velocities; nothing holds C V or what it is the rate of. What moves the frames as a servo asks
/// need not be C^T lambda: with has_own_forces the directions of its forces are rows of their own, D, on any of its
/// frames, and the generalised force is -D^T lambda. Both see velocities in all functions, and row_use is not asked.
///
/// Where surfaces touch, the constraint may leave the place of the contact to equations of its own: contact-point
/// coordinates s with 0 = c(t, frames, s), c_s regular, beside 0 = g(t, frames, s) (GEOMS 1e, 1g). g and c are enough
/// then, too. The rows are those of g with s moving along (GEOMS 7), in all functions:
///
///   rows = g_p - g_s c_s^-1 c_p,   rate = g_t - g_s c_s^-1 c_t,   s' = -c_s^-1 (c_p V + c_t)
template <class Space>
class Constraint {
 public:
  virtual ~Constraint() = default;
  virtual std::string_view type() const = 0;
  virtual Level level() const { return Level::holonomic; }
  virtual int rows() const = 0;
  /// Whether a row measures an angle [rad] and not a length [m]; used in reports.
  virtual bool is_angular(int /*row*/) const { return false; }
  /// True when the rows given by do_rows span the row space of dg but are not its derivative; then
  /// do_position_rows must be given too (MEXX's C, 2.10).
  virtual bool has_position_rows() const { return false; }
  /// Whether the generalised force is that of do_force_rows, -D^T lambda, and not that of the rows. Servo constraints
  /// only.
  virtual bool has_own_forces() const { return false; }
  /// True: the rows depend on the relative motion of the frames only (they are blind to a common rigid motion), so that
  /// in joint coordinates they act on the loop only.
  virtual bool is_relative() const { return false; }
  /// True: where all frames are moved together by any distance and turn, the residual stays as it is, and so do the
  /// rows in the frames' axes, also away from the constraint's manifold. In joint coordinates nothing then depends on
  /// joints below the loop.
  virtual bool is_invariant() const { return false; }
  /// How a row uses a frame.
  virtual RowUse row_use(int /*row*/, int /*frame*/) const { return {}; }
  /// Prescribed motions that the constraint asks.
  virtual std::vector<Input> inputs() const { return {}; }
  /// Joints that the constraint couples and whose frames are among its own; the model checks that they are its joints.
  virtual std::vector<JointRef<Space>> joints() const { return {}; }
  /// Number of contact-point coordinates s; their equations are do_contact_residual.
  virtual int contacts() const { return 0; }
  /// Where the solution for s starts.
  virtual double initial_contact(int /*index*/) const { return 0; }
  /// Step of the central differences that stand in for what the element does not give in closed form: the largest
  /// motion of a frame [m, rad], time [s] and change of s. Give a smaller one where the element has finer detail or a
  /// faster input.
  virtual double difference_step() const { return 0.005; }
  /// How many numbers the constraint remembers between steps.
  virtual int memory_size() const { return 0; }
  /// What the constraint tells of itself beside its reaction, by names that differ; do_report gives the numbers. Joints
  /// are not asked: what moves and what presses in them is known by their coordinates and reactions.
  virtual std::vector<ElementReport> reports() const { return {}; }
  /// What pictures show of it beside its frames.
  virtual std::vector<Outline> outlines() const { return {}; }

  const std::vector<Frame<Space>>& frames() const { return frames_; }

  // What formulations call.
  /// @param m  poses of frames() (and velocities for `bias`)
  void residual(const Motion<Space>& m, double* g) const { do_residual(m, g); }
  void velocity_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const { do_rows(m, out); }
  /// Rows of dg: those of do_position_rows where has_position_rows(), else the velocity rows.
  void position_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
    if (has_position_rows())
      do_position_rows(m, out);
    else
      do_rows(m, out);
  }
  void bias(const Motion<Space>& m, double* out) const { do_bias(m, out); }
  /// phi of a nonlinear constraint, at poses and velocities.
  void velocity_residual(const Motion<Space>& m, double* phi) const { do_velocity_residual(m, phi); }
  /// D, for each frame rows() x Space::n; its rate is not read.
  void force_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const { do_force_rows(m, out); }
  /// c at the position.
  void contact_residual(const Motion<Space>& m, double* c) const { do_contact_residual(m, c); }
  /// s' from the velocities of the frames; contacts() numbers.
  /// @throws RecoverableFailure where c_s is singular
  void contact_rates(const Motion<Space>& m, double* rates) const { do_contact_rates(m, rates); }
  /// @param reaction  on the last frame, at that frame, ground axes      @param values  one for each of reports()
  void report(const Motion<Space>& m, const Wrench<Space>& reaction, double* values) const {
    do_report(m, reaction, values);
  }
  /// Called at the start, after a restart and at every accepted step.
  void remember(const Motion<Space>& m, bool restart, double* memory) const { do_remember(m, restart, memory); }

 protected:
  explicit Constraint(std::vector<Frame<Space>> frames) : frames_(std::move(frames)) {}
  /// For joints, whose frames come from Model::add_joint.
  void attach(std::vector<Frame<Space>> frames) { frames_ = std::move(frames); }

 private:
  /// g: rows() numbers. Only holonomic constraints are asked; position level only.
  virtual void do_residual(const Motion<Space>& /*m*/, double* /*g*/) const {}
  /// phi: rows() numbers. Only nonlinear constraints are asked.
  virtual void do_velocity_residual(const Motion<Space>& /*m*/, double* /*phi*/) const {}
  /// D; asked only where has_own_forces().
  virtual void do_force_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const { do_rows(m, out); }
  /// c: contacts() numbers; position level only, m.contact(i) is s.
  virtual void do_contact_residual(const Motion<Space>& /*m*/, double* /*c*/) const {}
  /// s', with velocities. Default: sixth-order central differences of do_contact_residual.
  virtual void do_contact_rates(const Motion<Space>& m, double* rates) const;
  /// Rows and rate; position level only, unless rows_read_velocities. Default: sixth-order central differences of
  /// do_residual (and of do_contact_residual) on the frames' poses, time and s, or of do_velocity_residual on the
  /// frames' velocities; the relative error is about 1e-13 where they bend over metres, radians and seconds (metres and
  /// radians per second, or what the fastest frame has).
  virtual void do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const;
  /// Rows of dg; asked only where has_position_rows().
  virtual void do_position_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const { do_rows(m, out); }
  /// bias with sum_k block(k) A_k = bias, A_k the frames' accelerations: -(d/dt block) V - d/dt rate; of a nonlinear
  /// constraint minus the rate of phi with V held in ground axes. A servo must give it.
  /// Default: sixth-order central differences of do_rows along the motion; the relative error is about 1e-10 at most
  /// where the rows change over metres, radians and seconds (see difference_step).
  virtual void do_bias(const Motion<Space>& m, double* bias) const;
  virtual void do_remember(const Motion<Space>& /*m*/, bool /*restart*/, double* /*memory*/) const {}
  /// values: one for each of reports(), not known at the call; with velocities.
  virtual void do_report(const Motion<Space>& /*m*/, const Wrench<Space>& /*reaction*/, double* /*values*/) const {}

  template <class S>
  friend class Model;
  std::vector<Frame<Space>> frames_;
};

extern template class Constraint<Planar>;
extern template class Constraint<Spatial>;

}  // namespace linkwork
