#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace linkwork::apps {

/// Looks at the texts of all arguments that a parsed subcommand got, before anything is made of them: CLI11 takes ''
/// for none, and rounds numbers that don't fit.
/// @throws ModelError for an empty text, and for a number that does not fit
void check_arguments(const CLI::App& app);

/// One line on why a subcommand could not be parsed: the argument, what is wrong and what to do.
/// @param app  the subcommand
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace linkwork::apps
