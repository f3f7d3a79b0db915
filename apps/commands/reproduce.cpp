#include "commands/subcommand.hpp"
#include "output_file.hpp"
#include "reproduce/tables.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

namespace linkwork::apps {
namespace {

std::string list_of_tables() {
  std::string list = "Tables:";
  for (const PublishedTable& table : published_tables()) list += "\n  " + table.name + "  " + table.title;
  return list;
}

int list_tables() {
  std::cout << list_of_tables() << "\n\n'linkwork reproduce TABLE' recomputes one of them.\n";
  return done;
}

std::string svg_of(const PublishedTable& table) {
  std::ostringstream values;
  table.reproduce(values);
  if (const auto* pattern = std::get_if<PatternFigure>(&table.figure))
    return svg_of(*pattern, table.title, values.str());
  return svg_of(std::get<CurveFigure>(table.figure), table.title, values.str());
}

void draw(const PublishedTable& table, const std::string& file) {
  if (!table.is_figure()) {
    std::vector<std::string> figures;
    for (const PublishedTable& each : published_tables())
      if (each.is_figure()) figures.push_back(each.name);
    throw ModelError(
        concat("--svg draws figures, and '", table.name, "' is a table; figures are: ", listed(figures), "."));
  }
  require_gnuplot();
  OutputFile out(file);
  out.stream() << svg_of(table);
  out.close();
}

int reproduce(const std::string& name, const std::string& svg) {
  if (name.empty() && !svg.empty()) throw ModelError("--svg draws one figure; name it before.");
  if (name.empty()) return list_tables();
  for (const PublishedTable& table : published_tables()) {
    if (table.name != name) continue;
    if (!svg.empty()) {
      draw(table, svg);
      return done;
    }
    std::cout << (table.is_data() ? "# " : "") << table.title << (table.is_data() ? "\n" : "\n\n");
    table.reproduce(std::cout);
    return done;
  }
  throw ModelError(
      concat("unknown table '", name, "'; there are: ", listed(published_tables(), &PublishedTable::name), "."));
}

}  // namespace

Command add_reproduce(CLI::App& program, const ModelList&) {
  CLI::App* app = program.add_subcommand("reproduce", reproduce_help);
  auto name = std::make_shared<std::string>(), svg = std::make_shared<std::string>();
  app->footer(list_of_tables());
  app->add_option("TABLE", *name, "one of the tables listed below; lists them without");
  app->add_option("--svg", *svg, "draws the figure by gnuplot, in place of printing its values; - for standard output")
      ->type_name("FILE");
  return {app, [name, svg] { return reproduce(*name, *svg); }};
}

}  // namespace linkwork::apps
