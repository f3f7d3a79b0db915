#pragma once

#include "figures/chart.hpp"

#include <string>
#include <variant>
#include <vector>

namespace linkwork::apps {

/// How comma-separated values are drawn: by names of their columns, which stand in the first line. Lines that begin
/// with # are no data.
struct CurveFigure {
  std::string x;
  /// For each chart, the columns that are drawn in it.
  std::vector<std::vector<std::string>> charts;
  /// Columns of texts: rows in which they are the same are one curve.
  std::vector<std::string> curve_by = {};
  bool logarithmic_x = false, logarithmic_y = false;
  ChartSeries::Style style = ChartSeries::Style::line;
};

/// Values in columns named row, column and, where there are colours, group.
struct PatternFigure {};

/// None: a table for people, which is not drawn.
using Figure = std::variant<std::monostate, CurveFigure, PatternFigure>;

/// The values as an SVG picture. @throws ModelError for a column that is not there, and as svg_of a chart
std::string svg_of(const CurveFigure& figure, const std::string& title, const std::string& values);
std::string svg_of(const PatternFigure& figure, const std::string& title, const std::string& values);

}  // namespace linkwork::apps
