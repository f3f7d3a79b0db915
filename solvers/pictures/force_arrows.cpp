#include <linkwork/solvers/pictures/force_arrows.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/analyses/element_quantities.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace linkwork {
namespace {

template <class Space>
Eigen::Vector3d offset_of(const Frame<Space>& frame) {
  return in_space(Vector<Space>(frame.offset));
}

Wrench<Spatial> as_spatial(const Wrench<Planar>& wrench) {
  return {.torque = Eigen::Vector3d(0, 0, wrench.torque), .force = in_space(Vector<Planar>(wrench.force))};
}
const Wrench<Spatial>& as_spatial(const Wrench<Spatial>& wrench) { return wrench; }

template <class Space>
bool is_bound_to_nothing(const ConstraintEntry<Space>& entry) {
  return entry.joint && entry.joint->freedoms() == Space::n;
}

/// Where redundant rows leave reactions open, those of least norm cost a decomposition of all rows: of many rows they
/// are read in as many frames as a second or so allows.
std::size_t frames_between_reactions(EquationsOfMotion& equations, std::size_t frames) {
  const int rows = equations.dimensions().constraints();
  constexpr int cheap = 60;          // their decomposition is no more than a frame costs else
  constexpr int undecomposed = 600;  // more are never decomposed
  if (rows <= cheap || rows > undecomposed || !has_open_reactions(equations)) return 1;
  constexpr double affordable = 5e8, fewest = 10;  // multiplications
  const double each = static_cast<double>(rows) * rows * std::max(rows, equations.dimensions().v);
  const double stride = std::ceil(static_cast<double>(frames) / std::max(affordable / each, fewest));
  return static_cast<std::size_t>(std::max(stride, 1.0));
}

Wrench<Spatial> unknown() {
  const Eigen::Vector3d no_numbers = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  return {.torque = no_numbers, .force = no_numbers};
}

/// As the next frame of an arrow.
void keep(ForceArrows::Arrow& arrow, const Wrench<Spatial>& wrench) {
  for (const double x : Eigen::Vector3d(wrench.force)) arrow.forces.push_back(static_cast<float>(x));
  for (const double x : Eigen::Vector3d(wrench.torque)) arrow.torques.push_back(static_cast<float>(x));
}

Eigen::Vector3f on_line(const Eigen::Vector3f& from, const Eigen::Vector3f& to, double part) {
  return from + static_cast<float>(part) * (to - from);
}

}  // namespace

ForceArrows::ForceArrows(const EquationsOfMotion& equations, const Drawing& drawing, std::size_t frame_count)
    : frame_count_(frame_count) {
  const auto is_hidden = [&](const std::string& name) { return drawing.hidden().contains(name); };
  const auto add = [&](const auto& entry, bool is_reaction, std::size_t element, std::size_t frame,
                       const auto& frames) {
    arrows_.push_back({entry.name, is_reaction, frames[frame].body, offset_of(frames[frame])});
    sources_.push_back({static_cast<int>(element), static_cast<int>(frame)});
  };
  std::visit(
      [&](const auto* data) {
        for (std::size_t i = 0; i < data->forces.size(); ++i) {
          const auto& frames = data->forces[i].force->frames();
          for (std::size_t k = 0; k < frames.size(); ++k)
            if (frames[k].body >= 0 && !is_hidden(data->forces[i].name)) add(data->forces[i], false, i, k, frames);
        }
        for (std::size_t i = 0; i < data->constraints.size(); ++i) {
          const auto& entry = data->constraints[i];
          const auto& frames = entry.constraint->frames();
          if (is_hidden(entry.name) || is_bound_to_nothing(entry)) continue;
          add(entry, true, i, frames.size() - 1, frames);
        }
      },
      model_data_of(equations));
}

bool ForceArrows::has_reactions(std::size_t frame) const { return frame % stride_ == 0 || frame + 1 == frame_count_; }

void ForceArrows::read(EquationsOfMotion& equations, const State& state) {
  if (arrows_.empty()) return;
  const std::size_t before = arrows_.front().forces.size();
  times_.push_back(state.t);
  try {
    if (times_.size() == 1) {
      equations.set(state);
      stride_ = frames_between_reactions(equations, frame_count_);
    }
    look(equations, state, has_reactions(times_.size() - 1));
  } catch (const RecoverableFailure&) {  // of the whole state
    for (Arrow& arrow : arrows_) {
      arrow.forces.resize(before);
      arrow.torques.resize(before);
      keep(arrow, unknown());
    }
  }
}

void ForceArrows::look(EquationsOfMotion& equations, const State& state, bool at_reactions) {
  const auto wrench_of = [&]<class Space>(const Snapshot<Space>& now, const ModelData<Space>* data, std::size_t i) {
    const auto [element, frame] = sources_[i];
    if (!arrows_[i].is_reaction) return as_spatial(now.wrench(ForceRef<Space>{element, data}, frame));
    return at_reactions ? as_spatial(now.reaction(ConstraintRef<Space>{element, data})) : unknown();
  };
  const auto look_at = [&]<class Space>(const ModelData<Space>* data) {
    measure(equations, state, [&](const Snapshot<Space>& now) {
      for (std::size_t i = 0; i < arrows_.size(); ++i) {
        Wrench<Spatial> wrench = unknown();
        try {
          wrench = wrench_of(now, data, i);
        } catch (const RecoverableFailure&) {  // stays unknown
        }
        keep(arrows_[i], wrench);
      }
      return 0.0;
    });
  };
  std::visit(look_at, model_data_of(equations));
}

/// Reactions between those that were read lie on lines between them, and are unknown beside one that is.
void ForceArrows::finish() {
  if (stride_ == 1 || times_.empty()) return;
  for (Arrow& arrow : arrows_) {
    if (!arrow.is_reaction) continue;
    for (std::size_t frame = 0; frame < times_.size(); ++frame) {
      if (has_reactions(frame)) continue;
      const std::size_t from = frame - frame % stride_, to = std::min(from + stride_, times_.size() - 1);
      const double part = (times_[frame] - times_[from]) / (times_[to] - times_[from]);
      for (std::vector<float>* list : {&arrow.forces, &arrow.torques}) {
        const auto at = [list](std::size_t k) { return Eigen::Map<Eigen::Vector3f>(&(*list)[3 * k]); };
        at(frame) = on_line(at(from), at(to), part);
      }
    }
  }
}

}  // namespace linkwork
