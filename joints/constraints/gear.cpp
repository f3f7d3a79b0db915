#include <linkwork/joints/constraints/gear.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>

namespace linkwork {

namespace {

/// The joint of a handle.
template <class Space>
const Joint<Space>& joint_of(const JointRef<Space>& handle, const char* which) {
  const ModelData<Space>* model = handle.model;
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
      factors_{-checked_ratio(ratio), 1} {}

template <class Space>
bool Gear<Space>::is_angular(int) const {
  return coordinates_[1].is_angular();
}

template <class Space>
RowUse Gear<Space>::row_use(int, int frame) const {
  return coordinates_[static_cast<std::size_t>(frame / 2)].use(frame % 2);
}

template <class Space>
double Gear<Space>::expected(int joint, const Motion<Space>& m) const {
  return m.memory(coordinate + joint) + m.memory(rate + joint) * (m.time() - m.memory(time));
}

template <class Space>
void Gear<Space>::do_residual(const Motion<Space>& m, double* g) const {
  g[0] = -m.memory(phase);
  for (int joint = 0; joint < 2; ++joint) {
    const auto k = static_cast<std::size_t>(joint);
    g[0] += factors_[k] * coordinates_[k].value(m, 2 * joint, expected(joint, m));
  }
}

template <class Space>
void Gear<Space>::do_rows(const Motion<Space>& m, ConstraintRows<Space>& out) const {
  for (int joint = 0; joint < 2; ++joint) {
    const auto k = static_cast<std::size_t>(joint);
    coordinates_[k].add_rows(m, 2 * joint, expected(joint, m), factors_[k], 0, out);
  }
}

template <class Space>
void Gear<Space>::do_bias(const Motion<Space>& m, double* bias) const {
  bias[0] = 0;
  for (int joint = 0; joint < 2; ++joint) {
    const auto k = static_cast<std::size_t>(joint);
    bias[0] -= factors_[k] * coordinates_[k].drift(m, 2 * joint, expected(joint, m));
  }
}

template <class Space>
void Gear<Space>::do_remember(const Motion<Space>& m, bool, double* memory) const {
  const double elapsed = m.time() - memory[time];
  const bool first = memory[known] == 0;
  if (first) memory[phase] = 0;
  for (int joint = 0; joint < 2; ++joint) {
    const auto k = static_cast<std::size_t>(joint);
    double &last = memory[coordinate + joint], &last_rate = memory[rate + joint];
    const double now = coordinates_[k].value(m, 2 * joint, last + last_rate * elapsed);
    if (first)
      memory[phase] += factors_[k] * now;
    else if (elapsed > 0)
      last_rate = (now - last) / elapsed;
    last = now;
  }
  memory[known] = 1;
  memory[time] = m.time();
}

template class Gear<Planar>;
template class Gear<Spatial>;

}  // namespace linkwork
