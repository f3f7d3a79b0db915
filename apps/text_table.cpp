#include "text_table.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace linkwork::apps {

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_)
    for (std::size_t k = 0; k < row.size() && k < widths.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  for (const auto& row : rows_) {
    std::ostringstream line;
    for (std::size_t k = 0; k < row.size() && k < widths.size(); ++k)
      line << (k == 0 ? std::left : std::right) << std::setw(static_cast<int>(widths[k] + (k == 0 ? 0 : 2))) << row[k];
    std::string text = line.str();
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  }
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "-";
  std::ostringstream out;
  out << std::setprecision(digits) << value;
  return out.str();
}

}  // namespace linkwork::apps
