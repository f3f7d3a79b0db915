#pragma once

// Included by the two files that instantiate JointRecursion.

#include <linkwork/solvers/linear/joint_kernels.hpp>

#include <algorithm>
#include <cstddef>

namespace linkwork {

template <class Space>
struct JointRecursion<Space>::Data : joint_kernels::Workspace<Space> {};

namespace joint_kernels {

template <class Space>
Blocks<Space> blocks_of(const LinkInertia<Space>& link) {
  Blocks<Space> out{};
  const Vector<Space>& h = link.moment;
  for (int i = 0; i < Space::angular; ++i)
    for (int j = 0; j <= i; ++j) out.A[packed(i, j)] = link.inertia(i, j);
  if constexpr (Space::angular == 1) {
    out.B[0] = -h[1];
    out.B[1] = h[0];
  } else {
    for (int i = 0; i < 3; ++i) {
      const int p = (i + 1) % 3, q = (i + 2) % 3;
      out.B[3 * p + i] = -h[q];
      out.B[3 * q + i] = h[p];
    }
  }
  for (int i = 0; i < Space::dimension; ++i) out.M[packed(i, i)] = link.mass;
  out.A_scale = link.inertia.trace();
  out.M_scale = Space::dimension * link.mass;
  return out;
}

inline void write(const Wrench<Planar>& wrench, double* out) {
  out[0] = wrench.torque;
  out[1] = wrench.force[0];
  out[2] = wrench.force[1];
}
// Number by number in space: a library function that copies three is called.
inline void write(const Wrench<Spatial>& wrench, double* out) {
  for (int i = 0; i < 3; ++i) {
    out[i] = wrench.torque[i];
    out[3 + i] = wrench.force[i];
  }
}
inline void write(const Twist<Planar>& twist, double* out) {
  out[0] = twist.angular;
  out[1] = twist.linear[0];
  out[2] = twist.linear[1];
}
inline void write(const Twist<Spatial>& twist, double* out) {
  for (int i = 0; i < 3; ++i) {
    out[i] = twist.angular[i];
    out[3 + i] = twist.linear[i];
  }
}
inline void read(const double* in, Wrench<Planar>& wrench) {
  wrench.torque = in[0];
  wrench.force = {in[1], in[2]};
}
inline void read(const double* in, Wrench<Spatial>& wrench) {
  wrench.torque = {in[0], in[1], in[2]};
  wrench.force = {in[3], in[4], in[5]};
}
inline void read(const double* in, Twist<Planar>& twist) {
  twist.angular = in[0];
  twist.linear = {in[1], in[2]};
}
inline void read(const double* in, Twist<Spatial>& twist) {
  twist.angular = {in[0], in[1], in[2]};
  twist.linear = {in[3], in[4], in[5]};
}

template <class Space>
void add_product(const Blocks<Space>& I, const double* x, double* y) {
  double product[Space::n];
  Operations<Space, -1>::product(I, x, product);
  for (int i = 0; i < Space::n; ++i) y[i] += product[i];
}

}  // namespace joint_kernels

template <class Space>
JointRecursion<Space>::JointRecursion(const JointTree<Space>& tree) : data_(std::make_unique<Data>()) {
  using namespace joint_kernels;
  constexpr int n = Space::n;
  const std::size_t links = tree.links.size();
  Data& data = *data_;
  data.tree = &tree;
  data.plan.resize(links);
  data.run_of.resize(links, -1);
  std::vector<bool> has_sons(links, false);
  int record = 0;
  for (std::size_t label = 1; label < links; ++label) {
    const auto& link = tree.links[label];
    data.plan[label] = {link.father, link.column, link.subspace, record, false};
    record += Data::pose_size + link.freedoms * Data::freedom_size(link.axis >= 0);
    const Kernel<Space>* kernel =
        link.axis >= 0 ? &unit_kernel<Space>(link.axis, link.is_level) : &subspace_kernel<Space>(link.freedoms);
    const int here = static_cast<int>(label);
    if (data.runs.empty() || data.runs.back().kernel != kernel) data.runs.push_back({here, here, kernel});
    data.runs.back().last = here;
    data.run_of[label] = static_cast<int>(data.runs.size()) - 1;
  }
  for (std::size_t label = links; label-- > 1;) {
    const auto father = static_cast<std::size_t>(data.plan[label].father);
    data.plan[label].is_first_son = !has_sons[father];
    has_sons[father] = true;
  }
  data.records.resize(static_cast<std::size_t>(record));
  for (const LinkInertia<Space>& inertia : tree.inertias) data.own.push_back(blocks_of(inertia));
  data.inertia = data.own;
  data.wrench.resize(links * n);
  data.twist.resize(links * n);
  data.response.resize(static_cast<std::size_t>(tree.freedoms));
}

template <class Space>
JointRecursion<Space>::~JointRecursion() = default;
template <class Space>
JointRecursion<Space>::JointRecursion(JointRecursion&&) noexcept = default;

namespace joint_kernels {

/// Runs from a label down to another one, cut to that range: work(run, first, last) until it returns a label.
template <class Space, class Work>
int downwards(const Workspace<Space>& data, int from, int to, Work&& work) {
  if (from < to) return -1;
  for (int run = data.run_of[static_cast<std::size_t>(from)]; run >= 0; --run) {
    const auto& each = data.runs[static_cast<std::size_t>(run)];
    if (each.last < to) break;
    const int stopped = work(*each.kernel, std::max(each.first, to), std::min(each.last, from));
    if (stopped >= 0) return stopped;
  }
  return -1;
}

}  // namespace joint_kernels

template <class Space>
int JointRecursion<Space>::factor_links(int first, int last) {
  Data& data = *data_;
  if (first + 1 == static_cast<int>(data.plan.size())) data.is_delicate = false;
  return joint_kernels::downwards<Space>(
      data, first, last, [&](const auto& kernel, int low, int high) { return kernel.factor(data, low, high); });
}

template <class Space>
int JointRecursion<Space>::factor() {
  return factor_links(static_cast<int>(data_->plan.size()) - 1, 1);
}

template <class Space>
bool JointRecursion<Space>::is_delicate() const {
  return data_->is_delicate;
}

template <class Space>
void JointRecursion<Space>::load(const TreeLoad<Space>& load) {
  using namespace joint_kernels;
  constexpr int n = Space::n;
  Data& data = *data_;
  data.force = load.force;
  double* wrench = data.wrench.data();
  if (load.wrench)
    for (std::size_t label = 0; label < data.plan.size(); ++label, wrench += n) write(load.wrench[label], wrench);
  else
    std::fill(data.wrench.begin(), data.wrench.end(), 0.0);
  if (!load.offset) return;
  for (std::size_t label = 1; label < data.plan.size(); ++label) {
    double offset[n];
    write(load.offset[label], offset);
    add_product(data.inertia[label], offset, data.wrench.data() + n * label);
  }
}

template <class Space>
void JointRecursion<Space>::inward_links(int first, int last) {
  Data& data = *data_;
  joint_kernels::downwards<Space>(data, first, last, [&](const auto& kernel, int low, int high) {
    kernel.inward(data, low, high);
    return -1;
  });
}

template <class Space>
void JointRecursion<Space>::inward(const TreeLoad<Space>& right) {
  load(right);
  inward_links(static_cast<int>(data_->plan.size()) - 1, 1);
}

template <class Space>
int JointRecursion<Space>::factor_and_load(const double* force) {
  Data& data = *data_;
  data.is_delicate = false;
  load({force, data.tree->force.data(), nullptr});
  for (auto run = data.runs.rbegin(); run != data.runs.rend(); ++run) {
    const int stopped = run->kernel->factor_and_load(data, run->first, run->last);
    if (stopped >= 0) return stopped;
  }
  return -1;
}

template <class Space>
void JointRecursion<Space>::outward_links(int first, int last, double* acceleration) {
  Data& data = *data_;
  const auto runs = static_cast<int>(data.runs.size());
  for (int run = data.run_of[static_cast<std::size_t>(first)]; run < runs; ++run) {
    const auto& each = data.runs[static_cast<std::size_t>(run)];
    if (each.first > last) break;
    each.kernel->outward(data, std::max(each.first, first), std::min(each.last, last), acceleration);
  }
}

template <class Space>
void JointRecursion<Space>::outward(double* acceleration, const Twist<Space>* offset) {
  using namespace joint_kernels;
  constexpr int n = Space::n;
  Data& data = *data_;
  for (const auto& run : data.runs) {
    if (!offset) {
      run.kernel->outward(data, run.first, run.last, acceleration);
      continue;
    }
    for (int label = run.first; label <= run.last; ++label) {
      run.kernel->outward(data, label, label, acceleration);
      double added[n];
      write(offset[label], added);
      for (int i = 0; i < n; ++i) data.twist[static_cast<std::size_t>(n * label + i)] += added[i];
    }
  }
}

template <class Space>
void JointRecursion<Space>::solve(const TreeLoad<Space>& right, double* acceleration) {
  inward(right);
  outward(acceleration, right.offset);
}

template <class Space>
double* JointRecursion<Space>::response() {
  return data_->response.data();
}
template <class Space>
const double* JointRecursion<Space>::response() const {
  return data_->response.data();
}

template <class Space>
Twist<Space> JointRecursion<Space>::link_acceleration(int link) const {
  Twist<Space> out;
  joint_kernels::read(data_->twist.data() + Space::n * link, out);
  return out;
}

template <class Space>
void JointRecursion<Space>::joint_wrenches(const Wrench<Space>* load, Wrench<Space>* wrench) {
  using namespace joint_kernels;
  constexpr int n = Space::n;
  this->load({nullptr, load, nullptr});
  Data& data = *data_;
  for (int label = static_cast<int>(data.plan.size()) - 1; label >= 1; --label) {
    double* w = data.wrench.data() + n * label;
    const auto at = static_cast<std::size_t>(label);
    add_product(data.own[at], data.twist.data() + n * label, w);
    const auto& run = data.runs[static_cast<std::size_t>(data.run_of[at])];
    run.kernel->to_father(data, label, w, data.wrench.data() + n * data.plan[at].father);
    read(w, wrench[label]);
  }
  read(data.wrench.data(), wrench[0]);
}

template <class Space>
void JointRecursion<Space>::pass_wrench(int link, const double* wrench, double* impulse, double* response,
                                        double* father) const {
  const Data& data = *data_;
  const auto& run = data.runs[static_cast<std::size_t>(data.run_of[static_cast<std::size_t>(link)])];
  run.kernel->pass_wrench(data, link, wrench, impulse, response, father);
}

template <class Space>
double JointRecursion<Space>::response_bound(int link, const double* wrench) const {
  constexpr int n = Space::n, a = Space::angular;
  const Data& data = *data_;
  const auto& of_link = data.tree->links[static_cast<std::size_t>(link)];
  const bool is_unit = of_link.axis >= 0;
  double torque = 0, force = 0, sum = 0;
  for (int i = 0; i < a; ++i) torque += wrench[i] * wrench[i];
  for (int i = a; i < n; ++i) force += wrench[i] * wrench[i];
  const double* freedom = data.record(link) + Data::pose_size;
  for (int k = 0; k < of_link.freedoms; ++k, freedom += Data::freedom_size(is_unit)) {
    double bound = 0;
    if (is_unit) {
      bound = of_link.axis < a ? torque : force;
    } else {
      const double* S = freedom + n + 1;
      for (int i = 0; i < a; ++i) bound += S[i] * S[i] * torque;
      for (int i = a; i < n; ++i) bound += S[i] * S[i] * force;
    }
    sum += bound * freedom[n];
  }
  return sum;
}

template <class Space>
void JointRecursion<Space>::add_inertia(int link, const Matrix& inertia) {
  auto& blocks = data_->inertia[static_cast<std::size_t>(link)];
  for (int i = 0; i < Space::n; ++i)
    for (int j = 0; j < Space::n; ++j)
      if (i >= Space::angular ? j >= Space::angular && j <= i : j >= Space::angular || j <= i)
        blocks.add(i, j, inertia(i, j));
}

template <class Space>
void JointRecursion<Space>::add_wrench(int link, const Components<Space>& wrench) {
  for (int i = 0; i < Space::n; ++i) data_->wrench[static_cast<std::size_t>(Space::n * link + i)] += wrench[i];
}

}  // namespace linkwork
