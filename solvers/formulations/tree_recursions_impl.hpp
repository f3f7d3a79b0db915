#pragma once

// The recursions of TreeRecursions, which allocate nothing; and M and G, for solvers that ask for them.

#include <linkwork/solvers/formulations/body_graph.hpp>
#include <linkwork/solvers/formulations/tree_recursions.hpp>

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

template <class Space>
TreeRecursions<Space>::TreeRecursions(const JointTree<Space>& tree)
    : tree_(tree),
      accelerations_(tree.links.size()),
      wrenches_(tree.links.size()),
      work_v_(Eigen::VectorXd::Zero(tree.freedoms)) {}

template <class Space>
Twist<Space> TreeRecursions<Space>::joint_twist(const Link& link, const double* v) const {
  Components<Space> twist = Components<Space>::Zero();
  if (link.axis >= 0) {
    twist[link.axis] = v[link.column];
  } else {
    for (int j = 0; j < link.freedoms; ++j) twist += v[link.column + j] * tree_.subspace[detail::at(link.subspace + j)];
  }
  Twist<Space> out;
  detail::load(twist.data(), out.angular);
  out.linear = twist.template tail<dimension>();
  return out;
}

template <class Space>
const std::vector<Twist<Space>>& TreeRecursions<Space>::accelerate_links(const Eigen::VectorXd& a) {
  accelerations_[0] = {};
  for (std::size_t label = 1; label < tree_.links.size(); ++label) {
    const Link& link = tree_.links[label];
    Twist<Space> A =
        to_link<Space>(tree_.rotation[label], tree_.origin[label], accelerations_[detail::at(link.father)]);
    const Twist<Space> own = joint_twist(link, a.data());
    A.angular += own.angular;
    A.linear += own.linear;
    accelerations_[label] = A;
  }
  return accelerations_;
}

template <class Space>
void TreeRecursions<Space>::add_inertial() {
  for (std::size_t label = 1; label < tree_.links.size(); ++label) {
    const Wrench<Space> own = times(tree_.inertias[label], accelerations_[label]);
    wrenches_[label].torque += own.torque;
    wrenches_[label].force += own.force;
  }
}

template <class Space>
void TreeRecursions<Space>::add_closure_forces(const Eigen::VectorXd& lambda) {
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(RowKind::velocity);
  for (const Closure& closure : closures.list) {
    for (const Part& part : closure.parts)
      for (int r = 0; r < closure.count; ++r) {
        const Wrench<Space> row = detail::as_wrench<Space>(closures.rows[detail::at(part.first + r)]);
        Wrench<Space>& wrench = wrenches_[detail::at(part.link)];
        wrench.torque += lambda[closure.row + r] * row.torque;
        wrench.force += lambda[closure.row + r] * row.force;
      }
  }
}

template <class Space>
void TreeRecursions<Space>::pass_inwards(Eigen::VectorXd& out) {
  for (std::size_t label = tree_.links.size() - 1; label > 0; --label) {
    const Link& link = tree_.links[label];
    const Wrench<Space>& wrench = wrenches_[label];
    Components<Space> components;
    components << wrench.torque, wrench.force;
    if (link.axis >= 0) {
      out[link.column] = components[link.axis];
    } else {
      for (int j = 0; j < link.freedoms; ++j)
        out[link.column + j] = tree_.subspace[detail::at(link.subspace + j)].dot(components);
    }
    if (link.father == 0) continue;
    const Wrench<Space> passed = to_father<Space>(tree_.rotation[label], tree_.origin[label], wrench);
    Wrench<Space>& father = wrenches_[detail::at(link.father)];
    father.torque += passed.torque;
    father.force += passed.force;
  }
}

template <class Space>
void TreeRecursions<Space>::multiply_mass(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  accelerate_links(x);
  start_wrenches();
  add_inertial();
  pass_inwards(y);
}

template <class Space>
void TreeRecursions<Space>::generalised_force(Eigen::VectorXd& f) {
  std::copy(tree_.force.begin(), tree_.force.end(), wrenches_.begin());
  pass_inwards(f);
  f = -f;
}

template <class Space>
void TreeRecursions<Space>::dynamic_residual(const Eigen::VectorXd& a, const Eigen::VectorXd& lambda,
                                             Eigen::VectorXd& residual) {
  std::copy(tree_.force.begin(), tree_.force.end(), wrenches_.begin());
  add_motion(a, lambda);
  pass_inwards(residual);
}

template <class Space>
void TreeRecursions<Space>::add_closure_velocities(Eigen::VectorXd& residual) const {
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(RowKind::velocity);
  for (const Closure& closure : closures.list) {
    for (const Part& part : closure.parts) {
      const Twist<Space>& V = tree_.velocity[detail::at(part.link)];
      for (int r = 0; r < closure.count; ++r) {
        const Wrench<Space> row = detail::as_wrench<Space>(closures.rows[detail::at(part.first + r)]);
        residual[closure.row + r] += dot(row.torque, V.angular) + row.force.dot(V.linear);
      }
    }
  }
}

// M and G.

template <class Space>
std::vector<int> TreeRecursions<Space>::path_joints(std::vector<int> labels, int meeting) const {
  std::vector<int> out;
  std::make_heap(labels.begin(), labels.end());
  while (!labels.empty()) {
    std::pop_heap(labels.begin(), labels.end());
    const int label = labels.back();
    labels.pop_back();
    if (label == meeting || label == 0 || (!out.empty() && out.back() == label)) continue;
    out.push_back(label);
    labels.push_back(tree_.links[detail::at(label)].father);
    std::push_heap(labels.begin(), labels.end());
  }
  return out;
}

/// One block per joint, and a pair for each joint between it and the root.
template <class Space>
void TreeRecursions<Space>::lay_out_mass(BlockMatrix& M) {
  mass_blocks_.resize(tree_.links.size());
  for (std::size_t label = 1; label < tree_.links.size(); ++label) {
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
void TreeRecursions<Space>::write_mass(BlockMatrix& M) {
  if (mass_blocks_.empty()) lay_out_mass(M);
  composite_.assign(tree_.inertias.begin(), tree_.inertias.end());
  std::array<Wrench<Space>, n> wrenches;
  std::array<double, n * n> unit{};
  for (int j = 0; j < n; ++j) unit[detail::at(j * n + j)] = 1;
  for (std::size_t label = tree_.links.size() - 1; label > 0; --label) {
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
double TreeRecursions<Space>::joint_component(const Link& link, int freedom, const Wrench<Space>& wrench) const {
  Components<Space> components;
  components << wrench.torque, wrench.force;
  return link.axis >= 0 ? components[link.axis] : tree_.subspace[detail::at(link.subspace + freedom)].dot(components);
}

template <class Space>
void TreeRecursions<Space>::lay_out_rows(RowKind kind, BlockMatrix& G) {
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
void TreeRecursions<Space>::write_rows(RowKind kind, BlockMatrix& G) {
  if (!rows_laid_out_[static_cast<std::size_t>(kind)]) lay_out_rows(kind, G);
  G.set_zero();
  const typename JointTree<Space>::Closures& closures = tree_.closures_of(kind);
  auto path = paths_[static_cast<std::size_t>(kind)].begin();
  for (const Closure& closure : closures.list)
    for (const typename Closure::Part& part : closure.parts) {
      for (int r = 0; r < closure.count; ++r) {
        Wrench<Space> wrench = detail::as_wrench<Space>(closures.rows[detail::at(part.first + r)]);
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
void TreeRecursions<Space>::clear_vanishing_rows(RowKind kind, BlockMatrix& G) {
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

}  // namespace linkwork
