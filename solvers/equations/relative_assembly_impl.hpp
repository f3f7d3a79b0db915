#pragma once

// M and G of RelativeEquations, for solvers that ask for them. Blocks are laid out at the first question.

#include <linkwork/solvers/equations/relative_equations.hpp>

#include <algorithm>

namespace linkwork {

namespace detail {

/// Mass properties of a link about the origin and in the axes of its father.
template <class Space>
LinkInertia<Space> in_father(const Rotation<Space>& R, const Vector<Space>& r, const LinkInertia<Space>& link) {
  LinkInertia<Space> out;
  const Vector<Space> moment = R * link.moment;
  out.mass = link.mass;
  out.moment = moment + link.mass * r;
  if constexpr (Space::dimension == 2) {
    out.inertia(0, 0) = link.inertia(0, 0) + 2 * r.dot(moment) + link.mass * r.squaredNorm();
  } else {
    const Eigen::Matrix3d mixed = r * moment.transpose() + moment * r.transpose();
    out.inertia = R * link.inertia * R.transpose() - mixed - link.mass * (r * r.transpose());
    out.inertia.diagonal().array() += 2 * r.dot(moment) + link.mass * r.squaredNorm();
  }
  return out;
}

}  // namespace detail

/// One block per joint, and a pair for each joint between it and the root.
template <class Space>
void RelativeEquations<Space>::lay_out_mass(BlockMatrix& M) {
  mass_blocks_.resize(links_.size());
  for (std::size_t label = 1; label < links_.size(); ++label) {
    const Link& link = tree_.links[label];
    if (link.freedoms == 0) continue;
    std::vector<int>& blocks = mass_blocks_[label];
    blocks.push_back(M.add_block(link.column, link.column, link.freedoms, link.freedoms));
    for (int ancestor = link.father; ancestor > 0; ancestor = tree_.links[detail::at(ancestor)].father) {
      const Link& other = tree_.links[detail::at(ancestor)];
      if (other.freedoms == 0) continue;
      blocks.push_back(M.add_block(link.column, other.column, link.freedoms, other.freedoms));
      blocks.push_back(M.add_block(other.column, link.column, other.freedoms, link.freedoms));
    }
  }
}

/// The composite-body method: a link's column of M is the wrench that moves all that hangs on it, as its ancestors'
/// joints feel it.
template <class Space>
void RelativeEquations<Space>::do_M(BlockMatrix& M) {
  if (mass_blocks_.empty()) lay_out_mass(M);
  composite_.assign(tree_.inertias.begin(), tree_.inertias.end());
  std::array<Wrench<Space>, n> wrenches;
  std::array<double, n * n> unit{};
  for (int j = 0; j < n; ++j) unit[detail::at(j * n + j)] = 1;
  for (std::size_t label = links_.size() - 1; label > 0; --label) {
    const Link& link = tree_.links[label];
    if (link.father > 0) {
      LinkInertia<Space>& father = composite_[detail::at(link.father)];
      const LinkInertia<Space> own =
          detail::in_father<Space>(tree_.rotation[label], tree_.origin[label], composite_[label]);
      father.mass += own.mass;
      father.moment += own.moment;
      father.inertia += own.inertia;
    }
    if (link.freedoms == 0) continue;
    Link alone = link;
    alone.column = 0;
    for (int j = 0; j < link.freedoms; ++j)
      wrenches[detail::at(j)] = times(composite_[label], joint_twist(alone, unit.data() + j * n));
    std::size_t next = 0;
    for (int at = static_cast<int>(label); at > 0; at = tree_.links[detail::at(at)].father) {
      const Link& other = tree_.links[detail::at(at)];
      if (other.freedoms > 0) {
        double* block = M.values(mass_blocks_[label][next++]);
        double* mirrored = at == static_cast<int>(label) ? nullptr : M.values(mass_blocks_[label][next++]);
        for (int j = 0; j < link.freedoms; ++j)
          for (int i = 0; i < other.freedoms; ++i) {
            const double value = joint_component(other, i, wrenches[detail::at(j)]);
            block[j * other.freedoms + i] = value;
            if (mirrored) mirrored[i * link.freedoms + j] = value;
          }
      }
      for (int j = 0; j < link.freedoms; ++j)
        wrenches[detail::at(j)] =
            to_father<Space>(tree_.rotation[detail::at(at)], tree_.origin[detail::at(at)], wrenches[detail::at(j)]);
    }
  }
}

/// S_i^T w
template <class Space>
double RelativeEquations<Space>::joint_component(const Link& link, int freedom, const Wrench<Space>& wrench) const {
  Components<Space> components;
  components << wrench.torque, wrench.force;
  return link.axis >= 0 ? components[link.axis] : tree_.subspace[detail::at(link.subspace + freedom)].dot(components);
}

template <class Space>
void RelativeEquations<Space>::lay_out_rows(RowKind kind, BlockMatrix& G) {
  auto& paths = paths_[static_cast<std::size_t>(kind)];
  for (const Closure& closure : tree_.closures_of(kind).list) {
    std::vector<std::pair<int, int>> known;  // link, block: two parts may share joints
    for (const typename Closure::Part& part : closure.parts) {
      std::vector<PathBlock> path;
      for (const int label : path_joints({part.link}, closure.meeting)) {
        const Link& link = tree_.links[detail::at(label)];
        int block = -1;
        if (link.freedoms > 0) {
          const auto found =
              std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.first == label; });
          block = found != known.end() ? found->second
                                       : G.add_block(closure.row, link.column, closure.count, link.freedoms);
          if (found == known.end()) known.emplace_back(label, block);
        }
        path.push_back({label, block});
      }
      paths.push_back(std::move(path));
    }
  }
  vanishing_rows_[static_cast<std::size_t>(kind)].resize(detail::at(G.rows()), tree_);
  rows_laid_out_[static_cast<std::size_t>(kind)] = true;
}

/// Each row goes inwards as a wrench; the joints on its way feel S^T of it.
template <class Space>
void RelativeEquations<Space>::write_rows(RowKind kind, BlockMatrix& G) {
  G.set_zero();
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
  auto path = paths_[static_cast<std::size_t>(kind)].begin();
  for (const Closure& closure : closures.list)
    for (const typename Closure::Part& part : closure.parts) {
      for (int r = 0; r < closure.count; ++r) {
        const Components<Space>& row = closures.rows[detail::at(part.first + r)];
        Wrench<Space> wrench;
        detail::load(row.data(), wrench.torque);
        wrench.force = row.template tail<dimension>();
        for (const PathBlock& step : *path) {
          const auto label = detail::at(step.link);
          const Link& link = tree_.links[label];
          for (int i = 0; i < link.freedoms; ++i)
            G.values(step.block)[r * link.freedoms + i] += joint_component(link, i, wrench);
          wrench = to_father<Space>(tree_.rotation[label], tree_.origin[label], wrench);
        }
      }
      ++path;
    }
  clear_vanishing_rows(kind, G);
}

/// Rows that are nothing but rounding become zeros, which every solver knows for what they are.
template <class Space>
void RelativeEquations<Space>::clear_vanishing_rows(RowKind kind, BlockMatrix& G) {
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
  auto path = paths_[static_cast<std::size_t>(kind)].begin();
  for (const Closure& closure : closures.list) {
    const auto first = path;
    path += static_cast<std::ptrdiff_t>(closure.parts.size());
    for (int r = 0; r < closure.count; ++r) {
      const auto for_each_entry = [&](auto&& visit) {
        for (auto each = first; each != path; ++each)
          for (const PathBlock& step : *each)
            for (int i = 0, count = tree_.links[detail::at(step.link)].freedoms; i < count; ++i)
              visit(G.values(step.block)[r * count + i]);
      };
      double action = 0;
      for_each_entry([&](double entry) { action = std::max(action, std::abs(entry)); });
      if (vanishing_rows_[static_cast<std::size_t>(kind)].has_vanished(detail::at(closure.row + r), action, tree_,
                                                                       closures, closure, r))
        for_each_entry([](double& entry) { entry = 0; });
    }
  }
}

/// offset = (G v + offset) - G v: the first is what the links' velocities say, drives included.
template <class Space>
void RelativeEquations<Space>::do_G(BlockMatrix& G, Eigen::VectorXd& offset) {
  if (!rows_laid_out_[0]) lay_out_rows(RowKind::velocity, G);
  do_joint_tree(RowKind::velocity);
  write_velocity_residual(offset);
  write_rows(RowKind::velocity, G);
  G.multiply_add(-1.0, this->velocity(), offset);
}

template <class Space>
void RelativeEquations<Space>::do_C(BlockMatrix& C) {
  if (!rows_laid_out_[1]) lay_out_rows(RowKind::position, C);
  do_joint_tree(RowKind::position);
  write_rows(RowKind::position, C);
}

}  // namespace linkwork
