#pragma once

#include <string>

namespace linkwork::apps {

/// A new file for a page of a model, in the system's folder for such, that stays.
/// @throws ModelError if none can be made there
std::string temporary_page(const std::string& model);

/// Shows a file by the program that the user's desktop has for it. @return whether there is such a desktop
bool open_by_desktop(const std::string& file);

}  // namespace linkwork::apps
