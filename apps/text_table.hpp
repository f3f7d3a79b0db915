#pragma once

#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace linkwork::apps {

/// Columns of text, as wide as their widest entry; the first column is set to the left, the others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// A number that nobody knows.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A number with so many significant digits; "-" if it is unknown.
std::string number(double value, int digits = 4);

}  // namespace linkwork::apps
