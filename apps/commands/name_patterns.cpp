#include "commands/name_patterns.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/nearest_names.hpp>

#include <fnmatch.h>

#include <algorithm>

namespace linkwork::apps {

std::vector<std::string> column_names(const EquationsOfMotion& equations) {
  std::vector<std::string> names;
  const auto add = [&](Eigen::Index count, std::string (EquationsOfMotion::*name)(int) const) {
    for (int i = 0; i < static_cast<int>(count); ++i) names.push_back((equations.*name)(i));
  };
  const Dimensions& n = equations.dimensions();
  add(n.p, &EquationsOfMotion::position_name);
  add(n.v, &EquationsOfMotion::velocity_name);
  add(n.r, &EquationsOfMotion::state_name);
  add(equations.auxiliary().size(), &EquationsOfMotion::auxiliary_name);
  add(equations.contacts().size(), &EquationsOfMotion::contact_name);
  for (const std::string& name : equations.observable_names()) names.push_back(name);
  return names;
}

void expect_patterns_fit(const char* option, const std::vector<std::string>& patterns, const char* what,
                         const std::vector<std::string>& names) {
  for (const std::string& pattern : patterns)
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; }))
      throw ModelError(concat(option, ": no ", what, " fits '", pattern,
                              "'; there are: ", nearest_names(pattern, {names.begin(), names.end()}), "."));
}

}  // namespace linkwork::apps
