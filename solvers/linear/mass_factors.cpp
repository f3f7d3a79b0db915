#include <linkwork/solvers/linear/mass_factors.hpp>

#include <linkwork/solvers/linear/singularity.hpp>

#include <numeric>

namespace linkwork {

namespace {

int root_of(std::vector<int>& parent, int i) {
  while (parent[static_cast<std::size_t>(i)] != i) {
    int& up = parent[static_cast<std::size_t>(i)];
    up = parent[static_cast<std::size_t>(up)];
    i = up;
  }
  return i;
}

void join(std::vector<int>& parent, int i, int j) {
  parent[static_cast<std::size_t>(root_of(parent, i))] = root_of(parent, j);
}

}  // namespace

MassFactors::MassFactors(const BlockMatrix& M) {
  const auto count = static_cast<std::size_t>(M.rows());
  std::vector<int> parent(count);
  std::iota(parent.begin(), parent.end(), 0);
  for (const BlockMatrix::Block& block : M.blocks()) {
    for (int i = 1; i < block.height; ++i) join(parent, block.row, block.row + i);
    for (int j = 0; j < block.width; ++j) join(parent, block.row, block.column + j);
  }
  std::vector<int> number(count, -1);
  component_.resize(count);
  place_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    int& which = number[static_cast<std::size_t>(root_of(parent, static_cast<int>(i)))];
    if (which < 0) {
      which = static_cast<int>(components_.size());
      components_.emplace_back();
    }
    std::vector<int>& columns = components_[static_cast<std::size_t>(which)].columns;
    component_[i] = which;
    place_[i] = static_cast<int>(columns.size());
    columns.push_back(static_cast<int>(i));
  }
  for (Component& component : components_) {
    const auto size = static_cast<Eigen::Index>(component.columns.size());
    component.matrix.resize(size, size);
    component.x.resize(size);
  }
}

bool MassFactors::factor(const BlockMatrix& M) {
  for (Component& component : components_) component.matrix.setZero();
  for (const BlockMatrix::Block& block : M.blocks()) {
    const double* value = M.data() + block.offset;
    Eigen::MatrixXd& matrix =
        components_[static_cast<std::size_t>(component_[static_cast<std::size_t>(block.row)])].matrix;
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j)
        matrix(place_[static_cast<std::size_t>(block.row + i)], place_[static_cast<std::size_t>(block.column + j)]) =
            *value++;
  }
  for (Component& component : components_) {
    component.llt.compute(component.matrix);
    if (component.llt.info() != Eigen::Success) return false;
    const auto pivots = component.llt.matrixLLT().diagonal().array().square();
    if (!(pivots > singular_pivot * component.matrix.diagonal().array()).all()) return false;
  }
  return true;
}

void MassFactors::solve_in_place(Eigen::VectorXd& x) {
  for (Component& component : components_) {
    for (std::size_t i = 0; i < component.columns.size(); ++i)
      component.x[static_cast<Eigen::Index>(i)] = x[component.columns[i]];
    component.llt.matrixLLT().triangularView<Eigen::Lower>().solveInPlace(component.x);
    component.llt.matrixLLT().triangularView<Eigen::Lower>().transpose().solveInPlace(component.x);
    for (std::size_t i = 0; i < component.columns.size(); ++i)
      x[component.columns[i]] = component.x[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace linkwork
