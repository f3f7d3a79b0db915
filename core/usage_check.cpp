#include <linkwork/core/usage_check.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace linkwork::detail {

namespace {

/// Parts of a frame's motion.
enum class FramePart { position, rotation, velocity, angular_velocity };
constexpr std::array frame_parts{FramePart::position, FramePart::rotation, FramePart::velocity,
                                 FramePart::angular_velocity};
const char* name_of(FramePart part) {
  constexpr std::array names{"position", "rotation", "velocity", "angular velocity"};
  return names[static_cast<std::size_t>(part)];
}
bool is_declared(const FrameUse& use, FramePart part) {
  return std::array{use.position, use.rotation, use.velocity, use.angular_velocity}[static_cast<std::size_t>(part)];
}

constexpr double least_use = 1e-9;  // smallest change that counts, of the largest number

/// Of no particular direction.
template <class Space>
Vector<Space> some_direction() {
  Vector<Space> out;
  for (int i = 0; i < Space::dimension; ++i) out[i] = 0.3 + 0.2 * i;
  return out.normalized();
}
template <class Space>
Twist<Space> some_twist(FramePart part) {
  Twist<Space> out;
  if (part == FramePart::position || part == FramePart::velocity) {
    out.linear = shift_of_use * some_direction<Space>();
  } else if constexpr (Space::dimension == 2) {
    out.angular = shift_of_use;
  } else {
    out.angular = shift_of_use * some_direction<Space>();
  }
  return out;
}
template <class Space>
void shift_part(FrameMotion<Space>& frame, FramePart part) {
  const Twist<Space> by = some_twist<Space>(part);
  if (part == FramePart::position || part == FramePart::rotation) {
    frame.pose = moved(frame.pose, by, 1.0);
  } else {
    frame.velocity.angular += by.angular;
    frame.velocity.linear += by.linear;
  }
}

/// Largest change of numbers if it counts, else 0.
double change_of(const std::vector<double>& before, const std::vector<double>& after) {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    change = std::max(change, std::abs(after[i] - before[i]));
    size = std::max({size, std::abs(after[i]), std::abs(before[i])});
  }
  return change > least_use * size ? change : 0;
}

template <class Space>
Components<Space> components(const Angular<Space>& angular, const Vector<Space>& linear) {
  Components<Space> out;
  out << angular, linear;
  return out;
}

template <class Space>
class ForceUses {
 public:
  ForceUses(const ForceElement<Space>& force, ElementPoint<Space> at, const std::vector<std::string>& frames)
      : force_(force), at_(std::move(at)), names_(frames), wrenches_(frames.size()) {}

  std::vector<UndeclaredUse> find() {
    if (const std::optional<ForceUse> use = force_.use()) {
      const auto numbers = [this] { return wrench_numbers(); };
      look(*use, "use", "its wrench", numbers);
      look_at_wrenches(*use, numbers());
    }
    if (!at_.states.empty())
      if (const std::optional<ForceUse> use = force_.rate_use())
        look(*use, "rate_use", "the rate of its states", [this] {
          std::vector<double> numbers(at_.states.size());
          force_.state_rates(at_.motion(), numbers.data());
          return numbers;
        });
    if (!at_.auxiliary.empty())
      if (const std::optional<ForceUse> use = force_.auxiliary_use())
        look(*use, "auxiliary_use", "the equation of its auxiliary variables", [this] {
          std::vector<double> numbers(at_.auxiliary.size());
          force_.auxiliary_residual(at_.motion(), numbers.data());
          return numbers;
        });
    return std::move(out_);
  }

 private:
  using Numbers = std::function<std::vector<double>()>;

  bool is_on_ground(std::size_t k) const { return names_[k].empty(); }

  std::vector<double> wrench_numbers() {
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench<Space>{});
    ForceSums<Space> sums(wrenches_.data());
    force_.add_to(at_.motion(), sums);
    std::vector<double> numbers;
    for (std::size_t k = 0; k < wrenches_.size(); ++k) {
      if (is_on_ground(k)) continue;
      const Components<Space> wrench = components<Space>(wrenches_[k].torque, wrenches_[k].force);
      numbers.insert(numbers.end(), wrench.begin(), wrench.end());
    }
    return numbers;
  }

  /// Moves what is declared unused, part by part.
  void look(const ForceUse& use, const char* declaration, const char* result, const Numbers& numbers) {
    const std::vector<double> before = numbers();
    const auto note_change = [&](const std::string& what) {
      if (const double change = change_of(before, numbers()); change > 0)
        out_.push_back({concat("reads ", what), concat(result, " changes by ", change), declaration, change});
    };
    for (std::size_t k = 0; k < names_.size(); ++k)
      for (const FramePart part : frame_parts) {
        if (is_on_ground(k) || is_declared(use.frame(static_cast<int>(k)), part)) continue;
        const FrameMotion<Space> kept = at_.frames[k];
        shift_part(at_.frames[k], part);
        note_change(concat("the ", name_of(part), " of ", names_[k]));
        at_.frames[k] = kept;
      }
    const auto look_at = [&](std::vector<double>& values, const char* what) {
      const std::vector<double> kept = values;
      for (double& each : values) each += shift_of_use * std::max(1.0, std::abs(each));
      note_change(what);
      values = kept;
    };
    if (!use.states) look_at(at_.states, "its states");
    if (!use.auxiliary) look_at(at_.auxiliary, "its auxiliary variables");
    if (!use.contacts) look_at(at_.contacts, "contact points");
    if (use.reactions) return;
    const std::vector<Wrench<Space>> kept = at_.reactions;
    for (Wrench<Space>& each : at_.reactions) {
      each.force += shift_of_use * (1 + each.force.norm()) * some_direction<Space>();
      each.torque += some_twist<Space>(FramePart::rotation).angular;
    }
    note_change("reactions");
    at_.reactions = kept;
  }

  /// @param numbers  of the wrenches, which were evaluated last
  void look_at_wrenches(const ForceUse& use, const std::vector<double>& numbers) {
    double size = 0;
    for (const double number : numbers) size = std::max(size, std::abs(number));
    for (std::size_t k = 0; k < wrenches_.size(); ++k) {
      if (is_on_ground(k)) continue;
      const double force = wrenches_[k].force.norm(), torque = std::sqrt(dot(wrenches_[k].torque, wrenches_[k].torque));
      const FrameUse frame = use.frame(static_cast<int>(k));
      if (!frame.force && force > least_use * size)
        out_.push_back({concat("puts a force on ", names_[k]),
                        concat("the force there changes by ", force, " N from zero"), "use", force});
      if (!frame.torque && torque > least_use * size)
        out_.push_back({concat("puts a torque on ", names_[k]),
                        concat("the torque there changes by ", torque, " N m from zero"), "use", torque});
    }
  }

  const ForceElement<Space>& force_;
  ElementPoint<Space> at_;
  const std::vector<std::string>& names_;
  std::vector<Wrench<Space>> wrenches_;
  std::vector<UndeclaredUse> out_;
};

template <class Space>
class RowUses {
 public:
  RowUses(const Constraint<Space>& constraint, ElementPoint<Space> at, const std::vector<std::string>& frames)
      : constraint_(constraint), at_(std::move(at)), names_(frames), rows_(constraint.rows()), before_(evaluate()) {
    for (const double g : before_.residual) length_ = std::max(length_, std::abs(g));
  }

  std::vector<UndeclaredUse> find() {
    if (constraint_.contacts() == 0)
      for (std::size_t k = 0; k < names_.size(); ++k) {
        if (names_[k].empty()) continue;
        look_at_pose(k, FramePart::position);
        look_at_pose(k, FramePart::rotation);
        look_at_blocks(k);
      }
    if (constraint_.is_invariant()) turn_all();
    return std::move(out_);
  }

 private:
  static constexpr int n = Space::n;

  /// Row by row: the residual, the row's rate and numbers (frame after frame), and its product with the velocities.
  struct Values {
    std::vector<double> residual, products;
    std::vector<std::vector<double>> numbers;
  };

  Values evaluate() const {
    Values values;
    values.residual.resize(at(rows_));
    std::vector<double> blocks(at(rows_) * at_.frames.size() * n), rates(at(rows_));
    const Motion<Space> now = at_.motion();
    if (constraint_.level() == Level::holonomic) constraint_.residual(now, values.residual.data());
    ConstraintRows<Space> rows(rows_, blocks.data(), rates.data());
    constraint_.velocity_rows(now, rows);
    for (int r = 0; r < rows_; ++r) {
      std::vector<double> numbers{rates[at(r)]};
      double product = rates[at(r)];
      for (std::size_t k = 0; k < at_.frames.size(); ++k) {
        const Components<Space> row = rows.block(static_cast<int>(k)).row(r).transpose();
        product += row.dot(components<Space>(at_.frames[k].velocity.angular, at_.frames[k].velocity.linear));
        numbers.insert(numbers.end(), row.begin(), row.end());
      }
      values.numbers.push_back(std::move(numbers));
      values.products.push_back(product);
    }
    return values;
  }

  /// Change of a length, 0 if it doesn't count.
  double change(double before, double after) const {
    const double difference = std::abs(after - before);
    return difference > least_use * length_ ? difference : 0;
  }

  void look_at_pose(std::size_t k, FramePart part) {
    const bool is_position = part == FramePart::position;
    const auto measures = [&](int r) {
      const RowUse use = constraint_.row_use(r, static_cast<int>(k));
      return is_position ? use.linear : use.angular;
    };
    const auto reads = [&](int r) {
      const RowUse use = constraint_.row_use(r, static_cast<int>(k));
      return is_position ? use.position : use.rotation;
    };
    bool all_declared = true;
    for (int r = 0; r < rows_; ++r) all_declared = all_declared && measures(r) && reads(r);
    if (all_declared) return;
    const FrameMotion<Space> kept = at_.frames[k];
    shift_part(at_.frames[k], part);
    const Values after = evaluate();
    at_.frames[k] = kept;
    const std::string what = concat("the ", name_of(part), " of ", names_[k], " in row ");
    for (int r = 0; r < rows_; ++r) {
      if (const double size = change(before_.residual[at(r)], after.residual[at(r)]); size > 0 && !measures(r))
        out_.push_back({concat("measures ", what, r + 1), concat("the residual changes by ", size), "row_use", size});
      if (const double size = change_of(before_.numbers[at(r)], after.numbers[at(r)]); size > 0 && !reads(r))
        out_.push_back({concat("reads ", what, r + 1), concat("the row changes by ", size), "row_use", size});
    }
  }

  void look_at_blocks(std::size_t k) {
    for (int r = 0; r < rows_; ++r) {
      const RowUse use = constraint_.row_use(r, static_cast<int>(k));
      const Components<Space> block = Components<Space>::Map(before_.numbers[at(r)].data() + 1 + k * n);
      const auto look = [&](bool declared, const auto& part, const char* name) {
        const double size = part.cwiseAbs().maxCoeff();
        if (!declared && size > least_use)
          out_.push_back({concat("acts on the ", name, " of ", names_[k], " in row ", r + 1),
                          concat("the row has an entry of ", size), "row_use", size});
      };
      look(use.angular, block.template head<Space::angular>(), "rotation");
      look(use.linear, block.template tail<Space::dimension>(), "position");
    }
  }

  /// All frames moved together, their velocities too.
  void turn_all() {
    const Pose<Space> turn = moved(Pose<Space>{}, some_twist<Space>(FramePart::rotation), 10.0);
    for (FrameMotion<Space>& frame : at_.frames) {
      frame.pose = compose(turn, frame.pose);
      frame.velocity.linear = turn.rotation * frame.velocity.linear;
      if constexpr (Space::dimension == 3) frame.velocity.angular = turn.rotation * frame.velocity.angular;
    }
    const Values after = evaluate();
    double speed = length_;
    for (const double product : before_.products) speed = std::max(speed, std::abs(product));
    for (int r = 0; r < rows_; ++r) {
      const double of_residual = change(before_.residual[at(r)], after.residual[at(r)]),
                   of_product = std::abs(after.products[at(r)] - before_.products[at(r)]);
      if (of_residual > 0 || of_product > least_use * speed)
        out_.push_back({concat("changes in row ", r + 1, " when all of its frames are turned together"),
                        concat("the residual by ", of_residual, ", the row times the velocities by ", of_product),
                        "is_invariant", std::max(of_residual, of_product)});
    }
  }

  const Constraint<Space>& constraint_;
  ElementPoint<Space> at_;
  const std::vector<std::string>& names_;
  int rows_;
  double length_ = 1;  ///< of lengths in residuals and rows
  Values before_;
  std::vector<UndeclaredUse> out_;
};

}  // namespace

std::vector<UndeclaredUse> undeclared_uses(const ForceElement<Planar>& force, ElementPoint<Planar> at,
                                           const std::vector<std::string>& frames) {
  return ForceUses<Planar>(force, std::move(at), frames).find();
}
std::vector<UndeclaredUse> undeclared_uses(const ForceElement<Spatial>& force, ElementPoint<Spatial> at,
                                           const std::vector<std::string>& frames) {
  return ForceUses<Spatial>(force, std::move(at), frames).find();
}
std::vector<UndeclaredUse> undeclared_uses(const Constraint<Planar>& constraint, ElementPoint<Planar> at,
                                           const std::vector<std::string>& frames) {
  if (rows_read_velocities(constraint.level())) return {};  // nothing is declared of such rows
  return RowUses<Planar>(constraint, std::move(at), frames).find();
}
std::vector<UndeclaredUse> undeclared_uses(const Constraint<Spatial>& constraint, ElementPoint<Spatial> at,
                                           const std::vector<std::string>& frames) {
  if (rows_read_velocities(constraint.level())) return {};
  return RowUses<Spatial>(constraint, std::move(at), frames).find();
}

}  // namespace linkwork::detail
