#include "number_text.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace linkwork::apps {
namespace {

/// std::from_chars on the whole text; a plus sign in front is right too.
template <class Number>
std::errc read(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

}  // namespace

std::string read_number(std::string_view text, double& value) {
  const std::errc error = read(text, value);
  if (error == std::errc::invalid_argument) return "is no number";
  if (error == std::errc::result_out_of_range || std::fpclassify(value) == FP_SUBNORMAL)
    return "does not fit a number, whose magnitude is 0 or between 2.3e-308 and 1.8e308";
  return "";
}

std::string read_whole_number(std::string_view text, std::int64_t& value) {
  const std::errc error = read(text, value);
  if (error == std::errc::invalid_argument) return "is no whole number";
  if (error == std::errc::result_out_of_range) return "does not fit a whole number, which is below 9.2e18";
  return "";
}

}  // namespace linkwork::apps
