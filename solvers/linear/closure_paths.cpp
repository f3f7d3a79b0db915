#include <linkwork/solvers/linear/closure_paths.hpp>

#include <linkwork/core/at.hpp>

#include <algorithm>

namespace linkwork {

namespace {

/// Ascending columns, by node.
std::vector<std::vector<int>> columns_by_node(const std::vector<int>& fathers, const std::vector<int>& ends,
                                              const std::vector<ClosurePaths::Part>& parts) {
  std::vector<std::vector<int>> out(fathers.size());
  const auto visit = [&](int node, int column) {
    std::vector<int>& here = out[detail::at(node)];
    if (!here.empty() && here.back() == column) return false;
    here.push_back(column);
    return true;
  };
  auto part = parts.begin();
  for (int column = 0; column < static_cast<int>(ends.size()); ++column) {
    if (ends[detail::at(column)] >= 0) visit(ends[detail::at(column)], column);
    for (; part != parts.end() && part->column == column; ++part)
      for (int node = part->node; node >= 0 && visit(node, column);) node = fathers[detail::at(node)];
  }
  return out;
}

}  // namespace

ClosurePaths::ClosurePaths(const std::vector<int>& fathers, const std::vector<int>& ends,
                           const std::vector<Part>& parts) {
  const std::vector<std::vector<int>> columns = columns_by_node(fathers, ends, parts);
  std::vector<int> stop_of(fathers.size(), -1);
  for (int node = static_cast<int>(columns.size()) - 1; node >= 0; --node) {
    if (columns[detail::at(node)].empty()) continue;
    const int first = static_cast<int>(entries.size());
    for (const int column : columns[detail::at(node)]) entries.push_back({column, -1});
    stop_of[detail::at(node)] = static_cast<int>(stops.size());
    stops.push_back({node, first, static_cast<int>(entries.size())});
  }
  const auto entry_on = [&](int node, int column) {
    return entry_at(stops[detail::at(stop_of[detail::at(node)])], column);
  };
  for (const Stop& stop : stops)
    for (int e = stop.first; e < stop.last; ++e) {
      Entry& entry = entries[detail::at(e)];
      const int father = fathers[detail::at(stop.node)];
      if (father >= 0 && ends[detail::at(entry.column)] != stop.node) entry.father = entry_on(father, entry.column);
    }
  for (const Part& part : parts) entry_of_part.push_back(entry_on(part.node, part.column));
}

int ClosurePaths::entry_at(const Stop& stop, int column) const {
  const auto before = [](const Entry& entry, int wanted) { return entry.column < wanted; };
  const auto begin = entries.begin();
  return static_cast<int>(std::lower_bound(begin + stop.first, begin + stop.last, column, before) - begin);
}

}  // namespace linkwork
