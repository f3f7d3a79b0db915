#include <linkwork/joints/constraints/gear.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

/// The joint of a handle.
template <class Space>
const Joint<Space>& joint_of(const JointRef<Space>& handle, const char* which) {
  const ModelLink<const ModelData<Space>>& model = handle.model;
  const auto index = static_cast<std::size_t>(handle.index);
  if (!model || handle.index < 0 || index >= model->constraints.size() || !model->constraints[index].joint)
    throw ModelError(concat("Gear: the ", which,
                            " joint is on the graph of no model; add it first and give the handle that add_joint "
                            "returned."));
  const Joint<Space>& joint = *model->constraints[index].joint;
  if (joint.freedoms() != 1 || joint.coordinates() != 1)
    throw ModelError(concat("Gear: the ", which, " joint '", model->constraints[index].name, "' (", joint.type(),
                            ") has ", joint.freedoms(),
                            " freedoms; expected a joint with one, such as Revolute, Prismatic or Screw."));
  return joint;
}

template <class Space>
std::vector<Frame<Space>> frames_of(const JointRef<Space>& first, const JointRef<Space>& second) {
  std::vector<Frame<Space>> frames = joint_of(first, "first").frames();
  const std::vector<Frame<Space>>& others = joint_of(second, "second").frames();
  if (first.model != second.model) throw ModelError("Gear: the joints belong to two models; couple joints of one.");
  if (first.index == second.index)
    throw ModelError(concat("Gear: both joints are '",
                            first.model->constraints[static_cast<std::size_t>(first.index)].name,
                            "'; give two joints."));
  frames.insert(frames.end(), others.begin(), others.end());
  return frames;
}

/// @param slower, faster  what a turn of each joint changes in g
double half_of_wrong_turns(double slower, double faster) {
  constexpr int few = 4;
  constexpr double rounding = 1e-9;  // of ratios that count teeth
  double least = std::numeric_limits<double>::infinity();
  if (faster == 0) return least;
  for (int turns = 1; turns <= few; ++turns) {
    const double change = std::abs(std::remainder(turns * slower, faster));
    if (change > rounding * turns * slower) least = std::min(least, change);
  }
  return 0.5 * least;
}

double checked_ratio(double ratio) {
  detail::check_not_zero("Gear", "ratio", ratio, "[-]");
  return ratio;
}

}  // namespace

template <class Space>
Gear<Space>::Gear(const JointRef<Space>& first, const JointRef<Space>& second, double ratio)
    : Constraint<Space>(frames_of(first, second)),
      joints_{first, second},
      coordinates_{JointCoordinate<Space>(joint_of(first, "first")),
                   JointCoordinate<Space>(joint_of(second, "second"))},
      factors_{-checked_ratio(ratio), 1} {
  // What a turn changes in g; zero where the coordinate knows its turn, and tells that of the other.
  const double first_turn = std::abs(factors_[0]) * coordinates_[0].period(), second_turn = coordinates_[1].period();
  if (first_turn != 0 && (second_turn == 0 || second_turn > first_turn)) slower_ = 1;
  largest_gap_ = half_of_wrong_turns(std::max(first_turn, second_turn), std::min(first_turn, second_turn));
}

template <class Space>
bool Gear<Space>::is_angular(int) const {
  return coordinates_[1].is_angular();
}

template <class Space>
RowUse Gear<Space>::row_use(int, int frame) const {
  return coordinates_[static_cast<std::size_t>(frame / 2)].use(frame % 2);
}

template <class Space>
auto Gear<Space>::remembered(const Motion<Space>& m) -> Remembered {
  Remembered memory;
  for (int i = 0; i < size; ++i) memory[static_cast<std::size_t>(i)] = m.memory(i);
  return memory;
}

template <class Space>
double Gear<Space>::expected(int joint, double at_time, const Remembered& memory) {
  const auto k = static_cast<std::size_t>(joint);
  return memory[coordinate + k] + memory[rate + k] * (at_time - memory[time]);
}

template <class Space>
std::array<double, 2> Gear<Space>::present(const Motion<Space>& m, const Remembered& memory) const {
  const int faster = 1 - slower_;
  const auto s = static_cast<std::size_t>(slower_), f = static_cast<std::size_t>(faster);
  std::array<double, 2> q{};
  q[s] = coordinates_[s].value(m, 2 * slower_, expected(slower_, m.time(), memory));
  const double meshing = (memory[phase] - factors_[s] * q[s]) / factors_[f];
  q[f] = coordinates_[f].value(m, 2 * faster, memory[known] == 0 ? 0.0 : meshing);
  return q;
}

template <class Space>
void Gear<Space>::do_residual(const Motion<Space>& m, double* g) const {
  const Remembered memory = remembered(m);
  g[0] = residual_of(present(m, memory)) - memory[phase];
  if (std::abs(g[0]) > largest_gap_)
    throw RecoverableFailure(concat("the teeth of the gear are ", std::abs(g[0]), is_angular(0) ? " rad" : " m",
                                    " from meshing, so that the number of turns is not known any more; take shorter "
                                    "steps (maximum_step)"));
}

template <class Space>
void Gear<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  const Remembered memory = remembered(m);
  for (int joint = 0; joint < 2; ++joint) {
    const auto k = static_cast<std::size_t>(joint);
    coordinates_[k].add_rows(m, 2 * joint, expected(joint, m.time(), memory), factors_[k], 0, out);
  }
}

template <class Space>
void Gear<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  const Remembered memory = remembered(m);
  bias[0] = 0;
  for (int joint = 0; joint < 2; ++joint) {
    const auto k = static_cast<std::size_t>(joint);
    bias[0] -= factors_[k] * coordinates_[k].drift(m, 2 * joint, expected(joint, m.time(), memory));
  }
}

template <class Space>
void Gear<Space>::do_remember(const Motion<Space>& m, bool, double* memory) const {
  Remembered before;
  std::copy_n(memory, size, before.begin());
  const double elapsed = m.time() - before[time];
  const std::array<double, 2> q = present(m, before);
  for (std::size_t k = 0; k < 2; ++k) {
    if (before[known] == 1 && elapsed > 0) memory[rate + k] = (q[k] - before[coordinate + k]) / elapsed;
    memory[coordinate + k] = q[k];
  }
  if (before[known] == 0) memory[phase] = residual_of(q);
  memory[known] = 1;
  memory[time] = m.time();
}

template class Gear<Planar>;
template class Gear<Spatial>;

}  // namespace linkwork
