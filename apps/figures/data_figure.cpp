#include "figures/data_figure.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>

namespace linkwork::apps {
namespace {

/// Comma-separated values whose texts hold no commas.
class Values {
 public:
  explicit Values(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line.front() == '#') continue;
      std::vector<std::string> cells;
      boost::algorithm::split(cells, line, boost::algorithm::is_any_of(","));
      (names_.empty() ? names_ : rows_.emplace_back()) = std::move(cells);
    }
  }

  bool has(const std::string& name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }
  std::size_t column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      throw ModelError(concat("the figure has no column '", name, "'; there are: ", listed(names_), "."));
    return static_cast<std::size_t>(found - names_.begin());
  }
  std::size_t rows() const { return rows_.size(); }
  std::string text(std::size_t row, std::size_t column) const {
    return column < rows_[row].size() ? rows_[row][column] : std::string();
  }
  /// NaN for what is no number.
  double number(std::size_t row, std::size_t column) const {
    const std::string cell = text(row, column);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    return end == cell.c_str() ? std::numeric_limits<double>::quiet_NaN() : value;
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> rows_;
};

/// "t" of "t [s]" ...
std::string name_in(const std::string& label) { return label.substr(0, label.find(" [")); }
/// ... and "[s]"; "" where there is none.
std::string unit_in(const std::string& label) {
  const std::size_t at = label.find(" [");
  return at == std::string::npos ? "" : label.substr(at + 1);
}
/// The axis of one column, or of several: their unit, where they have the same one.
std::string title_of_axis(const std::vector<std::string>& labels) {
  if (labels.size() == 1) return labels.front();
  const std::string unit = unit_in(labels.front());
  const bool is_common =
      std::all_of(labels.begin(), labels.end(), [&](const auto& each) { return unit_in(each) == unit; });
  return is_common ? unit : "";
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + ", " + second;
}

/// Rows in which some columns are the same: which group each is of, an index into `names`.
std::vector<std::size_t> groups_of_rows(const Values& values, const std::vector<std::string>& columns,
                                        std::vector<std::string>& names) {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> group_of_row;
  for (std::size_t row = 0; row < values.rows(); ++row) {
    std::string name;
    for (const std::string& column : columns) {
      const std::string text = values.text(row, values.column(column));
      const bool is_number = std::isfinite(values.number(row, values.column(column)));
      name = joined(name, is_number ? concat(column, ' ', text) : text);
    }
    const auto [place, is_new] = known.try_emplace(name, names.size());
    if (is_new) names.push_back(name);
    group_of_row.push_back(place->second);
  }
  return group_of_row;
}

}  // namespace

std::string svg_of(const CurveFigure& figure, const std::string& title, const std::string& text) {
  const Values values(text);
  std::vector<std::string> names;
  const std::vector<std::size_t> curve_of_row = groups_of_rows(values, figure.curve_by, names);
  const std::size_t x = values.column(name_in(figure.x));
  std::vector<Chart> charts;
  for (const std::vector<std::string>& columns : figure.charts) {
    const bool is_single = columns.size() == 1;
    Chart& chart = charts.emplace_back(Chart{charts.empty() ? title : std::string(),
                                             {figure.x, figure.logarithmic_x},
                                             {title_of_axis(columns), figure.logarithmic_y},
                                             {}});
    for (const std::string& label : columns) {
      const std::string column = name_in(label);
      const std::size_t y = values.column(column), first = chart.series.size();
      for (const std::string& name : names)
        chart.series.push_back({joined(name, is_single && !name.empty() ? "" : column), {}, {}, figure.style});
      for (std::size_t row = 0; row < values.rows(); ++row) {
        ChartSeries& series = chart.series[first + curve_of_row[row]];
        series.x.push_back(values.number(row, x));
        series.y.push_back(values.number(row, y));
      }
    }
  }
  return svg_of(charts);
}

std::string svg_of(const PatternFigure& figure, const std::string& title, const std::string& text) {
  const Values values(text);
  const std::size_t row = values.column("row"), column = values.column("column");
  const bool has_colours = values.has(figure.colour_by);
  std::vector<std::string> names;
  const std::vector<std::size_t> picture_of_row = groups_of_rows(values, figure.picture_by, names);
  std::vector<MatrixPicture> pictures;
  for (const std::string& name : names) pictures.push_back({.title = name.empty() ? title : name});
  const auto whole = [&](std::size_t k, std::size_t of) { return static_cast<int>(values.number(k, of)); };
  for (std::size_t k = 0; k < values.rows(); ++k) {
    MatrixPicture& picture = pictures[picture_of_row[k]];
    const int colour = has_colours ? whole(k, values.column(figure.colour_by)) : 0;
    picture.entries.push_back({whole(k, row), whole(k, column), colour});
    picture.rows = std::max(picture.rows, picture.entries.back().row + 1);
    picture.columns = std::max(picture.columns, picture.entries.back().column + 1);
  }
  return svg_of(pictures);
}

}  // namespace linkwork::apps
