#include "markdown.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <utility>

namespace {

/// Letters, digits, hyphens and underscores in small letters, a hyphen for a blank.
std::string anchor_of(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    if (c == ' ')
      out += '-';
    else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

void add_matches(const std::string& line, const std::regex& pattern, int number, std::vector<Markdown::Piece>& out) {
  for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match)
    out.push_back({(*match)[1].str(), number});
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  std::size_t begin = 1;
  for (std::size_t end = line.find('|', begin); end != std::string::npos; end = line.find('|', begin)) {
    const std::string cell = line.substr(begin, end - begin);
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    out.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    begin = end + 1;
  }
  return out;
}

/// A line outside of fences that begins with a bar.
void read_row(const std::string& line, int number, bool is_first, Markdown& out) {
  if (is_first) out.tables.push_back({{}, number});
  const bool is_rule = line.find_first_not_of("|-: ") == std::string::npos && line.find('-') != std::string::npos;
  if (!is_rule) out.tables.back().rows.push_back(cells_of(line));
}

/// A line outside of fences.
void read_text(const std::string& line, int number, Markdown& out) {
  static const std::regex heading("^#+ +(.*)$"), code("`([^`]+)`"), link("\\]\\(([^)\\s]+)\\)");
  std::smatch match;
  if (std::regex_match(line, match, heading)) out.anchors.push_back({anchor_of(match[1].str()), number});
  add_matches(line, code, number, out.code);
  // The text of a link may be code, its target not.
  add_matches(std::regex_replace(line, code, "code"), link, number, out.links);
}

}  // namespace

bool Markdown::has_anchor(const std::string& anchor) const {
  return std::any_of(anchors.begin(), anchors.end(), [&](const Piece& known) { return known.text == anchor; });
}

Markdown read_markdown(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("can't read " + file.string());
  Markdown out;
  out.file = file;
  bool in_fence = false, in_table = false;
  for (std::string line; std::getline(in, line);) {
    ++out.lines;
    const bool was_in_table = std::exchange(in_table, !in_fence && !line.empty() && line[0] == '|');
    if (in_table) read_row(line, out.lines, !was_in_table, out);
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.compare(first, 3, "```") == 0) {
      if (!in_fence) out.fences.push_back({line.substr(first + 3), {}, out.lines + 1});
      in_fence = !in_fence;
    } else if (in_fence) {
      out.fences.back().lines.push_back(line);
    } else {
      read_text(line, out.lines, out);
    }
  }
  if (in_fence) throw std::runtime_error(file.string() + " has a code block without an end");
  return out;
}

std::filesystem::path source_folder() { return LINKWORK_SOURCE_FOLDER; }

std::vector<Markdown> all_readmes() {
  const std::filesystem::path root = source_folder();
  std::vector<std::filesystem::path> files = {root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (const auto file = entry.path() / "README.md"; std::filesystem::exists(file)) files.push_back(file);
  std::sort(files.begin(), files.end());
  std::vector<Markdown> out;
  for (const auto& file : files) out.push_back(read_markdown(file));
  return out;
}

std::string place_of(const Markdown& readme, int line) {
  return std::filesystem::relative(readme.file, source_folder()).string() + ":" + std::to_string(line);
}
