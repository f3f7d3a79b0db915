#pragma once

#include <string>
#include <vector>

namespace linkwork::apps {

/// A curve, or points that nothing connects. Numbers that are not finite make a gap.
struct ChartSeries {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  enum class Style { line, line_with_points, points } style = Style::line;
};

struct ChartAxis {
  std::string title = {};
  bool is_logarithmic = false;  ///< numbers that are not above 0 make a gap then
};

struct Chart {
  std::string title = {};
  ChartAxis x = {}, y = {};
  std::vector<ChartSeries> series = {};
};

/// Charts below each other as one SVG picture, which gnuplot draws. Names may hold any text; control characters become
/// blanks.
/// @throws ModelError where there is nothing to draw, and where gnuplot is not installed; std::runtime_error where it
/// fails
std::string svg_of(const std::vector<Chart>& charts);

/// That svg_of has what it needs, before a long run. @throws ModelError naming the package that is not installed
void require_gnuplot();

/// Entries of a matrix, in the order of its rows and columns, each with a number, from 0, that chooses its colour.
struct MatrixPicture {
  struct Entry {
    int row = 0, column = 0, group = 0;
  };
  std::string title = {};
  int rows = 0, columns = 0;
  std::vector<Entry> entries = {};
};

/// Matrices below each other, row 0 on top, as they are written. @throws as svg_of charts
std::string svg_of(const std::vector<MatrixPicture>& matrices);

}  // namespace linkwork::apps
