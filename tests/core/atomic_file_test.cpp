#include <linkwork/core/atomic_file.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace atomic_file_test {

using namespace linkwork;
namespace fs = std::filesystem;

class AtomicFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "linkwork-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  std::string refusal(const std::string& name) const {
    try {
      AtomicFile file(name);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }

 private:
  fs::path folder_;
};

TEST_F(AtomicFiles, AnOlderFileStaysUntilTheNewOneIsWhole) {
  write("a", "old");
  {
    AtomicFile file(path("a"));
    file.stream() << "new";
    file.stream().flush();
    EXPECT_EQ(text_of("a"), "old");
    EXPECT_TRUE(file.commit());
    EXPECT_EQ(text_of("a"), "new");
  }
  EXPECT_EQ(text_of("a"), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFiles, WhatIsNotCommittedLeavesNothing) {
  write("a", "old");
  AtomicFile(path("a")).stream() << "new";
  AtomicFile(path("b")).stream() << "new";
  EXPECT_EQ(text_of("a"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFiles, AProgramThatEndsAtOnceRemovesThem) {
  AtomicFile a(path("a")), b(path("b"));
  EXPECT_EQ(files(), 2);
  AtomicFile::remove_uncommitted();
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFiles, LinksAreFollowedAndPermissionsKept) {
  write("a", "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", path("link"));
  fs::create_symlink("not yet", path("loose"));
  for (const char* name : {"link", "loose"}) {
    AtomicFile file(path(name));
    file.stream() << "new";
    EXPECT_TRUE(file.commit());
    EXPECT_TRUE(fs::is_symlink(path(name)));
  }
  EXPECT_EQ(text_of("a"), "new");
  EXPECT_EQ(text_of("not yet"), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFiles, WhatIsNoRegularFileIsWrittenStraight) {
  AtomicFile nothing("/dev/null");
  nothing.stream() << "text";
  EXPECT_TRUE(nothing.commit());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  AtomicFile full("/dev/full");
  full.stream() << "text";
  const Outcome lost = full.commit();
  EXPECT_FALSE(lost);
  EXPECT_EQ(lost.reason(), "writing '/dev/full' failed; is the disk full?");
}

TEST_F(AtomicFiles, OneFileIsKnownByAllItsNames) {
  write("a", "");
  fs::create_symlink(path("a"), path("link"));
  fs::create_hard_link(path("a"), path("hard"));
  fs::create_directory(path("folder"));
  for (const char* other : {"a", "link", "hard", "folder/../a", "./a"})
    EXPECT_TRUE(is_one_file(path("a"), path(other))) << other;
  EXPECT_TRUE(is_one_file(path("new"), path("folder/../new")));
  EXPECT_FALSE(is_one_file(path("a"), path("new")));
  EXPECT_FALSE(is_one_file(path("new"), path("newer")));
}

TEST_F(AtomicFiles, SayWhyTheyCanNotBeWritten) {
  EXPECT_EQ(refusal(""), "can't write a file whose name is empty; give it a name.");
  EXPECT_EQ(refusal(path("")), "can't write '" + path("") + "': it is a folder; give a file.");
  EXPECT_EQ(refusal(path("no/a")), "can't write '" + path("no/a") + "': No such file or directory; make the folder '" +
                                       path("no") + "', or give another file.");
  write("a", "");
  EXPECT_NE(refusal(path("a/b")).find("Not a directory; make the folder"), std::string::npos) << refusal(path("a/b"));
  EXPECT_EQ(refusal("/proc/a.csv"), "can't write '/proc/a.csv': No such file or directory; give another file.");
  EXPECT_NE(refusal(path(std::string(300, 'x'))).find("File name too long"), std::string::npos);
  if (geteuid() == 0) return;  // who may do everything is never refused
  fs::permissions(path("a"), fs::perms::owner_read);
  EXPECT_NE(refusal(path("a")).find("Permission denied; allow the file to be written"), std::string::npos);
  fs::create_directory(path("closed"));
  fs::permissions(path("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(refusal(path("closed/a")).find("Permission denied; files must be allowed to be made in the folder"),
            std::string::npos);
}

}  // namespace atomic_file_test
