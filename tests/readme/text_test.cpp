// What can be told of the READMEs without a run: that links lead somewhere, files that are named exist, code blocks say
// what they are (so that none escapes its test), and the first page stays short.

#include "markdown.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace text_test {

TEST(ReadmeText, LinksLeadToFilesAndHeadings) {
  for (const Markdown& readme : all_readmes())
    for (const Markdown::Piece& link : readme.links) {
      if (link.text.find("://") != std::string::npos) continue;
      const std::size_t hash = link.text.find('#');
      const std::string target = link.text.substr(0, hash);
      const auto file = target.empty() ? readme.file : readme.file.parent_path() / target;
      EXPECT_TRUE(std::filesystem::exists(file)) << place_of(readme, link.line) << ": " << link.text;
      if (hash == std::string::npos || !std::filesystem::exists(file)) continue;
      EXPECT_TRUE(read_markdown(file).has_anchor(link.text.substr(hash + 1)))
          << place_of(readme, link.line) << ": " << file.string() << " has no heading for " << link.text;
    }
}

TEST(ReadmeText, FilesThatAreNamedExist) {
  const std::regex in_a_folder("(apps|bodies|core|forces|joints|solvers|tests|topology)/[A-Za-z0-9_./]*");
  const std::regex source("[a-z0-9_/]+\\.(hpp|cpp|cmake)");
  for (const Markdown& readme : all_readmes())
    for (const Markdown::Piece& code : readme.code) {
      const bool is_below_root = std::regex_match(code.text, in_a_folder);
      if (!is_below_root && !std::regex_match(code.text, source)) continue;
      EXPECT_TRUE(std::filesystem::exists(source_folder() / code.text) ||
                  std::filesystem::exists(readme.file.parent_path() / code.text))
          << place_of(readme, code.line) << ": " << code.text;
    }
}

TEST(ReadmeText, CodeBlocksSayWhatTheyAre) {
  const std::set<std::string> known = {"cpp", "sh", "cmake", "text"};
  for (const Markdown& readme : all_readmes())
    for (const Markdown::Fence& fence : readme.fences)
      EXPECT_TRUE(known.count(fence.language)) << place_of(readme, fence.line) << ": '" << fence.language << "'";
}

/// What a project outside writes is what the one in apps/consumer writes, which is built against an installed Linkwork.
TEST(ReadmeText, CMakeBlocksAreThoseOfTheConsumer) {
  std::set<std::string> consumer;
  for (std::ifstream in(source_folder() / "apps/consumer/CMakeLists.txt"); in;) {
    std::string line;
    std::getline(in, line);
    consumer.insert(line);
  }
  for (const Markdown& readme : all_readmes())
    for (const Markdown::Fence& fence : readme.fences) {
      if (fence.language != "cmake") continue;
      for (const std::string& line : fence.lines)
        EXPECT_TRUE(consumer.count(line)) << place_of(readme, fence.line) << ": " << line;
    }
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ReadmeText, EveryElementIsInTheChapterOfItsFolder) {
  const std::regex element("class ([A-Za-z]+)(<[A-Za-z]+>)? final");
  for (const char* folder : {"bodies", "forces", "joints"}) {
    const std::string chapter = text_of(source_folder() / folder / "README.md");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
      if (entry.path().extension() != ".hpp") continue;
      const std::string header = text_of(entry.path());
      for (std::sregex_iterator match(header.begin(), header.end(), element), end; match != end; ++match)
        EXPECT_TRUE(std::regex_search(chapter, std::regex("\\b" + (*match)[1].str() + "\\b")))
            << folder << "/README.md says nothing about " << (*match)[1];
    }
  }
}

TEST(ReadmeText, FirstPageIsShort) { EXPECT_LE(read_markdown(source_folder() / "README.md").lines, 100); }

}  // namespace text_test
