#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace linkwork::apps {

/// Reads a decimal number, which has to be the whole text.
/// @returns "", or what is wrong: "is no number", or that it does not fit
std::string read_number(std::string_view text, double& value);
/// Reads a whole number likewise.
std::string read_whole_number(std::string_view text, std::int64_t& value);

}  // namespace linkwork::apps
