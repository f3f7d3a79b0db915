#pragma once

#include <CLI/CLI.hpp>

namespace linkwork::apps {

/// Looks at the texts of all arguments that a parsed subcommand got, before anything is made of them: CLI11 takes ''
/// for none, and rounds numbers that don't fit.
/// @throws ModelError for an empty text, and for a number that does not fit
void check_arguments(const CLI::App& app);

}  // namespace linkwork::apps
