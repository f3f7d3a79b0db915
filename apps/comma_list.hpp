#pragma once

#include <string>
#include <vector>

namespace linkwork::apps {

/// The items of "chain,tree". @throws ModelError naming the option, and what is expected, where an item is empty
std::vector<std::string> comma_list(const std::string& option, const std::string& text,
                                    const std::string& expected = "items with one comma between them");
/// Those of all arguments of an option, one after the other.
std::vector<std::string> comma_list(const std::string& option, const std::vector<std::string>& arguments);
/// @throws ModelError also where an item is no whole number
std::vector<int> comma_list_of_integers(const std::string& option, const std::vector<std::string>& arguments);

}  // namespace linkwork::apps
