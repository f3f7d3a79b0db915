#include <linkwork/solvers/linear/joint_graph.hpp>

#include <linkwork/core/at.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linkwork {

namespace {

using detail::at;

// What is left of a row's mobility after the rows before it, below which it counts as redundant: some thousand rounding
// errors. Redundant rows leave a few.
constexpr double redundant_row = 1e-12;

/// Closures in the order of their elimination: meetings from the highest label down.
template <class Space>
std::vector<int> closures_by_meeting(const typename JointTree<Space>::Closures& closures) {
  std::vector<int> order(closures.list.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return closures.list[at(a)].meeting > closures.list[at(b)].meeting; });
  return order;
}

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
    : tree_(tree), closures_(tree.closures_of(kind)), recursion_(tree) {
  std::vector<std::vector<int>> open(tree.links.size());  // rows by link, ascending
  order_rows(open);
  lay_stops(open);
  C_.resize(entries_.size() * n);
  e_.resize(matrix_row_.size());
  lambda_.resize(matrix_row_.size());
  reference_.resize(matrix_row_.size());
  vanishing_.resize(matrix_row_.size(), tree);
  is_left_out_.assign(matrix_row_.size(), 0);
}

template <class Space>
void JointGraph<Space>::leave_out(const std::vector<int>& rows) {
  std::fill(is_left_out_.begin(), is_left_out_.end(), 0);
  for (const int row : rows) is_left_out_[at(order_[at(row)])] = 1;
}

/// Numbers the rows, and finds at which links each of them is open.
template <class Space>
void JointGraph<Space>::order_rows(std::vector<std::vector<int>>& open) {
  order_.resize(at(closures_.row_count));
  for (const int c : closures_by_meeting<Space>(closures_)) {
    const auto& closure = closures_.list[at(c)];
    const int first = static_cast<int>(matrix_row_.size());
    for (int i = 0; i < closure.count; ++i) {
      order_[at(closure.row + i)] = first + i;
      matrix_row_.push_back(closure.row + i);
      closure_of_.push_back(c);
    }
    const auto visit = [&](int link) {
      std::vector<int>& here = open[at(link)];
      if (!here.empty() && here.back() >= first) return false;
      for (int i = 0; i < closure.count; ++i) here.push_back(first + i);
      return true;
    };
    visit(closure.meeting);
    for (const auto& part : closure.parts)
      for (int link = part.link; visit(link);) link = tree_.links[at(link)].father;
  }
}

template <class Space>
void JointGraph<Space>::lay_stops(const std::vector<std::vector<int>>& open) {
  std::vector<int> meeting(matrix_row_.size()), stop_of(open.size(), -1), stop_of_row(matrix_row_.size());
  for (const auto& closure : closures_.list)
    for (int i = 0; i < closure.count; ++i) meeting[at(order_[at(closure.row + i)])] = closure.meeting;
  std::size_t S = 0, targets = 0, responses = 0;
  for (int link = static_cast<int>(open.size()) - 1; link >= 0; --link) {
    const std::vector<int>& here = open[at(link)];
    if (here.empty()) continue;
    Stop stop;
    stop.link = link;
    stop.column = tree_.links[at(link)].column;
    stop.freedoms = link == 0 ? 0 : tree_.links[at(link)].freedoms;
    stop.first_entry = static_cast<int>(entries_.size());
    for (const int row : here) {
      entries_.push_back({row, -1});
      const bool meets = meeting[at(row)] == link;
      if (meets) stop_of_row[at(row)] = static_cast<int>(stops_.size());
      ++(meets ? stop.meeting : stop.passing);
    }
    stop.S = S;
    stop.target = targets;
    stop.response = responses;
    S += at(stop.meeting * stop.entries());
    targets += at(stop.passing) * at(stop.passing + 1) / 2;
    responses += at(stop.passing * stop.freedoms);
    stop_of[at(link)] = static_cast<int>(stops_.size());
    stops_.push_back(stop);
  }
  S_.resize(S);
  impulse_.resize(responses);
  response_.resize(responses);
  targets_.reserve(targets);
  for (const Stop& stop : stops_) {
    const int first = stop.first_entry + stop.meeting, last = first + stop.passing;
    for (int a = first; a < last; ++a) {
      const int row = entries_[at(a)].row;
      entries_[at(a)].father = entry_of(stops_[at(stop_of[at(tree_.links[at(stop.link)].father)])], row);
      // The pair's place is with the row that is eliminated first; the other one is still open there.
      const Stop& end = stops_[at(stop_of_row[at(row)])];
      const std::size_t line = end.S + at((entry_of(end, row) - end.first_entry) * end.entries());
      for (int b = a; b < last; ++b)
        targets_.push_back(line + at(entry_of(end, entries_[at(b)].row) - end.first_entry));
    }
  }
  lay_parts(stop_of);
}

template <class Space>
void JointGraph<Space>::lay_parts(const std::vector<int>& stop_of) {
  for (const auto& closure : closures_.list)
    for (const auto& part : closure.parts)
      if (part.link > 0)
        for (int i = 0; i < closure.count; ++i)
          parts_.push_back({entry_of(stops_[at(stop_of[at(part.link)])], order_[at(closure.row + i)]), part.first + i});
}

template <class Space>
int JointGraph<Space>::entry_of(const Stop& stop, int row) const {
  const auto begin = entries_.begin() + stop.first_entry;
  return static_cast<int>(std::lower_bound(begin, begin + stop.entries(), row,
                                           [](const Entry& entry, int wanted) { return entry.row < wanted; }) -
                          entries_.begin());
}

template <class Space>
auto JointGraph<Space>::factor() -> Failure {
  is_delicate_ = false;
  std::fill(C_.begin(), C_.end(), 0.0);
  std::fill(S_.begin(), S_.end(), 0.0);
  std::fill(reference_.begin(), reference_.end(), 0.0);
  for (const Part& part : parts_)
    for (int i = 0; i < n; ++i) C(part.entry)[i] += closures_.rows[at(part.source)][i];
  int next = static_cast<int>(tree_.links.size()) - 1;
  const auto factor_down_to = [&](int link) {
    const int failed = next >= link ? recursion_.factor_links(next, link) : -1;
    next = std::min(next, link - 1);
    return failed;
  };
  for (const Stop& stop : stops_) {
    if (const int link = factor_down_to(stop.link + 1); link >= 0) return {link, -1};
    if (stop.meeting > 0)
      if (const int row = close(stop); row >= 0) return {-1, matrix_row_[at(row)]};
    if (stop.passing == 0) continue;
    if (const int link = factor_down_to(stop.link); link >= 0) return {link, -1};
    pass(stop);
  }
  return {factor_down_to(1), -1};
}

/// Eliminates the rows that meet at a link. @return one that is redundant, or -1
template <class Space>
int JointGraph<Space>::close(const Stop& stop) {
  const int meeting = stop.meeting, width = stop.entries();
  double* S = S_.data() + stop.S;  // the upper triangle holds the sums; below it, L is written
  double* first_row = C(stop.first_entry);
  for (int k = 0; k < meeting; ++k) {
    double* line = S + k * width;
    const int row = entries_[at(stop.first_entry + k)].row;
    if (is_left_out_[at(row)]) {
      std::fill(line + k, line + width, 0.0);
      std::fill_n(first_row + k * n, n, 0.0);
      continue;
    }
    is_delicate_ = is_delicate_ || line[k] < delicate_pivot * reference_[at(row)];
    if (!(line[k] > redundant_row * reference_[at(row)])) return row;
    if (vanishes(row)) return row;
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
  if (stop.link > 0) {
    typename JointRecursion<Space>::Matrix inertia = JointRecursion<Space>::Matrix::Zero();
    for (int k = 0; k < meeting; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) inertia(i, j) += first_row[k * n + i] * first_row[k * n + j];
    recursion_.add_inertia(stop.link, inertia);
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

template <class Space>
bool JointGraph<Space>::vanishes(int row) {
  const auto& closure = closures_.list[at(closure_of_[at(row)])];
  return vanishing_.has_vanished(at(row), reference_[at(row)], tree_, closures_, closure,
                                 matrix_row_[at(row)] - closure.row);
}

/// Takes the rows that stay open through the joint of a link.
template <class Space>
void JointGraph<Space>::pass(const Stop& stop) {
  const int f = stop.freedoms, first = stop.first_entry + stop.meeting;
  double* impulse = impulse_.data() + stop.response;
  double* response = response_.data() + stop.response;
  for (int a = 0; a < stop.passing; ++a)
    recursion_.pass_wrench(stop.link, C(first + a), impulse + a * f, response + a * f,
                           C(entries_[at(first + a)].father));
  const std::size_t* target = targets_.data() + stop.target;
  for (int a = 0; a < stop.passing; ++a) {
    double& reference = reference_[at(entries_[at(first + a)].row)];
    for (int k = 0; k < f; ++k) reference += impulse[a * f + k] * response[a * f + k];
    for (int b = a; b < stop.passing; ++b, ++target)
      for (int k = 0; k < f; ++k) S_[*target] += impulse[a * f + k] * response[b * f + k];
  }
}

template <class Space>
void JointGraph<Space>::solve(const TreeLoad<Space>& load, const double* g, double* acceleration, double* lambda) {
  for (std::size_t row = 0; row < e_.size(); ++row) e_[row] = -g[matrix_row_[row]];
  recursion_.load(load);
  int next = static_cast<int>(tree_.links.size()) - 1;
  const auto inward_down_to = [&](int link) {
    if (next >= link) recursion_.inward_links(next, link);
    next = std::min(next, link - 1);
  };
  for (const Stop& stop : stops_) {
    inward_down_to(stop.link + 1);
    if (stop.meeting > 0) close_load(stop);
    if (stop.passing == 0) continue;
    inward_down_to(stop.link);
    pass_load(stop);
  }
  inward_down_to(1);

  int first = 1;
  const auto outward_up_to = [&](int link) {
    if (first <= link) recursion_.outward_links(first, link, acceleration);
    first = std::max(first, link + 1);
  };
  for (auto stop = stops_.rbegin(); stop != stops_.rend(); ++stop) {
    outward_up_to(stop->link - 1);
    double* y = recursion_.response() + stop->column;
    for (int a = 0; a < stop->passing; ++a) {
      const double multiplier = lambda_[at(entries_[at(stop->first_entry + stop->meeting + a)].row)];
      const double* response = response_.data() + stop->response + at(a * stop->freedoms);
      for (int k = 0; k < stop->freedoms; ++k) y[k] -= response[k] * multiplier;
    }
    if (stop->meeting == 0) continue;
    outward_up_to(stop->link);
    find_multipliers(*stop);
  }
  outward_up_to(static_cast<int>(tree_.links.size()) - 1);
  for (std::size_t row = 0; row < lambda_.size(); ++row) lambda[matrix_row_[row]] = lambda_[row];
}

/// e of the rows that meet becomes t.
template <class Space>
void JointGraph<Space>::close_load(const Stop& stop) {
  const int width = stop.entries();
  const double* S = S_.data() + stop.S;
  Components<Space> wrench = Components<Space>::Zero();
  for (int k = 0; k < stop.meeting; ++k) {
    double& t = e_[at(entries_[at(stop.first_entry + k)].row)];
    t *= S[k * width + k];
    for (int j = k + 1; j < width; ++j) e_[at(entries_[at(stop.first_entry + j)].row)] -= S[k * width + j] * t;
    for (int i = 0; i < n; ++i) wrench[i] += C(stop.first_entry + k)[i] * t;
  }
  if (stop.link > 0) recursion_.add_wrench(stop.link, wrench);
}

template <class Space>
void JointGraph<Space>::pass_load(const Stop& stop) {
  const double* y = recursion_.response() + stop.column;
  const double* impulse = impulse_.data() + stop.response;
  for (int a = 0; a < stop.passing; ++a) {
    double& e = e_[at(entries_[at(stop.first_entry + stop.meeting + a)].row)];
    for (int k = 0; k < stop.freedoms; ++k) e += *impulse++ * y[k];
  }
}

/// lambda = L^-T (Y A + t - X lambda of the rows that stay open)
template <class Space>
void JointGraph<Space>::find_multipliers(const Stop& stop) {
  const int width = stop.entries();
  const double* S = S_.data() + stop.S;
  const Components<Space> A =
      stop.link > 0 ? components(recursion_.link_acceleration(stop.link)) : Components<Space>::Zero();
  for (int k = stop.meeting - 1; k >= 0; --k) {
    const int row = entries_[at(stop.first_entry + k)].row;
    double sum = e_[at(row)];
    for (int i = 0; i < n; ++i) sum += C(stop.first_entry + k)[i] * A[i];
    for (int j = k + 1; j < width; ++j) sum -= S[k * width + j] * lambda_[at(entries_[at(stop.first_entry + j)].row)];
    lambda_[at(row)] = sum * S[k * width + k];
  }
}

template class JointGraph<Planar>;
template class JointGraph<Spatial>;

}  // namespace linkwork
