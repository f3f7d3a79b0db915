#pragma once

#include <string>
#include <vector>

namespace linkwork::apps {

/// A program that another project keeps, and that draws for us.
struct ExternalProgram {
  std::string name;                    ///< as it is called
  std::string package;                 ///< Debian's, which has it
  std::vector<std::string> arguments;  ///< behind the name
};

/// What the program writes to its standard output when `input` stands on its standard input.
/// @throws ModelError where it is not installed, naming the package; std::runtime_error where it fails, with what it
/// says
std::string output_of(const ExternalProgram& program, const std::string& input);

}  // namespace linkwork::apps
