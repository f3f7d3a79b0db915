#include "comma_list.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <charconv>
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
    int number = 0;
    const char* last = item.data() + item.size();
    const auto [end, error] = std::from_chars(item.data(), last, number);
    if (error != std::errc() || end != last)
      throw ModelError(concat(option, " '", item, "': expected whole numbers with commas between them."));
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace linkwork::apps
