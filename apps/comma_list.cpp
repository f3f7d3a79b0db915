#include "comma_list.hpp"

#include "number_text.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace linkwork::apps {

std::vector<std::string> comma_list(const std::string& option, const std::string& text, const std::string& expected) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) throw ModelError(concat(option, " '", text, "' has an empty item; expected ", expected, '.'));
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::vector<std::string> comma_list(const std::string& option, const std::vector<std::string>& arguments) {
  std::vector<std::string> items;
  for (const std::string& argument : arguments)
    for (std::string& item : comma_list(option, argument)) items.push_back(std::move(item));
  return items;
}

std::vector<int> comma_list_of_integers(const std::string& option, const std::vector<std::string>& arguments) {
  std::vector<int> numbers;
  for (const std::string& item : comma_list(option, arguments)) {
    std::int64_t number = 0;
    if (!read_whole_number(item, number).empty() || !std::in_range<int>(number))
      throw ModelError(concat(option, " '", item, "': expected whole numbers with commas between them."));
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

}  // namespace linkwork::apps
