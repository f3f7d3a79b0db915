#include <linkwork/solvers/dae/independent_rows.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

// Geometry of redundant loops is as exact as it was typed, and as placements have to be. [of the characteristic length]
constexpr double typed = 1e-6;
// What the kept rows leave open is seen enlarged in those that depend on them.
constexpr double enlarged = 100;

double worst_of(const Eigen::VectorXd& residual, const std::vector<char>& is_left_out, const Eigen::VectorXd& scales) {
  double worst = 0;
  for (Eigen::Index i = 0; i < residual.size(); ++i)
    if (is_left_out[static_cast<std::size_t>(i)] == 0) worst = std::max(worst, std::abs(scales[i] * residual[i]));
  return worst;
}

/// Speed of the rows: the largest sum of the sizes of what their rates consist of.
double speed_of_rows(EquationsOfMotion& equations, const Eigen::VectorXd& scales) {
  Eigen::VectorXd speeds = equations.velocity_offset().cwiseAbs();
  const BlockMatrix& G = equations.G();
  for (std::size_t b = 0; b < G.blocks().size(); ++b) {
    const BlockMatrix::Block& block = G.blocks()[b];
    const double* value = G.values(static_cast<int>(b));
    for (int i = block.row; i < block.row + block.height; ++i)
      for (int j = block.column; j < block.column + block.width; ++j, ++value)
        speeds[i] += std::abs(*value * equations.velocity()[j]);
  }
  return speeds.size() > 0 ? speeds.cwiseProduct(scales).maxCoeff() : 0.0;
}

}  // namespace

void IndependentRows::find(EquationsOfMotion& equations, int known_rank) {
  const Eigen::MatrixXd G = equations.G().dense();
  scales_ = row_scales(equations);
  const Redundancy found = find_redundancy(G, scales_, equations.characteristic_length(), known_rank);
  rank_ = found.rank;
  if (known_rank < 0) {
    redundant_rows_ = found.redundant_rows;
    chosen_rank_ = rank_;
  }
  const Eigen::MatrixXd scaled = scales_.cwiseInverse().asDiagonal() * found.combinations;
  QrFactors factors;
  factors.compute(scaled);
  null_ = factors.columns_of_Q(scaled.cols());
}

void IndependentRows::choose(EquationsOfMotion& equations) {
  find(equations, -1);
  has_changed_ = false;
}

void IndependentRows::follow(EquationsOfMotion& equations) {
  constexpr double nearly_dependent = 1e-3;
  find(equations, chosen_rank_);
  has_changed_ = rank_has_changed();
  independence_ = 1;
  if (has_changed_ || redundant_rows_.empty()) return;
  Eigen::MatrixXd part(static_cast<Eigen::Index>(redundant_rows_.size()), null_.cols());
  for (Eigen::Index i = 0; i < part.rows(); ++i) part.row(i) = null_.row(redundant_rows_[static_cast<std::size_t>(i)]);
  const Eigen::VectorXd sizes = SingularValues(part, 0).values();
  independence_ = sizes[sizes.size() - 1];
  has_changed_ = independence_ < nearly_dependent;
}

std::string IndependentRows::disagreement(EquationsOfMotion& equations, double tolerance) const {
  if (redundant_rows_.empty()) return "";
  const double length = equations.characteristic_length(), allowed = std::max(tolerance, typed);
  std::vector<char> is_left_out(static_cast<std::size_t>(equations.dimensions().constraints()), 0);
  for (const int row : redundant_rows_) is_left_out[static_cast<std::size_t>(row)] = 1;
  const Eigen::VectorXd& g = equations.g();
  const Eigen::VectorXd& rates = equations.velocity_residual();
  const double most = allowed * length + enlarged * worst_of(g, is_left_out, scales_);
  const double fastest = allowed * (length + speed_of_rows(equations, scales_)) +  // per second
                         enlarged * worst_of(rates, is_left_out, scales_);
  for (const int row : redundant_rows_)
    if (row < g.size() && !(std::abs(scales_[row] * g[row]) <= most)) return contradiction(equations, row, g[row], "");
  for (const int row : redundant_rows_)
    if (!(std::abs(scales_[row] * rates[row]) <= fastest)) return contradiction(equations, row, rates[row], "/s");
  return "";
}

/// Names the row and those that hold it.
std::string IndependentRows::contradiction(const EquationsOfMotion& equations, int row, double off,
                                           const char* unit_of_rate) const {
  constexpr double share = 1e-3;
  const Eigen::VectorXd weights = (null_ * null_.row(row).transpose()).cwiseAbs();
  std::vector<std::string> others;
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= share * weights.maxCoeff())) continue;
    std::string element = equations.constraint_element(static_cast<int>(i));
    if (element != equations.constraint_element(row) &&
        std::find(others.begin(), others.end(), element) == others.end())
      others.push_back(std::move(element));
  }
  return concat("constraints of model '", equations.model_name(), "' contradict each other at t = ", equations.time(),
                " s: ", equations.constraint_name(row), " is off by ", off, ' ',
                unit_of(equations.constraint_measure(row)), unit_of_rate, " although the rows that it depends on",
                others.empty() ? std::string() : ", of " + listed(others) + ',',
                " are closed; correct the geometry or the drives, or take one of them away.");
}

void IndependentRows::reduce(Eigen::VectorXd& lambda) const {
  if (redundant_rows_.empty()) return;
  const auto count = static_cast<Eigen::Index>(redundant_rows_.size());
  Eigen::MatrixXd part(count, null_.cols());
  Eigen::VectorXd wanted(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int row = redundant_rows_[static_cast<std::size_t>(i)];
    part.row(i) = null_.row(row);
    wanted[i] = lambda[row] / scales_[row];
  }
  lambda -= scales_.asDiagonal() * (null_ * OrthogonalFactors(part).solve(wanted));
  for (const int row : redundant_rows_) lambda[row] = 0;
}

void IndependentRows::minimise_norm(Eigen::VectorXd& lambda) const {
  const Eigen::VectorXd forces = lambda.cwiseQuotient(scales_);
  lambda -= scales_.asDiagonal() * (null_ * (null_.transpose() * forces));
}

void choose_independent_rows(std::optional<IndependentRows>& rows, EquationsOfMotion& equations,
                             const LinearSolver& solver, State& state) {
  const Dimensions& n = equations.dimensions();
  if (!rows && (!solver.redundant_rows().empty() || (n.v == 0 && n.constraints() > 0))) rows.emplace();
  equations.set(state);
  if (!rows) return;
  rows->choose(equations);
  rows->reduce(state.lambda);
  equations.set(state);
}

}  // namespace linkwork
