#include <linkwork/solvers/analyses/diagnosis.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/analyses/directions.hpp>
#include <linkwork/solvers/analyses/row_groups.hpp>
#include <linkwork/solvers/analyses/row_wrenches.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/formulations/absolute.hpp>
#include <linkwork/solvers/manifold/assembly.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

namespace linkwork {

namespace {

constexpr std::size_t largest_group = 1500;  // rows
constexpr int largest_assembly = 300;        // velocities
constexpr double consistent = 1e-10;         // [lengths, rad]: ranks are decided where constraints hold this well
constexpr double closed_gap = 1e-7;          // [lengths, rad]: a gap that a person would not call one

using detail::at;

const char* is_or_are(int count) { return count == 1 ? " is" : " are"; }

template <class Space>
class Analysis {
 public:
  explicit Analysis(const Model<Space>& model)
      : data_(model.data()),
        topology_(analyze(model)),
        equations_(make_absolute_equations(model)),
        state_(equations_->initial_state()),
        length_(equations_->characteristic_length()) {
    equations_->set(state_);
    equations_->remember(true, -1);
    groups_ = std::make_unique<RowGroups>(*equations_, topology_);
    rows_ = std::make_unique<RowWrenches<Space>>(data_, topology_, *equations_, *groups_, length_);
    for (const RowGroup& group : groups_->groups()) {
      group_at_.push_back(sets_.size());
      sets_.push_back(group);
      if (group.rows.size() > largest_group) too_large_ = true;
      for (const int closure : group.closures) sets_.push_back(groups_->loop(closure));
    }
    out_.freedoms = topology_.freedoms;
    out_.rows = topology_.rows;
  }

  Diagnosis at_start() {
    const bool consistent_now = largest_residual() <= consistent;
    if (!consistent_now && !small()) {
      out_.sentences.push_back(concat("the constraints are off by ", largest_residual(),
                                      " rad or characteristic lengths (", length_,
                                      " m) at the start, and the mechanism is too large (", topology_.freedoms,
                                      " freedoms) to be assembled here; give positions that satisfy them."));
      return std::move(out_);
    }
    if (!consistent_now && !close_loops()) return std::move(out_);
    return at_position();
  }

  Diagnosis at_state(const State& state) {
    if (state.p.size() != state_.p.size())
      throw ModelError(concat("diagnose: the state has ", state.p.size(), " positions; model '", data_.name, "' has ",
                              state_.p.size(), " in absolute coordinates."));
    equations_->set_position(state.t, state.p);
    state_.p = state.p;
    return at_position();
  }

 private:
  bool small() const { return equations_->dimensions().v <= largest_assembly; }
  double largest_residual() {
    const Eigen::VectorXd lengths = equations_->g().cwiseProduct(weights_of_units());
    return lengths.lpNorm<Eigen::Infinity>() / length_;
  }

  // Assembly.

  Eigen::VectorXd weights_of_units() const {
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(equations_->dimensions().lambda);
    for (int row = 0; row < weights.size(); ++row)
      if (equations_->constraint_measure(row) == Measure::angle) weights[row] *= length_;
    return weights;
  }

  /// Velocities of unit size: radians, and the characteristic length.
  Eigen::VectorXd random_velocity() {
    std::normal_distribution<double> normal;
    Eigen::VectorXd out(equations_->dimensions().v);
    for (const Topology::Node& node : topology_.nodes) {
      if (node.body < 0) continue;
      const int label = topology_.label_of_body[at(node.body)], column = groups_->column_of(label);
      const int angular = node.freedoms - Space::dimension;
      for (int i = 0; i < node.freedoms; ++i) out[column + i] = normal(random_) * (i < angular ? 1.0 : length_);
    }
    return out;
  }

  Eigen::VectorXd moved(const Eigen::VectorXd& p, const Eigen::VectorXd& step) {
    Eigen::VectorXd from = p, to;
    equations_->set_position(state_.t, p);
    equations_->position_step(step, to);
    equations_->normalise(from, to);
    return to;
  }

  /// The best of a few attempts, from the present positions and from others nearby.
  Eigen::VectorXd closest(const Eigen::VectorXd& weights) {
    constexpr int attempts = 4;
    constexpr double disturbance = 0.3;
    Eigen::VectorXd best;
    double least = -1;
    for (int i = 0; i < attempts && (least < 0 || least > closed_gap * length_); ++i) {
      Eigen::VectorXd p = state_.p;
      try {
        if (i > 0) p = moved(state_.p, disturbance * random_velocity());
        equations_->set_position(state_.t, p);
        assemble(*equations_, weights, length_, p);
      } catch (const RecoverableFailure&) {  // elements may not be known so far away
        if (i == 0) throw;
        continue;
      }
      const double size = equations_->g().cwiseProduct(weights).cwiseAbs().maxCoeff();
      if (least >= 0 && !(size < least)) continue;
      least = size;
      best = p;
    }
    equations_->set_position(state_.t, best);
    return best;
  }

  /// Moves the state to positions where all loops are closed, or tells which can't be.
  bool close_loops() {
    Eigen::VectorXd p = closest(weights_of_units());
    if (largest_residual() <= closed_gap) {
      state_.p = p;
      return true;
    }
    for (const RowGroup& set : sets_)
      if (set.closures.size() == 1) add_gaps(set);
    if (out_.gaps.empty())  // each loop closes by itself
      for (const RowGroup& group : groups_->groups()) add_gaps(group);
    out_.sentences = out_.gaps;
    return false;
  }

  /// The tree holds much better than the closures, so that the gap opens at these.
  void add_gaps(const RowGroup& set) {
    constexpr double tree = 1000;
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(equations_->dimensions().lambda);
    const Eigen::VectorXd of_units = weights_of_units();
    for (const int row : set.rows)
      if (row < weights.size()) weights[row] = tree * of_units[row];
    for (const int closure : set.closures)
      for (const int row : groups_->rows_of(closure))
        if (row < weights.size()) weights[row] = of_units[row];
    closest(weights);
    for (const int closure : set.closures) {
      double metres = 0, radians = 0;
      for (const int row : groups_->rows_of(closure))
        if (row < weights.size()) {
          double& gap = equations_->constraint_measure(row) == Measure::angle ? radians : metres;
          gap = std::hypot(gap, equations_->g()[row]);
        }
      if (std::max(metres / length_, radians) <= closed_gap) continue;
      std::string gap = metres > closed_gap * length_ ? concat(rounded(metres), " m") : "";
      if (radians > closed_gap) gap += concat(gap.empty() ? "" : " and ", rounded(radians), " rad");
      const std::string sentence = concat(loop_name(closure), " can't be assembled: the smallest gap reached at ",
                                          name(closure), " is ", gap, "; check the lengths and frames of its bodies.");
      if (std::find(out_.gaps.begin(), out_.gaps.end(), sentence) == out_.gaps.end()) out_.gaps.push_back(sentence);
    }
  }

  static double rounded(double value) {
    const double digit = std::pow(10, std::floor(std::log10(value)) - 3);
    return std::round(value / digit) * digit;
  }

  // Ranks.

  Diagnosis at_position() {
    if (too_large_) {
      out_.sentences.push_back(concat("the loops share joints in a group of more than ", largest_group,
                                      " rows: too large for ranks; the counts are those of the graph."));
      return std::move(out_);
    }
    equations_->set_position(state_.t, state_.p);
    for (const RowGroup& set : sets_) here_.push_back(groups_->redundancy(set));
    out_.knows_ranks = true;
    look_nearby();
    equations_->set_position(state_.t, state_.p);
    for (const std::size_t s : group_at_) {
      out_.redundant += redundant_here(s);
      out_.permanent += redundant_nearby(s);
      report_group(s);
    }
    report_mobility();
    return std::move(out_);
  }

  int redundant_here(std::size_t set) const { return static_cast<int>(here_[set].redundant_rows.size()); }
  int redundant_nearby(std::size_t set) const { return static_cast<int>(sets_[set].rows.size()) - rank_nearby_[set]; }

  /// The largest rank at a few random positions nearby.
  void look_nearby() {
    constexpr int samples = 4;
    for (const Redundancy& redundancy : here_) rank_nearby_.push_back(redundancy.rank);
    const bool all_independent =
        std::all_of(here_.begin(), here_.end(), [](const auto& r) { return r.redundant_rows.empty(); });
    out_.knows_nearby = all_independent;  // the rank can't be larger
    if (!small()) return;
    const Eigen::MatrixXd motion = allowed_motion(*equations_);
    out_.immovable = immovable(motion);
    if (out_.immovable.size() == data_.bodies.size()) {  // there is nothing nearby
      out_.knows_nearby = true;
      return;
    }
    if (out_.knows_nearby && out_.immovable.empty()) return;
    constexpr double distance = 0.15, least_distance = 1e-3;  // [rad], and in characteristic lengths
    const Eigen::VectorXd sizes = velocity_sizes(*equations_);
    for (int i = 0; i < samples; ++i) {
      Eigen::VectorXd step = motion * random_velocity().cwiseQuotient(sizes);
      step = distance / std::max(1.0, step.lpNorm<Eigen::Infinity>()) * step.cwiseProduct(sizes);
      // Elements may not be known so far away, as curves in contact: nearer then.
      double share = 1;
      while (share * distance >= least_distance && !looks_from(share * step)) share /= 4;
    }
  }

  /// At the consistent position near the one that a step leads to.
  /// @return whether the elements can be evaluated on the way there, also where no consistent position is found
  bool looks_from(const Eigen::VectorXd& step) {
    try {
      Eigen::VectorXd p = moved(state_.p, step);
      equations_->set_position(state_.t, p);
      assemble(*equations_, weights_of_units(), length_, p);
      if (largest_residual() > consistent) return true;
      const std::vector<std::string> still =
          out_.immovable.empty() ? std::vector<std::string>() : immovable(allowed_motion(*equations_));
      for (std::size_t s = 0; s < sets_.size(); ++s)
        rank_nearby_[s] = std::max(rank_nearby_[s], groups_->redundancy(sets_[s]).rank);
      if (!out_.immovable.empty()) keep_only(still);
      out_.knows_nearby = true;
      return true;
    } catch (const RecoverableFailure&) {
      return false;
    }
  }

  std::vector<std::string> immovable(const Eigen::MatrixXd& motion) const {
    constexpr double negligible = 1e-7;
    std::vector<std::string> out;
    for (std::size_t label = 1; label < topology_.nodes.size(); ++label) {
      const Topology::Node& node = topology_.nodes[label];
      const auto rows = motion.middleRows(groups_->column_of(static_cast<int>(label)), node.freedoms);
      if (rows.cwiseAbs().maxCoeff() <= negligible) out.push_back(node.name);
    }
    return out;
  }

  /// Bodies at a dead point move elsewhere.
  void keep_only(const std::vector<std::string>& still) {
    std::erase_if(out_.immovable,
                  [&](const auto& body) { return std::find(still.begin(), still.end(), body) == still.end(); });
  }

  // Reports.

  const std::string& name(int element) const { return topology_.elements[at(element)].name; }
  std::vector<std::string> names(const std::vector<int>& elements) const {
    std::vector<std::string> out;
    for (const int element : elements) out.push_back(name(element));
    return out;
  }
  std::string loop_name(int closure) const {
    const std::vector<int> elements = topology_.loop(closure);
    const bool joints = std::all_of(elements.begin(), elements.end(),
                                    [&](int element) { return topology_.elements[at(element)].is_joint; });
    return concat(joints ? "loop of joints " : "loop of ", listed(names(elements)));
  }

  /// A set's dependencies among the rows of one of its elements, each of unit size in the whole.
  Eigen::MatrixXd dependencies_at(int element, const RowGroup& set, const Redundancy& redundancy) const {
    const std::vector<int>& rows = groups_->rows_of(element);
    Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), redundancy.combinations.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto found = std::find(set.rows.begin(), set.rows.end(), rows[i]) - set.rows.begin();
      out.row(static_cast<Eigen::Index>(i)) = redundancy.combinations.row(found);
    }
    for (Eigen::Index k = 0; k < out.cols(); ++k) out.col(k) /= redundancy.combinations.col(k).cwiseAbs().maxCoeff();
    return out.unaryExpr([](double x) { return std::abs(x) < 1e-8 ? 0.0 : x; });  // rounding errors of the solution
  }

  void report_group(std::size_t set) {
    const RowGroup& group = sets_[set];
    int in_loops = 0, in_loops_nearby = 0;
    for (std::size_t k = 0; k < group.closures.size(); ++k) {
      const std::size_t loop = set + 1 + k;
      report_loop(loop, group, here_[set]);
      in_loops += redundant_here(loop);
      in_loops_nearby += redundant_nearby(loop);
    }
    const int more = redundant_here(set) - in_loops;
    if (group.closures.empty() && more > 0)
      out_.sentences.push_back(concat(name(group.elements[0]), ": ", more, " of its ", group.rows.size(), " rows",
                                      is_or_are(more), " redundant by itself", only_here(set, more), "."));
    else if (more > 0)
      out_.sentences.push_back(concat("loops closed at ", listed(names(dependent_closures(set))), ": together ", more,
                                      " more of their closure rows", is_or_are(more), " redundant",
                                      only_here(redundant_nearby(set) - in_loops_nearby, more), "."));
    if (redundant_here(set) > 0) report_reactions(group, here_[set]);
  }

  std::string only_here(std::size_t set, int count) const { return only_here(redundant_nearby(set), count); }
  std::string only_here(int permanent, int count) const {
    if (!out_.knows_nearby || permanent >= count) return "";
    return permanent <= 0 ? ", at this position only"
                          : concat(", ", count - permanent, " of them at this position only");
  }

  /// Closures that depend on more than their own loop explains.
  std::vector<int> dependent_closures(std::size_t set) {
    const RowGroup& group = sets_[set];
    std::vector<int> out;
    for (std::size_t k = 0; k < group.closures.size(); ++k) {
      const int closure = group.closures[k];
      const auto directions = direction_names<Space>(
          rows_->wrenches(closure, dependencies_at(closure, group, here_[set])), rows_->axes_of(closure), row_words);
      if (static_cast<int>(directions.size()) > redundant_here(set + 1 + k)) out.push_back(closure);
    }
    return out.empty() ? group.closures : out;
  }

  void report_loop(std::size_t set, const RowGroup& group, const Redundancy& of_group) {
    const RowGroup& loop = sets_[set];
    const int closure = loop.closures[0];
    const std::vector<NamedAxes<Space>> axes = rows_->axes_of(closure);
    Diagnosis::Loop report;
    report.elements = names(loop.elements);
    report.redundant = redundant_here(set);
    report.permanent = redundant_nearby(set);
    const auto count = static_cast<Eigen::Index>(groups_->rows_of(closure).size());
    const Eigen::MatrixXd dependencies = dependencies_at(closure, group, of_group);
    const Eigen::MatrixXd rows = rows_->wrenches(closure, Eigen::MatrixXd::Identity(count, count));
    for (Eigen::Index i = 0; i < count; ++i) {
      const std::vector<std::string> direction = direction_names<Space>(rows.col(i), axes, row_words);
      report.rows.push_back(
          {direction.empty() ? "none" : direction[0],
           unit_of(equations_->constraint_measure(groups_->rows_of(closure)[static_cast<std::size_t>(i)])),
           dependencies.cols() > 0 && !dependencies.row(i).isZero(0)});
    }
    if (report.redundant > 0) {
      report.directions =
          direction_names<Space>(rows_->wrenches(closure, dependencies_at(closure, loop, here_[set])), axes, row_words);
      out_.sentences.push_back(concat(loop_name(closure), ": ", report.redundant, " of the ", count,
                                      " closure rows at ", name(closure), is_or_are(report.redundant), " redundant (",
                                      listed(report.directions), ")", only_here(set, report.redundant), "."));
    }
    out_.loops.push_back(std::move(report));
  }

  void report_reactions(const RowGroup& group, const Redundancy& redundancy) {
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> alike;  // components, elements
    for (const int element : group.elements) {
      const Eigen::MatrixXd dependencies = dependencies_at(element, group, redundancy);
      if (dependencies.isZero(0)) continue;
      std::vector<std::string> components =
          direction_names<Space>(rows_->wrenches(element, dependencies), rows_->axes_of(element), wrench_words);
      if (components.empty()) components.push_back("multiplier");  // of a gear, whose torques on one body cancel
      const auto found = std::find_if(alike.begin(), alike.end(), [&](const auto& a) { return a.first == components; });
      if (found == alike.end())
        alike.push_back({components, {name(element)}});
      else
        found->second.push_back(name(element));
      out_.reactions.push_back({name(element), std::move(components)});
    }
    for (const auto& [components, elements] : alike)
      out_.sentences.push_back(
          concat("the reactions at ", listed(elements), " are not unique: ", listed(components), "."));
  }

  void report_mobility() {
    if (out_.knows_nearby && out_.redundant > out_.permanent)
      out_.sentences.push_back(
          concat("singular position: mobility ", out_.mobility(), " here, ", out_.usual_mobility(), " nearby."));
    if (out_.mobility() == 0)
      out_.sentences.push_back(concat("the mechanism can't move: mobility 0, ", out_.freedoms, " freedoms and as many ",
                                      "independent constraint rows."));
    else if (!out_.immovable.empty())
      out_.sentences.push_back(concat("can't move: ", listed(out_.immovable), "."));
  }

  const ModelData<Space>& data_;
  Topology topology_;
  std::unique_ptr<EquationsOfMotion> equations_;
  State state_;
  std::unique_ptr<RowGroups> groups_;
  std::unique_ptr<RowWrenches<Space>> rows_;
  double length_;  ///< characteristic
  bool too_large_ = false;
  std::mt19937 random_{1};

  std::vector<RowGroup> sets_;         ///< each group, followed by the loops in it
  std::vector<std::size_t> group_at_;  ///< where groups stand in sets_
  std::vector<Redundancy> here_;
  std::vector<int> rank_nearby_;
  Diagnosis out_;
};

template <class Space, class Function>
Diagnosis named_errors(const Model<Space>& model, Function&& function) {
  try {
    return function();
  } catch (const RecoverableFailure& failure) {
    throw ModelError(concat("diagnose: model '", model.name(), "' can't be evaluated at the position: ", failure.what(),
                            "; give a position where it can."));
  }
}

}  // namespace

template <class Space>
Diagnosis diagnose(const Model<Space>& model) {
  return named_errors(model, [&] { return Analysis<Space>(model).at_start(); });
}
template <class Space>
Diagnosis diagnose(const Model<Space>& model, const State& state) {
  return named_errors(model, [&] { return Analysis<Space>(model).at_state(state); });
}

template Diagnosis diagnose(const Model<Planar>&);
template Diagnosis diagnose(const Model<Spatial>&);
template Diagnosis diagnose(const Model<Planar>&, const State&);
template Diagnosis diagnose(const Model<Spatial>&, const State&);

}  // namespace linkwork
