#include <linkwork/solvers/linear/link_blocks.hpp>

#include <linkwork/core/link_algebra.hpp>
#include <linkwork/core/power_of_two.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

template <class Space>
double LinkBlocks<Space>::operations(const JointTree<Space>& tree, const Closures& closures) {
  BlockGraph graph;
  const auto add = [&](int size, BlockGraph::Kind kind) {
    graph.nodes.push_back({size, kind});
    return static_cast<int>(graph.nodes.size()) - 1;
  };
  std::vector<int> node_of(tree.links.size(), -1);
  for (std::size_t label = 1; label < node_of.size(); ++label) {
    const auto& link = tree.links[label];
    node_of[label] = add(link.is_free ? link.freedoms : n, BlockGraph::Kind::definite);
    if (link.is_free || link.freedoms == n) continue;
    const int joint = add(n - link.freedoms, BlockGraph::Kind::constraint);
    graph.edges.push_back({node_of[label], joint});
    if (link.father > 0) graph.edges.push_back({node_of[detail::at(link.father)], joint});
  }
  for (const auto& closure : closures.list) {
    const int rows = add(closure.count, BlockGraph::Kind::constraint);
    for (const auto& part : closure.parts)
      if (part.link > 0) graph.edges.push_back({node_of[detail::at(part.link)], rows});
  }
  return static_cast<double>(plan_elimination(graph).factor_operations);
}

template <class Space>
LinkBlocks<Space>::LinkBlocks(const JointTree<Space>& tree, const Closures& closures)
    : tree_(tree),
      closures_(closures),
      slots_(tree.links.size()),
      force_(tree.links.size(), Components<Space>::Zero()),
      offset_(force_),
      held_(force_),
      balance_(force_),
      A_(force_) {
  lay_out();
  f_.resize(M_.rows());
  w_.resize(M_.rows());
  g_.resize(G_.rows());
  lambda_.resize(G_.rows());
}

template <class Space>
void LinkBlocks<Space>::lay_out() {
  int columns = 0;
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    const auto& link = tree_.links[label];
    Slot& slot = slots_[label];
    slot.is_free = link.is_free;
    slot.column = columns;
    slot.size = slot.is_free ? link.freedoms : n;
    slot.row = joint_rows_;
    slot.rows = slot.is_free ? 0 : n - link.freedoms;
    slot.S.setZero(n, link.freedoms);
    columns += slot.size;
    joint_rows_ += slot.rows;
  }
  M_ = BlockMatrix(columns, columns);
  G_ = BlockMatrix(joint_rows_ + closures_.row_count, columns);
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    Slot& slot = slots_[label];
    const LinkInertia<Space>& inertia = tree_.inertias[label];
    if (slot.size > 0 && (inertia.mass > 0 || !inertia.inertia.isZero(0)))
      slot.mass = M_.add_block(slot.column, slot.column, slot.size, slot.size);
    if (slot.rows == 0) continue;
    slot.own = G_.add_block(slot.row, slot.column, slot.rows, n);
    const Slot& father = this->slot(tree_.links[label].father);
    if (father.size > 0)  // no ground
      slot.on_father = G_.add_block(slot.row, father.column, slot.rows, father.size);
  }
  for (const auto& closure : closures_.list)
    for (const auto& part : closure.parts) {
      const Slot& on = slot(part.link);
      const bool moves = part.link > 0 && on.size > 0 && closure.count > 0;
      closure_blocks_.push_back(moves ? G_.add_block(joint_rows_ + closure.row, on.column, closure.count, on.size)
                                      : -1);
    }
}

/// A wrench on a link, as its father feels it.
template <class Space>
Components<Space> LinkBlocks<Space>::on_father(std::size_t label, const Components<Space>& wrench) const {
  Wrench<Space> on_link;
  assign(wrench, on_link);
  return components(to_father<Space>(tree_.rotation[label], tree_.origin[label], on_link));
}
/// X A_father
template <class Space>
Components<Space> LinkBlocks<Space>::moved_by_father(std::size_t label) const {
  Twist<Space> of_father;
  assign(A_[detail::at(tree_.links[label].father)], of_father);
  return components(to_link<Space>(tree_.rotation[label], tree_.origin[label], of_father));
}
/// I A
template <class Space>
Components<Space> LinkBlocks<Space>::inertial(std::size_t label, const Components<Space>& A) const {
  Twist<Space> motion;
  assign(A, motion);
  return components(times(tree_.inertias[label], motion));
}

/// I, or S^T I S of a free link.
template <class Space>
void LinkBlocks<Space>::write_inertia(std::size_t label) {
  const Slot& slot = slots_[label];
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> block(M_.values(slot.mass),
                                                                                           slot.size, slot.size);
  for (int j = 0; j < slot.size; ++j) {
    Components<Space> motion = Components<Space>::Unit(j);
    if (slot.is_free) motion = slot.S.col(j);
    const Components<Space> wrench = inertial(label, motion);
    for (int i = 0; i < slot.size; ++i) block(i, j) = slot.is_free ? slot.S.col(i).dot(wrench) : wrench[i];
  }
}

/// Rows on a link's twist become rows on its unknowns.
template <class Space>
void LinkBlocks<Space>::write_rows(const Components<Space>* rows, int count, const Slot& on, double* block) const {
  for (int r = 0; r < count; ++r)
    for (int j = 0; j < on.size; ++j) *block++ = on.is_free ? on.S.col(j).dot(rows[r]) : rows[r][j];
}

template <class Space>
JointSingularity LinkBlocks<Space>::refresh() {
  if (length_ == 0) length_ = length_of(tree_);
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    Slot& slot = slots_[label];
    const auto& link = tree_.links[label];
    for (int k = 0; k < link.freedoms; ++k)
      slot.S.col(k) = link.axis >= 0 ? Components<Space>(Components<Space>::Unit(link.axis))
                                     : tree_.subspace[detail::at(link.subspace + k)];
    if (slot.mass >= 0) write_inertia(label);
    if (slot.is_free) continue;
    if (const int dependent = slot.joint.split(slot.S, length_); dependent >= 0)
      return {link.column + dependent, -1, false};
    if (slot.rows == 0) continue;
    Components<Space> own[n], on_its_father[n];
    for (int r = 0; r < slot.rows; ++r) {
      own[r] = slot.joint.basis().col(link.freedoms + r);
      on_its_father[r] = -on_father(label, own[r]);
    }
    write_rows(own, slot.rows, slot, G_.values(slot.own));
    if (slot.on_father >= 0) write_rows(on_its_father, slot.rows, this->slot(link.father), G_.values(slot.on_father));
  }
  auto block = closure_blocks_.begin();
  for (const auto& closure : closures_.list)
    for (const auto& part : closure.parts) {
      const int number = *block++;
      if (number >= 0)
        write_rows(closures_.rows.data() + part.first, closure.count, slot(part.link), G_.values(number));
    }
  return {};
}

/// Accelerations that turn by 1 / length, and rows by their entries then; those that are zero here by chance as they
/// are. Rows of joints measure radians, others metres or radians: a row is zero where it is beside the others in both.
template <class Space>
void LinkBlocks<Space>::find_scale() {
  constexpr double negligible = 1e-6;
  const double of_turns = detail::nearest_power_of_two(1 / length_);
  scale_ = Eigen::VectorXd::Ones(M_.rows() + G_.rows());
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    const Slot& slot = slots_[label];
    for (int j = 0; j < slot.size; ++j)
      if (slot.is_free ? !slot.S.col(j).template head<Space::angular>().isZero() : j < Space::angular)
        scale_[slot.column + j] = of_turns;
  }
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(G_.rows());
  for (const BlockMatrix::Block& block : G_.blocks())
    for (int i = 0; i < block.height; ++i)
      for (int j = 0; j < block.width; ++j) {
        const double value = G_.data()[block.offset + detail::at(i * block.width + j)];
        largest[block.row + i] = std::max(largest[block.row + i], std::abs(value) * scale_[block.column + j]);
      }
  const double all = largest.size() > 0 ? largest.maxCoeff() * std::min(1.0, length_) : 0.0;
  for (Eigen::Index i = 0; i < largest.size(); ++i)
    if (largest[i] * std::max(1.0, length_) > negligible * all)
      scale_[M_.rows() + i] = detail::nearest_power_of_two(1 / largest[i]);
}

template <class Space>
JointSingularity LinkBlocks<Space>::factor() {
  if (const JointSingularity singularity = refresh()) return singularity;
  if (scale_.size() == 0) find_scale();
  std::int64_t analyses = 0;
  const int unknown = elimination_.factor({MatrixKind::velocity, &M_, &G_, nullptr, scale_.data()}, analyses);
  if (unknown < 0) return {};
  if (unknown >= M_.rows() + joint_rows_) return {-1, unknown - M_.rows() - joint_rows_, true};
  const bool is_row = unknown >= M_.rows();
  const auto owner = std::find_if(slots_.begin() + 1, slots_.end(), [&](const Slot& slot) {
    const int first = is_row ? slot.row : slot.column, count = is_row ? slot.rows : slot.size;
    const int number = is_row ? unknown - M_.rows() : unknown;
    return first <= number && number < first + count;
  });
  return {tree_.links[static_cast<std::size_t>(owner - slots_.begin())].column, -1, true};
}

template <class Space>
void LinkBlocks<Space>::load_links(const TreeLoad<Space>& load) {
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    const Slot& slot = slots_[label];
    force_[label].setZero();
    offset_[label].setZero();
    held_[label].setZero();
    if (load.wrench) force_[label] = components(load.wrench[label]);
    if (load.offset) offset_[label] = components(load.offset[label]);
    if (load.force && !slot.is_free) held_[label] = slot.joint.dual(load.force + tree_.links[label].column);
    balance_[label] = held_[label] - force_[label];
    A_[label].setZero();
    if (slot.is_free) A_[label] = offset_[label];  // what is known of it
  }
  for (std::size_t label = slots_.size() - 1; label > 0; --label)
    balance_[detail::at(tree_.links[label].father)] -= on_father(label, held_[label]);
}

template <class Space>
void LinkBlocks<Space>::write_right_sides(const TreeLoad<Space>& load, const double* g) {
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    const Slot& slot = slots_[label];
    const auto& link = tree_.links[label];
    if (slot.is_free) {
      const Components<Space> wrench = balance_[label] - inertial(label, offset_[label]);
      for (int k = 0; k < link.freedoms; ++k)
        f_[slot.column + k] = slot.S.col(k).dot(wrench) + (load.force ? load.force[link.column + k] : 0.0);
      continue;
    }
    f_.template segment<n>(slot.column) = balance_[label];
    const Components<Space> known = offset_[label] + moved_by_father(label);
    for (int r = 0; r < slot.rows; ++r) g_[slot.row + r] = slot.joint.basis().col(link.freedoms + r).dot(known);
  }
  std::copy_n(g, closures_.row_count, g_.data() + joint_rows_);
  for (const auto& closure : closures_.list)
    for (const auto& part : closure.parts)
      for (int r = 0; r < closure.count; ++r)
        g_[joint_rows_ + closure.row + r] -= closures_.rows[detail::at(part.first + r)].dot(A_[detail::at(part.link)]);
}

template <class Space>
void LinkBlocks<Space>::solve(const TreeLoad<Space>& load, const double* g, double* acceleration, double* lambda) {
  load_links(load);
  write_right_sides(load, g);
  elimination_.solve(f_, g_, w_, lambda_);
  for (std::size_t label = 1; label < slots_.size(); ++label) {
    const Slot& slot = slots_[label];
    double* own = acceleration + tree_.links[label].column;
    if (slot.is_free) {
      std::copy_n(w_.data() + slot.column, slot.size, own);
      A_[label] += slot.S * w_.segment(slot.column, slot.size);
    } else {
      A_[label] = w_.template segment<n>(slot.column);
      slot.joint.coordinates(A_[label] - moved_by_father(label) - offset_[label], own);
    }
  }
  std::copy_n(lambda_.data() + joint_rows_, closures_.row_count, lambda);
  for (const auto& closure : closures_.list)
    for (const auto& part : closure.parts)
      for (int r = 0; r < closure.count; ++r)
        force_[detail::at(part.link)] +=
            lambda_[joint_rows_ + closure.row + r] * closures_.rows[detail::at(part.first + r)];
}

template <class Space>
Twist<Space> LinkBlocks<Space>::link_acceleration(int link) const {
  Twist<Space> out;
  assign(A_[detail::at(link)], out);
  return out;
}

template <class Space>
void LinkBlocks<Space>::joint_wrenches(Wrench<Space>* wrench) {
  std::copy(force_.begin(), force_.end(), balance_.begin());
  for (std::size_t label = slots_.size() - 1; label > 0; --label) {
    balance_[label] += inertial(label, A_[label]);
    balance_[detail::at(tree_.links[label].father)] += on_father(label, balance_[label]);
    assign(balance_[label], wrench[label]);
  }
}

template class LinkBlocks<Planar>;
template class LinkBlocks<Spatial>;

}  // namespace linkwork
