#include <linkwork/core/nearest_names.hpp>

#include <linkwork/core/concat.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace linkwork {

namespace {

/// Number of letters to insert, drop or exchange to get from one word to the other (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_names(std::string_view wanted, const std::vector<std::string_view>& names) {
  if (names.empty()) return "none";
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const std::string_view name : names) ranked.emplace_back(edit_distance(wanted, name), name);
  std::sort(ranked.begin(), ranked.end());
  constexpr std::size_t shown_at_most = 8;
  return listed_up_to(shown_at_most, ranked, [](const auto& entry) { return concat("'", entry.second, "'"); });
}

}  // namespace linkwork
