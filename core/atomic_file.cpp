#include <linkwork/core/atomic_file.hpp>

#include <linkwork/core/concat.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace linkwork {

namespace {

namespace fs = std::filesystem;

/// Names of files that a signal handler removes: it must neither wait for a lock nor allocate. A file that finds no
/// place only stays behind when the program is ended.
std::array<std::atomic<const char*>, 64> uncommitted;

void note(const char* name) {
  for (auto& place : uncommitted) {
    const char* free = nullptr;
    if (place.compare_exchange_strong(free, name)) return;
  }
}

void forget(const char* name) {
  for (auto& place : uncommitted) {
    const char* noted = name;
    if (place.compare_exchange_strong(noted, nullptr)) return;
  }
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// The folder without links and dots, where there is one.
fs::path with_real_folder(const fs::path& file) {
  std::error_code none;
  const fs::path folder = fs::canonical(folder_of(file), none);
  return none ? file : folder / file.filename();
}

/// /dev/stdout and the like lead here. What such a link leads to is open already: it is not to be replaced.
bool is_of_process(const fs::path& file) { return file.string().rfind("/proc/", 0) == 0; }

/// The file at the end of all links, whether it exists or not.
fs::path without_links(const fs::path& name) {
  constexpr int most_links = 40;  // the system's limit
  fs::path file = with_real_folder(name);
  for (int i = 0; i < most_links && !is_of_process(file); ++i) {
    std::error_code none;
    const fs::path next = fs::read_symlink(file, none);
    if (none) break;
    file = with_real_folder(folder_of(file) / next);
  }
  return file;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why, const std::string& cure) {
  throw ModelError(concat("can't write '", name, "': ", why, "; ", cure, '.'));
}

/// What the system's last error means for a file that was to be made.
[[noreturn]] void refuse_by_error(const std::string& name, const fs::path& file, int error) {
  const std::string folder = folder_of(file).string();
  std::string cure = "give another file";
  std::error_code none;
  const bool is_missing = !fs::is_directory(folder_of(file), none);
  if ((error == ENOENT || error == ENOTDIR) && is_missing)
    cure = concat("make the folder '", folder, "', or give another file");
  if (error == EACCES || error == EROFS || error == EPERM)
    cure = concat("files must be allowed to be made in the folder '", folder, "', or give another file");
  refuse(name, std::strerror(error), cure);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& target) : name_(target) {
  if (target.empty()) throw ModelError("can't write a file whose name is empty; give it a name.");
  target_ = without_links(target);
  std::error_code error;
  const fs::file_status status = fs::status(target, error);  // follows links
  if (status.type() == fs::file_type::none) refuse_by_error(name_, target_, error.value());
  if (fs::is_directory(status)) refuse(name_, "it is a folder", "give a file");
  if (fs::exists(status) && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    refuse(name_, std::strerror(errno), "allow the file to be written, or give another file");
  const bool replaces = !fs::exists(status) || (fs::is_regular_file(status) && !is_of_process(target_));
  if (replaces) {
    open_beside();
    if (fs::exists(status)) fs::permissions(beside_, status.permissions(), error);
  } else {
    stream_.open(target, std::ios::binary | std::ios::app);  // what else was written there stays
  }
  if (!stream_) {
    const int why = errno;
    discard();
    refuse_by_error(name_, target_, why);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_beside() {
  int file = -1;
  for (int k = 0; file < 0; ++k) {
    beside_ = (folder_of(target_) / concat(".linkwork-", ::getpid(), '-', k)).string();
    file = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno == EEXIST) continue;
    const int why = errno;
    beside_.clear();
    refuse_by_error(name_, target_, why);
  }
  note(beside_.c_str());
  ::close(file);  // only one process makes a file of this name; a stream opens it by name
  stream_.open(beside_, std::ios::binary);
}

void AtomicFile::discard() noexcept {
  if (beside_.empty()) return;
  stream_.close();
  ::unlink(beside_.c_str());
  forget(beside_.c_str());
  beside_.clear();
}

Outcome AtomicFile::commit() {
  stream_.close();
  if (!stream_) return Outcome::failure(concat("writing '", name_, "' failed; is the disk full?"));
  if (beside_.empty()) return {};
  if (::rename(beside_.c_str(), target_.c_str()) != 0)
    return Outcome::failure(concat("writing '", name_, "' failed: ", std::strerror(errno), '.'));
  forget(beside_.c_str());
  beside_.clear();
  return {};
}

void AtomicFile::remove_uncommitted() noexcept {
  for (auto& place : uncommitted)
    if (const char* name = place.load()) ::unlink(name);
}

bool is_one_file(const std::string& one, const std::string& other) {
  std::error_code none;
  return without_links(one) == without_links(other) || fs::equivalent(one, other, none);
}

}  // namespace linkwork
