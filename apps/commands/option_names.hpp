#pragma once

#include <string>

namespace linkwork::apps {

/// A message of the library, in which members of option structs and functions are followed by the options of the
/// command that set them: "raise maximum_steps (--max-steps)".
std::string with_options(const std::string& message);

}  // namespace linkwork::apps
