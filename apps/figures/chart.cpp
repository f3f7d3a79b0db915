#include "figures/chart.hpp"

#include "figures/external_program.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <boost/locale/encoding_utf.hpp>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <sstream>

namespace linkwork::apps {
namespace {

constexpr int width = 900, height_of_chart = 360, height_of_one = 600;  // pixels

/// Without what users have set for their own plots.
std::string call_gnuplot(const char* argument, const std::string& script) {
  return output_of({.name = "gnuplot", .package = "gnuplot-nox", .arguments = {"-d", argument}}, script);
}
std::string draw_by_gnuplot(const std::string& script) { return call_gnuplot("-", script); }

/// As gnuplot reads text without looking into it: in single quotes, with those inside doubled. What no XML may hold,
/// bytes that are no text and control characters, is left out or a blank.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : boost::locale::conv::utf_to_utf<char>(text, boost::locale::conv::skip)) {
    if (letter == '\'') out += '\'';
    const auto code = static_cast<unsigned char>(letter);
    out += code < 0x20 || code == 0x7f ? ' ' : letter;
  }
  return out + "'";
}

/// Colours that differ from each other, as many as are asked for: hues by the golden ratio, light ones after dark ones.
std::string colour_of(int number) {
  constexpr double golden = 0.6180339887498949;
  const double hue = 6 * (number * golden - std::floor(number * golden));
  const double brightest = number % 2 == 0 ? 0.75 : 0.95, least = number % 3 == 0 ? 0.0 : 0.35 * brightest;
  const auto part = [&](double shift) {
    const double turn = std::fmod(hue + shift, 6.0);
    const double share = std::clamp(std::min(turn, 4 - turn), 0.0, 1.0);
    return static_cast<int>(std::lround(255 * (brightest - (brightest - least) * share)));
  };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", part(5), part(3), part(1));
  return text;
}

bool is_drawn(const ChartAxis& axis, double value) {
  return std::isfinite(value) && !(axis.is_logarithmic && value <= 0);
}

/// gnuplot ends at a chart without a point.
bool has_a_point(const Chart& chart) {
  for (const ChartSeries& each : chart.series)
    for (std::size_t i = 0; i < each.x.size(); ++i)
      if (is_drawn(chart.x, each.x[i]) && is_drawn(chart.y, each.y[i])) return true;
  return false;
}

const char* name_of(ChartSeries::Style style) {
  switch (style) {
    case ChartSeries::Style::line_with_points:
      return "linespoints pointtype 7 pointsize 0.5";
    case ChartSeries::Style::points:
      return "points pointtype 7 pointsize 0.4";
    case ChartSeries::Style::line:
      break;
  }
  return "lines";
}

void begin_picture(std::ostream& script, int height) {
  script.precision(17);
  script << "set encoding utf8\nset terminal svg size " << width << ',' << height
         << " noenhanced font 'sans,12' background rgb 'white'\nset output\n";
}

void write_axis(std::ostream& script, char name, const ChartAxis& axis) {
  script << "set " << name << "label " << quoted(axis.title) << '\n'
         << (axis.is_logarithmic ? "set" : "unset") << " logscale " << name << '\n';
  script << "set format " << name << (axis.is_logarithmic ? " '%.0e'\n" : " '%g'\n");
}

void write_data(std::ostream& script, const Chart& chart, std::size_t number) {
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const ChartSeries& each = chart.series[k];
    script << "$data_" << number << '_' << k << " << EOD\n";
    for (std::size_t i = 0; i < each.x.size(); ++i) {
      if (is_drawn(chart.x, each.x[i]) && is_drawn(chart.y, each.y[i]))
        script << each.x[i] << ' ' << each.y[i] << '\n';
      else
        script << '\n';  // ends the piece of the curve
    }
    script << "EOD\n";
  }
}

void write_chart(std::ostream& script, const Chart& chart, const std::string& title, std::size_t number) {
  constexpr std::size_t large_key = 20, most_in_key = 80;
  write_data(script, chart, number);
  script << "set title " << quoted(title) << '\n';
  write_axis(script, 'x', chart.x);
  write_axis(script, 'y', chart.y);
  if (chart.series.size() > most_in_key)
    script << "unset key\n";
  else
    script << "set key outside right top font 'sans," << (chart.series.size() > large_key ? 6 : 11) << "'\n";
  script << "set grid\nplot ";
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    script << (k > 0 ? ", " : "") << "$data_" << number << '_' << k << " using 1:2 title "
           << quoted(chart.series[k].name) << " with " << name_of(chart.series[k].style) << " linecolor rgb '"
           << colour_of(static_cast<int>(k)) << "'";
  script << '\n';
}

void write_matrix(std::ostream& script, const MatrixPicture& matrix, std::size_t number) {
  // Squares that nearly touch, as far as the eye can tell them apart.
  const double square = std::clamp(60.0 / std::max(matrix.rows, matrix.columns), 0.1, 2.0);
  script << "$entries_" << number << " << EOD\n";
  for (const MatrixPicture::Entry& entry : matrix.entries)
    script << entry.column << ' ' << entry.row << " 0x" << colour_of(entry.group).substr(1) << '\n';
  script << "EOD\nset title " << quoted(matrix.title)
         << "\nunset key\nset size ratio -1\nset xrange [-1:" << matrix.columns << "]\nset yrange [" << matrix.rows
         << ":-1]\nset xlabel 'column'\nset ylabel 'row'\n"
         << "plot $entries_" << number << " using 1:2:3 with points pointtype 5 pointsize " << square
         << " linecolor rgb variable\n";
}

}  // namespace

std::string svg_of(const std::vector<Chart>& charts) {
  std::vector<const Chart*> drawn;
  for (const Chart& chart : charts)
    if (has_a_point(chart)) drawn.push_back(&chart);
  if (drawn.empty())
    throw ModelError(charts.empty() ? "the figure has nothing to draw: there are no curves."
                                    : "the figure has nothing to draw: none of its numbers is finite, or above 0 where "
                                      "axes are logarithmic.");
  const int count = static_cast<int>(drawn.size());
  std::ostringstream script;
  begin_picture(script, std::max(height_of_one, count * height_of_chart));
  script << "set multiplot layout " << count << ",1\n";
  for (std::size_t k = 0; k < drawn.size(); ++k)
    write_chart(script, *drawn[k], k == 0 ? charts.front().title : drawn[k]->title, k);
  script << "unset multiplot\n";
  return draw_by_gnuplot(script.str());
}

void require_gnuplot() { call_gnuplot("--version", ""); }

std::string svg_of(const std::vector<MatrixPicture>& matrices) {
  std::ostringstream script;
  begin_picture(script, width * static_cast<int>(std::max<std::size_t>(matrices.size(), 1)));
  script << "set multiplot layout " << std::max<std::size_t>(matrices.size(), 1) << ",1\n";
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    if (matrices[k].entries.empty())
      throw ModelError(concat("the matrix of '", matrices[k].title, "' has no entry to draw."));
    write_matrix(script, matrices[k], k);
  }
  script << "unset multiplot\n";
  return draw_by_gnuplot(script.str());
}

}  // namespace linkwork::apps
