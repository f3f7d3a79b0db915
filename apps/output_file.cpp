#include "output_file.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace linkwork::apps {

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") return;
  file_.open(path, std::ios::binary | std::ios::trunc);
  if (!file_) throw ModelError(concat("can't write '", path, "': ", std::strerror(errno), "; give another file."));
}

std::ostream& OutputFile::standard_output() { return std::cout; }

void OutputFile::close() {
  stream().flush();
  if (!stream()) throw std::runtime_error(concat("writing '", path_, "' failed; is the disk full?"));
}

}  // namespace linkwork::apps
