#pragma once

#include "figures/chart.hpp"

#include <string>
#include <variant>
#include <vector>

namespace linkwork::apps {

/// How comma-separated values are drawn: by names of their columns, which stand in the first line. Lines that begin
/// with # are no data. What is drawn has its unit behind the name, as axes show it: "t [s]" is the column t; what has
/// none is a number of something, or a ratio.
struct CurveFigure {
  std::string x;
  /// For each chart, the columns that are drawn in it.
  std::vector<std::vector<std::string>> charts;
  /// Columns of texts: rows in which they are the same are one curve.
  std::vector<std::string> curve_by = {};
  bool logarithmic_x = false, logarithmic_y = false;
  ChartSeries::Style style = ChartSeries::Style::line;
};

/// Places of matrices in columns named row and column.
struct PatternFigure {
  std::vector<std::string> picture_by = {};  ///< columns of texts: rows in which they are the same are one matrix
  std::string colour_by = "group";           ///< a column of whole numbers; all places are alike where there is none
};

/// A table of values that is not drawn.
struct ValuesOnly {};

/// None: a table for people.
using Figure = std::variant<std::monostate, ValuesOnly, CurveFigure, PatternFigure>;

/// The values as an SVG picture. @throws ModelError for a column that is not there, and as svg_of a chart
std::string svg_of(const CurveFigure& figure, const std::string& title, const std::string& values);
std::string svg_of(const PatternFigure& figure, const std::string& title, const std::string& values);

}  // namespace linkwork::apps
