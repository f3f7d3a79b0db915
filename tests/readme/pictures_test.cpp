// The pictures of the READMEs, which apps/pictures/make.py makes: all there, shown, and small.

#include "markdown.hpp"

#include "zoo/zoo.hpp"

#include <linkwork/core/concat.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace linkwork::apps {
namespace pictures_test {

constexpr std::uintmax_t most_bytes = 1'000'000;  // of all together

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::uintmax_t bytes_of_pictures(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".png") bytes += entry.file_size();
  return bytes;
}

/// Shown by a README beside the folder of pictures.
void expect_shown(const std::filesystem::path& readme, const std::string& name) {
  const std::string file = concat("pictures/", name, ".png");
  EXPECT_EQ(text_of(readme.parent_path() / file).substr(1, 3), "PNG") << file << ": make it by apps/pictures/make.py";
  EXPECT_NE(text_of(readme).find(file), std::string::npos) << file << " is not shown in " << readme;
}

TEST(ReadmePictures, ShowEveryModelThatHasBodies) {
  for (const ZooModel& model : zoo())
    if (model.name != "cartesian_pendulum") expect_shown(source_folder() / "apps/README.md", model.name);
}

TEST(ReadmePictures, ShowEveryJoint) {
  int joints = 0;
  for (const Markdown::Table& table : read_markdown(source_folder() / "joints/README.md").tables) {
    if (table.rows.front().front() != "joint") continue;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
      const std::string& name = table.rows[row].front();
      expect_shown(source_folder() / "joints/README.md", name.substr(1, name.find('`', 1) - 1));
      ++joints;
    }
  }
  EXPECT_EQ(joints, 18);
}

TEST(ReadmePictures, AreSmall) {
  EXPECT_LE(
      bytes_of_pictures(source_folder() / "apps/pictures") + bytes_of_pictures(source_folder() / "joints/pictures"),
      most_bytes);
}

}  // namespace pictures_test
}  // namespace linkwork::apps
