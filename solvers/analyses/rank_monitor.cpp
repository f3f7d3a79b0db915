#include <linkwork/solvers/analyses/rank_monitor.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/analyses/diagnosis.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

constexpr int most_rows = 200;
constexpr double followed = 0.3;         // a relative singular value below, before or after a step, may be zero within
constexpr double singular_value = 1e-6;  // at a singular position ...
constexpr double regular_value = 1e-4;   // ... and clearly away from it
constexpr double same = 0.5;             // least cosine between vectors of one direction before and after a step

}  // namespace

template <class Space>
RankMonitor::RankMonitor(const Model<Space>& model, const EquationsOptions& options)
    : permanent_(diagnose(model).permanent) {
  TopologyOptions cuts = options.topology;
  cuts.joint_tree = options.formulation != Formulation::absolute;
  const Topology topology = analyze(model, cuts);
  for (std::size_t e = 0; e < topology.elements.size(); ++e)
    if (topology.elements[e].role != Topology::Role::tree)
      loop_closed_by_.emplace(topology.elements[e].name, listed(topology.loop_names(static_cast<int>(e))));
}
template RankMonitor::RankMonitor(const Model<Planar>&, const EquationsOptions&);
template RankMonitor::RankMonitor(const Model<Spatial>&, const EquationsOptions&);

std::function<bool(const State&, EquationsOfMotion&)> RankMonitor::observer() {
  return [this](const State& state, EquationsOfMotion& equations) {
    const int rows = equations.dimensions().constraints();
    if (rows > most_rows)
      throw ModelError(concat("RankMonitor: model '", equations.model_name(), "' has ", rows,
                              " constraint rows, and up to ", most_rows,
                              " are followed; run without it, or in coordinates with fewer rows."));
    if (rows > permanent_) {
      equations.set_position(state.t, state.p);
      watch(state.t, equations);
    }
    return true;
  };
}

std::vector<RankMonitor::Direction> RankMonitor::directions(EquationsOfMotion& equations) const {
  const Eigen::MatrixXd A = scales_.asDiagonal() * equations.G().dense();
  const SymmetricEigen squares(A * A.transpose());
  const double largest = std::sqrt(std::max(squares.values.tail<1>()[0], 0.0));
  std::vector<Direction> out;
  for (Eigen::Index i = permanent_; i < A.rows(); ++i) {
    Direction direction;
    direction.rows = squares.vectors.col(i);
    direction.velocities = A.transpose() * direction.rows;
    direction.value = direction.velocities.norm() / largest;
    direction.velocities.normalize();
    out.push_back(std::move(direction));
  }
  return out;
}

void RankMonitor::watch(double t, EquationsOfMotion& equations) {
  if (scales_.size() != equations.dimensions().constraints()) scales_ = row_scales(equations);
  std::vector<Direction> now = directions(equations);

  const auto is_zero = [](const Direction& direction) { return direction.value < singular_value; };
  const auto is_small = [](const Direction& direction) { return direction.value < regular_value; };
  const int zeros = static_cast<int>(std::count_if(now.begin(), now.end(), is_zero));
  Eigen::VectorXd members = Eigen::VectorXd::Zero(scales_.size());
  if (zeros > 0 && !is_singular_) {
    for (int i = 0; i < zeros; ++i) members += now[static_cast<std::size_t>(i)].rows.cwiseAbs2();
    report(t, zeros, members, equations);
  } else if (zeros == 0 && !is_singular_ && t > t_) {
    int crossings = 0;
    double time = 0;
    for (const Direction& direction : now)
      for (const Direction& earlier : before_) {
        if (std::min(direction.value, earlier.value) > followed) continue;
        const double cosine = direction.rows.dot(earlier.rows);
        const double cosine_of_velocities = direction.velocities.dot(earlier.velocities);
        if (std::abs(cosine) < same || std::abs(cosine_of_velocities) < same || cosine * cosine_of_velocities > 0)
          continue;
        ++crossings;
        time += t_ + (t - t_) * earlier.value / (earlier.value + direction.value);
        members += (earlier.value < direction.value ? earlier : direction).rows.cwiseAbs2();
      }
    if (crossings > 0) report(time / crossings, crossings, members, equations);
  }
  is_singular_ = zeros > 0 || (is_singular_ && std::any_of(now.begin(), now.end(), is_small));
  t_ = t;
  before_ = std::move(now);
}

void RankMonitor::report(double t, int count, const Eigen::VectorXd& rows, EquationsOfMotion& equations) {
  constexpr double share = 0.01;  // of the largest square
  std::vector<std::string> elements, loops;
  for (Eigen::Index row = 0; row < rows.size(); ++row) {
    if (rows[row] < share * rows.maxCoeff()) continue;
    const std::string element = equations.constraint_element(static_cast<int>(row));
    if (std::find(elements.begin(), elements.end(), element) != elements.end()) continue;
    elements.push_back(element);
    if (const auto loop = loop_closed_by_.find(element); loop != loop_closed_by_.end())
      loops.push_back(concat("of the loop ", loop->second));
  }
  const Dimensions& sizes = equations.dimensions();
  const int usual = sizes.v - sizes.constraints() + permanent_;
  reports_.push_back(
      {t, concat("singular position at t = ", t, " s: ", count, count == 1 ? " row" : " rows", ' ',
                 loops.empty() ? "of " + listed(elements) : listed(loops), count == 1 ? " becomes" : " become",
                 " redundant; mobility ", usual + count, " instead of ", usual, ".")});
}

}  // namespace linkwork
