#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// What the tests read of a README.
struct Markdown {
  struct Fence {
    std::string language;  ///< "" where none is said
    std::vector<std::string> lines;
    int line = 0;  ///< of its first line, counted from 1
  };
  struct Piece {
    std::string text;
    int line = 0;
  };
  struct Table {
    std::vector<std::vector<std::string>> rows;  ///< the headings first; cells without blanks around
    int line = 0;                                ///< of the headings
  };

  std::filesystem::path file;
  int lines = 0;
  std::vector<Fence> fences;
  std::vector<Table> tables;
  std::vector<Piece> links;    ///< what stands in the brackets of [text](target), outside of code
  std::vector<Piece> code;     ///< `words` in the text
  std::vector<Piece> anchors;  ///< those of the headings, as GitHub names them

  bool has_anchor(const std::string& anchor) const;
};

Markdown read_markdown(const std::filesystem::path& file);

/// The top folder of the sources, and its READMEs: its own and those of its folders.
std::filesystem::path source_folder();
std::vector<Markdown> all_readmes();

/// "solvers/README.md:12"
std::string place_of(const Markdown& readme, int line);
