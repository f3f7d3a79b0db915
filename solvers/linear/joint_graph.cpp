#include <linkwork/solvers/linear/joint_graph.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

using detail::at;

// What is left of a row's mobility after the rows before it, below which it counts as redundant: some thousand rounding
// errors. Redundant rows leave a few.
constexpr double redundant_row = 1e-12;

}  // namespace

template <class Space>
auto JointGraph<Space>::cost(const JointTree<Space>& tree, RowKind kind) -> Cost {
  std::vector<std::int64_t> open(tree.links.size(), 0), meeting(tree.links.size(), 0);
  std::vector<int> seen(tree.links.size(), -1);
  const auto& list = tree.closures_of(kind).list;
  Cost out;
  // Of each closure the links of its paths, once; given up as soon as it is clear that the paths are too long together.
  for (std::size_t c = 0; c < list.size() && out.pairs <= most_pairs; ++c) {
    const std::int64_t count = list[c].count;
    const auto visit = [&](int link) {
      if (seen[at(link)] == static_cast<int>(c)) return false;
      seen[at(link)] = static_cast<int>(c);
      out.pairs += count * open[at(link)] + count * (count + 1) / 2;
      open[at(link)] += count;
      return true;
    };
    visit(list[c].meeting);
    meeting[at(list[c].meeting)] += count;
    for (const auto& part : list[c].parts)
      for (int link = part.link; visit(link);) link = tree.links[at(link)].father;
  }
  for (std::size_t link = 0; link < open.size(); ++link) {
    const auto m = static_cast<double>(meeting[link]), p = static_cast<double>(open[link]) - m;
    const double freedoms = tree.links[link].freedoms;
    out.operations += m * m * (m + p) / 2 + m * m * n / 2 + m * n * n;  // the rows that meet
    out.operations += p * m * n + m * p * (p + 1) / 2;                  // what they take from the others
    out.operations += p * n * (2 * freedoms + n) + freedoms * p * (p + 1) / 2;
  }
  return out;
}

template <class Space>
JointGraph<Space>::JointGraph(const JointTree<Space>& tree, RowKind kind)
    : tree_(tree), rows_(tree, tree.closures_of(kind), ClosureRows<Space>::End::meeting), recursion_(tree) {
  lay_stops();
  C_.resize(rows_.paths().entries.size() * n);
  e_.resize(rows_.of_matrix().size());
  lambda_.resize(e_.size());
  reference_.resize(e_.size());
  is_left_out_.assign(at(tree.closures_of(kind).row_count), 0);
}

template <class Space>
void JointGraph<Space>::leave_out(const std::vector<int>& rows) {
  std::fill(is_left_out_.begin(), is_left_out_.end(), 0);
  for (const int row : rows) is_left_out_[at(row)] = 1;
}

template <class Space>
void JointGraph<Space>::lay_stops() {
  std::vector<int> stop_of_row(rows_.of_matrix().size());
  std::size_t S = 0, targets = 0, responses = 0;
  for (const ClosurePaths::Stop& each : rows_.paths().stops) {
    Stop stop{each};
    stop.column = tree_.links[at(stop.node)].column;
    stop.freedoms = stop.node == 0 ? 0 : tree_.links[at(stop.node)].freedoms;
    for (int e = stop.first; e < stop.last && rows_.paths().entries[at(e)].father < 0; ++e) {
      stop_of_row[at(row_at(e))] = static_cast<int>(stops_.size());
      ++stop.meeting;
    }
    stop.passing = stop.entries() - stop.meeting;
    stop.S = S;
    stop.target = targets;
    stop.response = responses;
    S += at(stop.meeting * stop.entries());
    targets += at(stop.passing) * at(stop.passing + 1) / 2;
    responses += at(stop.passing * stop.freedoms);
    stops_.push_back(stop);
  }
  S_.resize(S);
  impulse_.resize(responses);
  response_.resize(responses);
  targets_.reserve(targets);
  lay_targets(stop_of_row);
}

/// The pair's place is with the row that is eliminated first; the other one is still open there.
template <class Space>
void JointGraph<Space>::lay_targets(const std::vector<int>& stop_of_row) {
  for (const Stop& stop : stops_)
    for (int a = stop.first + stop.meeting; a < stop.last; ++a) {
      const Stop& end = stops_[at(stop_of_row[at(row_at(a))])];
      const auto place = [&](int entry) { return at(rows_.paths().entry_at(end, row_at(entry)) - end.first); };
      const std::size_t line = end.S + place(a) * at(end.entries());
      for (int b = a; b < stop.last; ++b) targets_.push_back(line + place(b));
    }
}

template <class Space>
JointSingularity JointGraph<Space>::factor() {
  is_delicate_ = false;
  std::fill(C_.begin(), C_.end(), 0.0);
  std::fill(S_.begin(), S_.end(), 0.0);
  std::fill(reference_.begin(), reference_.end(), 0.0);
  rows_.add_to(C_.data());
  int next = static_cast<int>(tree_.links.size()) - 1;
  // @return the first velocity of a joint that meets no inertia, or -1
  const auto factor_down_to = [&](int link) {
    const int failed = next >= link ? recursion_.factor_links(next, link) : -1;
    next = std::min(next, link - 1);
    return failed < 0 ? -1 : tree_.links[at(failed)].column;
  };
  for (const Stop& stop : stops_) {
    if (const int velocity = factor_down_to(stop.node + 1); velocity >= 0) return {velocity, -1, false};
    if (stop.meeting > 0)
      if (const int row = close(stop); row >= 0) return {-1, rows_.of_matrix()[at(row)], false};
    if (stop.passing == 0) continue;
    if (const int velocity = factor_down_to(stop.node); velocity >= 0) return {velocity, -1, false};
    pass(stop);
  }
  return {factor_down_to(1), -1, false};
}

/// Eliminates the rows that meet at a link. @return one that is redundant, or -1
template <class Space>
int JointGraph<Space>::close(const Stop& stop) {
  const int meeting = stop.meeting, width = stop.entries();
  double* S = S_.data() + stop.S;  // the upper triangle holds the sums; below it, L is written
  double* first_row = C(stop.first);
  for (int k = 0; k < meeting; ++k) {
    double* line = S + k * width;
    const int row = row_at(stop.first + k);
    if (is_left_out_[at(rows_.of_matrix()[at(row)])]) {
      std::fill(line + k, line + width, 0.0);
      std::fill_n(first_row + k * n, n, 0.0);
      continue;
    }
    is_delicate_ = is_delicate_ || line[k] < delicate_pivot * reference_[at(row)];
    if (!(line[k] > redundant_row * reference_[at(row)])) return row;
    if (rows_.has_vanished(row, reference_[at(row)])) return row;
    const double inverse = 1 / std::sqrt(line[k]);
    line[k] = inverse;
    for (int j = k + 1; j < width; ++j) line[j] *= inverse;
    double* Y = first_row + k * n;
    for (int i = 0; i < n; ++i) Y[i] *= inverse;
    for (int r = k + 1; r < meeting; ++r) {
      const double factor = line[r];
      double* other = S + r * width;
      for (int j = r; j < width; ++j) other[j] -= factor * line[j];
      for (int i = 0; i < n; ++i) first_row[r * n + i] -= factor * Y[i];
    }
  }
  if (stop.node > 0) {
    typename JointRecursion<Space>::Matrix inertia = JointRecursion<Space>::Matrix::Zero();
    for (int k = 0; k < meeting; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) inertia(i, j) += first_row[k * n + i] * first_row[k * n + j];
    recursion_.add_inertia(stop.node, inertia);
  }
  const std::size_t* target = targets_.data() + stop.target;
  for (int a = meeting; a < width; ++a) {
    double* row = first_row + a * n;
    for (int k = 0; k < meeting; ++k)
      for (int i = 0; i < n; ++i) row[i] -= S[k * width + a] * first_row[k * n + i];
    for (int b = a; b < width; ++b, ++target)
      for (int k = 0; k < meeting; ++k) S_[*target] -= S[k * width + a] * S[k * width + b];
  }
  return -1;
}

/// Takes the rows that stay open through the joint of a link.
template <class Space>
void JointGraph<Space>::pass(const Stop& stop) {
  const int f = stop.freedoms, first = stop.first + stop.meeting;
  double* impulse = impulse_.data() + stop.response;
  double* response = response_.data() + stop.response;
  for (int a = 0; a < stop.passing; ++a)
    recursion_.pass_wrench(stop.node, C(first + a), impulse + a * f, response + a * f,
                           C(rows_.paths().entries[at(first + a)].father));
  const std::size_t* target = targets_.data() + stop.target;
  for (int a = 0; a < stop.passing; ++a) {
    double& reference = reference_[at(row_at(first + a))];
    for (int k = 0; k < f; ++k) reference += impulse[a * f + k] * response[a * f + k];
    for (int b = a; b < stop.passing; ++b, ++target)
      for (int k = 0; k < f; ++k) S_[*target] += impulse[a * f + k] * response[b * f + k];
  }
}

template <class Space>
void JointGraph<Space>::solve(const TreeLoad<Space>& load, const double* g, double* acceleration, double* lambda) {
  for (std::size_t row = 0; row < e_.size(); ++row) e_[row] = -g[rows_.of_matrix()[row]];
  recursion_.load(load);
  int next = static_cast<int>(tree_.links.size()) - 1;
  const auto inward_down_to = [&](int link) {
    if (next >= link) recursion_.inward_links(next, link);
    next = std::min(next, link - 1);
  };
  for (const Stop& stop : stops_) {
    inward_down_to(stop.node + 1);
    if (stop.meeting > 0) close_load(stop);
    if (stop.passing == 0) continue;
    inward_down_to(stop.node);
    pass_load(stop);
  }
  inward_down_to(1);

  int first = 1;
  const auto outward_up_to = [&](int link) {
    if (first <= link) recursion_.outward_links(first, link, acceleration);
    first = std::max(first, link + 1);
  };
  for (auto stop = stops_.rbegin(); stop != stops_.rend(); ++stop) {
    outward_up_to(stop->node - 1);
    double* y = recursion_.response() + stop->column;
    for (int a = 0; a < stop->passing; ++a) {
      const double multiplier = lambda_[at(row_at(stop->first + stop->meeting + a))];
      const double* response = response_.data() + stop->response + at(a * stop->freedoms);
      for (int k = 0; k < stop->freedoms; ++k) y[k] -= response[k] * multiplier;
    }
    if (stop->meeting == 0) continue;
    outward_up_to(stop->node);
    find_multipliers(*stop);
  }
  outward_up_to(static_cast<int>(tree_.links.size()) - 1);
  for (std::size_t row = 0; row < lambda_.size(); ++row) lambda[rows_.of_matrix()[row]] = lambda_[row];
}

/// e of the rows that meet becomes t.
template <class Space>
void JointGraph<Space>::close_load(const Stop& stop) {
  const int width = stop.entries();
  const double* S = S_.data() + stop.S;
  Components<Space> wrench = Components<Space>::Zero();
  for (int k = 0; k < stop.meeting; ++k) {
    double& t = e_[at(row_at(stop.first + k))];
    t *= S[k * width + k];
    for (int j = k + 1; j < width; ++j) e_[at(row_at(stop.first + j))] -= S[k * width + j] * t;
    for (int i = 0; i < n; ++i) wrench[i] += C(stop.first + k)[i] * t;
  }
  if (stop.node > 0) recursion_.add_wrench(stop.node, wrench);
}

template <class Space>
void JointGraph<Space>::pass_load(const Stop& stop) {
  const double* y = recursion_.response() + stop.column;
  const double* impulse = impulse_.data() + stop.response;
  for (int a = 0; a < stop.passing; ++a) {
    double& e = e_[at(row_at(stop.first + stop.meeting + a))];
    for (int k = 0; k < stop.freedoms; ++k) e += *impulse++ * y[k];
  }
}

/// lambda = L^-T (Y A + t - X lambda of the rows that stay open)
template <class Space>
void JointGraph<Space>::find_multipliers(const Stop& stop) {
  const int width = stop.entries();
  const double* S = S_.data() + stop.S;
  const Components<Space> A =
      stop.node > 0 ? components(recursion_.link_acceleration(stop.node)) : Components<Space>::Zero();
  for (int k = stop.meeting - 1; k >= 0; --k) {
    const int row = row_at(stop.first + k);
    double sum = e_[at(row)];
    for (int i = 0; i < n; ++i) sum += C(stop.first + k)[i] * A[i];
    for (int j = k + 1; j < width; ++j) sum -= S[k * width + j] * lambda_[at(row_at(stop.first + j))];
    lambda_[at(row)] = sum * S[k * width + k];
  }
}

template class JointGraph<Planar>;
template class JointGraph<Spatial>;

}  // namespace linkwork
