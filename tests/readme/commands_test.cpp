// Every command of the READMEs is one that the programs take: lines of shell blocks, and `linkwork ...` in the text.
// Runs are shortened, and tables that take minutes only looked for; all else is done as it stands there.

#include "markdown.hpp"
#include "readme.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <regex>
#include <sstream>

namespace commands_test {

struct Command {
  std::string line, place;
};

std::string first_word(const std::string& line) { return line.substr(0, line.find(' ')); }

std::vector<Command> commands_of(const Markdown& readme) {
  std::vector<Command> out;
  const auto add = [&](std::string line, int number) {
    line = line.substr(0, line.find(" #"));
    line = std::regex_replace(line, std::regex("\\bMODEL\\b"), "andrews");
    out.push_back({std::regex_replace(line, std::regex(" +$"), ""), place_of(readme, number)});
  };
  for (const Markdown::Fence& fence : readme.fences) {
    int number = fence.line;
    for (const std::string& line : fence.lines) {
      if (fence.language == "sh" && !line.empty()) add(line, number);
      ++number;
    }
  }
  for (const Markdown::Piece& code : readme.code)
    if (code.text.rfind("linkwork ", 0) == 0) add(code.text, code.line);
  return out;
}

/// The command's arguments for a run of a moment.
std::string shortened(const std::string& arguments) {
  const std::string word = first_word(arguments);
  const bool runs = word == "run" || word == "view" || word == "compare";
  const bool says_when =
      arguments.find("--tend") != std::string::npos || arguments.find("--check") != std::string::npos;
  return runs && !says_when ? arguments + " --tend 0.001" : arguments;
}

struct Result {
  int status = -1;
  std::string text;
};

Result run(const std::string& arguments) {
  // Pages lie in the test's own folder, and are not opened.
  const std::string quietly = "env -u DISPLAY -u WAYLAND_DISPLAY TMPDIR=. " LINKWORK_COMMAND " ";
  FILE* pipe = popen((quietly + arguments + " 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("can't start " LINKWORK_COMMAND);
  Result out;
  std::array<char, 4096> buffer;
  for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    out.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

/// A line of `linkwork reproduce` begins with the table's name.
bool is_table(const std::string& name) {
  std::istringstream lines(run("reproduce").text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("  " + name + "  ", 0) == 0) return true;
  return false;
}

void expect_known(const std::string& arguments, const std::string& place) {
  std::istringstream words(arguments);
  std::string command, table;
  words >> command >> table;
  if (command == "reproduce" && !table.empty()) {
    EXPECT_TRUE(is_table(table)) << place << ": there is no table " << table;
    return;
  }
  const Result result = run(shortened(arguments));
  EXPECT_EQ(result.status, 0) << place << ": linkwork " << arguments << '\n' << result.text;
}

TEST_F(Readme, CommandsAreTaken) {
  for (const Markdown& readme : all_readmes())
    for (const auto& [line, place] : commands_of(readme)) {
      const std::string word = first_word(line), rest = word == line ? "" : line.substr(word.size() + 1);
      if (word == "linkwork") {
        expect_known(rest, place);
      } else if (word == "apps/run") {
        expect_known(rest.empty() ? "list" : "run " + rest, place);
      } else if (word.find('/') != std::string::npos && word.rfind("build/", 0) != 0) {
        EXPECT_TRUE(std::filesystem::exists(source_folder() / word)) << place << ": " << word;
      }
    }
}

}  // namespace commands_test
