#include <linkwork/solvers/dae/kinematic_matrix.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>

namespace linkwork {

KinematicMatrix::KinematicMatrix(EquationsOfMotion& equations)
    : equations_(equations), motion_(equations.dimensions().v), p_rate_(equations.dimensions().p) {
  const Dependencies places = equations.dependencies(EquationPart::position_rate, Unknown::factor);
  if (!places.complete) return;
  const Dimensions& n = equations.dimensions();
  Z_ = SparseMatrix(places.pattern);
  rows_.resize(detail::at(n.v));
  for (int i = 0; i < n.p; ++i)
    for (const int j : places.pattern.rows[detail::at(i)]) rows_[detail::at(j)].push_back(i);
  // The first group that a column fits in. Z has small blocks on its diagonal, so that there are few groups.
  std::vector<std::vector<char>> used;
  for (int j = 0; j < n.v; ++j) {
    const std::vector<int>& rows = rows_[detail::at(j)];
    std::size_t group = 0;
    const auto is_taken = [&](int row) { return used[group][detail::at(row)] != 0; };
    while (group < used.size() && std::any_of(rows.begin(), rows.end(), is_taken)) ++group;
    if (group == used.size()) {
      used.emplace_back(detail::at(n.p), 0);
      groups_.emplace_back();
    }
    for (const int row : rows) used[group][detail::at(row)] = 1;
    groups_[group].push_back(j);
  }
}

void KinematicMatrix::update() {
  for (const std::vector<int>& group : groups_) {
    motion_.setZero();
    for (const int j : group) motion_[j] = 1;
    equations_.multiply_Z(motion_, p_rate_);
    for (const int j : group)
      for (const int i : rows_[detail::at(j)]) Z_.value(Z_.place(i, j)) = p_rate_[i];
  }
}

}  // namespace linkwork
