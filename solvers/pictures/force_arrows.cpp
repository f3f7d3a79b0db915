#include <linkwork/solvers/pictures/force_arrows.hpp>

#include <linkwork/core/errors.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/analyses/element_quantities.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>
#include <linkwork/solvers/pictures/body_poses.hpp>

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

}  // namespace

ForceArrows::ForceArrows(const EquationsOfMotion& equations, const Drawing& drawing) {
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

void ForceArrows::leave_out_costly_reactions(EquationsOfMotion& equations) {
  const int rows = equations.dimensions().constraints();
  constexpr int cheap = 60;          // their decomposition is no more than a frame costs else
  constexpr int undecomposed = 600;  // more are never decomposed
  if (rows <= cheap || rows > undecomposed || !has_open_reactions(equations)) return;
  for (std::size_t i = arrows_.size(); i-- > 0;) {
    if (!arrows_[i].is_reaction) continue;
    arrows_.erase(arrows_.begin() + static_cast<std::ptrdiff_t>(i));
    sources_.erase(sources_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void ForceArrows::read(EquationsOfMotion& equations, const State& state) {
  if (!has_begun_) {
    equations.set(state);
    leave_out_costly_reactions(equations);
  }
  has_begun_ = true;
  if (arrows_.empty()) return;
  const auto keep = [](Arrow& arrow, const Wrench<Spatial>& wrench) {
    for (const double x : Eigen::Vector3d(wrench.force)) arrow.forces.push_back(static_cast<float>(x));
    for (const double x : Eigen::Vector3d(wrench.torque)) arrow.torques.push_back(static_cast<float>(x));
  };
  const Eigen::Vector3d no_numbers = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
  const Wrench<Spatial> unknown{.torque = no_numbers, .force = no_numbers};
  const auto look = [&]<class Space>(const ModelData<Space>* data) {
    measure(equations, state, [&](const Snapshot<Space>& now) {
      for (std::size_t i = 0; i < arrows_.size(); ++i) {
        const auto [element, frame] = sources_[i];
        Wrench<Spatial> wrench = unknown;
        try {
          wrench = as_spatial(arrows_[i].is_reaction ? now.reaction(ConstraintRef<Space>{element, data})
                                                     : now.wrench(ForceRef<Space>{element, data}, frame));
        } catch (const RecoverableFailure&) {  // stays unknown
        }
        keep(arrows_[i], wrench);
      }
      return 0.0;
    });
  };
  const std::size_t before = arrows_.front().forces.size();
  try {
    std::visit(look, model_data_of(equations));
  } catch (const RecoverableFailure&) {  // of the whole state
    for (Arrow& arrow : arrows_) {
      arrow.forces.resize(before);
      arrow.torques.resize(before);
      keep(arrow, unknown);
    }
  }
}

}  // namespace linkwork
