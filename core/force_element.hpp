#pragma once

#include <linkwork/core/bounds.hpp>
#include <linkwork/core/element_report.hpp>
#include <linkwork/core/input.hpp>
#include <linkwork/core/motion.hpp>
#include <linkwork/core/outline.hpp>
#include <linkwork/core/usage.hpp>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {

/// Where a force element adds what it does: forces and torques on its frames, in ground axes.
template <class Space>
class ForceSums {
 public:
  /// @param frames  how many there are; without it writing beyond them is not noticed
  explicit ForceSums(Wrench<Space>* wrenches, int frames = detail::uncounted) : wrenches_(wrenches), frames_(frames) {}
  // @throws std::out_of_range for a frame that the element does not have
  /// Force [N] at the origin of the k-th frame.
  void add_force(int frame, const ExactVector<Space>& force) { at(frame).force += force; }
  /// Torque [N m] on the body of the k-th frame.
  void add_torque(int frame, const ExactAngular<Space>& torque) { at(frame).torque += torque; }

 private:
  Wrench<Space>& at(int frame) {
    detail::check_place("a force element", "frame", frame, frames_);
    return wrenches_[frame];
  }

  Wrench<Space>* wrenches_;
  int frames_;
};

/// Extension point: a force element. Give its frames (and the constraints whose reactions or contact points it reads)
/// to the constructor and do_add_to; the rest is optional. Evaluation may throw RecoverableFailure.
template <class Space>
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual std::string_view type() const = 0;
  /// Number of states r of the element's own, with r' given by do_state_rates.
  virtual int states() const { return 0; }
  virtual double initial_state(int /*index*/) const { return 0; }
  /// Number of auxiliary variables w of the element's own: what it leaves implicit, 0 = d(t, frames, r, w, ...) with a
  /// regular derivative with respect to w (do_auxiliary). Wrenches and state rates may read them (Motion::auxiliary).
  virtual int auxiliaries() const { return 0; }
  /// Where the solution for w starts.
  virtual double initial_auxiliary(int /*index*/) const { return 0; }
  /// Size of w, > 0, in whose small parts d is nearly linear; differences and the test of convergence go by it.
  virtual double typical_auxiliary(int /*index*/) const { return 1; }
  /// Numbers that the element remembers between steps (a turn count, a friction sign); they stay constant while a step
  /// is computed, so that the equations are smooth inside it.
  virtual int memory_size() const { return 0; }
  /// Number of switching functions; where one crosses zero the driver stops the step, calls remember and restarts.
  virtual int switches() const { return 0; }
  /// What do_add_to uses of its frames, states and reactions. None: not declared; the dependence is then found by
  /// differences, at more cost.
  virtual std::optional<ForceUse> use() const { return ForceUse{}; }
  /// What do_state_rates, or do_auxiliary, reads; what is put on frames does not count. Default: all there is, not
  /// declared where use() is not.
  virtual std::optional<ForceUse> rate_use() const { return use() ? std::optional(ForceUse{}) : std::nullopt; }
  virtual std::optional<ForceUse> auxiliary_use() const { return use() ? std::optional(ForceUse{}) : std::nullopt; }
  /// Prescribed motions that the element asks.
  virtual std::vector<Input> inputs() const { return {}; }
  /// What the element tells of itself to those who look at a run, by names that differ; do_report gives the numbers. No
  /// run asks for it between outputs.
  virtual std::vector<ElementReport> reports() const { return {}; }
  /// What pictures show of it beside its frames.
  virtual std::vector<Outline> outlines() const { return {}; }

  const std::vector<Frame<Space>>& frames() const { return frames_; }
  /// Constraints whose reaction wrenches the element reads (Motion::reaction).
  const std::vector<ConstraintRef<Space>>& reactions() const { return reactions_; }
  /// Constraints whose contact-point coordinates the element reads (Motion::contact).
  const std::vector<ConstraintRef<Space>>& contact_sources() const { return contact_sources_; }

  void add_to(const Motion<Space>& m, ForceSums<Space>& sums) const { do_add_to(m, sums); }
  void state_rates(const Motion<Space>& m, double* rates) const { do_state_rates(m, rates); }
  void auxiliary_residual(const Motion<Space>& m, double* d) const { do_auxiliary(m, d); }
  double potential_energy(const Motion<Space>& m) const { return do_potential_energy(m); }
  double switching_function(const Motion<Space>& m, int index) const { return do_switching_function(m, index); }
  /// @param values  one for each of reports()
  void report(const Motion<Space>& m, double* values) const { do_report(m, values); }
  /// Renews the memory at the start, at an accepted step, or at a restart. `crossed` is the switch that made the driver
  /// restart, or -1.
  void remember(const Motion<Space>& m, bool restart, int crossed, double* memory) const {
    do_remember(m, restart, crossed, memory);
  }

 protected:
  explicit ForceElement(std::vector<Frame<Space>> frames, std::vector<ConstraintRef<Space>> reactions = {},
                        std::vector<ConstraintRef<Space>> contact_sources = {})
      : frames_(std::move(frames)), reactions_(std::move(reactions)), contact_sources_(std::move(contact_sources)) {}

 private:
  virtual void do_add_to(const Motion<Space>& m, ForceSums<Space>& sums) const = 0;
  virtual void do_state_rates(const Motion<Space>& /*m*/, double* /*rates*/) const {}
  /// d: auxiliaries() numbers.
  virtual void do_auxiliary(const Motion<Space>& /*m*/, double* /*d*/) const {}
  /// [J], of elements that store energy; the energy balance adds it to the total.
  virtual double do_potential_energy(const Motion<Space>& /*m*/) const { return 0; }
  virtual double do_switching_function(const Motion<Space>& /*m*/, int /*index*/) const { return 1; }
  /// values: one for each of reports(), not known at the call. It may read all of the motion, whatever is declared.
  virtual void do_report(const Motion<Space>& /*m*/, double* /*values*/) const {}
  virtual void do_remember(const Motion<Space>& /*m*/, bool /*restart*/, int /*crossed*/, double* /*memory*/) const {}

  std::vector<Frame<Space>> frames_;
  std::vector<ConstraintRef<Space>> reactions_;
  std::vector<ConstraintRef<Space>> contact_sources_;
};

}  // namespace linkwork
