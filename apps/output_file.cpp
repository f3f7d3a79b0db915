#include "output_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>

namespace linkwork::apps {
namespace {

constexpr const char* standard_output = "/dev/stdout";

/// Where nothing can be overwritten.
bool is_device(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_character_file(path, none);
}

bool clash(const std::string& one, const std::string& other) {
  if (is_standard_output(one) || is_standard_output(other)) return is_standard_output(one) && is_standard_output(other);
  return is_one_file(one, other) && !is_device(one);
}

}  // namespace

bool is_standard_output(const std::string& path) {
  constexpr const char* names[] = {"-", standard_output, "/dev/fd/1", "/proc/self/fd/1"};
  return std::find(std::begin(names), std::end(names), path) != std::end(names);
}

OutputFile::OutputFile(const std::string& path) {
  if (!is_standard_output(path)) file_.emplace(path);
}

std::ostream& OutputFile::stream() { return file_ ? file_->stream() : std::cout; }

void OutputFile::close() {
  if (file_) {
    if (const Outcome written = file_->commit(); !written) throw std::runtime_error(written.reason());
  } else if (!std::cout.flush()) {
    throw std::runtime_error("writing to standard output failed; is the disk full, or the reader gone?");
  }
}

void expect_different_files(const std::vector<NamedFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [option, name] = files[i];
    if (name.empty()) continue;
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      const auto& [other_option, other] = files[j];
      if (other.empty() || !clash(name, other)) continue;
      const bool is_standard = is_standard_output(name);
      throw ModelError(concat(option, ' ', name, " and ", other_option, ' ', other, " can't both be ",
                              is_standard ? "standard output" : "one file", "; give one of them ",
                              is_standard ? "a file." : "another name."));
    }
    if (!is_standard_output(name) && is_one_file(name, standard_output) && !is_device(name))
      throw ModelError(concat(option, ' ', name,
                              " is the file that standard output is redirected to; give another "
                              "name, or ",
                              option, " - for standard output."));
  }
}

}  // namespace linkwork::apps
