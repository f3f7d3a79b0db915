#include "commands/subcommand.hpp"
#include "reproduce/tables.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <iostream>
#include <memory>
#include <string>

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

int reproduce(const std::string& name) {
  if (name.empty()) return list_tables();
  for (const PublishedTable& table : published_tables()) {
    if (table.name != name) continue;
    std::cout << (table.is_data ? "# " : "") << table.title << (table.is_data ? "\n" : "\n\n");
    table.reproduce(std::cout);
    return done;
  }
  throw ModelError(
      concat("unknown table '", name, "'; there are: ", listed(published_tables(), &PublishedTable::name), "."));
}

}  // namespace

Command add_reproduce(CLI::App& program, const ModelList&) {
  CLI::App* app = program.add_subcommand("reproduce", reproduce_help);
  auto name = std::make_shared<std::string>();
  app->footer(list_of_tables());
  app->add_option("TABLE", *name, "one of the tables listed below; lists them without");
  return {app, [name] { return reproduce(*name); }};
}

}  // namespace linkwork::apps
