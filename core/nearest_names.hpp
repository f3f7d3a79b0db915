#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

/// For messages about an unknown name: the names in quotes, those most like `wanted` first, at most eight; or "none".
std::string nearest_names(std::string_view wanted, const std::vector<std::string_view>& names);

}  // namespace linkwork
