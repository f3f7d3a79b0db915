#include <linkwork/solvers/linear/mass_factors.hpp>

#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/topology/disjoint_sets.hpp>

#include <vector>

namespace linkwork {

MassFactors::MassFactors(const BlockMatrix& M) {
  const auto count = static_cast<std::size_t>(M.rows());
  DisjointSets connected(count);
  for (const BlockMatrix::Block& block : M.blocks()) {
    for (int i = 1; i < block.height; ++i) connected.unite(block.row, block.row + i);
    for (int j = 0; j < block.width; ++j) connected.unite(block.row, block.column + j);
  }
  std::vector<int> number(count, -1);
  component_.resize(count);
  place_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    int& which = number[static_cast<std::size_t>(connected.find(static_cast<int>(i)))];
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
    if (!component.factors.compute(component.matrix)) return false;
    const auto pivots = component.factors.packed().diagonal().array().square();
    if (!(pivots > singular_pivot * component.matrix.diagonal().array()).all()) return false;
  }
  return true;
}

void MassFactors::solve_in_place(Eigen::VectorXd& x) {
  for (Component& component : components_) {
    for (std::size_t i = 0; i < component.columns.size(); ++i)
      component.x[static_cast<Eigen::Index>(i)] = x[component.columns[i]];
    component.factors.solve_in_place(component.x);
    for (std::size_t i = 0; i < component.columns.size(); ++i)
      x[component.columns[i]] = component.x[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace linkwork
