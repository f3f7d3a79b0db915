#include <linkwork/solvers/simulation/name_patterns.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/nearest_names.hpp>

#include <fnmatch.h>

namespace linkwork {

std::vector<std::size_t> names_that_fit(const char* asked_by, const char* what, const std::vector<std::string>& names,
                                        const std::vector<std::string>& patterns) {
  std::vector<std::size_t> out;
  std::vector<bool> is_taken(names.size());
  for (const std::string& pattern : patterns) {
    bool fits = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (fnmatch(pattern.c_str(), names[i].c_str(), 0) != 0) continue;
      fits = true;
      if (!is_taken[i]) out.push_back(i);
      is_taken[i] = true;
    }
    if (!fits)
      throw ModelError(concat(asked_by, ": no ", what, " fits '", pattern,
                              "'; there are: ", nearest_names(pattern, {names.begin(), names.end()}), "."));
  }
  return out;
}

}  // namespace linkwork
